"""Annotating: everything that is published of an outcome (paper, "Annotating"; schema.md, "Columns")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flowbench.builders.rewriting import NoRewriter, Rewriter
from flowbench.builders.simulators.base import Simulator
from flowbench.encoding import (
    FlowRangeError,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_instances,
    encode_rgb,
)
from flowbench.marking import draw_marks
from flowbench.rendering import forward_flow
from flowbench.schema import (
    Mark,
    Region,
    SimRecord,
)

from .categories import CATEGORIES
from .items import Reject
from .language import object_names, put_into_words
from .marks import choose_marks, place_all
from .metadata import describe
from .planning import Streams
from .querying import Outcome, Shot
from .reasoning import reason
from .recording import Origin, make_record
from .rewording import reword


@dataclass(frozen=True)
class Annotated:
    """One published sample: its record and its members by column name (``json`` excluded)."""

    record: SimRecord
    members: Mapping[str, bytes]


class EncodedShot:
    """A moment's pictures, encoded once however many samples show it."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot

    @cached_property
    def members(self) -> tuple[bytes, bytes, bytes]:
        """Clean RGB, depth and ids as PNG."""
        frame = self.shot.frame
        assert frame.rgb is not None
        assert frame.depth is not None
        assert frame.ids is not None
        return encode_rgb(frame.rgb), encode_depth(frame.depth), encode_ids(frame.ids)

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        """Every visible id's pixels."""
        return encode_instances(self.shot.sight.ids)


def annotate(
    simulator: Simulator,
    outcome: Outcome,
    before: EncodedShot,
    right_position: int,
    origin: Origin,
    streams: Streams,
    rewriter: Rewriter | None = None,
) -> Annotated | Reject:
    """Turn an outcome into a published sample.

    Args:
        simulator: for its scene's facts; it is not moved.
        outcome: the carried-out item.
        before: the before moment, whose encodings samples of a view share.
        right_position: letter position of the right choice.
        origin: for the provenance.
        streams: explicit generators by stage.
        rewriter: may put texts into other words; None does not.
    """
    item = outcome.candidate.item
    category = CATEGORIES[item.category]
    sights = before.shot.sight, outcome.after.sight
    after = EncodedShot(outcome.after)
    marks = _marks(outcome, streams("marks", item.category))
    if isinstance(marks, Reject):
        return marks
    flow = _flow(outcome)
    if isinstance(flow, Reject):
        return flow
    names = object_names(marks, *sights)
    wording = put_into_words(category, item, names, right_position, streams("wording", item.category))
    because = category.because(item, *sights, names[item.mover], [names[name] for name in item.landmarks])
    letter = wording.letters(category.picks(item.answer))
    reasoning = reason(because, wording, letter, streams("reasoning", item.category))
    wording, reasoning, note = reword(rewriter or NoRewriter(), wording, reasoning, letter)
    regions = before.regions, after.regions
    record = make_record(simulator, outcome, wording, marks, reasoning, regions, replace(origin, rewriter=note))
    arrangements = sights[0].arrangement, sights[1].arrangement
    meta = describe(simulator, record.scene_id, sights[0].camera, *arrangements)
    return Annotated(record, _members(before, after, marks, flow, meta))


def _marks(outcome: Outcome, rng: np.random.Generator) -> list[Mark] | Reject:
    """Dots for the mover and every landmark."""
    item = outcome.candidate.item
    sights = outcome.before.sight, outcome.after.sight
    places = place_all(*sights, (item.mover, *item.landmarks), kept=CATEGORIES[item.category].keeps_dots)
    if isinstance(places, Reject):
        return places
    rgb_before, rgb_after = outcome.before.frame.rgb, outcome.after.frame.rgb
    assert rgb_before is not None
    assert rgb_after is not None
    return choose_marks(places, rgb_before, rgb_after, rng)


def _flow(outcome: Outcome) -> bytes | Reject:
    """Exact forward flow from float32 depth and the poses of everything that moved, encoded."""
    before, after = outcome.before.sight.arrangement, outcome.after.sight.arrangement
    motions = {
        item.instance_id: before.pose(item.object_id).relative(after.pose(item.object_id))
        for item in before.objects
        if before.pose(item.object_id) != after.pose(item.object_id)
    }
    depth = outcome.before.frame.depth
    assert depth is not None
    try:
        return encode_flow(*forward_flow(depth, outcome.before.sight.ids, outcome.before.sight.camera, motions))
    except FlowRangeError:
        return Reject("flow: longer than the encoding holds")


def _members(
    before: EncodedShot, after: EncodedShot, marks: Sequence[Mark], flow: bytes, meta: str
) -> Mapping[str, bytes]:
    """The sample's files by column name."""
    rgb_before, rgb_after = before.shot.frame.rgb, after.shot.frame.rgb
    assert rgb_before is not None
    assert rgb_after is not None
    clean_before, depth_before, seg_before = before.members
    clean_after, depth_after, seg_after = after.members
    return {
        "before.png": clean_before,
        "after.png": clean_after,
        "before_marked.png": encode_rgb(draw_marks(rgb_before, marks, "before")),
        "after_marked.png": encode_rgb(draw_marks(rgb_after, marks, "after")),
        "depth_before.png16": depth_before,
        "depth_after.png16": depth_after,
        "seg_before.png16": seg_before,
        "seg_after.png16": seg_after,
        "flow.png16": flow,
        "meta.txt": meta.encode(),
    }
