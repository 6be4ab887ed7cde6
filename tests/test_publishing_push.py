"""Pushing to a Hub: what goes out, in which order, what is refused, and what happens when it is stopped."""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from support.hub import Fault, LocalHub
from support.hub.client import hub
from support.publishing import Told, root, small_release
from support.synthetic import make_release

from flowbench.errors import ReleaseError, UsageError
from flowbench.publishing import published_paths, push
from flowbench.publishing.changelog import sections
from flowbench.publishing.hub import Repository
from flowbench.publishing.sums import SUMS
from flowbench.release import CARD, CHANGELOG, MANIFEST, STATE, read_manifest
from flowbench.schema import CONFIGS, config_spec

__all__ = ["hub", "root", "small_release"]

REPO = "org/flowbench"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def publish(root: Path, version: str, checks: Told | None = None, **options: Any) -> Any:
    return push(root, REPO, version, checks or Told(), say=lambda _: None, **options)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def uploads(hub: LocalHub) -> list[str]:
    return hub.asked("PUT /_lfs/")


def test_a_version_holds_the_release_and_nothing_else(hub: LocalHub, root: Path) -> None:
    secrets = [
        root / "notes.txt",
        root / STATE / "build.json",
        root / "data/sim_train/.netrc",
        root / "validation/x.json",
    ]
    for path in secrets:
        path.parent.mkdir(exist_ok=True)
        path.write_text("private")
    report = publish(root, "0.1.0")
    assert report.published
    there = dict(hub.files(REPO, "v0.1.0"))
    assert there.pop(".gitattributes")
    assert sorted(there) == published_paths(root, read_manifest(root))
    assert {path.split("/")[0] for path in there} == {CARD, CHANGELOG, MANIFEST, SUMS, "data", "index"}
    assert there == {path: (root / path).read_bytes() for path in there}
    assert report.files == len(there)


def test_results_of_the_validation_go_with_it_by_the_config_s_name(hub: LocalHub, root: Path) -> None:
    (root / "validation").mkdir()
    (root / "validation" / "sim_train.json").write_text("{}")
    publish(root, "0.1.0")
    assert hub.files(REPO, "v0.1.0")["validation/sim_train.json"] == b"{}"
    assert b"`validation/<config>.json`" in hub.files(REPO, "v0.1.0")[CARD]


def test_the_version_stands_in_manifest_card_and_changelog(hub: LocalHub, root: Path) -> None:
    (root / CHANGELOG).write_text("## Unreleased\n\nWith love.\n")
    publish(root, "0.1.0")
    there = hub.files(REPO, "v0.1.0")
    assert json.loads(there[MANIFEST])["version"] == "0.1.0" == read_manifest(root).version
    card = there[CARD].decode()
    assert "Version 0.1.0, built by" in card
    assert f'load_dataset("{REPO}", "sim_train", split="train", revision="v0.1.0")' in card
    assert "With love." in sections(there[CHANGELOG].decode())["0.1.0"]


def test_the_tag_is_made_last_and_names_the_commit_that_was_compared(hub: LocalHub, root: Path) -> None:
    publish(root, "0.1.0")
    writes = [line for line in hub.requests if line.split()[0] != "GET" and "validate-yaml" not in line]
    assert re.search(r"/tag/[0-9a-f]{40}$", writes[-1])
    assert hub.requests[-1] == writes[-1]
    assert "/commit/" in writes[-2]
    assert hub.store.repos[REPO].tags["v0.1.0"] == hub.store.repos[REPO].branches["main"]


def test_no_commit_tells_of_this_machine(hub: LocalHub, root: Path) -> None:
    (root / STATE).mkdir()
    publish(root, "0.1.0")
    texts = b"".join(data for path, data in hub.files(REPO, "v0.1.0").items() if not path.endswith((".tar", ".png")))
    titles = " ".join(commit.title for commit in hub.store.commits.values()).encode()
    user = getpass.getuser().encode()
    for told in (str(root).encode(), socket.gethostname().encode(), os.fsencode(Path.home()), b"/" + user + b"/"):
        assert told not in texts + titles, told


def test_the_same_push_again_does_nothing(hub: LocalHub, root: Path) -> None:
    publish(root, "0.1.0")
    before, commits = contents(root), len(hub.store.commits)
    hub.requests.clear()
    checks = Told()
    report = publish(root, "0.1.0", checks)
    assert not report.published
    assert [line for line in hub.requests if not line.startswith("GET ")] == []
    assert (contents(root), len(hub.store.commits), checks.asked) == (before, commits, [])


