"""What a push takes for a validation: results about just this release by today's suites, or a validation now."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.hub import LocalHub
from support.hub.client import hub
from support.publishing import root, small_release

from flowbench.cli import main
from flowbench.cli.checking import StoredChecks
from flowbench.errors import ReleaseError
from flowbench.publishing import push
from flowbench.release import MANIFEST, read_manifest
from flowbench.validation.registry import SUITES_VERSION
from flowbench.validation.results import ConfigResult, SuiteResult, is_current, read_result, write_result

__all__ = ["hub", "root", "small_release"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
CONFIGS = ("sim_train", "sim_test")


def digest(root: Path) -> str:
    return hashlib.sha256((root / MANIFEST).read_bytes()).hexdigest()


def result(root: Path, config: str, violations: int = 0, **changes: Any) -> ConfigResult:
    """A result about a config, with so many violations of one suite."""
    suite = SuiteResult(
        name="labels",
        about="Labels.",
        enforced=True,
        skipped=None,
        rules={"answer": violations} if violations else {},
        by_category={},
        kept=(),
        tables=(),
        shares=(),
    )
    fields: Mapping[str, Any] = {
        "suites_version": SUITES_VERSION,
        "manifest_sha256": digest(root),
        "config": config,
        "preset": "balanced",
        "compared_with": CONFIGS,
        "samples": {},
        "suites": (suite,),
    }
    return ConfigResult(**{**fields, **changes})


@pytest.fixture
def runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The validations that ran; each finds nothing wrong."""
    found: list[Path] = []

    def validate(place: Path, *_: Any) -> Any:
        found.append(place)
        return SimpleNamespace(results={config: result(place, config) for config in CONFIGS})

    monkeypatch.setattr("flowbench.validation.runner.validate", validate)
    return found


def test_current_results_are_taken(root: Path, runs: list[Path]) -> None:
    for config in CONFIGS:
        write_result(root, result(root, config))
    StoredChecks().ensure(root, (digest(root), "0" * 64))
    assert runs == []


def test_without_results_the_release_is_validated_and_they_are_kept(root: Path, runs: list[Path]) -> None:
    StoredChecks().ensure(root, (digest(root),))
    assert runs == [root]
    assert all(is_current(root, read_result(root, config)) for config in CONFIGS)


OUTDATED: list[Mapping[str, Any]] = [
    {"suites_version": SUITES_VERSION - 1},
    {"manifest_sha256": "1" * 64},
    {"compared_with": ("sim_train",)},
]


@pytest.mark.parametrize("changes", OUTDATED, ids=lambda changes: next(iter(changes)))
def test_results_about_something_else_do_not_count(root: Path, runs: list[Path], changes: Mapping[str, Any]) -> None:
    write_result(root, result(root, "sim_test"))
    write_result(root, result(root, "sim_train", **changes))
    StoredChecks().ensure(root, (digest(root),))
    assert runs == [root]


def test_a_result_that_was_tampered_with_does_not_count(root: Path, runs: list[Path]) -> None:
    for config in CONFIGS:
        write_result(root, result(root, config, violations=1))
    path = root / "validation" / "sim_test.json"
    path.write_text(path.read_text().replace('"passed": false', '"passed": true'))
    StoredChecks().ensure(root, (digest(root),))
    assert runs == [root]


def test_a_broken_release_is_refused(root: Path, runs: list[Path]) -> None:
    write_result(root, result(root, "sim_train"))
    write_result(root, result(root, "sim_test", violations=1200))
    with pytest.raises(ReleaseError, match=r"breaks checks \(sim_test 1,200\), so it is not published"):
        StoredChecks().ensure(root, (digest(root),))


def test_results_go_out_bound_to_the_manifest_that_goes_out(hub: LocalHub, root: Path, runs: list[Path]) -> None:
    for config in CONFIGS:
        write_result(root, result(root, config))
    before = {config: read_result(root, config) for config in CONFIGS}
    push(root, "org/flowbench", "0.1.0", StoredChecks(), say=lambda _: None)
    there = hub.files("org/flowbench", "v0.1.0")
    published = hashlib.sha256(there[MANIFEST]).hexdigest()
    assert published == digest(root)
    for config in CONFIGS:
        assert there[f"validation/{config}.json"] == (root / f"validation/{config}.json").read_bytes()
        stored = read_result(root, config)
        assert is_current(root, stored)
        assert stored == before[config].model_copy(update={"manifest_sha256": published})
    push(root, "org/flowbench", "0.1.0", StoredChecks(), say=lambda _: None)
    assert runs == []


@pytest.mark.slow
def test_a_real_release_is_validated_and_published(
    hub: LocalHub, release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the built folder to a verified version, by the commands alone; building again keeps what was published."""
    from support.small import SCENES, SEED, SMALL

    from flowbench.builders.options import BuildOptions
    from flowbench.builders.progress import Silent
    from flowbench.builders.runner import build

    out = Path(shutil.copytree(release, tmp_path / "flowbench"))
    arguments = ["release", "push", str(out), "--repo", "org/flowbench", "--version", "0.1.0"]
    assert main(arguments) == 0, capsys.readouterr().err
    assert main(["release", "verify", "org/flowbench", "--version", "0.1.0"]) == 0
    card = (out / "README.md").read_text()
    assert main(["release", "card", str(out)]) == 0
    assert (out / "README.md").read_text() == card
    assert not build(BuildOptions(("sim_train",), out, SCENES, SEED, workers=1, **SMALL), Silent()).changed
    assert read_manifest(out).version == "0.1.0"
    assert (out / "README.md").read_text() == card
    assert main(arguments) == 0
    assert "Nothing to do" in capsys.readouterr().out
