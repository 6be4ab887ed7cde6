"""Items of the transfer suites, derived again: the right letter, times, events, distractors, margins."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from flowbench.schema.dynapix import SelectionRecord

from ...recompute.rules import Finding
from ..facts import TRUE_RUN
from ..scenes import check_provenance
from ..times import least_step
from .happening import MOMENTS, surprise
from .meta import TransferMeta
from .opened import OpenedTransfer

LETTERS: Final = "ABCD"
CLOSE: Final = 1e-6
"""Pixels that a margin may be off."""
OBSERVED, LEAST_OBSERVED = 20, 4
LATEST_AFTER: Final = 2
_EVENT = re.compile(r"(?:A1-(?=contact)|A2-(?=motion)|A3-(?=landing))(contact|motion|landing)-(\d{1,3})")
_TIME = re.compile(r"time-(\d(?:\.\d+)?)-(\d(?:\.\d+)?)")
_STATED = re.compile(r"(\d+(?:\.\d+)?) seconds?\b")


@dataclass(frozen=True)
class Mixture:
    """With ``paper``: distractors of the same video and of others, and whether the former lie after the target."""

    same: int
    cross: int
    later: bool


MIXTURES: Final[Mapping[str, Mixture]] = {
    "movi": Mixture(1, 2, False),
    "physion": Mixture(2, 1, True),
    "clevrer": Mixture(3, 0, False),
}
"""Pool -> mixture (paper, appendices B and E)."""


def check_item(sample: OpenedTransfer, pool: str) -> Iterator[Finding]:
    """Everything that an item claims and its metadata can show."""
    record, meta = sample.record, sample.meta
    yield from _check_origin(record, pool)
    yield from _check_prefix(record, meta)
    yield from _check_candidates(record, meta)
    first, last, target = record.prefix.first, record.prefix.last, record.target_frame
    if not 0 <= first <= last < target < meta.scene.frames:
        yield Finding("order", f"frames {first} to {last}, target {target}", "in order, in the video")
        return
    yield from _check_moment(record, meta)
    if record.provenance.preset == "balanced":
        yield from _check_balanced(record, meta)
    else:
        yield from _check_mixture(record, meta, MIXTURES[pool])
    margin = nearest(record, meta, sample.picture(sample.pictures[0]).shape[1])
    if record.margin_unit != "px" or not abs(record.margin - margin) <= CLOSE:
        yield Finding("margin", f"{record.margin!r} {record.margin_unit}", f"{margin:.9g} px")


def _check_origin(record: SelectionRecord, pool: str) -> Iterator[Finding]:
    origin = record.provenance
    yield from check_provenance(origin, record.source)
    if origin.pool != pool:
        yield Finding("provenance", f"pool {origin.pool}", pool)
    if not record.id.startswith(f"{record.scene_id}-"):
        yield Finding("id", record.id, f"a name that begins with {record.scene_id}-")
    if (record.anchor, record.control, record.pair, record.rationale, origin.rewriter) != (None,) * 5:
        yield Finding("fields of other items", "anchor, control, pair, rationale or rewriter", "null")


def _check_prefix(record: SelectionRecord, meta: TransferMeta) -> Iterator[Finding]:
    prefix = record.prefix
    if prefix.fps != meta.scene.fps:
        yield Finding("frames a second", f"{prefix.fps}", f"{meta.scene.fps} as in meta.txt")
    if prefix.shown != list(range(prefix.first, prefix.last + 1)):
        yield Finding("frames shown", f"{prefix.shown[:30]}", f"frames {prefix.first} to {prefix.last}")


def _check_candidates(record: SelectionRecord, meta: TransferMeta) -> Iterator[Finding]:
    """Letters, kinds, frames; the right one is the target; rank and horizon follow."""
    if "".join(each.letter for each in record.candidates) != LETTERS or record.choices != list(LETTERS):
        yield Finding("letters", f"{[each.letter for each in record.candidates]} of {record.choices}", LETTERS)
    for each, frame in zip(record.candidates, meta.frames, strict=True):
        name = f"candidate {each.letter}"
        if (each.variant, each.frame) != (frame.variant, frame.frame):
            found = f"{name} is frame {frame.frame} of {frame.variant} in meta.txt"
            yield Finding("candidates", found, f"frame {each.frame} of {each.variant} as in the record")
        own = frame.variant == TRUE_RUN
        kind = "other_scene" if not own else "target" if each.frame == record.target_frame else "same_scene"
        if each.kind != kind:
            yield Finding("kind", f"{name} is called {each.kind}", kind)
        if own and not (
            np.array_equal(frame.poses, meta.scene.poses[frame.frame])
            and np.array_equal(frame.visible, meta.scene.visible[frame.frame])
        ):
            yield Finding("poses of a candidate", f"{name} has others than the scene", "those of its frame")
        if not own and (frame.name == meta.scene.name or not _alike(frame.name or "", meta)):
            yield Finding("other scene", f"{name} is of {frame.name}", f"another scene of {meta.scene.scenario}")
    places = [(each.frame, each.variant) for each in record.candidates]
    right = places[LETTERS.index(record.answer)]
    if right != (record.target_frame, TRUE_RUN) or len(set(places)) != 4:
        yield Finding("answer", f"{record.answer} is frame {right[0]} of {right[1]}", f"frame {record.target_frame}")
    rank = sorted(places).index(right) + 1
    if record.rank != rank:
        yield Finding("rank", f"{record.rank}", f"{rank} in time among the candidates")
    if record.horizon != record.target_frame - record.prefix.last:
        yield Finding("horizon", f"{record.horizon}", f"{record.target_frame - record.prefix.last} frames")


def _alike(name: str, meta: TransferMeta) -> bool:
    """Whether a scene of this name is of the same scenario, as far as names tell it: by their folder."""
    own, other = (each.partition("/") for each in (meta.scene.name, name))
    return own[0] == other[0] if own[1] else not other[1]


def _check_moment(record: SelectionRecord, meta: TransferMeta) -> Iterator[Finding]:
    """The observation and the target lie where the subtype says."""
    first, last, target = record.prefix.first, record.prefix.last, record.target_frame
    event, time = _EVENT.fullmatch(record.subtype), _TIME.fullmatch(record.subtype)
    if record.category == "time" and time is not None:
        wanted = tuple(int(float(each) * meta.scene.fps) for each in time.groups())
        if (last - first + 1, target - last) != wanted:
            yield Finding("times", f"{last - first + 1} frames, then {target - last}", f"{wanted[0]}, then {wanted[1]}")
        return
    if record.category != "event" or event is None:
        yield Finding("subtype", f"{record.subtype} of {record.category}", "an event or a time that there is")
        return
    length = min(OBSERVED, last + 1)
    if last - first + 1 != length or length < LEAST_OBSERVED:
        yield Finding("observation", f"{last - first + 1} frames", f"{max(length, LEAST_OBSERVED)}")
    coming = sorted(each for each in MOMENTS[event[1]](meta.scene) if last < each[0] <= target)
    gap, latest = int(event[2]), LATEST_AFTER if record.provenance.preset == "balanced" else 0
    if len(coming) != 1 or coming[0][0] != last + gap:
        yield Finding("next event", f"{event[1]} at frames {[each[0] for each in coming]}", f"one, at {last + gap}")
        return
    if not 0 <= target - coming[0][0] <= latest:
        yield Finding("target", f"{target - coming[0][0]} frames after the event", f"0 to {latest}")
    if not all(meta.scene.sees(frame, body) for frame in (last, target) for body in coming[0][1]):
        yield Finding("event in sight", f"of bodies {coming[0][1]} one is not seen", "all at cut and target")


def _check_balanced(record: SelectionRecord, meta: TransferMeta) -> Iterator[Finding]:
    """Frames of the scene alone, after the cut, at even steps, room for every rank; what is stated; no surprise."""
    last, target = record.prefix.last, record.target_frame
    if any(each.variant != TRUE_RUN for each in record.candidates):
        yield Finding("source of distractors", "frames of other scenes", "of the scene itself")
        return
    frames = sorted(each.frame for each in record.candidates)
    steps = {later - earlier for earlier, later in pairwise(frames)}
    if len(steps) != 1 or min(steps) < least_step(record.horizon):
        yield Finding("steps", f"frames {frames}", f"even steps of {least_step(record.horizon)} at least")
    room = 3 * max(steps)
    if frames[0] <= last or target - room <= last or target + room >= meta.scene.frames:
        yield Finding("room", f"frames {frames} about {target}", "room for a target of every rank after the cut")
    stated = [float(each) for each in _STATED.findall(record.query)]
    expected = _times_to_state(record, meta)
    if len(stated) != len(expected) or any(abs(a - b) > 0.005 + 1e-9 for a, b in zip(stated, expected, strict=True)):
        yield Finding("stated time", f"{record.query!r}", f"{[f'{each:.2f} seconds' for each in expected]}")
    why = surprise(meta.scene, last, target)
    if why is not None:
        yield Finding("foreseeable", why, "nothing that is not seen coming")


def _times_to_state(record: SelectionRecord, meta: TransferMeta) -> list[float]:
    """Seconds that a query has to state: those of a time item; the delay where "right after" may be true of two frames.

    It may where candidates that stand as close together as they may have another one so soon after the event.
    """
    if record.category == "time":
        return [record.horizon / meta.scene.fps]
    event = _EVENT.fullmatch(record.subtype)
    if event is None:
        return []
    moment, step, target = record.prefix.last + int(event[2]), least_step(record.horizon), record.target_frame
    near = [target + number * step for number in range(-3, 4) if number]
    twice = any(moment <= frame <= moment + LATEST_AFTER for frame in near)
    return [(target - moment) / meta.scene.fps] if twice else []


def _check_mixture(record: SelectionRecord, meta: TransferMeta, mixture: Mixture) -> Iterator[Finding]:
    """The paper's distractors: so many of the video, later ones where it says so, so many of other videos."""
    wrong = [each for each in record.candidates if each.letter != record.answer]
    same = [each.frame for each in wrong if each.variant == TRUE_RUN]
    if (len(same), len(wrong) - len(same)) != (mixture.same, mixture.cross):
        found = f"{len(same)} of the same video, {len(wrong) - len(same)} of others"
        yield Finding("source of distractors", found, f"{mixture.same} and {mixture.cross}")
    if mixture.later and any(frame <= record.target_frame for frame in same):
        yield Finding("source of distractors", f"frames {same}", f"after frame {record.target_frame}")


def nearest(record: SelectionRecord, meta: TransferMeta, width: int) -> float:
    """Pixels by which some body that is seen at the cut lies elsewhere in the distractor where they lie least so.

    In another scene everything lies elsewhere, by the picture's width; a body that is not seen in either picture, or
    whose place is not known, counts as unmoved.
    """
    scene, target = meta.scene, record.target_frame
    known = [body for body in range(scene.bodies) if scene.sees(record.prefix.last, body)]
    margins = []
    for each in record.candidates:
        if each.letter == record.answer:
            continue
        if each.variant != TRUE_RUN:
            margins.append(float(width))
            continue
        ways = [0.0]
        for body in known:
            if scene.sees(each.frame, body) or scene.sees(target, body):
                u, v = (scene.pixels[each.frame, body] - scene.pixels[target, body]).tolist()
                ways.append(math.hypot(u, v) if math.isfinite(u) and math.isfinite(v) else 0.0)
        margins.append(max(ways))
    return min(margins)