def test_a_version_is_never_used_twice(hub: LocalHub, root: Path) -> None:
    publish(root, "0.1.0")
    make_release(root, 3)
    before = contents(root)
    with pytest.raises(UsageError, match=r"has version 0\.1\.0 already, with other content"):
        publish(root, "0.1.0")
    assert contents(root) == before


@pytest.mark.slow
def test_versions_go_forward_by_steps_that_are_large_enough(hub: LocalHub, root: Path) -> None:
    publish(root, "1.1.0")
    make_release(root, 6)
    for version, sentence in (
        ("1.0.9", r"org/flowbench is at 1\.1\.0, and 1\.0\.9 would go back"),
        ("1.1.1", r"1\.1\.1 is too small a step from 1\.1\.0 \(sim_test, test: .*; .*\): use 1\.2\.0 or higher"),
    ):
        before = contents(root)
        with pytest.raises(UsageError, match=sentence):
            publish(root, version)
        assert contents(root) == before
    report = publish(root, "1.2.0")
    assert any("added" in change.text for change in report.changes)
    assert list(sections((root / CHANGELOG).read_text())) == ["1.2.0", "1.1.0"]
    assert set(hub.store.repos[REPO].tags) == {"v1.1.0", "v1.2.0"}


def test_the_same_content_may_become_a_higher_version(hub: LocalHub, root: Path) -> None:
    publish(root, "0.9.0")
    sent = len(uploads(hub))
    assert publish(root, "1.0.0").published
    assert len(uploads(hub)) == sent
    assert "The content of the version before." in sections((root / CHANGELOG).read_text())["1.0.0"]


def test_shards_of_the_version_before_do_not_stay(hub: LocalHub, root: Path) -> None:
    publish(root, "0.1.0")
    hub.store.commit(hub.store.repos[REPO], "main", {**_tree(hub), "notes.md": hub.store.file(b"by hand")}, "by hand")
    for path in root.rglob("*"):
        if path.is_file():
            path.unlink()
    make_release(root, 4, ("sim_train",))
    publish(root, "1.0.0")
    new, old = hub.files(REPO, "v1.0.0"), hub.files(REPO, "v0.1.0")
    assert not [path for path in new if "sim_test" in path]
    assert [path for path in old if "sim_test" in path]
    assert new["notes.md"] == b"by hand"


def _tree(hub: LocalHub) -> Any:
    return hub.store.commits[hub.store.repos[REPO].branches["main"]].tree


def test_an_interrupted_upload_goes_on_where_it_stopped(hub: LocalHub, root: Path) -> None:
    fault = Fault("^PUT /_lfs/", skip=6)
    hub.faults = [fault]
    with pytest.raises(UsageError, match=r"failed with status 500 \(broken\): run the same command again to go on"):
        publish(root, "0.1.0")
    assert hub.store.repos[REPO].tags == {}
    half = contents(root)
    assert read_manifest(root).version == "0.1.0"
    arrived = set(hub.store.blobs)
    hub.faults, hub.requests = [], []
    publish(root, "0.1.0")
    assert contents(root) == half
    assert len(uploads(hub)) == 11 - 6
    assert not {line.rsplit("/")[-1] for line in uploads(hub)} & arrived
    assert list(hub.store.repos[REPO].tags) == ["v0.1.0"]


@pytest.mark.parametrize("pattern", ["/commit/", "/tag/", "/preupload/", "objects/batch", "^GET .*/tree/"])
def test_a_push_that_fails_anywhere_is_finished_by_the_next(hub: LocalHub, root: Path, pattern: str) -> None:
    hub.faults = [Fault(pattern, status=503)]
    with pytest.raises(UsageError, match="failed with status 503"):
        publish(root, "0.1.0")
    assert hub.store.repos[REPO].tags == {}
    hub.faults = []
    assert publish(root, "0.1.0").published
    assert hub.files(REPO, "v0.1.0")[MANIFEST] == (root / MANIFEST).read_bytes()


def test_after_a_failed_push_another_version_can_be_taken(hub: LocalHub, root: Path) -> None:
    hub.faults = [Fault("/commit/")]
    with pytest.raises(UsageError):
        publish(root, "0.1.0")
    hub.faults = []
    publish(root, "0.2.0")
    assert list(sections(hub.files(REPO, "v0.2.0")[CHANGELOG].decode())) == ["0.2.0"]


