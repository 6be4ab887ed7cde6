"""Objects are named by their mark, and by their type where that is alone in both pictures (sim.md, "Querying")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from flowbench.schema import SimRecord

from ..recompute.common import FULL_WIDTH
from ..recompute.rules import Finding

_NAME = re.compile(r"the ([A-Za-z' -]+) marked ([a-z]+)")
_MARKED = re.compile(r"\bmarked (\w+)")
LEAST_NOTICED = 50
"""Pixels of a picture 800 wide from which on a second object of a type makes the type's name ambiguous."""
CHOSEN_FROM = ("closer_to", "closest_three")
"""Categories whose landmarks are the choices and need not stand in the question."""


def check_names(record: SimRecord) -> Iterator[Finding]:
    """Names are different, each that of a mark, and with a type only where it is the only one."""
    named = (record.mover, *record.landmarks)
    names = [each.name.casefold() for each in named]
    if len(set(names)) != len(names):
        yield Finding("names unique", f"{len(names)} names, {len(set(names))} different", "a name for each object")
    colours = {each.id: each.colour for each in record.marks}
    alone = _alone(record)
    for each in named:
        match = _NAME.fullmatch(each.name)
        if match is None or match[2] != colours.get(each.id):
            yield Finding("names marked", each.name, f"'the … marked {colours.get(each.id)}'")
        elif match[1] != "object" and each.type not in alone:
            yield Finding(
                "names by type", f"{each.name}, but not the only {each.type}", f"the object marked {match[2]}"
            )


def check_mentions(record: SimRecord) -> Iterator[Finding]:
    """Texts speak of the named objects by their names and of no other mark; questions name what they are about."""
    names = [each.name.casefold() for each in (record.mover, *record.landmarks)]
    reasons = record.reasoning
    texts = {
        "motion_text": (record.motion_text, names[:1], names[:1]),
        "question": (record.question, _asked(record, names), names),
        "static_question": (record.static_question, _asked(record, names), names),
        "reasoning.gt": (reasons.gt, names[:1], names),
        "reasoning.after": (reasons.after, names[:1], names),
        "reasoning.before": (reasons.before, names[:1], names),
    }
    for name, (text, needed, allowed) in texts.items():
        rest = text.casefold()
        for each in needed:
            if not re.search(rf"\b{re.escape(each)}\b", rest):
                yield Finding("name missing in a text", f"{name} does not mention {each!r}", "every object it is about")
        for each in sorted(allowed, key=len, reverse=True):
            rest = re.sub(rf"\b{re.escape(each)}\b", "it", rest)
        stray = _MARKED.search(rest)
        if stray:
            yield Finding("name of another mark", f"{name}: marked {stray[1]}", "names of the objects it is about")


def _asked(record: SimRecord, names: Sequence[str]) -> Sequence[str]:
    return names[:1] if record.category in CHOSEN_FROM else names


def _alone(record: SimRecord) -> frozenset[str]:
    """Types of which exactly one object is noticed before, and one after."""
    least = LEAST_NOTICED * record.camera.width**2
    before, after = (
        Counter(
            each.type
            for each in record.segments
            if (seen := getattr(each, moment)) is not None and seen.area * FULL_WIDTH**2 >= least
        )
        for moment in ("before", "after")
    )
    return frozenset(name for name in before if before[name] == 1 and after[name] == 1)
