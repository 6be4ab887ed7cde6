"""The card's picture of a config: a few samples below each other, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import pydantic
from numpy.typing import NDArray

from ..encoding import decode_depth_millimetres, decode_rgb, encode_rgb
from ..release import Manifest, Sample, preview_path
from ..release.tables import reading_index
from ..schema import RealRecord, SimRecord, config_spec, record_from_json
from ..schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord
from ..viewing.corpus import Frames, no_frames, read_frames
from ..viewing.depth import depth_range, depth_to_rgb
from ..viewing.picking import Entry, read_chosen, read_entries, spread
from .tiles import GAP, framed, joined, reduced

Image = NDArray[np.uint8]

_FOUR: Final = 240
"""Most width of pictures that stand four in a row, pixels."""
_SIX: Final = 160
"""The same of six in a row."""
_STRIP: Final = 6


@dataclass(frozen=True)
class Look:
    """How the samples of a record type are shown.

    Attributes:
        shown: how many of them.
        words: column of the index -> heading in the table below the picture; no table if empty.
        columns: members that the picture needs.
        rows: samples, and corpus frames by name -> the rows of the picture.
        named: the corpus frames that a sample's row needs besides.
        gap: white between rows, pixels.
    """

    shown: int
    words: Mapping[str, str]
    columns: frozenset[str]
    rows: Callable[[Sequence[Sample], Frames], list[Image]]
    named: Callable[[Sample], list[str]] = lambda sample: []
    gap: int = GAP


def look(config: str) -> Look:
    """How a config's samples are shown."""
    return _LOOKS[config_spec(config).record]


def shown_entries(root: Path, manifest: Manifest, config: str) -> list[Entry]:
    """The samples shown, of different categories if there are as many."""
    filled = {split: files for split, files in manifest.configs[config].items() if files.index.samples}
    entries = read_entries(root, manifest.model_copy(update={"configs": {config: filled}}), config)
    return spread(entries, look(config).shown)


def shown_words(root: Path, manifest: Manifest, config: str) -> list[list[str]]:
    """Their words, from the index, in their order: a list a sample, in the order of :attr:`Look.words`."""
    columns = list(look(config).words)
    if not columns:
        return []
    chosen = shown_entries(root, manifest, config)
    found: dict[str, list[str]] = {}
    for files in manifest.configs[config].values():
        with reading_index(str(root / files.index.path)):
            frame = pl.read_parquet(root / files.index.path, columns=list(dict.fromkeys(["id", *columns])))
            rows = frame.filter(pl.col("id").is_in([entry.id for entry in chosen])).to_dicts()
        found |= {row["id"]: [_cell(row[column]) for column in columns] for row in rows}
    return [found[entry.id] for entry in chosen]


def preview(root: Path, manifest: Manifest, config: str) -> bytes:
    """The PNG of a config's samples.

    Raises:
        ReleaseError: an index or a shard cannot be read.
    """
    how = look(config)
    samples = [sample for _, sample in read_chosen(root, shown_entries(root, manifest, config), how.columns)]
    names = [name for sample in samples for name in how.named(sample)]
    frames = read_frames(root, manifest, names) if names else no_frames()
    return encode_rgb(joined(how.rows(samples, frames), axis=0, gap=how.gap))


def has_preview(root: Path, config: str) -> bool:
    """Whether the picture lies in the release."""
    return (root / preview_path(config)).is_file()


def _cell(value: Any) -> str:
    return " / ".join(value) if isinstance(value, list) else str(value)


def _sim_rows(samples: Sequence[Sample], frames: Frames) -> list[Image]:
    """The marked picture before and after, and the depth before, near being bright."""
    rows = []
    for sample in samples:
        depth = decode_depth_millimetres(sample.members["depth_before.png16"])
        pictures = [decode_rgb(sample.members[f"{when}_marked.png"]) for when in ("before", "after")]
        shown = (*pictures, depth_to_rgb(depth, *depth_range(depth)))
        rows.append(joined([reduced(each) for each in shown], axis=1))
    return rows


