"""Receipts: what a finished unit of work leaves behind, last of all, so that a rerun does not do it again."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import pydantic

from flowbench.files import write_text
from flowbench.release import FileReceipt, ShardReceipt, file_sha256

Count = Annotated[int, pydantic.Field(ge=0)]
AnyReceipt = TypeVar("AnyReceipt", bound="Receipt")


class Receipt(pydantic.BaseModel, abc.ABC):
    """Base of receipts.

    Attributes:
        rejects: reason -> how many candidates were dropped for it.
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)

    rejects: Mapping[str, Count]

    @property
    @abc.abstractmethod
    def made(self) -> int:
        """Candidates or samples that the unit made."""

    def write(self, path: Path) -> None:
        """Write it, the last thing of a unit of work."""
        write_text(path, self.model_dump_json() + "\n")

    @classmethod
    def read(cls: type[AnyReceipt], path: Path) -> AnyReceipt | None:
        """The receipt at ``path``; None when there is none, or none that is whole and valid."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, pydantic.ValidationError):
            return None


class BlockReceipt(Receipt):
    """Of a block of the propose pass.

    Attributes:
        scenes: the block's scenes.
        candidates: rows of its table.
        sha256: of the table's file.
    """

    scenes: tuple[int, ...]
    candidates: Count
    sha256: str

    @property
    def made(self) -> int:
        """Candidates."""
        return self.candidates

    def covers(self, scenes: tuple[int, ...], table: Path) -> bool:
        """Whether it is the receipt of these scenes and of the table as it lies there now, byte for byte."""
        return self.scenes == scenes and holds(table, self.sha256)


class WrittenShard(Receipt):
    """Of a shard of the write pass.

    Attributes:
        digest: of what it was made from, see :func:`~flowbench.builders.units.shard_digest`.
        shard: what the manifest says of it.
        categories: category -> samples.
    """

    digest: str
    shard: ShardReceipt
    categories: Mapping[str, Count]

    @property
    def made(self) -> int:
        """Samples."""
        return self.shard.samples

    def covers(self, digest: str, root: Path) -> bool:
        """Whether it is the receipt of a shard made from the same, and the shard lies there in its full size."""
        return self.digest == digest and has_size(root, self.shard)


def has_size(root: Path, file: FileReceipt) -> bool:
    """Whether a file of the release at ``root`` lies there in its stated size."""
    path = root / file.path
    return path.is_file() and path.stat().st_size == file.bytes


def holds(path: Path, sha256: str) -> bool:
    """Whether a file is there, can be read, and has this content."""
    try:
        return file_sha256(path) == sha256
    except OSError:
        return False
