"""Versions of the data: SemVer, and which step a kind of change asks for (cli.md, "Release layout")."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import UsageError

_VERSION = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})")


class Step(enum.IntEnum):
    """How much changed from one version to the next.

    ``PATCH``: a fix that changes no label. ``MINOR``: samples or configs added. ``MAJOR``: columns, or the meaning of a
    label.
    """

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


@dataclass(frozen=True, order=True)
class Version:
    """``major.minor.patch``; ordered as SemVer orders them."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """Its tag in the repository: ``v1.2.3``."""
        return f"v{self}"

    def after(self, step: Step) -> Version:
        """The least version that may follow this one after such a change.

        While the major version is 0 it stays so, and a major change asks for a new minor version (SemVer 2.0.0, rule 4:
        anything may change).
        """
        if step is Step.MAJOR and self.major > 0:
            return Version(self.major + 1, 0, 0)
        if step >= Step.MINOR:
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + 1)


def parse_version(text: str) -> Version:
    """The version that ``text`` names.

    Raises:
        UsageError: it is none, or 0.0.0, which comes before everything published.
    """
    version = _parsed(text)
    if version is None:
        raise UsageError(f"--version is {text[:40]!r}, but it must be three numbers as in SemVer, e.g. 0.1.0.")
    if version == Version(0, 0, 0):
        raise UsageError("--version is 0.0.0, which stands for unpublished data: begin with 0.1.0.")
    return version


def version_of_tag(tag: str) -> Version | None:
    """The version that a tag stands for; None where it is another kind of tag."""
    return _parsed(tag[1:]) if tag.startswith("v") else None


def newest(versions: Iterable[Version]) -> Version | None:
    """The highest one, None where there is none."""
    return max(versions, default=None)


def _parsed(text: str) -> Version | None:
    match = _VERSION.fullmatch(text)
    return Version(*(int(group) for group in match.groups())) if match else None
