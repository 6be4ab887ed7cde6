"""Downloading a published version and comparing every sha256 with its manifest."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

from ..errors import ReleaseError, UsageError
from ..progress import Progress, Silent
from ..release import MANIFEST, FileReceipt
from .hub import Repository
from .remote import other_sha256, published_manifest, receipts, wrong_files
from .telling import no_repository
from .version import parse_version

_MISMATCH = "sha256"


@dataclass(frozen=True)
class VerifyReport:
    """What a verification read: files, samples, bytes."""

    files: int
    samples: int
    bytes: int


def verify(repo: str, version: str, progress: Progress | None = None) -> VerifyReport:
    """Read every shard and index of a published version and compare it with the version's manifest.

    Files are hashed as they arrive; nothing is kept.

    Raises:
        UsageError: no such repository or version, or the Hub cannot be reached.
        ReleaseError: files are missing, differ, or would be loaded although the manifest does not name them.
    """
    wanted, repository = parse_version(version), Repository(repo)
    progress = progress or Silent()
    standing = repository.standing()
    if standing is None:
        raise UsageError(no_repository(repo))
    if wanted not in standing.versions:
        known = ", ".join(str(each) for each in sorted(standing.versions, reverse=True)) or "none"
        raise UsageError(f"{repo} has no version {wanted}: it has {known}.")
    commit = standing.versions[wanted]
    manifest = published_manifest(repository, commit)
    wrong = wrong_files(repository.files(commit), manifest)
    if manifest.version != str(wanted):
        wrong[MANIFEST] = f"a manifest of version {manifest.version}"
    files = list(receipts(manifest))
    progress.start(f"verify {wanted.tag}", len(files))
    for receipt in files:
        if receipt.path not in wrong and (difference := _difference(repository, receipt, commit)):
            wrong[receipt.path] = difference
        progress.advance(1, receipt.samples, Counter({_MISMATCH: 1} if receipt.path in wrong else {}))
    progress.finish()
    if wrong:
        first = next(iter(wrong.values()))
        more = f" and {len(wrong) - 1:,} more differences" if len(wrong) > 1 else ""
        raise ReleaseError(f"version {wanted} of {repo} holds {first}{more}: do not use it; publish a higher version.")
    return VerifyReport(len(files), sum(file.samples for file in files), sum(file.bytes for file in files))


def _difference(repository: Repository, receipt: FileReceipt, commit: str) -> str | None:
    """How the file differs from what the manifest says, None if it does not."""
    found = hashlib.sha256()
    for piece in repository.stream(receipt.path, commit):
        found.update(piece)
    return other_sha256(receipt, found.hexdigest())
