"""Versions of the data, what changed between two of them, and the changelog that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.publishing import small_release
from support.synthetic import make_record, make_release

from flowbench.errors import ReleaseError, UsageError
from flowbench.publishing.changelog import sections, updated_changelog
from flowbench.publishing.changes import Change, Side, find_changes, required_step
from flowbench.publishing.version import Step, Version, newest, parse_version, version_of_tag
from flowbench.release import CARD, Manifest, read_manifest

__all__ = ["small_release"]


@pytest.mark.parametrize(
    "text", ["1.2", "v1.2.3", "1.2.3-rc1", "1.02.3", "-1.0.0", "1.2.3.4", "", " 1.2.3", "1.2.3\n", "٣.0.0"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="three numbers"):
        parse_version(text)
    assert version_of_tag(f"v{text}") is None


def test_nothing_comes_before_what_is_unpublished() -> None:
    with pytest.raises(UsageError, match=r"begin with 0\.1\.0"):
        parse_version("0.0.0")


def test_versions_are_ordered_by_numbers() -> None:
    texts = ["0.9.10", "0.10.0", "1.0.0", "1.0.2", "1.0.10"]
    versions = [parse_version(text) for text in texts]
    assert sorted([*versions[3:], *versions[:3]]) == versions
    assert newest(versions) == Version(1, 0, 10)
    assert newest([]) is None
    assert version_of_tag("v1.0.10") == Version(1, 0, 10)
    assert version_of_tag("1.0.10") is None
    assert Version(1, 0, 10).tag == "v1.0.10"


@pytest.mark.parametrize(
    ("last", "step", "least"),
    [
        ("1.2.3", Step.NONE, "1.2.4"),
        ("1.2.3", Step.PATCH, "1.2.4"),
        ("1.2.3", Step.MINOR, "1.3.0"),
        ("1.2.3", Step.MAJOR, "2.0.0"),
        ("0.2.3", Step.PATCH, "0.2.4"),
        ("0.2.3", Step.MINOR, "0.3.0"),
        ("0.2.3", Step.MAJOR, "0.3.0"),
    ],
)
def test_the_least_version_after_a_change(last: str, step: Step, least: str) -> None:
    assert str(parse_version(last).after(step)) == least


def side(root: Path, manifest: Manifest | None = None, card: str | None = None) -> Side:
    """A release as a side of a comparison."""
    text = (root / CARD).read_text("utf-8") if card is None else card
    return Side(manifest or read_manifest(root), text, lambda path: (root / path).open("rb"))


def changed(old: Path, new: Path) -> list[tuple[Step, str]]:
    return [(change.step, change.text) for change in find_changes(side(old), side(new))]


def test_the_same_content_is_no_change(small_release: Path) -> None:
    renamed = read_manifest(small_release).model_copy(update={"version": "3.4.5"})
    assert find_changes(side(small_release), side(small_release, renamed)) == []
    assert required_step([]) is Step.NONE


def test_another_build_of_the_same_samples_is_a_patch(small_release: Path) -> None:
    rebuilt = read_manifest(small_release).model_copy(update={"builder_version": "99.0.0"})
    found = find_changes(side(small_release), side(small_release, rebuilt))
    assert found == [Change(Step.PATCH, "the same samples from another build")]


def test_pictures_alone_are_a_patch(small_release: Path) -> None:
    content = read_manifest(small_release).model_dump()
    content["configs"]["sim_test"]["test"]["shards"][0]["sha256"] = "0" * 64
    found = find_changes(side(small_release), side(small_release, Manifest.model_validate(content)))
    assert found == [Change(Step.PATCH, "sim_test, test: files changed, no label did")]


def test_samples_are_a_minor_step(tmp_path: Path) -> None:
    make_release(tmp_path / "old", 2, ("sim_test",))
    make_release(tmp_path / "new", 3, ("sim_test",))
    assert changed(tmp_path / "old", tmp_path / "new") == [(Step.MINOR, "sim_test, test: 1 sample added")]
    assert changed(tmp_path / "new", tmp_path / "old") == [(Step.MINOR, "sim_test, test: 1 sample removed")]


def test_another_answer_to_the_same_question_is_a_minor_step(tmp_path: Path) -> None:
    make_release(tmp_path / "old", 2, ("sim_test",))
    make_release(tmp_path / "new", 2, ("sim_test",), answer="B")
    expected = [(Step.MINOR, "sim_test, test: the labels of 2 samples changed")]
    assert changed(tmp_path / "old", tmp_path / "new") == expected


def test_another_wording_is_a_patch(tmp_path: Path) -> None:
    make_release(tmp_path / "old", 2, ("sim_test",))
    make_release(tmp_path / "new", 2, ("sim_test",), motion_text="Suppose it moves.")
    expected = [(Step.PATCH, "sim_test, test: files changed, no label did")]
    assert changed(tmp_path / "old", tmp_path / "new") == expected


def test_a_label_that_means_something_else_is_a_major_step(tmp_path: Path) -> None:
    def provenance(version: int) -> dict[str, Any]:
        return {**make_record("x", 0).provenance.model_dump(), "label_version": version}

    for name, version in (("old", 1), ("new", 2)):
        make_release(tmp_path / name, 2, ("sim_test",), category="left_right", provenance=provenance(version))
    expected = "sim_test, test: left_right means something else, its label version was 1 and is 2"
    assert changed(tmp_path / "old", tmp_path / "new") == [(Step.MAJOR, expected)]


def test_configs_come_and_go(small_release: Path, tmp_path: Path) -> None:
    make_release(tmp_path, 4, ("sim_train",))
    assert changed(tmp_path, small_release) == [(Step.MINOR, "sim_test is new: 4 samples")]
    assert changed(small_release, tmp_path) == [(Step.MAJOR, "sim_test is gone")]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("  - name: flow.png16\n    dtype: binary\n", "", "flow.png16 is new"),
        ("name: flow.png16\n    dtype: binary", "name: flow.png16\n    dtype: image", "was image and is binary"),
        ("  - name: flow.png16", "  - name: flow.png", "flow.png is gone, flow.png16 is new"),
        ("    - name: margin\n      dtype: float64\n", "", "json.margin is new"),
        ("name: camera\n        list: float64", "name: camera\n        list: int64", "json.motion.camera[] was int64"),
    ],
)
def test_columns_are_a_major_step(small_release: Path, old: str, new: str, text: str) -> None:
    """The published card lacks or has something else."""
    card = (small_release / CARD).read_text("utf-8")
    assert old in card
    former = read_manifest(small_release).model_copy(update={"builder_version": "0"})
    found = find_changes(side(small_release, former, card.replace(old, new)), side(small_release))
    assert required_step(found) is Step.MAJOR
    assert found[0].text.startswith("columns of sim_test changed: ")
    assert text in found[0].text


@pytest.mark.parametrize(
    "card", ["", "# no YAML", "---\nlicense: mit\n---\n", "---\ndataset_info: 3\n---\n", "---\n[\n---\n"]
)
def test_a_card_that_declares_nothing_is_told(small_release: Path, card: str) -> None:
    former = read_manifest(small_release).model_copy(update={"builder_version": "0"})
    with pytest.raises(ReleaseError, match="declares no columns"):
        find_changes(side(small_release, former, card), side(small_release))


def test_a_broken_index_is_told(tmp_path: Path) -> None:
    make_release(tmp_path / "old", 2, ("sim_test",))
    make_release(tmp_path / "new", 3, ("sim_test",))
    (tmp_path / "old" / "index/sim_test/test.parquet").write_bytes(b"PAR1 or not")
    with pytest.raises(ReleaseError, match=r"index/sim_test/test\.parquet cannot be read as an index"):
        changed(tmp_path / "old", tmp_path / "new")


def test_the_changelog_grows_on_top_of_what_is_published(small_release: Path) -> None:
    manifest = read_manifest(small_release)
    first = updated_changelog(None, "## Unreleased\n\nHello.\n", Version(0, 1, 0), (), manifest)
    assert list(sections(first)) == ["0.1.0"]
    assert "- The first version." in first
    assert "- Samples of sim_train: train 4, validation 4." in first
    assert first.endswith("### Notes\n\nHello.\n")
    never_out = updated_changelog(first, first, Version(0, 2, 0), (Change(Step.MINOR, "more"),), manifest)
    second = updated_changelog(first, never_out, Version(0, 3, 0), (Change(Step.MINOR, "even more"),), manifest)
    assert list(sections(second)) == ["0.3.0", "0.1.0"]
    assert sections(second)["0.1.0"] == sections(first)["0.1.0"]
    assert sections(second)["0.3.0"].startswith("- even more\n")


def test_the_changelog_is_the_same_when_a_push_is_repeated(small_release: Path) -> None:
    manifest = read_manifest(small_release)
    once = updated_changelog(None, "# Mine\n\n## Unreleased\n\n### Fixed\n- a\n", Version(0, 1, 0), (), manifest)
    again = updated_changelog(None, once, Version(0, 1, 0), (), manifest)
    assert again == once
    later = updated_changelog(
        None, once.replace("## 0.1.0", "## Unreleased\n\nb\n\n## 0.1.0"), Version(0, 1, 0), (), manifest
    )
    assert later.endswith("### Notes\n\nb\n\n### Fixed\n- a\n")
