"""Where a release is looked for, and what can be said of it before it is read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from flowbench.errors import ReleaseError, UsageError
from flowbench.release import CARD, MANIFEST, Manifest, ShardReceipt, read_manifest
from flowbench.release.last import last_built
from flowbench.schema import config_spec

NAME: Final = "flowbench"
"""The bare name that stands for a release, and what a release folder is called."""
ROOT_VARIABLE: Final = "FLOWBENCH_ROOT"
REPO_VARIABLE: Final = "FLOWBENCH_REPO"
LAST_BUILD: Final = "the last build"
"""What named the release that was built last on this account."""
DEFAULT_REPO: Final[str | None] = None
"""The Hub repository of the public release; none is published yet, and a guessed name could be anybody's."""


class NoReleaseError(UsageError, FileNotFoundError):
    """Nothing was found where releases are looked for; also what ``datasets`` raises where it finds nothing."""


class NoConfigError(UsageError, ValueError):
    """The release found does not hold the config; also what ``datasets`` raises then."""


@dataclass(frozen=True)
class Place:
    """Where a release lies: in a folder, or in a Hub repository.

    Attributes:
        root: the folder; None for a repository.
        repo: ``ORG/NAME``; None for a folder.
        revision: tag, branch or commit of the repository; None for its main branch.
        origin: what named it, in words; two places that differ in this alone are the same.
    """

    root: Path | None = None
    repo: str | None = None
    revision: str | None = None
    origin: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        """What ``datasets`` is to be given."""
        return str(self.root) if self.root is not None else self.repo or ""

    @property
    def guessed(self) -> str:
        """The reason where nothing that the caller or the current directory says named it; else empty."""
        return self.reason if self.origin in (LAST_BUILD, ROOT_VARIABLE) else ""

    @property
    def reason(self) -> str:
        """Why it was taken, in words."""
        return "it was built last" if self.origin == LAST_BUILD else f"{self.origin} names it"


def find_release(
    root: str | os.PathLike[str] | None = None, repo: str | None = None, revision: str | None = None
) -> Place:
    """The release that is meant.

    Without ``root`` and ``repo`` it is, in this order: ``./flowbench`` if that is a release, the folder in
    ``FLOWBENCH_ROOT``, the last one built on this account, the repository in ``FLOWBENCH_REPO``; with a ``revision``
    the repository alone, for folders have none.

    Raises:
        UsageError: arguments that exclude each other.
        NoReleaseError: a folder named does not exist, or there is none of all these.
    """
    if root is not None and (repo is not None or revision is not None):
        raise UsageError("root names a folder, repo and revision a Hub repository: give one or the other.")
    if root is not None:
        return _folder(Path(root), "root")
    if repo is not None:
        return Place(repo=_checked_repo(repo, "repo"), revision=revision)
    if revision is None:
        if Path(NAME, MANIFEST).is_file():
            return _folder(Path(NAME), "the current directory")
        if given := os.environ.get(ROOT_VARIABLE):
            return _folder(Path(given), ROOT_VARIABLE)
        if last := last_built():
            return _folder(last, LAST_BUILD)
    if given := os.environ.get(REPO_VARIABLE) or DEFAULT_REPO:
        return Place(repo=_checked_repo(given, REPO_VARIABLE), revision=revision, origin=REPO_VARIABLE)
    raise NoReleaseError(
        f"no repository to load revision {revision!r} from: set {REPO_VARIABLE}=ORG/NAME or give repo='ORG/NAME'."
        if revision is not None
        else f"no release found: run 'flowbench build', set {ROOT_VARIABLE} to a release folder or {REPO_VARIABLE} to "
        "a Hub repository, or name one with root= or repo=."
    )


def local_shards(root: Path, config: str, split: str | None = None, taken: str = "") -> list[Path]:
    """The shards of a config of a release folder, in order; of one split if given. All are there and whole in size.

    Args:
        root: the release folder.
        config: e.g. ``"sim_train"``.
        split: e.g. ``"test"``; None for all.
        taken: why this release, where the caller did not name it: a sentence says so of one without the config.

    Raises:
        UsageError: not a release, an unknown config or split, or one that this release does not hold.
        ReleaseError: a shard or the card is missing, or a shard has another size than the manifest says.
    """
    manifest = read_manifest(root)
    if not (root / CARD).is_file():
        raise ReleaseError(f"{root} has no {CARD}, which says how to read it: fetch or build the release again")
    receipts = _receipts(root, manifest, config, split, taken)
    return [_whole(root, receipt) for receipt in receipts]


def _receipts(root: Path, manifest: Manifest, config: str, split: str | None, taken: str) -> list[ShardReceipt]:
    splits = {name: files for name, files in manifest.configs.get(config, {}).items() if files.shards}
    if not splits:
        config_spec(config)
        held = ", ".join(sorted(manifest.configs)) or "nothing"
        build = f"build it with 'flowbench build {config}'"
        if taken:
            raise UsageError(
                f"the release {root}, taken because {taken}, holds {held}, not {config}: name another with root= or "
                f"repo=, or {build}."
            )
        raise UsageError(f"the release {root} holds {held}, not {config}: {build}.")
    if split is not None and split not in splits:
        raise UsageError(f"{config} of the release {root} has the split {', '.join(splits)}, not {split!r}.")
    return [shard for name, files in splits.items() if split in (None, name) for shard in files.shards]


def _whole(root: Path, receipt: ShardReceipt) -> Path:
    path = root / receipt.path
    try:
        size = path.stat().st_size
    except OSError:
        raise ReleaseError(f"{path} is missing: fetch or build it again") from None
    if size != receipt.bytes:
        raise ReleaseError(f"{path} has {size:,} bytes, the manifest says {receipt.bytes:,}: fetch or build it again")
    return path


def _folder(root: Path, origin: str) -> Place:
    if not root.is_dir():
        raise NoReleaseError(
            f"{origin} names {root}, which is not a folder: name a folder that 'flowbench build' made."
        )
    return Place(root=root.absolute(), origin=origin)


def _checked_repo(repo: str, origin: str) -> str:
    parts = repo.split("/")
    if len(parts) != 2 or not all(part and part == part.strip() and set(part) != {"."} for part in parts):
        raise UsageError(f"{origin} is {repo!r}, expected ORG/NAME of a Hub repository.")
    return repo