def test_what_the_hub_holds_is_compared_before_it_is_tagged(
    hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard that changes between the checks and the upload."""
    upload = Repository.upload

    def meddling(self: Repository, root: Path, *arguments: Any) -> str:
        path = root / "data/sim_test/test-00000-of-00002.tar"
        path.write_bytes(path.read_bytes()[:-1] + b"\1")
        return upload(self, root, *arguments)

    monkeypatch.setattr(Repository, "upload", meddling)
    with pytest.raises(ReleaseError, match=r"test-00000-of-00002\.tar with sha256 .* so it got no tag: run the same"):
        publish(root, "0.1.0")
    assert hub.store.repos[REPO].tags == {}


def test_an_invalid_release_stays_here_as_it_is(hub: LocalHub, root: Path) -> None:
    before = contents(root)
    with pytest.raises(ReleaseError, match="breaks a check"):
        publish(root, "0.1.0", Told(valid=False))
    assert hub.store.repos == {}
    assert contents(root) == before


def test_results_may_be_bound_to_the_manifest_with_or_without_the_version(hub: LocalHub, root: Path) -> None:
    import hashlib

    before = hashlib.sha256((root / MANIFEST).read_bytes()).hexdigest()
    checks = Told()
    publish(root, "0.1.0", checks)
    after = hashlib.sha256((root / MANIFEST).read_bytes()).hexdigest()
    assert checks.asked == [(before, after)]
    assert checks.bound == [after]


@pytest.mark.parametrize("config", ["sim_train", "sim_test"])
def test_pixels_that_may_not_be_passed_on_are_refused(
    hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch, config: str
) -> None:
    import dataclasses

    kept = dataclasses.replace(config_spec(config), redistributable=False)
    monkeypatch.setattr("flowbench.schema.columns.CONFIGS", {**CONFIGS, config: kept})
    with pytest.raises(UsageError, match=f"the pixels of {config} may not be passed on"):
        publish(root, "0.1.0")
    assert hub.requests == []


BROKEN = [
    ("missing", "is missing or not of"),
    ("cut", "is missing or not of"),
    ("link", "is a link, and links are not published"),
    ("linked folder", "is a link, and links are not published"),
    ("linked card", "is a link, and links are not published"),
]


@pytest.mark.parametrize(("how", "sentence"), BROKEN)
def test_files_that_are_not_there_or_lie_elsewhere_are_refused(
    hub: LocalHub, root: Path, tmp_path: Path, how: str, sentence: str
) -> None:
    shard = root / "data/sim_test/test-00000-of-00002.tar"
    moved = {"link": shard, "linked folder": root / "index", "linked card": root / CARD}.get(how)
    if moved:
        moved.rename(tmp_path / "elsewhere")
        moved.symlink_to(tmp_path / "elsewhere")
    elif how == "cut":
        shard.write_bytes(shard.read_bytes()[:-1])
    else:
        shard.unlink()
    with pytest.raises(ReleaseError, match=sentence):
        publish(root, "0.1.0")
    assert hub.requests == []


def test_a_private_repository_stays_private_and_a_public_one_is_told(hub: LocalHub, root: Path) -> None:
    publish(root, "0.1.0", private=True)
    assert hub.store.repos[REPO].private
    hub.store.repos[REPO].private = False
    with pytest.raises(UsageError, match="is public, but --private was given"):
        publish(root, "0.2.0", private=True)


def test_a_repository_that_appears_meanwhile_is_told(
    hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known of its versions then."""
    publish(root, "0.2.0")
    monkeypatch.setattr(Repository, "standing", lambda _: None)
    with pytest.raises(UsageError, match="was changed by someone else meanwhile"):
        publish(root, "0.1.0")
    assert read_manifest(root).version == "0.2.0"
    assert list(hub.store.repos[REPO].tags) == ["v0.2.0"]


def test_a_text_that_arrives_otherwise_gets_no_tag(hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = Repository.upload

    def meddling(self: Repository, root: Path, *arguments: Any) -> str:
        (root / CHANGELOG).write_text("nothing to see")
        return upload(self, root, *arguments)

    monkeypatch.setattr(Repository, "upload", meddling)
    with pytest.raises(ReleaseError, match=r"holds CHANGELOG\.md with sha256 .* so it got no tag"):
        publish(root, "0.1.0")
    assert hub.store.repos[REPO].tags == {}
