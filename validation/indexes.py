"""Reading the index safely: it is as little to be trusted as the rest."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from flowbench.errors import ReleaseError
from flowbench.release import FileReceipt, file_sha256
from flowbench.release.tables import reading_index
from flowbench.schema import ConfigSpec
from flowbench.schema.rows import row_schema

from .plain import plain

LEFT_OUT: Final = frozenset({"segments", "camera", "marks", "reasoning", "static_question", "rationale", "provenance"})
"""Fields that are not kept in memory: a row without them takes well under a kilobyte."""
MOST_ROW_BYTES: Final = 1 << 20
"""Rows that are larger than this on average, unpacked, are not those of an index."""
_NAMED: Final = 20


def check_index(root: Path, receipt: FileReceipt, spec: ConfigSpec) -> None:
    """Refuse an index that may not be read; nothing of its rows is decoded.

    Raises:
        ReleaseError: missing, not a plain file, not the bytes, the columns or the number of rows that are promised,
            or so packed that it would fill the memory.
    """
    path = root / receipt.path
    with reading_index(receipt.path):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise ReleaseError(f"{receipt.path} is not a plain file: fetch or build it again")
        if status.st_size != receipt.bytes:
            raise ReleaseError(f"{receipt.path} has {status.st_size:,} bytes, expected {receipt.bytes:,}: {_AGAIN}")
        if file_sha256(path) != receipt.sha256:
            raise ReleaseError(f"{receipt.path} has another sha256 than the manifest says: {_AGAIN}")
        _check_rows(path, receipt, spec)


_AGAIN: Final = "fetch or build it again"


def _check_rows(path: Path, receipt: FileReceipt, spec: ConfigSpec) -> None:
    import pyarrow.parquet  # type: ignore[import-untyped]

    with pyarrow.parquet.ParquetFile(path) as file:
        meta = file.metadata
        rows, unpacked = meta.num_rows, sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    schema = dict(pl.read_parquet_schema(path))
    if rows != receipt.samples:
        raise ReleaseError(f"{receipt.path} has {rows:,} rows, expected {receipt.samples:,}: {_AGAIN}")
    if unpacked > MOST_ROW_BYTES * max(rows, 1):
        raise ReleaseError(f"{receipt.path} unpacks to {unpacked:,} bytes for {rows:,} rows: do not use this file")
    expected = row_schema(spec)
    if schema != expected:
        odd = [plain(name, 40) for name in {**expected, **schema} if schema.get(name) != expected.get(name)]
        raise ReleaseError(f"{receipt.path} has not the columns of {spec.name}: {_few(odd)} differ: {_AGAIN}")


def _few(names: Sequence[str]) -> str:
    """The first of them: a hostile table may have thousands."""
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")


def read_rows(root: Path, index: str, shard: str) -> list[dict[str, Any]]:
    """The rows of one shard, in their order; raises :class:`ReleaseError` like :func:`check_index`."""
    with reading_index(index):
        return pl.scan_parquet(root / index).filter(pl.col("shard") == shard).collect().to_dicts()


def read_index(root: Path, spec: ConfigSpec, indexes: Sequence[tuple[str, FileReceipt]]) -> pl.DataFrame:
    """The rows of all splits, given as (split, index), as :class:`~.suites.base.OpenedConfig` has them.

    Raises:
        ReleaseError: an index cannot be read.
    """
    schema = {name: kind for name, kind in row_schema(spec).items() if name not in LEFT_OUT}
    whole = pl.DataFrame(schema={**schema, "split": pl.String()})
    for split, receipt in indexes:
        with reading_index(receipt.path):
            frame = pl.read_parquet(root / receipt.path, columns=list(schema))
            whole = whole.vstack(frame.with_columns(pl.lit(split).alias("split")))
    return whole
