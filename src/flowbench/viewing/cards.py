"""From the members of a sample to what its card on the page shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..encoding import decode_depth_millimetres, decode_flow, decode_ids, decode_rgb
from ..errors import ReleaseError
from ..release import Sample
from ..schema import RealRecord, Region, SimRecord, record_from_json
from .depth import depth_range, depth_to_rgb
from .flow import flow_to_rgb, largest_motion
from .members import member
from .pictures import diagram_uri, photo_uri
from .segmentation import id_colour, ids_to_rgb

STRUCTURE: Final = frozenset({"Wall", "Floor", "Ceiling", "Door", "Window"})
COLUMNS: Final = frozenset(
    {"before.png", "after.png", "before_marked.png", "after_marked.png", "flow.png16", "json"}
    | {f"{layer}_{when}.png16" for layer in ("depth", "seg") for when in ("before", "after")}
)
"""Members of a sample that its card shows."""
_PHOTOS: Final = ("before", "after", "before_marked", "after_marked")
_FEWEST_PIXELS: Final = 40


@dataclass(frozen=True)
class HotSpot:
    """Where an object's name appears when the pointer rests on a segmentation image; percent of the image."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class LegendEntry:
    """One instance id in the segmentation images.

    Attributes:
        name: AI2-THOR type.
        object_name: unique name in the scene.
        colour: ``#rrggbb`` as drawn.
        mark: ``#rrggbb`` of the object's dot, or None.
        structure: whether it belongs to the building.
        before, after: where it is seen, or None.
    """

    name: str
    object_name: str
    colour: str
    mark: str | None
    structure: bool
    before: HotSpot | None
    after: HotSpot | None


@dataclass(frozen=True)
class Choice:
    """One answer choice."""

    letter: str
    text: str
    right: bool
    before: bool


@dataclass(frozen=True)
class Card:
    """Everything that the page shows of one sample. Texts are raw: the template escapes them.

    Attributes:
        record: the sample's record.
        split: split it was found in.
        choices: in letter order.
        images: name -> ``data:`` URI, for the four pictures and ``flow``, ``depth_*``, ``seg_*``.
        near, far: metres at the two ends of the depth colours.
        longest: longest flow vector, pixels.
        moving: share of pixels that move, percent.
        legend: instance ids, marked objects first, then by size, the building last.
        json_text: the record, indented.
    """

    record: SimRecord
    split: str
    choices: tuple[Choice, ...]
    images: Mapping[str, str]
    near: float
    far: float
    longest: float
    moving: float
    legend: tuple[LegendEntry, ...]
    json_text: str


def make_card(sample: Sample, split: str, kind: type[SimRecord] = SimRecord) -> Card:
    """Decode a sample and colour its layers.

    Args:
        sample: its members, at least those of :data:`COLUMNS`.
        split: name of the split.
        kind: of the record.

    Raises:
        ReleaseError: a member is missing or broken, or the record is not one of ours; told with the sample's key.
    """
    record = record_from_json(kind, *member(sample, "json"))
    choices = _choices(record, sample.key)
    images = {name: photo_uri(decode_rgb(*member(sample, f"{name}.png"))) for name in _PHOTOS}
    depths = [decode_depth_millimetres(*member(sample, f"depth_{when}.png16")) for when in ("before", "after")]
    near, far = depth_range(*depths)
    flow, valid = decode_flow(*member(sample, "flow.png16"))
    legend = make_legend(record)
    muted = {segment.id for segment in record.segments if segment.type in STRUCTURE}
    for when, depth in zip(("before", "after"), depths, strict=True):
        images[f"depth_{when}"] = photo_uri(depth_to_rgb(depth, near, far))
        ids = decode_ids(*member(sample, f"seg_{when}.png16"))
        images[f"seg_{when}"] = diagram_uri(ids_to_rgb(ids, muted))
    images["flow"] = diagram_uri(flow_to_rgb(flow, valid))
    return Card(
        record=record,
        split=split,
        choices=choices,
        images=images,
        near=near / 1000,
        far=far / 1000,
        longest=largest_motion(flow, valid),
        moving=_moving_percent(flow, valid),
        legend=legend,
        json_text=json.dumps(record.model_dump(), indent=2, ensure_ascii=False),
    )


def make_real_card(sample: Sample, split: str) -> Card:
    """The same of a recorded video's sample."""
    return make_card(sample, split, RealRecord)


def make_legend(record: SimRecord) -> tuple[LegendEntry, ...]:
    """The objects in the segmentation images, the most telling ones first."""
    dots = {mark.id: _hex(mark.rgb) for mark in record.marks}
    order = {mark.id: place for place, mark in enumerate(record.marks)}

    def weight(index: int) -> tuple[bool, int, int]:
        segment = record.segments[index]
        return (
            segment.type in STRUCTURE,
            order.get(segment.id, len(order)),
            -max(_area(segment.before), _area(segment.after)),
        )

    entries = []
    for index in sorted(range(len(record.segments)), key=weight):
        segment = record.segments[index]
        structure = segment.type in STRUCTURE
        entries.append(
            LegendEntry(
                name=segment.type,
                object_name=segment.object,
                colour=_hex(id_colour(segment.id, muted=structure)),
                mark=dots.get(segment.id),
                structure=structure,
                before=_hot_spot(segment.before),
                after=_hot_spot(segment.after),
            )
        )
    return tuple(entries)


def _choices(record: SimRecord, key: str) -> tuple[Choice, ...]:
    """The choices with their letters; refuses an answer that is none of them."""
    letters = ascii_uppercase[: len(record.choices)]
    answers = {"answer": record.answer, "before_answer": record.before_answer}
    for field, answer in answers.items():
        if answer is not None and (not answer or not set(answer) <= set(letters)):
            raise ReleaseError(
                f"the {field} of sample {key!r} is {answer[:40]!r}, which none of its {len(letters)} choices has: "
                "build the shard again"
            )
    return tuple(
        Choice(letter, text, letter in record.answer, letter in (record.before_answer or ""))
        for letter, text in zip(letters, record.choices, strict=False)
    )


def _moving_percent(flow: NDArray[np.float32], valid: NDArray[np.bool_]) -> float:
    moves = valid & ((np.abs(flow) > 0.5).any(axis=-1))
    return 100.0 * float(moves.mean())


def _area(region: Region | None) -> int:
    return region.area if region else 0


def _hot_spot(region: Region | None) -> HotSpot | None:
    """A region's box in percent of the image; None for what is too small to point at."""
    if region is None or region.area < _FEWEST_PIXELS or len(region.bbox) != 4 or len(region.size) != 2:
        return None
    height, width = region.size
    if width <= 0 or height <= 0:
        return None
    x, y, w, h = region.bbox
    return HotSpot(100 * x / width, 100 * y / height, 100 * w / width, 100 * h / height)


def _hex(rgb: Sequence[int]) -> str:
    """``#rrggbb``, whatever numbers a record claims to be a colour."""
    red, green, blue = [min(max(value, 0), 255) for value in [*rgb, 0, 0, 0][:3]]
    return f"#{red:02x}{green:02x}{blue:02x}"
