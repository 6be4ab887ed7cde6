"""Verifying a published version: every file is read, and whatever differs is told."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.hub import Fault, LocalHub
from support.hub.client import hub
from support.hub.store import File
from support.publishing import Told, root, small_release

from flowbench.cli import main
from flowbench.errors import ReleaseError
from flowbench.publishing import push, verify
from flowbench.release import MANIFEST, read_manifest

__all__ = ["hub", "root", "small_release"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
REPO = "org/flowbench"
SHARD = "data/sim_train/train-00001-of-00002.tar"


@pytest.fixture
def published(hub: LocalHub, root: Path) -> LocalHub:
    push(root, REPO, "0.1.0", Told(), say=lambda _: None)
    hub.requests.clear()
    return hub


def change(hub: LocalHub, edit: Callable[[dict[str, File]], object]) -> None:
    """Make the version's commit hold something else, as a broken storage or a moved tag would."""
    sha = hub.store.repos[REPO].tags["v0.1.0"]
    files = dict(hub.store.commits[sha].tree)
    edit(files)
    hub.store.commits[sha] = dataclasses.replace(hub.store.commits[sha], tree=files)


def test_every_file_is_read(published: LocalHub, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", "verify", REPO, "--version", "0.1.0"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{REPO} 0.1.0: 9 files with 24 samples, 340 kB, are what the manifest says.\n"
    assert err.splitlines()[-1].startswith("verify v0.1.0: 9/9 files, 24 samples")
    manifest = read_manifest(root)
    paths = [shard.path for splits in manifest.configs.values() for files in splits.values() for shard in files.shards]
    sha = published.store.repos[REPO].tags["v0.1.0"]
    assert len(paths) == 6
    for path in paths:
        assert published.asked(f"GET /datasets/{REPO}/resolve/{sha}/{path}")


def test_the_tag_counts_and_not_the_head(published: LocalHub, root: Path) -> None:
    published.store.commit(published.store.repos[REPO], "main", {}, "emptied")
    assert verify(REPO, "0.1.0").samples == 24


def flipped(published: LocalHub) -> None:
    """Other bytes under the same names: the listing does not show it."""
    sha = published.store.repos[REPO].tags["v0.1.0"]
    digest = published.store.commits[sha].tree[SHARD].sha256
    published.store.blobs[digest] = published.store.blobs[digest][:-1] + b"\1"


def cut(published: LocalHub) -> None:
    sha = published.store.repos[REPO].tags["v0.1.0"]
    digest = published.store.commits[sha].tree[SHARD].sha256
    published.store.blobs[digest] = published.store.blobs[digest][:-512]


def gone(published: LocalHub) -> None:
    change(published, lambda files: files.pop(SHARD))


def size(published: LocalHub) -> int:
    return len(published.files(REPO, "v0.1.0")[SHARD])


def replaced(published: LocalHub) -> None:
    digest = published.store.put(b"x" * size(published))
    change(published, lambda files: files.update({SHARD: published.store.large_file(digest)}))


def resized(published: LocalHub) -> None:
    change(published, lambda files: files.update({SHARD: published.store.large_file(published.store.put(b"x"))}))


def in_git(published: LocalHub) -> None:
    """A file that git itself keeps: the listing has no sha256 of it."""
    file = published.store.file(b"x" * size(published))
    change(published, lambda files: files.update({SHARD: file}))


def stray(published: LocalHub) -> None:
    change(published, lambda files: files.update({"data/sim_train/train-00002-of-00003.tar": files[SHARD]}))


def renamed(published: LocalHub) -> None:
    def edit(files: dict[str, File]) -> None:
        manifest = json.loads(published.store.blobs[files[MANIFEST].sha256])
        files[MANIFEST] = published.store.file(json.dumps({**manifest, "version": "0.2.0"}).encode())

    change(published, edit)


DAMAGES = [
    (flipped, rf"holds {SHARD} with sha256 [0-9a-f]{{64}} instead of [0-9a-f]{{64}}: do not use it"),
    (cut, rf"holds {SHARD} with sha256"),
    (gone, rf"holds no {SHARD}: do not use it"),
    (replaced, rf"holds {SHARD} with sha256"),
    (resized, rf"holds {SHARD} with 1 bytes instead of [0-9,]+"),
    (in_git, rf"holds {SHARD} with sha256"),
    (stray, r"holds data/sim_train/train-00002-of-00003\.tar, which its manifest does not name"),
    (renamed, r"holds a manifest of version 0\.2\.0"),
]


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES, ids=lambda value: getattr(value, "__name__", ""))
def test_what_differs_is_told(
    published: LocalHub, damage: Callable[[LocalHub], None], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(published)
    with pytest.raises(ReleaseError, match=sentence):
        verify(REPO, "0.1.0")
    assert main(["release", "verify", REPO, "--version", "0.1.0"]) == 1
    assert "are what the manifest says" not in "".join(capsys.readouterr())


def test_several_differences_are_counted(published: LocalHub) -> None:
    flipped(published)
    stray(published)
    with pytest.raises(ReleaseError, match="and 1 more difference"):
        verify(REPO, "0.1.0")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version": 1}'])
def test_a_manifest_that_is_none_is_told(published: LocalHub, content: bytes) -> None:
    change(published, lambda files: files.update({MANIFEST: published.store.file(content)}))
    with pytest.raises(ReleaseError, match=r"manifest\.json of org/flowbench"):
        verify(REPO, "0.1.0")


def test_a_broken_connection_is_taken_up_again(published: LocalHub) -> None:
    published.faults = [Fault(f"resolve/.*/{SHARD}", status=0, times=2)]
    assert verify(REPO, "0.1.0").files == 9
