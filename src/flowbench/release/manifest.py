"""``manifest.json``: what a release is and the sha256 of each of its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import pydantic

from ..errors import UsageError
from ..schema import parse_model
from .layout import MANIFEST, STATE

MAX_MANIFEST_BYTES = 1 << 26
UNRELEASED = "0.0.0-dev"
"""The data's version until it is published."""

Digest = Annotated[str, pydantic.StringConstraints(pattern=r"^[0-9a-f]{64}$")]
RelativePath = Annotated[str, pydantic.StringConstraints(pattern=r"^[a-z0-9_]+(/[a-z0-9_][a-z0-9_.-]*)+$")]
Side = Annotated[int, pydantic.Field(gt=0)]
Count = Annotated[int, pydantic.Field(ge=0)]


class _Frozen(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)


class FileReceipt(_Frozen):
    """One data file of a release.

    Attributes:
        path: relative to the release, forward slashes.
        sha256: of the whole file, hexadecimal.
        bytes: its size.
        samples: how many it holds.
    """

    path: RelativePath
    sha256: Digest
    bytes: Count
    samples: Count


class ShardReceipt(FileReceipt):
    """A shard.

    Attributes:
        num_bytes: size of the samples without tar headers and padding, keys included: the card's ``num_bytes``.
    """

    num_bytes: Count


class SplitFiles(_Frozen):
    """A split's shards in order, and its index."""

    shards: list[ShardReceipt]
    index: FileReceipt


class Manifest(_Frozen):
    """What a release is, and all of its data files.

    Attributes:
        version: SemVer of the data, :data:`UNRELEASED` until published.
        builder_version: version of the package that built it.
        constraints_sha256: of the committed ``constraints.txt``, for which "same bytes" holds; null if unknown.
        seed: release seed.
        preset: ``balanced`` or ``paper``.
        simulator: name of the simulator.
        width, height: of the pictures, pixels, where configs differ of those that have no size of their own.
        shard_bytes: target size of a shard.
        scenes: scene pool -> scenes drawn from.
        sources: config -> name of the recorded material or house file it was built from -> sha256 of that.
        configs: config -> split -> files.
    """

    version: str
    builder_version: str
    constraints_sha256: Digest | None
    seed: Count
    preset: str
    simulator: str
    width: Side
    height: Side
    shard_bytes: Side
    scenes: dict[str, Count]
    sources: dict[str, dict[str, Digest]] = {}
    configs: dict[str, dict[str, SplitFiles]]

    def to_bytes(self) -> bytes:
        """The text of ``manifest.json``: sorted keys, one value a line, the same bytes for the same values."""
        return (json.dumps(self.model_dump(), indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode("ascii")

    def samples(self, config: str) -> Mapping[str, int]:
        """Samples of each split of a config."""
        return {split: files.index.samples for split, files in self.configs[config].items()}


def read_manifest(root: Path) -> Manifest:
    """The manifest of the release at ``root``.

    Raises:
        UsageError: there is none, so this is not a release.
        ReleaseError: it is too large or not a manifest.
    """
    path = root / MANIFEST
    if not path.is_file():
        if (root / STATE).is_dir():
            raise UsageError(f"{root} holds an unfinished build: run the same 'flowbench build' command again.")
        raise UsageError(f"{root} is not a release: it has no {MANIFEST}; build one with 'flowbench build'.")
    with path.open("rb") as file:
        data = file.read(MAX_MANIFEST_BYTES + 1)
    return parse_model(Manifest, data, str(path), MAX_MANIFEST_BYTES, "fetch or build the release again")


def file_sha256(path: Path) -> str:
    """sha256 of a file, hexadecimal, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
