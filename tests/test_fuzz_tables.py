"""Indexes that no builder wrote: whatever reads them gets rows or one sentence."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from support.fuzzing import MEGABYTE, changed_bytes, examine, memory_limited
from support.validating import make_valid_release

from flowbench.cards.tables import read_parts
from flowbench.errors import ReleaseError
from flowbench.publishing.changes import Side, find_changes
from flowbench.release import CARD, FileReceipt, file_sha256, index_path, read_manifest
from flowbench.schema import config_spec
from flowbench.validation.indexes import check_index, read_index, read_rows
from flowbench.viewing.picking import read_entries

SPEC = config_spec("sim_train")
INDEX = index_path("sim_train", "train")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A release that passes, to be spoilt."""
    return make_valid_release(tmp_path / "release", 2, ("sim_train",))


def changed_table(rng: Random, data: bytes) -> bytes:
    """Another table than an index, or one with bytes of its pages, its footer or the footer's length changed."""
    what = rng.choice(["bytes", "bytes", "bytes", "length", "footer", "rows", "column"])
    if what == "length":
        return data[:-8] + rng.choice([0, 1, 7, len(data), 2**31 - 1, 2**32 - 1]).to_bytes(4, "little") + b"PAR1"
    if what == "footer":
        size = int.from_bytes(data[-8:-4], "little")
        footer = changed_bytes(rng, data[-8 - size : -8])
        return data[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    if what == "bytes":
        return data[:4] + changed_bytes(rng, data[4:-8]) + data[-8:]
    frame = pl.read_parquet(data)
    if what == "rows":
        frame = pl.concat([frame] * rng.choice([0, 2, 3])) if rng.random() < 0.7 else frame.head(0)
    else:
        name = rng.choice(frame.columns)
        odd = rng.choice([None, "x", -(2**63), 2**63 - 1, float("nan"), [[1]], {"a": 1}, b"\xff"])
        frame = frame.drop(name) if rng.random() < 0.3 else frame.with_columns(pl.Series(name, [odd] * frame.height))
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def test_indexes(root: Path) -> None:
    path = root / INDEX
    valid = path.read_bytes()
    manifest = read_manifest(root)
    files = manifest.configs["sim_train"]["train"]
    old = root.parent / "old.parquet"
    old.write_bytes(valid)
    sides = [Side(manifest, (root / CARD).read_text(), lambda _: old.open("rb"))]

    def readers(receipt: FileReceipt) -> dict[str, Callable[[], Any]]:
        split = files.model_copy(update={"index": receipt})
        now = manifest.model_copy(update={"configs": {"sim_train": {"train": split}}})
        new = Side(now, (root / CARD).read_text(), lambda _: path.open("rb"))
        return {
            "check": lambda: check_index(root, receipt, SPEC),
            "rows": lambda: read_rows(root, INDEX, files.shards[0].path),
            "table": lambda: read_index(root, SPEC, [("train", receipt)]),
            "entries": lambda: read_entries(root, now, "sim_train"),
            "card": lambda: read_parts(root, now),
            "changes": lambda: find_changes(sides[0], new),
        }

    for name in readers(files.index):

        def read(data: bytes, name: str = name) -> None:
            path.write_bytes(data)
            receipt = FileReceipt(path=INDEX, sha256=file_sha256(path), bytes=len(data), samples=files.index.samples)
            readers(receipt)[name]()

        read(valid)
        with memory_limited(400 * MEGABYTE):
            judge = examine(lambda rng: changed_table(rng, valid), read, 30, ReleaseError)
        assert judge.refused > 5, name
        assert judge.accepted > 1, name
