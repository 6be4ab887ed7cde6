"""The file that keeps what was found: bound to the release and to the suites, read back as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.validating import Telling, Whole, make_valid_release, with_integrity

from flowbench.errors import ReleaseError, UsageError
from flowbench.progress import Silent
from flowbench.release import file_sha256, validation_path
from flowbench.validation import results
from flowbench.validation.corruption import Rewriting
from flowbench.validation.results import ConfigResult, all_results, is_current, read_result, write_result
from flowbench.validation.runner import validate


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_valid_release(tmp_path / "flowbench", 2, ("sim_test",))


def found(root: Path) -> ConfigResult:
    return validate(root, [], 1, Silent(), with_integrity(Telling(), Whole())).results["sim_test"]


def test_a_result_is_kept_and_read_back(root: Path) -> None:
    result = found(root)
    write_result(root, result)
    path = root / validation_path("sim_test")
    text = json.loads(path.read_bytes())
    assert text["passed"] is False
    assert text["manifest_sha256"] == file_sha256(root / "manifest.json")
    assert text["suites_version"] == results.SUITES_VERSION
    telling = next(suite for suite in text["suites"] if suite["name"] == "telling")
    assert telling["rules"] == {"told so": 1}
    assert telling["kept"][0]["found"] == "left_right"
    again = read_result(root, "sim_test")
    assert again.to_bytes() == result.to_bytes() == path.read_bytes()
    assert is_current(root, again)


def test_a_kept_result_breaks_nothing_and_changes_nothing(root: Path) -> None:
    first = validate(root, [], 1, Silent(), with_integrity()).results["sim_test"]
    write_result(root, first)
    second = validate(root, [], 1, Silent(), with_integrity()).results["sim_test"]
    assert second.passed
    assert second.to_bytes() == first.to_bytes()


def test_a_result_is_bound_to_the_manifest(root: Path) -> None:
    result = found(root)
    release = Rewriting(root)
    release.manifest = release.manifest.model_copy(update={"seed": 1})
    release.publish()
    assert not is_current(root, result)


def test_a_result_is_bound_to_the_suites(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = found(root)
    monkeypatch.setattr(results, "SUITES_VERSION", results.SUITES_VERSION + 1)
    assert not is_current(root, result)


def test_a_forged_verdict_is_refused(root: Path) -> None:
    write_result(root, found(root))
    path = root / validation_path("sim_test")
    path.write_text(path.read_text().replace('"passed": false', '"passed": true', 1))
    with pytest.raises(ReleaseError, match="the verdict is not the one that follows"):
        read_result(root, "sim_test")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"passed": NaN}', "x" * 100])
def test_what_is_no_result_is_refused(root: Path, text: str) -> None:
    path = root / validation_path("sim_test")
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ReleaseError, match="flowbench validate"):
        read_result(root, "sim_test")


def test_a_missing_result_is_told(root: Path) -> None:
    with pytest.raises(UsageError, match="holds no result for sim_test: run 'flowbench validate"):
        read_result(root, "sim_test")


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / "validation").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="it is a link"):
        write_result(root, found(root))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_several_results_are_one_text(root: Path) -> None:
    result = found(root)
    text = json.loads(all_results([result]))
    assert text == {"passed": False, "configs": {"sim_test": json.loads(result.to_bytes())}}
