"""Downloading a published version and comparing every sha256 with its manifest and its list of files."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import ReleaseError, UsageError
from ..progress import Progress, Silent
from ..release import CARD, CHANGELOG, MANIFEST, Manifest, ShardReceipt, preview_path, validation_path
from .card import wrong_card
from .hub import Repository
from .remote import MOST_TEXT_BYTES, published_manifest, published_text, receipts, wrong_content, wrong_files
from .sums import SUMS, read_sums
from .telling import no_repository
from .version import Version, parse_version

_MISMATCH = "sha256"
_HUB_S_OWN: Final = ".gitattributes"
"""Which the Hub writes itself."""


@dataclass(frozen=True)
class VerifyReport:
    """What a verification read.

    Attributes:
        files: how many were compared.
        samples: in their shards.
        bytes: of those files.
        sums: sha256 of the version's ``SHA256SUMS``; None where it has none, as older versions of the data.
        unlisted: files of the version that neither list nor manifest names, so that they were compared with nothing.
    """

    files: int
    samples: int
    bytes: int
    sums: str | None = None
    unlisted: Sequence[str] = ()


@dataclass(frozen=True)
class _Sums:
    """A version's list: path -> sha256, and the sha256 of the list itself; None where there is none."""

    listed: Mapping[str, str]
    sha256: str | None


def verify(repo: str, version: str, progress: Progress | None = None) -> VerifyReport:
    """Read every file of a published version and compare it with the version's manifest and its list of files.

    Files are hashed as they arrive; nothing is kept.

    Raises:
        UsageError: no such repository or version, or the Hub cannot be reached.
        ReleaseError: files are missing, differ, or would be loaded although the manifest does not name them.
    """
    wanted, repository = parse_version(version), Repository(repo)
    progress = progress or Silent()
    commit = _commit(repository, wanted)
    manifest = published_manifest(repository, commit)
    there = repository.files(commit)
    sums = _sums(repository, commit) if SUMS in there else _Sums({}, None)
    wrong = wrong_files(there, manifest)
    if manifest.version != str(wanted):
        wrong[MANIFEST] = f"a manifest of version {manifest.version}"
    wrong = _unlike(there, manifest, sums) | wrong
    if CARD not in wrong and (difference := _wrong_card(repository, commit, there, manifest)):
        wrong[CARD] = difference
    expected = dict(sums.listed) | {receipt.path: receipt.sha256 for receipt in receipts(manifest)}
    samples = {receipt.path: receipt.samples for receipt in receipts(manifest) if isinstance(receipt, ShardReceipt)}
    progress.start(f"verify {wanted.tag}", len(expected))
    for path, sha256 in expected.items():
        if path not in wrong and (difference := wrong_content(repository, commit, path, sha256)):
            wrong[path] = difference
        progress.advance(1, samples.get(path, 0), Counter({_MISMATCH: 1} if path in wrong else {}))
    progress.finish()
    if wrong:
        first = next(iter(wrong.values()))
        more = f" and {len(wrong) - 1:,} more differences" if len(wrong) > 1 else ""
        raise ReleaseError(f"version {wanted} of {repo} holds {first}{more}: do not use it; publish a higher version.")
    unlisted = sorted(there.keys() - expected.keys() - {SUMS, MANIFEST, _HUB_S_OWN})
    size = sum(there[path].size for path in expected)
    return VerifyReport(len(expected), sum(samples.values()), size, sums.sha256, unlisted)


def _commit(repository: Repository, version: Version) -> str:
    """The commit that the version's tag names."""
    standing = repository.standing()
    if standing is None:
        raise UsageError(no_repository(repository.name))
    if version not in standing.versions:
        known = ", ".join(str(each) for each in sorted(standing.versions, reverse=True)) or "none"
        raise UsageError(f"{repository.name} has no version {version}: it has {known}.")
    return standing.versions[version]


def _sums(repository: Repository, commit: str) -> _Sums:
    data = repository.read(SUMS, commit, MOST_TEXT_BYTES)
    return _Sums(read_sums(data.decode("utf-8", "replace"), repository.name), hashlib.sha256(data).hexdigest())


def _unlike(there: Iterable[str], manifest: Manifest, sums: _Sums) -> dict[str, str]:
    """Path -> where list, manifest and the files that are there do not go together, in words."""
    return {} if sums.sha256 is None else dict(_contradictions({*there}, manifest, sums.listed))


def _contradictions(there: set[str], manifest: Manifest, listed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path in sorted(listed.keys() - there):
        yield path, f"no {path}"
    of_configs = (each(config) for config in manifest.configs for each in (preview_path, validation_path))
    ours = {CARD, CHANGELOG, MANIFEST, *of_configs, *(receipt.path for receipt in receipts(manifest))}
    for path in sorted(ours & there - listed.keys()):
        yield path, f"{path}, which its {SUMS} does not list"
    for receipt in receipts(manifest):
        if receipt.path in listed and listed[receipt.path] != receipt.sha256:
            yield receipt.path, f"another sha256 of {receipt.path} in {SUMS} than in {MANIFEST}"


def _wrong_card(repository: Repository, commit: str, there: Iterable[str], manifest: Manifest) -> str | None:
    """What is wrong with the card as far as the manifest tells, of versions without a list too."""
    return wrong_card(published_text(repository, CARD, commit), manifest) if CARD in there else f"no {CARD}"
