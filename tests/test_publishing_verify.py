"""Verifying a published version: every file is read, and whatever differs is told."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess
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
from flowbench.publishing.sums import SUMS
from flowbench.release import CARD, MANIFEST, read_manifest, size_text

__all__ = ["hub", "root", "small_release"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
REPO = "org/flowbench"
SHARD = "data/sim_train/train-00001-of-00002.tar"
TEXTS = (CARD, "CHANGELOG.md", "index/sim_train/preview.png", "validation/sim_train.json")
"""Files that no manifest names."""
BESIDE = {SUMS, ".gitattributes"}
"""Files that are not listed."""


@pytest.fixture
def published(hub: LocalHub, root: Path) -> LocalHub:
    (root / "validation").mkdir()
    (root / "validation" / "sim_train.json").write_text("{}\n")
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
    there = published.files(REPO, "v0.1.0")
    sums = hashlib.sha256(there[SUMS]).hexdigest()
    read = {path: data for path, data in there.items() if path not in BESIDE}
    size = size_text(sum(map(len, read.values())))
    assert out == (
        f"{REPO} 0.1.0: 15 files with 12 samples, {size}, are what manifest and SHA256SUMS say.\n"
        f"  SHA256SUMS:  sha256 {sums}\n"
    )
    assert err.splitlines()[-1].startswith("verify v0.1.0: 15/15 files, 12 samples")
    manifest = read_manifest(root)
    paths = [shard.path for splits in manifest.configs.values() for files in splits.values() for shard in files.shards]
    sha = published.store.repos[REPO].tags["v0.1.0"]
    assert len(paths) == 6
    for path in read:
        assert published.asked(f"GET /datasets/{REPO}/resolve/{sha}/{path}")


def test_the_tag_counts_and_not_the_head(published: LocalHub, root: Path) -> None:
    published.store.commit(published.store.repos[REPO], "main", {}, "emptied")
    assert verify(REPO, "0.1.0").samples == 12


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


def edit_text(published: LocalHub, path: str, edit: Callable[[bytes], bytes]) -> None:
    """Other text under a name, as whoever may write to the repository could put it there and move the tag."""
    changed = edit(published.files(REPO, "v0.1.0")[path])
    change(published, lambda files: files.update({path: published.store.file(changed)}))


def list_anew(published: LocalHub) -> None:
    """Make the list agree with what the version holds now."""
    there = published.files(REPO, "v0.1.0")
    lines = (f"{hashlib.sha256(there[path]).hexdigest()}  {path}\n" for path in sorted({*there} - BESIDE))
    text = "".join(lines).encode()
    edit_text(published, SUMS, lambda _: text)


def one_byte(path: str) -> Callable[[LocalHub], None]:
    def damage(published: LocalHub) -> None:
        edit_text(published, path, lambda data: data[:-1] + bytes([data[-1] ^ 1]))

    damage.__name__ = path
    return damage


def without(path: str) -> Callable[[LocalHub], None]:
    def damage(published: LocalHub) -> None:
        change(published, lambda files: files.pop(path))

    damage.__name__ = f"no {path}"
    return damage


def elsewhere(published: LocalHub) -> None:
    """A card that loads other shards, and a list that says so."""
    edit_text(published, CARD, lambda card: card.replace(b"data/sim_test/test-*", b"data/sim_train/train-*"))
    list_anew(published)


def twice(published: LocalHub) -> None:
    """A card that names a config's files twice, so that it depends on the reader which are loaded."""
    more = b"configs:\n- config_name: sim_test\n  data_files: []\n"
    edit_text(published, CARD, lambda card: card.replace(b"configs:\n", more))
    list_anew(published)


def headless(published: LocalHub) -> None:
    edit_text(published, CARD, lambda card: card.partition(b"\n---\n")[2])
    list_anew(published)


def smuggled(published: LocalHub) -> None:
    """Results of a validation that no push has sent."""
    change(published, lambda files: files.update({"validation/sim_test.json": published.store.file(b"{}")}))


def contradicting(published: LocalHub) -> None:
    digest = hashlib.sha256(published.files(REPO, "v0.1.0")[SHARD]).hexdigest().encode()
    edit_text(published, SUMS, lambda text: text.replace(digest, b"0" * 64))


