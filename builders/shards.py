"""Writing shards: WebDataset tar files whose bytes depend on nothing but the samples (schema.md, "Shards")."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from flowbench.files import atomic_write
from flowbench.release import Sample, ShardReceipt
from flowbench.release.tar import KEY
from flowbench.schema import ConfigSpec

MTIME = 946_684_800
"""2000-01-01: 0 makes some tools warn about an implausibly old file."""
MODE = 0o644


def write_shard(root: Path, relative: str, spec: ConfigSpec, samples: Iterable[Sample]) -> ShardReceipt:
    """Write the shard ``root/relative`` from samples in ascending order of their keys.

    The members of a sample lie side by side, sorted by name. The file appears under its name only when it is complete.

    Args:
        root: the release directory.
        relative: the shard's path in it, see :func:`flowbench.release.shard_path`.
        spec: the config, which says which columns a sample has.
        samples: the samples, drawn one by one while the shard is written.

    Raises:
        ValueError: a bad key, keys that do not ascend, or columns that are not the config's.
        UsageError: the disk is full or closed to us.
    """
    digest = hashlib.sha256()
    count, num_bytes, last = 0, 0, ""
    with atomic_write(root / relative) as file:
        out = _Hashing(file, digest)
        for sample in samples:
            _check(sample, spec, last)
            for column in sorted(sample.members):
                _write_member(out, f"{sample.key}.{column}", sample.members[column])
                num_bytes += len(sample.members[column])
            num_bytes += len(sample.key)
            count, last = count + 1, sample.key
        out.write(bytes(2 * tarfile.BLOCKSIZE))
        out.write(bytes(-out.size % tarfile.RECORDSIZE))
    return ShardReceipt(path=relative, sha256=digest.hexdigest(), bytes=out.size, samples=count, num_bytes=num_bytes)


class _Hashing:
    """A file that is hashed and measured as it is written."""

    def __init__(self, file: BinaryIO, digest: hashlib._Hash) -> None:
        self._file = file
        self._digest = digest
        self.size = 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)


def _write_member(out: _Hashing, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = len(data), MTIME, MODE  # owner and group stay 0 and nameless
    out.write(info.tobuf(tarfile.USTAR_FORMAT))
    out.write(data)
    out.write(bytes(-len(data) % tarfile.BLOCKSIZE))


def _check(sample: Sample, spec: ConfigSpec, last: str) -> None:
    if not KEY.fullmatch(sample.key):
        raise ValueError(f"a key is 1 to 64 letters, digits, '_' and '-', got {sample.key!r}")
    if sample.key <= last:
        raise ValueError(f"keys ascend in a shard, got {sample.key!r} after {last!r}")
    allowed = {column.name for column in spec.columns}
    required = {column.name for column in spec.columns if not column.optional}
    extra, missing = sorted(sample.members.keys() - allowed), sorted(required - sample.members.keys())
    if extra or missing:
        raise ValueError(f"sample {sample.key!r} of {spec.name} lacks {missing} and has unknown columns {extra}")
