"""Where releases are looked for, and what was built last."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.building import build, counting
from support.decoded import root

from flowbench.cli import main
from flowbench.errors import ReleaseError, UsageError
from flowbench.files import write_text
from flowbench.loaders import places
from flowbench.loaders.places import NoReleaseError, Place, find_release, local_shards
from flowbench.release import CARD, MANIFEST
from flowbench.release.last import last_built, remember

__all__ = ["counting", "root"]  # fixtures


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, and an account that has built nothing."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    return empty


def _release(folder: Path) -> Path:
    """As much of a release as being found takes."""
    write_text(folder / MANIFEST, "{}")
    return folder


def test_the_nearest_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoReleaseError, match="no release found: run 'flowbench build', set FLOWBENCH_ROOT"):
        find_release()
    monkeypatch.setenv("FLOWBENCH_REPO", "org/flowbench")
    assert find_release() == Place(repo="org/flowbench")
    last = _release(tmp_path / "last")
    remember(last)
    assert find_release() == Place(root=last)
    named = _release(tmp_path / "named")
    monkeypatch.setenv("FLOWBENCH_ROOT", str(named))
    assert find_release() == Place(root=named)
    Path("flowbench").mkdir()  # a folder of that name that is no release is not meant
    assert find_release() == Place(root=named)
    _release(Path("flowbench"))
    assert find_release() == Place(root=Path("flowbench").absolute())
    assert find_release(root=last) == Place(root=last)
    assert find_release(repo="a/b", revision="v1.0.0") == Place(repo="a/b", revision="v1.0.0")
    assert find_release(revision="v1.0.0") == Place(repo="org/flowbench", revision="v1.0.0")


def test_a_revision_is_never_looked_for_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(_release(tmp_path / "last"))
    monkeypatch.setenv("FLOWBENCH_ROOT", str(tmp_path / "last"))
    with pytest.raises(NoReleaseError, match=r"revision 'v0\.1\.0'.*FLOWBENCH_REPO"):
        find_release(revision="v0.1.0")
    monkeypatch.setattr(places, "DEFAULT_REPO", "org/public")
    assert find_release(revision="v0.1.0") == Place(repo="org/public", revision="v0.1.0")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"root": "x", "repo": "a/b"}, "give one or the other"),
        ({"root": "x", "revision": "v1"}, "give one or the other"),
        ({"root": "missing"}, "root names missing, which is not a folder"),
        ({"repo": "flowbench"}, "repo is 'flowbench', expected ORG/NAME"),
        ({"repo": "a/b/c"}, "expected ORG/NAME"),
        ({"repo": "../b"}, "expected ORG/NAME"),
        ({"repo": ""}, "expected ORG/NAME"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        find_release(**arguments)


def test_a_wrong_root_in_the_environment_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(_release(tmp_path / "last"))
    monkeypatch.setenv("FLOWBENCH_ROOT", "/does/not/exist")
    with pytest.raises(NoReleaseError, match="FLOWBENCH_ROOT names /does/not/exist, which is not a folder"):
        find_release()
    assert issubclass(NoReleaseError, FileNotFoundError)  # as datasets raises it


def test_shards_are_listed_whole(root: Path, tmp_path: Path) -> None:
    shards = local_shards(root, "sim_train")
    assert [path.name for path in shards] == [
        *(f"train-0000{i}-of-00002.tar" for i in range(2)),
        *(f"validation-0000{i}-of-00002.tar" for i in range(2)),
    ]
    assert local_shards(root, "sim_train", "validation") == shards[2:]
    with pytest.raises(UsageError, match="did you mean 'sim_train'"):
        local_shards(root, "sim_trian")
    with pytest.raises(UsageError, match="has the split train, validation, not 'test'"):
        local_shards(root, "sim_train", "test")
    with pytest.raises(UsageError, match="not a release: it has no manifest"):
        local_shards(tmp_path, "sim_train")


def test_the_last_build_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert last_built() is None
    one, other = tmp_path / "one", tmp_path / "other"
    for each in (one, other):
        assert main(["build", "sim_train", "--scenes", "3", "--workers", "1", "--out", str(each)]) == 0
        assert last_built() == each
    assert find_release() == Place(root=other)
    assert os.stat(tmp_path / "state" / "flowbench").st_mode & 0o777 == 0o700
    (other / MANIFEST).unlink()
    assert last_built() is None


def test_a_failed_build_is_not_remembered(tmp_path: Path) -> None:
    assert main(["build", "sim_trian", "--out", str(tmp_path / "x")]) == 2
    remember(tmp_path / "no-release")
    assert last_built() is None


def test_building_by_function_leaves_no_note(tmp_path: Path) -> None:
    build(tmp_path / "quiet")
    assert last_built() is None
    assert (tmp_path / "quiet" / CARD).exists()


def test_an_unusable_place_for_the_note_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = _release(tmp_path / "release")
    (tmp_path / "file").touch()
    for base in (str(tmp_path / "file"), "/proc/nowhere", "\udcff/\udcff"):
        monkeypatch.setenv("XDG_STATE_HOME", base)
        remember(release)
    monkeypatch.setenv("XDG_STATE_HOME", "relative")  # to be ignored
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    remember(release)
    assert not Path("relative").exists()
    assert (tmp_path / "home/.local/state/flowbench/last").read_text() == f"{release}\n"
    assert last_built() == release


@pytest.mark.parametrize("note", [b"", b"relative\n", b"\xff\xfe", b"/x" * 5000, b"/dev/null\n", b"/a\0b\n"])
def test_a_spoiled_note_is_no_note(tmp_path: Path, note: bytes) -> None:
    path = tmp_path / "state" / "flowbench" / "last"
    path.parent.mkdir(parents=True)
    path.write_bytes(note)
    assert last_built() is None


def test_damage_that_can_be_seen_at_once_is_told_at_once(tmp_path: Path) -> None:
    from support.synthetic import make_release

    make_release(tmp_path, 2, ("sim_test",))
    shard = local_shards(tmp_path, "sim_test")[1]
    shard.write_bytes(shard.read_bytes()[:-600])
    with pytest.raises(ReleaseError, match=r"test-00001-of-00002\.tar has .* bytes, the manifest says"):
        local_shards(tmp_path, "sim_test")
    shard.unlink()
    with pytest.raises(ReleaseError, match=r"test-00001-of-00002\.tar is missing"):
        local_shards(tmp_path, "sim_test")
    with pytest.raises(UsageError, match="holds sim_test, not sim_train: build it with 'flowbench build sim_train'"):
        local_shards(tmp_path, "sim_train")
    (tmp_path / CARD).unlink()
    with pytest.raises(ReleaseError, match=r"has no README\.md"):
        local_shards(tmp_path, "sim_test")


@pytest.mark.parametrize("how", ["it was built last", "FLOWBENCH_ROOT names it"])
def test_a_release_that_nobody_named_is_told_with_the_reason(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from support.synthetic import found_unnamed

    import flowbench

    place = found_unnamed(tmp_path / "small", how, monkeypatch)
    sentence = f"^the release {place}, taken because {how}, holds sim_test, not sim_train: name another with root= or"
    for load in (flowbench.load_dataset, flowbench.webdataset):
        with pytest.raises(UsageError, match=sentence):
            load("sim_train", "train")