def _selection_rows(samples: Sequence[Sample], frames: Frames) -> list[Image]:
    """A strip of the observation, if anything is shown, over the four candidates, the right one framed."""
    rows = []
    for sample in samples:
        record = record_from_json(SelectionRecord, sample.members["json"], f"json of sample {sample.key!r}")
        pictures = [reduced(decode_rgb(sample.members[f"candidate_{place}.png"]), _FOUR) for place in range(4)]
        marked = [
            framed(each) if letter == record.answer else each
            for letter, each in zip(record.choices, pictures, strict=False)
        ]
        rows.append(joined([*_strip(sample), joined(marked, axis=1)], axis=0))
    return rows


def _retrieval_rows(samples: Sequence[Sample], frames: Frames) -> list[Image]:
    """A strip of the observation over the target, framed, and hard negatives, as far as the release has them."""
    rows = []
    for sample in samples:
        own = sample.members
        if "target.png" in own:
            found = [decode_rgb(own[name]) for name in ("target.png", *(f"negative_{place}.png" for place in range(4)))]
        else:
            found = [frames[name].picture for name in _named(sample) if name in frames]
        small = [reduced(each, _SIX) for each in found[:_STRIP]]
        below = [joined([framed(small[0]), *small[1:]], axis=1)] if small else []
        rows.append(joined([*_strip(sample), *below], axis=0))
    return rows


def _named(sample: Sample) -> list[str]:
    """The corpus frames of a query: its target and its hard negatives; none where it holds their pictures itself."""
    if "target.png" in sample.members:
        return []
    record = record_from_json(RetrievalRecord, sample.members["json"], f"json of sample {sample.key!r}")
    return [record.target_frame_id, *record.negatives]


def _corpus_rows(samples: Sequence[Sample], frames: Frames) -> list[Image]:
    """A contact sheet."""
    small = [reduced(decode_rgb(sample.members["frame.png"]), _SIX) for sample in samples]
    return [joined(small[first : first + _STRIP], axis=1) for first in range(0, len(small), _STRIP)]


def _strip(sample: Sample) -> list[Image]:
    """Frames of the observation from first to last, small, beside each other; nothing where nothing is shown."""
    if "video.mp4" not in sample.members:
        return []
    from ..encoding.video import decode_video  # which needs more than pictures do

    video = decode_video(sample.members["video.mp4"], f"video.mp4 of sample {sample.key!r}")
    count = min(_STRIP, len(video))
    places = [number * (len(video) - 1) // max(count - 1, 1) for number in range(count)]
    return [joined([reduced(video[place], _SIX) for place in places], axis=1)]


_SHOWS: Final = frozenset({"json", "video.mp4"})
_FOUR_PICTURES: Final = frozenset(f"candidate_{place}.png" for place in range(4))
_OWN_PICTURES: Final = frozenset({"target.png", *(f"negative_{place}.png" for place in range(4))})
_SIM_WORDS: Final = {
    "category": "category",
    "motion_text": "motion",
    "question": "question",
    "choices": "choices",
    "answer": "answer",
}
_SIM_COLUMNS: Final = frozenset({"before_marked.png", "after_marked.png", "depth_before.png16"})
_SELECTION_WORDS: Final = {"category": "category", "subtype": "subtype", "query": "query", "answer": "answer"}
_RETRIEVAL_WORDS: Final = {"category": "category", "query": "query", "target_frame_id": "frame to be found"}
_LOOKS: Mapping[type[pydantic.BaseModel], Look] = {
    SimRecord: Look(3, _SIM_WORDS, _SIM_COLUMNS, _sim_rows),
    RealRecord: Look(3, _SIM_WORDS, _SIM_COLUMNS, _sim_rows),
    SelectionRecord: Look(3, _SELECTION_WORDS, _SHOWS | _FOUR_PICTURES, _selection_rows, gap=4 * GAP),
    RetrievalRecord: Look(3, _RETRIEVAL_WORDS, _SHOWS | _OWN_PICTURES, _retrieval_rows, _named, gap=4 * GAP),
    CorpusRecord: Look(24, {}, frozenset({"frame.png"}), _corpus_rows),
}
