"""Giving a release directory its version: manifest, card and changelog say the same one, whatever ends the writing."""

from __future__ import annotations

import abc
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..cards import write_card
from ..files import write_bytes, write_text
from ..release import CHANGELOG, MANIFEST, Manifest, read_text
from .changelog import updated_changelog
from .changes import Change
from .version import Version


class Checks(abc.ABC):
    """The validation of a release, which lies beyond this package (``flowbench.validation``)."""

    @abc.abstractmethod
    def ensure(self, root: Path, manifests: Sequence[str]) -> None:
        """Return if the release is valid by results that lie in it, and else validate it and keep the results.

        Args:
            root: the release.
            manifests: sha256 of the manifests that results may be bound to.

        Raises:
            ReleaseError: it is not valid.
        """

    @abc.abstractmethod
    def bind(self, root: Path, manifest: str) -> None:
        """Bind the results that lie in the release to the manifest of this sha256, which differs by its version."""


@dataclass(frozen=True)
class Stamp:
    """A version to be given to a release, and what its changelog says of it.

    Attributes:
        version: the version.
        repo: where it is published.
        changes: from the version before.
        changelog: of the version before, None for the first.
    """

    version: Version
    repo: str
    changes: Sequence[Change]
    changelog: str | None

    def manifest(self, manifest: Manifest) -> Manifest:
        """The release's manifest with the version."""
        return manifest.model_copy(update={"version": str(self.version)})

    def write(self, root: Path, manifest: Manifest, checks: Checks) -> None:
        """Write the version into the directory, each file in one step and the manifest last: it vouches for the rest.

        The same again gives the same bytes, so a push that was stopped here or later can be repeated.
        """
        stamped = self.manifest(manifest)
        path = root / CHANGELOG
        local = read_text(path) if path.is_file() else None
        write_text(path, updated_changelog(self.changelog, local, self.version, self.changes, stamped))
        checks.bind(root, digest(stamped))
        write_card(root, stamped, self.repo)
        write_bytes(root / MANIFEST, stamped.to_bytes())


def digest(manifest: Manifest) -> str:
    """sha256 of the manifest's file."""
    return hashlib.sha256(manifest.to_bytes()).hexdigest()
