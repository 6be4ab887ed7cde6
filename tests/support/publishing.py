"""Small releases to publish, and a validation that says what it is told to."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from flowbench.errors import ReleaseError
from flowbench.publishing import Checks

from .synthetic import make_release


class Told(Checks):
    """A validation that passes unless it is told not to; remembers what it was asked."""

    def __init__(self, *, valid: bool = True) -> None:
        self.valid = valid
        self.asked: list[Sequence[str]] = []
        self.bound: list[str] = []

    def ensure(self, root: Path, manifests: Sequence[str]) -> None:
        """Pass, or say that a check is broken."""
        self.asked.append(manifests)
        if not self.valid:
            raise ReleaseError("the release breaks a check")

    def bind(self, root: Path, manifest: str) -> None:
        """Remember the digest."""
        self.bound.append(manifest)


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of both configs, four samples a split, drawn in a moment. Read only."""
    root = tmp_path_factory.mktemp("published") / "flowbench"
    make_release(root, 4)
    return root


@pytest.fixture
def root(small_release: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(small_release, tmp_path / "release" / "flowbench"))
