"""Frames of the retrieval corpus by the names that queries call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..encoding import decode_rgb
from ..errors import ReleaseError
from ..release import Manifest
from ..release.tables import reading_index
from .picking import Entry, read_chosen

CORPUS: Final = "retrieval_corpus"


@dataclass(frozen=True)
class CorpusFrame:
    """One frame of the corpus.

    Attributes:
        name: what queries call it.
        variant: which run it is of.
        frame: number in that run.
        picture: (H, W, 3) uint8.
    """

    name: str
    variant: str
    frame: int
    picture: NDArray[np.uint8]


Frames = Mapping[str, CorpusFrame]


def no_frames() -> Frames:
    """No frames at all."""
    return {}


def read_frames(root: Path, manifest: Manifest, names: Iterable[str]) -> Frames:
    """The frames of these names; nothing where the release holds no corpus.

    Raises:
        ReleaseError: the corpus lacks one of them, or cannot be read.
    """
    wanted = sorted(set(names))
    if not _held(manifest):
        return no_frames()
    rows = _rows(root, manifest, wanted)
    missing = [name for name in wanted if name not in rows]
    if missing:
        raise ReleaseError(f"{CORPUS} in {root} lacks the frame {missing[0]!r} of a query: build it again")
    entries = [entry for entry, _, _ in rows.values()]
    samples = {sample.key: sample for _, sample in read_chosen(root, entries, frozenset({"frame.png"}))}
    found = {}
    for name, (entry, variant, frame) in rows.items():
        members = samples[entry.id].members
        if "frame.png" not in members:
            raise ReleaseError(f"sample {entry.id!r} has no 'frame.png' member: fetch or build the shard again")
        picture = decode_rgb(members["frame.png"], f"frame.png of sample {entry.id!r}")
        found[name] = CorpusFrame(name, variant, frame, picture)
    return found


def _held(manifest: Manifest) -> bool:
    return any(files.index.samples for files in manifest.configs.get(CORPUS, {}).values())


def _rows(root: Path, manifest: Manifest, names: list[str]) -> dict[str, tuple[Entry, str, int]]:
    """Name -> where the frame lies, its variant and its number."""
    rows = {}
    for split, files in manifest.configs[CORPUS].items():
        path = root / files.index.path
        with reading_index(str(path)):
            frame = pl.read_parquet(path, columns=["id", "category", "frame_id", "variant", "frame_index", "shard"])
            found = list(frame.filter(pl.col("frame_id").is_in(names)).iter_rows(named=True))
        known = {receipt.path for receipt in files.shards}
        for row in found:
            if row["id"] is None or row["shard"] not in known:
                raise ReleaseError(f"{path} has a row without id or a shard of the manifest: build it again")
            entry = Entry(row["id"], str(row["category"]), split, row["shard"])
            rows[row["frame_id"]] = entry, str(row["variant"]), int(row["frame_index"] or 0)
    return rows
