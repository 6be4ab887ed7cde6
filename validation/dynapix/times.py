"""When an item observes and what it asks for, derived again: lengths, horizons, the candidates' places in time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from ..recompute.rules import Finding
from .asking import seconds_after_next
from .facts import FRAMES, TRUE_RUN, ItemFacts

SECOND: Mapping[str, int] = {"balanced": 25, "paper": 26}
"""Preset -> frames of a second."""
EVENT_OBSERVED = 20
WINDOW_OBSERVED: Mapping[str, tuple[int, int]] = {"balanced": (16, 20), "paper": (16, 16)}
APART = 6
_STATED = re.compile(r"(\d+(?:\.\d+)?) seconds?\b")


TIMES: Final = ("time-1", "time-2")
WINDOWS: Final = frozenset(
    f"{group}-{focus}-{horizon}-{difficulty}"
    for group, focuses in (("G1", "AC"), ("G2", "ABC"), ("G3", "AC"), ("G4", "AB"))
    for focus in focuses
    for horizon in (8, 16, 24)
    for difficulty in ("easy", "hard")
)
"""Cells of windows: group, what it is about, horizon, difficulty (paper, appendix A.3)."""


def check_subtype(item: ItemFacts) -> Iterator[Finding]:
    """Subtypes of time and window items are those that there are; of events their gaps tell."""
    known = {"time": TIMES, "window": WINDOWS}.get(item.family)
    if known is not None and item.subtype not in known:
        yield Finding("subtype", item.subtype, f"one of {', '.join(sorted(known)[:6])} and so on")


def least_step(horizon: int) -> int:
    """Frames between candidates at least: 6, or what leaves room for three of them before the target."""
    return min(APART, (horizon - 1) // 3)


def expected_horizon(item: ItemFacts) -> int | None:
    """Frames from the observation's end to the target, where the subtype alone says so."""
    parts = item.subtype.split("-")
    if item.family == "time":
        return int(parts[1]) * SECOND[item.preset] + (item.preset == "paper")
    if item.family == "window":
        return int(parts[2])
    if item.subtype.startswith("contact"):
        return int(parts[2])
    return None


def check_times(item: ItemFacts) -> Iterator[Finding]:
    """The observation's length, the horizon, the stated time, and the candidates."""
    yield from _check_observation(item)
    horizon = expected_horizon(item)
    if horizon is not None and item.horizon != horizon:
        yield Finding("horizon", f"{item.horizon} frames", f"{horizon}")
    if not 0 <= item.first <= item.last < item.target < FRAMES:
        yield Finding("order", f"frames {item.first} to {item.last}, target {item.target}", "in order, in the video")
        return
    if item.candidates[item.right] != (TRUE_RUN, item.target):
        yield Finding("answer", f"{item.letter} is {item.candidates[item.right]}", f"frame {item.target} of {TRUE_RUN}")
    if len(set(item.candidates)) != 4:
        yield Finding("candidates", f"{list(item.candidates)}", "four different ones")
    if item.preset == "balanced":
        yield from _check_balanced(item)


def _check_observation(item: ItemFacts) -> Iterator[Finding]:
    length = item.last - item.first + 1
    least, most = {
        "time": (SECOND[item.preset],) * 2,
        "window": WINDOW_OBSERVED[item.preset],
    }.get(item.family, (EVENT_OBSERVED, EVENT_OBSERVED))
    if not least <= length <= most:
        yield Finding("observation", f"{length} frames", f"{least} to {most}")


def _check_balanced(item: ItemFacts) -> Iterator[Finding]:
    """Candidates after the cut at even steps; the time that the query states."""
    frames = sorted(frame for _, frame in item.candidates)
    if frames[0] <= item.last:
        yield Finding("candidates", f"frame {frames[0]} was observed", f"frames from {item.last + 1} on")
    steps = {later - earlier for earlier, later in pairwise(frames)}
    if len(steps) != 1 or min(steps) < least_step(item.horizon):
        yield Finding("steps", f"frames {frames}", f"even steps of {least_step(item.horizon)} at least")
    room = max(steps) * 3
    if item.target - room <= item.last or item.target + room >= FRAMES:
        yield Finding("room", f"steps of {max(steps)} about frame {item.target}", "room for a target of every rank")
    stated = [float(each) for each in _STATED.findall(item.query)]
    elapsed = item.horizon / SECOND[item.preset]
    by_event = item.family == "matched" or item.subtype.startswith("future")
    if seconds_after_next(item.query) is not None and by_event:
        return  # counted from the contact, which the run tells
    if (stated or not by_event) and (len(stated) != 1 or abs(stated[0] - elapsed) > 0.005 + 1e-9):
        yield Finding("stated time", f"{item.query!r}", f"{elapsed:.2f} seconds")
    if not stated and "next collision" not in item.query:
        yield Finding("anchor", f"{item.query!r}", "the next collision, or a time")
