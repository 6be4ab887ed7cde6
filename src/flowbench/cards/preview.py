"""The card's picture of a config: a few samples below each other, the same ones every time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..encoding import decode_depth_millimetres, decode_rgb, encode_rgb
from ..release import Manifest, Sample, preview_path
from ..release.tables import reading_index
from ..viewing.depth import depth_range, depth_to_rgb
from ..viewing.picking import Entry, read_chosen, read_entries, spread

Image = NDArray[np.uint8]

SHOWN = 3
MOST_WIDTH = 400
"""Of one picture, pixels; wider ones are reduced by a whole factor."""
_GAP = 6
_COLUMNS = frozenset({"before_marked.png", "after_marked.png", "depth_before.png16"})


@dataclass(frozen=True)
class Shown:
    """The words of a sample in the picture."""

    category: str
    motion_text: str
    question: str
    choices: list[str]
    answer: str


def shown_entries(root: Path, manifest: Manifest, config: str) -> list[Entry]:
    """The samples shown, of different categories if there are as many."""
    filled = {split: files for split, files in manifest.configs[config].items() if files.index.samples}
    return spread(read_entries(root, manifest.model_copy(update={"configs": {config: filled}}), config), SHOWN)


def shown_texts(root: Path, manifest: Manifest, config: str) -> list[Shown]:
    """Their words, from the index, in their order."""
    chosen = shown_entries(root, manifest, config)
    columns = ["id", "category", "motion_text", "question", "choices", "answer"]
    found: dict[str, Shown] = {}
    for files in manifest.configs[config].values():
        with reading_index(str(root / files.index.path)):
            frame = pl.read_parquet(root / files.index.path, columns=columns)
            rows = frame.filter(pl.col("id").is_in([entry.id for entry in chosen])).to_dicts()
        for row in rows:
            key = row.pop("id")
            found[key] = Shown(**row)
    return [found[entry.id] for entry in chosen]


def preview(root: Path, manifest: Manifest, config: str) -> bytes:
    """The PNG: a row a sample, with the marked picture before and after and the depth before, near being bright.

    Raises:
        ReleaseError: an index or a shard cannot be read.
    """
    rows = [_row(sample) for _, sample in read_chosen(root, shown_entries(root, manifest, config), _COLUMNS)]
    return encode_rgb(_joined(rows, axis=0))


def has_preview(root: Path, config: str) -> bool:
    """Whether the picture lies in the release."""
    return (root / preview_path(config)).is_file()


def _row(sample: Sample) -> Image:
    depth = decode_depth_millimetres(sample.members["depth_before.png16"])
    pictures = [decode_rgb(sample.members[f"{when}_marked.png"]) for when in ("before", "after")]
    return _joined([_reduced(each) for each in (*pictures, depth_to_rgb(depth, *depth_range(depth)))], axis=1)


def _reduced(image: Image) -> Image:
    """(h, w, 3) uint8 at most :data:`MOST_WIDTH` wide: means of square blocks, in integers, for the same bytes."""
    factor = -(-image.shape[1] // MOST_WIDTH)
    height, width = image.shape[0] // factor, image.shape[1] // factor
    blocks = image[: height * factor, : width * factor].reshape(height, factor, width, factor, 3)
    total = blocks.astype(np.uint32).sum(axis=(1, 3))
    mean: Image = ((total + factor * factor // 2) // (factor * factor)).astype(np.uint8)
    return mean


def _joined(images: list[Image], axis: int) -> Image:
    """Beside (1) or below (0) each other, with white between them."""
    shape = list(images[0].shape)
    shape[axis] = _GAP
    gap = np.full(shape, 255, np.uint8)
    between = [piece for image in images for piece in (gap, image)][1:]
    return np.concatenate(between, axis=axis)
