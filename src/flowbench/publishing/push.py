"""Publishing a release under a version: validate, stamp, upload, compare, tag; in that order and never half."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import ReleaseError, UsageError
from ..release import (
    CARD,
    CHANGELOG,
    MANIFEST,
    Manifest,
    file_sha256,
    preview_path,
    read_manifest,
    read_text,
    validation_path,
)
from ..schema import CONFIGS, config_spec
from .card import check_card
from .changes import Change, Side, find_changes, required_step, same_content
from .hub import Repository, Standing
from .remote import published_manifest, published_text, receipts, wrong_content, wrong_files
from .stamping import Checks, Stamp, digest
from .sums import SUMS, read_sums, write_sums
from .version import Version, newest, parse_version

_MOST_REASONS: Final = 2


@dataclass(frozen=True)
class PushReport:
    """What a push did.

    Attributes:
        version: the version asked for.
        page: where the repository is looked at.
        published: whether anything was done; False where this version was there with the same content.
        changes: from the version before.
        files: how many the version consists of.
        config: one of its configs, the first of their table.
        sums: sha256 of its ``SHA256SUMS``.
    """

    version: Version
    page: str
    config: str
    published: bool
    changes: Sequence[Change] = ()
    files: int = 0
    sums: str = ""


@dataclass(frozen=True)
class _Plan:
    """A push that nothing speaks against so far."""

    repository: Repository
    standing: Standing | None
    manifest: Manifest
    stamp: Stamp
    former: Manifest | None = None


def push(
    root: Path,
    repo: str,
    version: str,
    checks: Checks,
    *,
    private: bool = False,
    overwrite_card: bool = False,
    say: Callable[[str], None] = print,
) -> PushReport:
    """Publish the release at ``root`` as a version of the data set ``repo``.

    All that can be refused is refused before anything is written; the tag is made last, when the repository holds what
    the manifest says. A push that was stopped is repeated with the same arguments.

    Args:
        root: the release.
        repo: ``ORG/NAME``; made if it is missing.
        version: ``X.Y.Z``, above all versions published there.
        checks: the validation.
        private: make the repository a private one; one that exists and is public is refused.
        overwrite_card: write the card anew even where people wrote in it; such a card is refused else.
        say: told of each step in a sentence.

    Raises:
        UsageError: not a release; a version that is no version, is taken, goes back or is too small a step; pixels
            that may not be passed on; a card that people wrote in; no permission, no connection, or a server that
            fails.
        ReleaseError: the release breaks a check, or is not what the repository holds after the upload.
    """
    wanted = parse_version(version)
    repository = Repository(repo)
    manifest = read_manifest(root)
    _check_files(root, manifest)
    repository.log_in()
    standing = repository.standing()
    if private and standing is not None and not standing.private:
        raise UsageError(
            f"{repo} is public, but --private was given: make it private on the Hub or leave --private out."
        )
    if standing is not None and wanted in standing.versions:
        return _repeated(repository, standing.versions[wanted], manifest, wanted)
    plan = _plan(root, repository, standing, manifest, wanted)
    if not overwrite_card:
        check_card(root, manifest, plan.stamp.manifest(manifest), repo)
    say("checking the release")
    checks.ensure(root, (digest(manifest), digest(plan.stamp.manifest(manifest))))
    return _publish(root, plan, checks, private, say)


def published_paths(root: Path, manifest: Manifest) -> list[str]:
    """All that a push sends of a release: an allow-list by name, so that nothing else in the folder goes out."""
    optional = [each(config) for config in manifest.configs for each in (preview_path, validation_path)]
    there = [path for path in optional if (root / path).is_file()]
    return sorted([CARD, CHANGELOG, MANIFEST, SUMS, *(receipt.path for receipt in receipts(manifest)), *there])


def _check_files(root: Path, manifest: Manifest) -> None:
    """Refuse what may not be passed on, what is missing and what lies elsewhere, without reading it."""
    kept = [name for name in manifest.configs if not config_spec(name).redistributable]
    if kept:
        raise UsageError(
            f"the pixels of {', '.join(kept)} may not be passed on: publish a release without "
            f"{'it' if len(kept) == 1 else 'them'}."
        )
    real = root.resolve()
    for receipt in receipts(manifest):
        path = root / receipt.path
        if not path.is_file() or path.stat().st_size != receipt.bytes:
            raise ReleaseError(f"{path} is missing or not of {receipt.bytes:,} bytes: build it again.")
    for name in published_paths(root, manifest):
        if (root / name).resolve() != real / name:
            raise ReleaseError(f"{root / name} is a link, and links are not published: put the file itself there.")


def _repeated(repository: Repository, commit: str, manifest: Manifest, version: Version) -> PushReport:
    """This version is there: with the same content there is nothing to do."""
    if same_content(published_manifest(repository, commit), manifest):
        return PushReport(version, repository.page(), _first(manifest), published=False)
    raise UsageError(
        f"{repository.name} has version {version} already, with other content, and a version is never changed: choose "
        "a higher one."
    )


def _plan(root: Path, repository: Repository, standing: Standing | None, manifest: Manifest, version: Version) -> _Plan:
    last = newest(standing.versions) if standing else None
    if standing is None or last is None:
        return _Plan(repository, standing, manifest, Stamp(version, repository.name, (), None))
    if version < last:
        raise UsageError(f"{repository.name} is at {last}, and {version} would go back: choose a higher version.")
    commit = standing.versions[last]
    former = published_manifest(repository, commit)
    old = Side(former, published_text(repository, CARD, commit), lambda path: repository.open(path, commit))
    new = Side(manifest, _card(root), lambda path: (root / path).open("rb"))
    changes = find_changes(old, new)
    least = last.after(required_step(changes))
    if version < least:
        reasons = "; ".join(change.text for change in changes[:_MOST_REASONS])
        raise UsageError(f"{version} is too small a step from {last} ({reasons}): use {least} or higher.")
    changelog = published_text(repository, CHANGELOG, commit)
    return _Plan(repository, standing, manifest, Stamp(version, repository.name, changes, changelog), former)


def _publish(root: Path, plan: _Plan, checks: Checks, private: bool, say: Callable[[str], None]) -> PushReport:
    repository, version = plan.repository, plan.stamp.version
    if plan.standing is None:
        repository.create(private=private)
    plan.stamp.write(root, plan.manifest, checks)
    stamped = plan.stamp.manifest(plan.manifest)
    sums = _list_files(root, stamped)
    paths = published_paths(root, stamped)
    say(f"uploading {len(paths):,} files to {repository.page()}")
    commit = repository.upload(root, paths, _stale(plan), f"Version {version}")
    wrong = wrong_files(repository.files(commit), stamped) or _wrong_texts(root, repository, commit, stamped)
    if wrong:
        first = next(iter(wrong.values()))
        raise ReleaseError(
            f"{repository.name} holds {first} after the upload, so it got no tag: run the same command again, and "
            "change nothing in the folder meanwhile."
        )
    repository.tag(version, commit)
    return PushReport(version, repository.page(), _first(stamped), True, plan.stamp.changes, len(paths), sums)


def _list_files(root: Path, manifest: Manifest) -> str:
    """Write the list of all that goes out, last of all; returns its sha256."""
    return write_sums(root, manifest, published_paths(root, manifest))


def _wrong_texts(root: Path, repository: Repository, commit: str, manifest: Manifest) -> dict[str, str]:
    """Path -> how a small file of a commit, which the Hub's listing tells no sha256 of, differs from the list."""
    known = {receipt.path for receipt in receipts(manifest)}
    listed = read_sums(read_text(root / SUMS), repository.name) | {SUMS: file_sha256(root / SUMS)}
    found = {path: wrong_content(repository, commit, path, each) for path, each in listed.items() if path not in known}
    return {path: difference for path, difference in found.items() if difference}


def _stale(plan: _Plan) -> list[str]:
    """Patterns of what a version before may have left: shards under their old names would be loaded with the new."""
    configs = sorted({*CONFIGS, *(plan.former.configs if plan.former else ())})
    return [f"{folder}/{config}/*" for config in configs for folder in ("data", "index")] + ["validation/*.json"]


def _first(manifest: Manifest) -> str:
    return next(name for name in CONFIGS if name in manifest.configs)


def _card(root: Path) -> str:
    path = root / CARD
    if not path.is_file():
        raise ReleaseError(f"{path} is missing: run 'flowbench release card {root}' to write it.")
    return read_text(path)
