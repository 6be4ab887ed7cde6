"""What objects are called: by the dot on them, or by a name that nothing else in the pictures could have (B.4.9).

Names are labels, or words of a model that saw the pictures, which the provenance tells then. Whether those fit cannot
be checked here, only that they are names and say nothing of places, moves and answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from flowbench.schema import RealRecord
from flowbench.schema.real_meta import RealMeta

from ...recompute.rules import Finding
from ..named import named_things

_DOTTED = re.compile(r"the object marked ([a-z]+)")
VAGUE = frozenset(
    (
        *("object", "item", "container", "thing", "food", "tool", "toy", "piece", "part", "utensil", "stuff"),
        *("arm", "gripper", "hand", "robot", "cable", "wire", "cord"),
        *("moon", "pentagon", "hexagon"),
    )
)
"""Heads of names that say nothing, parts of the robot, cables, and shapes that blocks do not show from aside."""
_ALIKE = {"mug": "cup", "pan": "pot", "skillet": "pot"}
"""Heads that fit what others fit."""
_FREE = re.compile(r"the ((?:[a-z]+[- ]){0,3}[a-z]+)")
"""A model's name: up to four words."""
_TELLING = frozenset(
    (
        *("left", "right", "front", "back", "top", "bottom", "upper", "lower", "middle", "center", "centre", "side"),
        *("leftmost", "rightmost", "first", "last", "near", "nearer", "nearest", "close", "closer", "closest", "far"),
        *("farther", "farthest", "next", "behind", "beside", "between", "under", "over", "above", "below", "inside"),
        *("in", "on", "at", "of", "by", "to", "from", "with", "and", "or", "not", "no", "yes", "none", "unknown"),
        *("moved", "moving", "marked", "mark", "dot", "badge", "circle", "hidden", "blocked", "visible"),
        *("robot", "robotic", "gripper", "arm", "cable", "wire", "cord"),
    )
)
"""Words that none of them has: of places, moves, answers, marks, the robot."""


def check_names(record: RealRecord, meta: RealMeta) -> Iterator[Finding]:
    """Names are unique, and each is that of a dot, or of the only thing of its kind."""
    things = {each.id: each.name for each in named_things(record)}
    if len(set(things.values())) != len(things):
        yield Finding("names unique", f"{sorted(things.values())}", "a name for each object")
    for each in named_things(record):
        if things[each.id] != each.name:
            yield Finding("names unique", f"id {each.id}: {each.name} and {things[each.id]}", "one name")
    if record.named:
        yield from _named(things, meta) if record.provenance.rewriter is None else _free(things)
        return
    colours = {mark.id: mark.colour for mark in record.marks}
    for instance_id, name in things.items():
        dotted = _DOTTED.fullmatch(name)
        if dotted is None or dotted[1] != colours.get(instance_id):
            yield Finding("names marked", name, f"the object marked {colours.get(instance_id)}")


def _named(things: dict[int, str], meta: RealMeta) -> Iterator[Finding]:
    labels = {each.id: each.label for each in meta.objects}
    heads = [
        Counter(_head(each.label) for each in meta.objects if each.before is not None),
        Counter(_head(each.label) for each in meta.objects if each.after is not None),
    ]
    generic = {each.id for each in meta.objects if each.generic}
    for instance_id, name in things.items():
        label = labels.get(instance_id, "")
        if name != f"the {label}":
            yield Finding("names of things", name, f"the {label}")
        if instance_id in generic or _head(label) in VAGUE:
            yield Finding("names of things", f"{name} says nothing", "a name that tells what it is")
        if any(count[_head(label)] != 1 for count in heads):
            yield Finding("names of things", f"{name} fits several, or none", "one thing in either picture")


def _free(things: dict[int, str]) -> Iterator[Finding]:
    """Names of a model."""
    for name in things.values():
        found = _FREE.fullmatch(name)
        words = [] if found is None else re.split("[- ]", found[1])
        if not words:
            yield Finding("names of things", name, "up to four words of small letters")
        elif words[-1] in VAGUE or words[-1].removesuffix("s") in VAGUE:
            yield Finding("names of things", f"{name} says nothing", "a name that tells what it is")
        elif _TELLING.intersection(words):
            yield Finding("names of things", f"{name} tells more than what it is", "a name alone")


def _head(label: str) -> str:
    last = label.split()[-1] if label.split() else ""
    return _ALIKE.get(last, last)
