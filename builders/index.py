"""The index: the records of a split without their pixels as a parquet file, one row a sample, for polars and SQL."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from flowbench.files import write_bytes
from flowbench.release import FileReceipt, iter_samples
from flowbench.schema import ConfigSpec, record_from_json
from flowbench.schema.rows import row_of, row_schema

_ROW_GROUP = 10_000


def write_index(root: Path, relative: str, spec: ConfigSpec, shards: Sequence[str]) -> FileReceipt:
    """Write the index ``root/relative`` of shards that lie in ``root``, in their order.

    The rows are read back from the shards, so that they say what is published, whichever run wrote it. Besides the
    record each row has ``shard``, the file that holds the sample.

    Args:
        root: the release directory.
        relative: the index's path in it, see :func:`flowbench.release.index_path`.
        spec: the config.
        shards: paths of the split's shards, relative to ``root``.
    """
    frame = pl.DataFrame(list(_rows(root, spec, shards)), schema=row_schema(spec), orient="row")
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=3, row_group_size=_ROW_GROUP)
    data = buffer.getvalue()
    write_bytes(root / relative, data)
    return FileReceipt(path=relative, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), samples=frame.height)


def _rows(root: Path, spec: ConfigSpec, shards: Sequence[str]) -> Iterator[dict[str, Any]]:
    for shard in shards:
        for sample in iter_samples(root / shard, frozenset({"json"})):
            name = f"the record of {sample.key!r} in {shard}"
            record = record_from_json(spec.record, sample.members["json"], name)
            yield row_of(record, shard)
