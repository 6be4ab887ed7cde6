"""Writing ``manifest.json``."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

from flowbench.files import write_bytes
from flowbench.release import MANIFEST, Manifest


def constraints_sha256() -> str | None:
    """sha256 of the ``constraints.txt`` that came with this package, None where it came without.

    It names the set of versions for which the same seed gives the same bytes; it does not say that they are installed
    (``flowbench doctor`` does).
    """
    constraints = resources.files("flowbench").joinpath("constraints.txt")
    return hashlib.sha256(constraints.read_bytes()).hexdigest() if constraints.is_file() else None


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write the manifest of the release at ``root``, last of all its files: it vouches for them."""
    write_bytes(root / MANIFEST, manifest.to_bytes())
