"""Reading shards: members are read, never extracted, and anything a shard of ours would not hold is refused."""

from __future__ import annotations

import re
import stat
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..errors import ReleaseError

MAX_MEMBER_BYTES = 1 << 29
MAX_SAMPLE_BYTES = 1 << 29
"""A sample's members together: what a reader has to keep in memory at a time."""
KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Sample keys: no dots (readers cut the key at the first one), no slashes."""
_END_STEP = 1 << 16
COLUMN = re.compile(r"[a-z0-9_]{1,24}(\.[a-z0-9]{1,8})?")


@dataclass(frozen=True)
class Sample:
    """One sample as it lies in a shard.

    Attributes:
        key: unique in the config, no dots.
        members: column name -> bytes.
    """

    key: str
    members: Mapping[str, bytes]


def iter_samples(path: Path, columns: frozenset[str] | None = None) -> Iterator[Sample]:
    """The samples of a shard in order.

    Args:
        path: the tar file.
        columns: read only these columns and pass over the others' bytes; all of them if None.

    Raises:
        ReleaseError: missing, or not a whole tar; a member that is not a plain file, is too large, or is not named
            ``<key>.<column>`` (so no absolute path and no ``..``); a name twice; a sample's members apart, or
            together too large.
    """
    try:
        plain = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        raise ReleaseError(f"{path} is missing: fetch or build it again") from None
    if not plain:  # opening a pipe would wait for its other end
        raise ReleaseError(f"{path} is not a plain file: fetch or build it again")
    with path.open("rb") as file:
        yield from _grouped(path, file, columns)


def read_samples(file: BinaryIO, name: str, columns: frozenset[str] | None = None) -> Iterator[Sample]:
    """The same of an open file that can seek, wherever it lies; errors call it ``name``."""
    yield from _grouped(Path(name), file, columns)


def _grouped(path: Path, file: BinaryIO, columns: frozenset[str] | None) -> Iterator[Sample]:
    key: str | None = None
    members: dict[str, bytes] = {}
    names: set[str] = set()
    done: set[str] = set()
    size = 0
    for info in _headers(path, file):
        member_key, column = _checked_name(path, info)
        if member_key != key:
            if key is not None:
                yield Sample(key, members)
                done.add(key)
            if member_key in done:
                raise ReleaseError(f"{path} has members of sample {member_key!r} in two places: build the shard again")
            key, members, names, size = member_key, {}, set(), 0
        if column in names:
            raise ReleaseError(f"{path} has the member {info.name!r} twice: build the shard again")
        names.add(column)
        size += info.size
        if size > MAX_SAMPLE_BYTES:
            raise ReleaseError(
                f"{path} has the sample {key!r} of over {MAX_SAMPLE_BYTES:,} bytes: do not use this shard"
            )
        if columns is None or column in columns:
            members[column] = _content(path, file, info)
    if key is not None:
        yield Sample(key, members)


def _headers(path: Path, file: BinaryIO) -> Iterator[tarfile.TarInfo]:
    """Every member's header, the file standing at its content when it is yielded.

    Headers are parsed one at a time instead of iterating over a TarFile, which would act on extension headers
    (long names, pax overrides, sparse maps) before we can refuse them.
    """
    while True:
        block = file.read(tarfile.BLOCKSIZE)
        if block == bytes(tarfile.BLOCKSIZE):
            return _check_end(path, file)
        try:
            info = tarfile.TarInfo.frombuf(block, "ascii", "strict")
        except (tarfile.HeaderError, ValueError) as error:
            raise ReleaseError(f"{path} is not a whole tar file ({error}): fetch or build it again") from None
        content = file.tell()
        yield info
        file.seek(content + info.size + -info.size % tarfile.BLOCKSIZE)


def _check_end(path: Path, file: BinaryIO) -> None:
    """Refuse a shard unless one more block of zeros, and nothing but zeros, follows the first to the end.

    Readers differ in whether they stop at the end-of-archive blocks, so what lies behind them would be seen by some.
    """
    zeros = 0
    while block := file.read(_END_STEP):
        if block.count(0) != len(block):
            raise ReleaseError(f"{path} has data after its end-of-archive blocks: do not use this shard")
        zeros += len(block)
    if zeros < tarfile.BLOCKSIZE:
        raise ReleaseError(f"{path} ends in the middle of its end-of-archive blocks: fetch or build it again")


def _checked_name(path: Path, info: tarfile.TarInfo) -> tuple[str, str]:
    if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
        raise ReleaseError(f"{path} has the member {info.name!r}, which is not a plain file: do not use this shard")
    if not 0 <= info.size <= MAX_MEMBER_BYTES:
        raise ReleaseError(
            f"{path} has the member {info.name!r} of {info.size:,} bytes, expected at most {MAX_MEMBER_BYTES:,}: "
            "do not use this shard"
        )
    key, _, column = info.name.partition(".")
    if not (KEY.fullmatch(key) and COLUMN.fullmatch(column)):
        raise ReleaseError(f"{path} has a member named {info.name!r}, expected <key>.<column>: do not use this shard")
    return key, column


def _content(path: Path, file: BinaryIO, info: tarfile.TarInfo) -> bytes:
    data = file.read(info.size)
    if len(data) != info.size:
        raise ReleaseError(f"{path} ends in the middle of {info.name!r}: fetch or build it again")
    return data
