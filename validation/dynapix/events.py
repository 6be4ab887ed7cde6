"""What happens in and after an observation, derived again: contacts, groups, and whether the future can be foreseen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from flowbench.collisions.oracle import FPS, WIDTH

from ..recompute.rules import Finding
from .asking import seconds_after_next
from .facts import FRAMES, TRUE_RUN, Hit, ItemFacts, RunFacts

GAPS: Mapping[str, tuple[str, str, int]] = {
    f"{framing}-{source}-{gap}": (framing, source, gap)
    for framing, source, gap in (
        ("future", "cross", 10),
        ("future", "offset", 10),
        ("future", "match", 10),
        ("future", "match", 5),
        ("contact", "cross", 10),
        ("contact", "offset", 10),
        ("contact", "match", 10),
    )
}
"""Event subtype -> framing, where distractors come from, gap."""
MATCHED_GAPS = (10, 13, 16, 19, 22, 25)
LATEST_AFTER = 2
"""Frames after its contact in which a future target lies at most (``balanced``)."""
EASY_PX, LEAST_PX = 15.0, 5.0


def next_hit(run: RunFacts, last: int) -> Hit | None:
    """The first contact that the observation does not show; None where there is none, or two at once."""
    coming = run.shown_in(last, FRAMES)
    if not coming or (len(coming) > 1 and coming[1].shown == coming[0].shown):
        return None
    return coming[0]


def unforeseen(run: RunFacts, last: int, target: int) -> str | None:
    """Which object makes the target one that cannot be foreseen: ``late`` or ``hidden``; None if it can."""
    for hit in run.shown_in(last, target):
        for each in hit.objects:
            enters = run.enters[each]
            if enters is not None and enters > last:
                return "late"
            if not run.sees(last, each):
                return "hidden"
    return None


def group(run: RunFacts, first: int, last: int, horizon: int) -> str:
    """G4 with two or more contacts ahead, G2 with one, else G3 where an object is covered or uncovered, else G1."""
    ahead = len(run.shown_in(last, last + horizon))
    if ahead >= 2:
        return "G4"
    if ahead == 1:
        return "G2"
    for each in range(len(run.enters)):
        states = set()
        for frame in range(first, last + 1):
            whole = int(run.whole[frame, each])
            if whole >= 50:
                states.add(run.visible[frame, each] / whole < 0.5)
        if states == {True, False}:
            return "G3"
    return "G1"


def check_events(item: ItemFacts, run: RunFacts) -> Iterator[Finding]:
    """The contacts that an item promises, and in ``balanced`` that its target follows from what is seen."""
    if item.family in ("event", "matched"):
        yield from _check_contact(item, run)
    if item.family == "window":
        name = item.subtype.partition("-")[0]
        found = group(run, item.first, item.last, item.horizon)
        if name != found:
            yield Finding("group", f"subtype {item.subtype}", found)
    if item.preset == "balanced":
        why = unforeseen(run, item.last, item.target)
        if why is not None:
            yield Finding("foreseeable", f"a {why} object touches something before frame {item.target}", "none")


def _check_contact(item: ItemFacts, run: RunFacts) -> Iterator[Finding]:
    """The contact stands where the framing says, and no other one between."""
    framing, _, gap = GAPS.get(item.subtype, ("future", "", 0))
    if item.family == "matched":
        gap = int(item.subtype.rpartition("-")[2])
        if gap not in MATCHED_GAPS:
            yield Finding("gap", f"{gap} frames", f"one of {MATCHED_GAPS}")
    elif item.subtype not in GAPS:
        yield Finding("subtype", item.subtype, f"one of {', '.join(GAPS)}")
        return
    if framing == "contact":
        count = len([hit for hit in run.hits if hit.shown == item.last])
        if count != 1:
            yield Finding("contact", f"{count} contacts are first shown by frame {item.last}", "one")
        if item.horizon != gap:
            yield Finding("target", f"{item.horizon} frames after the contact", f"{gap}")
        return
    hit = next_hit(run, item.last)
    if hit is None or hit.shown != item.last + gap:
        yield Finding("next contact", "none" if hit is None else f"frame {hit.shown}", f"frame {item.last + gap}")
        return
    latest = LATEST_AFTER if item.preset == "balanced" else 0
    if not 0 <= item.target - hit.shown <= latest:
        yield Finding("target", f"{item.target - hit.shown} frames after the contact", f"0 to {latest}")
    if len(run.shown_in(item.last, item.target)) > 1:
        yield Finding("next contact", f"another one up to frame {item.target}", "one")
    if item.preset == "balanced":
        yield from _check_right_after(item, hit)


def _check_right_after(item: ItemFacts, hit: Hit) -> Iterator[Finding]:
    """*Right after* a contact is one candidate alone; where two might be meant, the seconds from it are stated.

    Of what is asked by the elapsed time nothing is said here.
    """
    stated = seconds_after_next(item.query)
    if stated is not None:
        after = (item.target - hit.shown) / FPS
        if abs(stated - after) > 0.005 + 1e-9:
            yield Finding("stated time", f"{item.query!r}", f"{after:.2f} seconds from the contact")
    elif "collision" in item.query:
        near = range(hit.shown, hit.shown + LATEST_AFTER + 1)
        also = sorted(frame for name, frame in item.candidates if name == TRUE_RUN and frame in near)
        if also != [item.target]:
            yield Finding("right after a contact", f"candidates {also} after frame {hit.shown}", f"{item.target} alone")


def focus(item: ItemFacts, run: RunFacts) -> tuple[int, ...] | None:
    """The objects that an item is about, where they follow from its subtype; None of windows about one object."""
    if item.family in ("event", "matched"):
        if item.subtype.startswith("contact"):
            return tuple(sorted({each for hit in run.hits if hit.shown == item.last for each in hit.objects}))
        hit = next_hit(run, item.last)
        return None if hit is None else hit.objects
    if item.family == "window" and "-B-" in item.subtype:
        return run.shown_in(item.last, item.target)[0].objects
    if item.family == "window" and "-C-" in item.subtype:
        return None
    return tuple(each for each in range(len(run.enters)) if run.sees(item.last, each))


def nearest_distractor(item: ItemFacts, runs: Mapping[str, RunFacts], objects: Sequence[int]) -> float:
    """Pixels by which some of the objects lies elsewhere in the distractor in which they lie least so.

    In another scene everything lies elsewhere, by the picture's width.
    """
    true = runs[TRUE_RUN]
    margins = []
    for place, (name, frame) in enumerate(item.candidates):
        if place == item.right:
            continue
        if name.startswith("other"):
            margins.append(float(WIDTH))
            continue
        run, ways = runs[name], [0.0]
        for each in objects:
            if run.sees(frame, each) or true.sees(item.target, each):
                there, here = run.pixels[frame, each], true.pixels[item.target, each]
                way = math.hypot(float(there[0] - here[0]), float(there[1] - here[1]))
                ways.append(way if math.isfinite(way) else 0.0)
        margins.append(max(ways))
    return min(margins)
