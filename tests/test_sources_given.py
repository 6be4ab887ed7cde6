"""What a build is given to build from: names, paths, fingerprints, and what a directory remembers of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowbench.builders.options import BuildOptions
from flowbench.builders.sources import SOURCES
from flowbench.builders.sources.given import HOUSES, check_sources, fingerprint, given_to
from flowbench.builders.state import State
from flowbench.cli.given import named_paths
from flowbench.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "material"
    (root / "meta").mkdir(parents=True)
    (root / "meta" / "info.json").write_text('{"fps": 10}')
    (root / "video.mp4").write_bytes(b"0123456789")
    return root


def fingerprint_now(path: Path) -> str:
    fingerprint.cache_clear()
    return fingerprint(str(path))


def test_names_and_paths_are_read_from_the_command_line() -> None:
    assert named_paths(["a=b/c=d", "e=f"], Path("x.json")) == {
        "houses": Path("x.json"),
        "a": Path("b/c=d"),
        "e": Path("f"),
    }


@pytest.mark.parametrize("pair", ["", "movi", "movi=", "=path", " =path"])
def test_what_is_no_name_and_path_is_refused(pair: str) -> None:
    with pytest.raises(UsageError, match="must be a name and a path"):
        named_paths([pair], None)


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="houses was given twice"):
        named_paths(["houses=x"], Path("y"))


def test_every_source_is_for_configs_that_there_are() -> None:
    from flowbench.schema import CONFIGS

    assert HOUSES in SOURCES
    assert {config for configs in SOURCES.values() for config in configs} <= set(CONFIGS)


def test_only_the_configs_that_a_source_is_for_are_given_it(tmp_path: Path) -> None:
    given = {HOUSES: tmp_path / "x.json"}
    assert given_to("sim_train", given) == ((HOUSES, str(tmp_path / "x.json")),)
    assert given_to("selection_train", given) == ()


@pytest.mark.parametrize(
    ("configs", "name", "there", "told"),
    [
        (("sim_train",), "house", True, "unknown source 'house': did you mean 'houses'"),
        (("selection_train",), HOUSES, True, "selection_train cannot be built from it"),
        (("sim_train",), HOUSES, False, "is not there"),
    ],
)
def test_bad_sources_are_refused(tmp_path: Path, configs: tuple[str, ...], name: str, there: bool, told: str) -> None:
    path = tmp_path if there else tmp_path / "missing"
    with pytest.raises(UsageError, match=told):
        check_sources(configs, {name: path})


def test_a_fingerprint_does_not_say_where_the_files_lie(folder: Path, tmp_path: Path) -> None:
    before = fingerprint_now(folder)
    folder.rename(tmp_path / "elsewhere")
    assert fingerprint_now(tmp_path / "elsewhere") == before


@pytest.mark.parametrize(
    ("name", "content"),
    [("meta/info.json", b'{"fps": 11}'), ("video.mp4", b"01234567890"), ("another.mp4", b""), ("meta/x/y.png", b"1")],
)
def test_a_fingerprint_tells_other_files(folder: Path, name: str, content: bytes) -> None:
    before = fingerprint_now(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    assert fingerprint_now(folder) != before


def test_a_directory_remembers_what_a_config_was_built_from(tmp_path: Path) -> None:
    houses, other = tmp_path / "a.json", tmp_path / "b.json"
    houses.write_text("[]")
    other.write_text("[1]")
    state = State(tmp_path / "out")
    with state.locked():
        state.record(_options(state, {HOUSES: houses}), None)
    state.check(_options(state, {HOUSES: houses}))
    state.check(_options(state, {}, "selection_train"))
    for given in ({HOUSES: other}, {}):
        with pytest.raises(UsageError, match="holds sim_train from houses"):
            state.check(_options(state, given))


def _options(state: State, sources: dict[str, Path], config: str = "sim_train") -> BuildOptions:
    return BuildOptions((config,), state.out, 2, sources=sources)