def scribbled(published: LocalHub) -> None:
    edit_text(published, SUMS, lambda text: text + b"see https://example.org\n")


def listed_twice(published: LocalHub) -> None:
    edit_text(published, SUMS, lambda text: text + b"0" * 64 + text.splitlines(keepends=True)[0][64:])


DAMAGES = [
    *(
        (one_byte(path), rf"holds {path} with sha256 [0-9a-f]{{64}} instead of [0-9a-f]{{64}}: do not")
        for path in TEXTS
    ),
    *((without(path), rf"holds no {path}: do not use it") for path in TEXTS),
    (elsewhere, r"holds a README\.md whose YAML loads other files for sim_test than the manifest names"),
    (twice, r"holds a README\.md whose YAML does not say which files to load"),
    (headless, r"holds a README\.md whose YAML does not say which files to load"),
    (smuggled, r"holds validation/sim_test\.json, which its SHA256SUMS does not list"),
    (contradicting, rf"holds another sha256 of {SHARD} in SHA256SUMS than in manifest\.json"),
    (scribbled, r"SHA256SUMS of org/flowbench is no list of sha256 and path"),
    (listed_twice, r"SHA256SUMS of org/flowbench is no list of sha256 and path"),
    (flipped, rf"holds {SHARD} with sha256 [0-9a-f]{{64}} instead of [0-9a-f]{{64}}: do not use it"),
    (cut, rf"holds {SHARD} with sha256"),
    (gone, rf"holds no {SHARD}: do not use it"),
    (replaced, rf"holds {SHARD} with sha256"),
    (resized, rf"holds {SHARD} with 1 bytes instead of [0-9,]+"),
    (in_git, rf"holds {SHARD} with sha256"),
    (stray, r"holds data/sim_train/train-00002-of-00003\.tar, which its manifest does not name"),
    (renamed, r"holds a manifest of version 0\.2\.0"),
]


@pytest.mark.slow
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
    assert verify(REPO, "0.1.0").files == 15


def test_a_version_without_a_list_is_compared_with_its_manifest_and_the_rest_is_told(
    published: LocalHub, capsys: pytest.CaptureFixture[str]
) -> None:
    """Versions of before there was a list."""
    change(published, lambda files: files.pop(SUMS))
    one_byte("CHANGELOG.md")(published)
    assert main(["release", "verify", REPO, "--version", "0.1.0"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{REPO} 0.1.0: 9 files with 12 samples, ")
    assert first.endswith(", are what the manifest says.")
    pictures = "index/sim_test/preview.png, index/sim_train/preview.png"
    unlisted = f"CHANGELOG.md, README.md, {pictures}, validation/sim_train.json"
    assert second == f"  not listed:  {unlisted}; compared with nothing."
    edit_text(published, CARD, lambda card: card.replace(b"data/sim_test/test-*", b"data/sim_train/train-*"))
    with pytest.raises(ReleaseError, match="loads other files for sim_test"):
        verify(REPO, "0.1.0")


def test_what_people_put_beside_it_is_told_and_fine(published: LocalHub, capsys: pytest.CaptureFixture[str]) -> None:
    change(published, lambda files: files.update({f"note{n}.md": published.store.file(b"hi") for n in range(10)}))
    assert main(["release", "verify", REPO, "--version", "0.1.0"]) == 0
    shown = ", ".join(f"note{n}.md" for n in range(8))
    assert f"  not listed:  {shown} and 2 more; compared with nothing.\n" in capsys.readouterr().out


def test_who_writes_files_and_list_anew_changes_the_list_s_sha256(published: LocalHub, root: Path) -> None:
    """All that a verification can show then."""
    before = verify(REPO, "0.1.0").sums
    assert before == hashlib.sha256((root / SUMS).read_bytes()).hexdigest()
    one_byte("CHANGELOG.md")(published)
    list_anew(published)
    assert verify(REPO, "0.1.0").sums != before


def test_sha256sum_reads_the_list(published: LocalHub, root: Path) -> None:
    command = ["sha256sum", "--check", "--strict", SUMS]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 15
