"""What a published version holds, and whether that is what its manifest says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from ..errors import ReleaseError
from ..release import MANIFEST, FileReceipt, Manifest
from ..release.manifest import MAX_MANIFEST_BYTES
from ..schema import parse_model
from .hub import RemoteFile, Repository

MOST_TEXT_BYTES = 1 << 24
_LOADED = re.compile(r"data/[^/]+/.+\.tar|index/[^/]+/.+\.parquet")
"""What readers of a release would pick up by its name."""


def published_manifest(repository: Repository, commit: str) -> Manifest:
    """The manifest of a commit.

    Raises:
        ReleaseError: it is too large or not a manifest.
    """
    data = repository.read(MANIFEST, commit, MAX_MANIFEST_BYTES)
    remedy = "mend it in the repository, or publish in another one"
    return parse_model(Manifest, data, f"{MANIFEST} of {repository.name}", MAX_MANIFEST_BYTES, remedy)


def published_text(repository: Repository, path: str, commit: str) -> str:
    """A text of a commit.

    Raises:
        ReleaseError: it is too large or not UTF-8.
    """
    try:
        return repository.read(path, commit, MOST_TEXT_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise ReleaseError(f"{path} in {repository.name} is not text: mend it in the repository.") from None


def receipts(manifest: Manifest) -> Iterator[FileReceipt]:
    """Every file that a manifest vouches for, config by config."""
    for splits in manifest.configs.values():
        for files in splits.values():
            yield from files.shards
            yield files.index


def wrong_files(there: Mapping[str, RemoteFile], manifest: Manifest) -> dict[str, str]:
    """Path -> how a commit's file differs from the manifest's, in words, as far as the Hub's own listing tells.

    Files that readers would load although the manifest does not name them are wrong too.
    """
    known = {receipt.path: receipt for receipt in receipts(manifest)}
    strays = sorted(path for path in there if path not in known and _LOADED.fullmatch(path))
    wrong = {path: difference for path, receipt in known.items() if (difference := _differs(there.get(path), receipt))}
    return wrong | {path: f"{path}, which its manifest does not name" for path in strays}


def _differs(file: RemoteFile | None, receipt: FileReceipt) -> str | None:
    if file is None:
        return f"no {receipt.path}"
    if file.size != receipt.bytes:
        return f"{receipt.path} with {file.size:,} bytes instead of {receipt.bytes:,}"
    return None if file.sha256 is None else other_sha256(receipt.path, receipt.sha256, file.sha256)


def other_sha256(path: str, expected: str, found: str) -> str | None:
    """How a file with the sha256 ``found`` differs from the one expected; None if it does not."""
    return None if found == expected else f"{path} with sha256 {found} instead of {expected}"


def wrong_content(repository: Repository, commit: str, path: str, expected: str) -> str | None:
    """How a file of a commit differs from its sha256; None if it does not. It is hashed as it arrives."""
    found = hashlib.sha256()
    for piece in repository.stream(path, commit):
        found.update(piece)
    return other_sha256(path, expected, found.hexdigest())
