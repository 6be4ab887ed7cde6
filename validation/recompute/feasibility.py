"""``feasibility``: is a further, named translation at constant height free of collisions after the move?

The volume that the mover's convex parts sweep decides. A label is ambiguous when it would change for a mover grown or
shrunk by 3 cm (sim.md, "Categories"): a free way must keep that distance from all that it approaches, and a blocked
one is blocked by one part that also blocks a way 3 cm shorter, and ways 3 cm to either side, higher and lower. Nothing
can be said of a mover that touches what blocks it. The before-answer is the same translation from where it stood first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError

from .common import Evidence
from .distance import Vertices, first_contact, union_gap
from .meta import ObjectMeta, StateMeta
from .verdict import Recomputed, Verdict

SLACK = 0.03
LIFT = 0.004
"""The mover is lifted by this while it is swept: what it slides on is not in its way (metres)."""
UNDERFOOT = 0.005
"""Parts that reach no higher than this above the mover's base lie below its way (metres)."""
APPROACH = 0.001
"""A way approaches a thing when it comes nearer to it than the start by more than this (metres)."""
HORIZON = 0.25
"""Clearances are told apart up to here (metres)."""
WAYS = (("right", "left"), ("away", "toward"))
"""Words for the directions of a probe's two components, positive and negative."""
TOUCH = 1e-6

Parts = Sequence[Vertices]


def recompute(evidence: Evidence) -> Recomputed:
    """Sweep the probe from both places of the mover."""
    question = evidence.question
    if question.probe is None or not any(question.probe) or question.landmarks:
        raise ReleaseError("feasibility has no probe, or landmarks: build it again")
    length = math.hypot(*question.probe)
    _require_stated(evidence, question.probe)
    right, away = evidence.meta.camera.floor_axes
    step = question.probe[0] * right + question.probe[1] * away
    mover = evidence.with_parts(question.mover)
    before, after = (_judge(evidence, mover, state, step, length) for state in (mover.before, mover.after))
    judged = Recomputed.of(before=before.verdict, after=after.verdict, margin_unit="m")
    return replace(judged, blockers=(before.blockers, after.blockers))


def _require_stated(evidence: Evidence, probe: tuple[float, float]) -> None:
    """Both texts name the probe's components and their directions, and no others."""
    told = {word for part, pair in zip(probe, WAYS, strict=True) for word in [pair[part < 0.0]] if part}
    for text in evidence.question.texts:
        said = {word for pair in WAYS for word in pair} & set(re.findall(r"[a-z]+", text.casefold()))
        if said != told:
            raise ReleaseError(
                f"a feasibility question says {', '.join(sorted(said)) or 'no direction'}, expected "
                f"{', '.join(sorted(told))}: build it again"
            )
    for stated in evidence.question.numbers():
        missing = [abs(part) for part in probe if part and round(abs(part), 2) not in stated]
        if missing:
            raise ReleaseError(f"a feasibility question does not state its {missing[0]} m: build it again")


@dataclass(frozen=True)
class _Sweep:
    """One state judged.

    Attributes:
        verdict: see there.
        blockers: ids of what is met first; more than one where they are met together.
    """

    verdict: Verdict
    blockers: tuple[int, ...] = ()


def _judge(evidence: Evidence, mover: ObjectMeta, state: StateMeta, step: NDArray[np.float64], length: float) -> _Sweep:
    question = evidence.question
    body = [part + np.array([0.0, 0.0, LIFT]) for part in mover.placed_parts(state)]
    things = dict(_in_reach(evidence, mover, body, step))
    way = _swept(body, step)
    gaps = {each: union_gap(way, thing, HORIZON) for each, thing in things.items()}
    blocked = {each: thing for each, thing in things.items() if gaps[each] <= TOUCH}
    if not blocked:
        near = [
            gap
            for each, gap in gaps.items()
            if gap < HORIZON and union_gap(body, things[each], HORIZON) > gap + APPROACH
        ]
        clearance = min([*near, HORIZON])
        return _Sweep(Verdict(question.letter(True), clearance - SLACK, f"{clearance:.4f} m clear of everything"))
    if any(_touch(body, thing) for thing in blocked.values()):
        return _Sweep(Verdict(None, None, "it touches what blocks the way"))
    if not _is_firm(body, step, length, blocked.values()):
        return _Sweep(Verdict(None, None, "what blocks the way is only grazed"))
    reaches = {each: first_contact(body, thing, step) * length for each, thing in blocked.items()}
    reach = min(reaches.values())
    first = tuple(each for each, value in reaches.items() if value <= reach + APPROACH)
    reason = f"blocked after {reach:.4f} m of {length:.2f} m"
    return _Sweep(Verdict(question.letter(False), length - reach - SLACK, reason), first)


def _is_firm(body: Parts, step: NDArray[np.float64], length: float, blocked: Iterable[Parts]) -> bool:
    """Whether one part blocks a way 3 cm shorter, and ways 3 cm to either side, higher and lower."""
    aside, up = np.array([-step[1], step[0], 0.0]) / length * SLACK, np.array([0.0, 0.0, SLACK])
    ways = [_swept([part + shift for part in body], step) for shift in (aside, -aside, up, -up)]
    ways.append(_swept(body, step * (1.0 - SLACK / length)))
    return any(all(_touch(each, [part]) for each in ways) for thing in blocked for part in thing)


def _in_reach(
    evidence: Evidence, mover: ObjectMeta, body: Parts, step: NDArray[np.float64]
) -> Iterator[tuple[int, Parts]]:
    """What stands about the way and reaches above the mover's base: ids, and their parts in the world frame."""
    points = np.concatenate([*body, *(part + step for part in body)])
    low, high = points.min(axis=0) - HORIZON, points.max(axis=0) + HORIZON
    base = min(float(part[:, 2].min()) for part in body) - LIFT
    for each in evidence.meta.objects:
        outside = np.maximum(low - each.after.position, np.subtract(each.after.position, high))
        if each.id == mover.id or outside.max() > each.radius:
            continue
        parts = [
            part
            for part in each.placed_parts(each.after)
            if part[:, 2].max() > base + UNDERFOOT
            and (part.min(axis=0) <= high).all()
            and (part.max(axis=0) >= low).all()
        ]
        if parts:
            yield each.id, parts


def _swept(body: Parts, step: NDArray[np.float64]) -> list[Vertices]:
    """The vertices of what each convex part sweeps."""
    return [np.concatenate([part, part + step]) for part in body]


def _touch(a: Parts, b: Parts) -> bool:
    """Whether two things touch or overlap; no more of their distance is worked out than tells that."""
    return union_gap(a, b, limit=2.0 * TOUCH) <= TOUCH
