"""Which names may stand for an object: a few plain words that say what it is (paper, B.4.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flowbench.builders.real.wording import VAGUE
from flowbench.builders.rewriting import clean

MOST_WORDS = 4
MOST_LETTERS = 40
_FORM = re.compile(r"[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)*")
_ARTICLE = re.compile(r"^(?:the|an?) ")
NO_NAMES = frozenset(
    (
        *("left", "right", "front", "back", "top", "bottom", "upper", "lower", "middle", "center", "centre", "side"),
        *("leftmost", "rightmost", "first", "last", "near", "nearer", "nearest", "close", "closer", "closest", "far"),
        *("farther", "farthest", "next", "behind", "beside", "between", "under", "over", "above", "below", "inside"),
        *("in", "on", "at", "of", "by", "to", "from", "with", "and", "or", "not", "no", "yes", "none", "unknown"),
        *("moved", "moving", "marked", "mark", "dot", "badge", "circle", "hidden", "blocked", "visible"),
        *("robot", "robotic", "gripper", "arm", "cable", "wire", "cord"),
    )
)
"""Words of places, moves, answers and marks, which would give an answer away or no longer hold after the move; and
those of the robot and of cables, wherever they stand in a name."""


def tidied(text: str) -> str:
    """A model's name in small letters, without control characters, markup, article and full stop."""
    return _ARTICLE.sub("", clean(text[: 4 * MOST_LETTERS]).rstrip(".").lower()).strip()


def refuse_name(name: str) -> str | None:
    """Why a tidied name may not stand for an object; None where nothing speaks against it."""
    if not _FORM.fullmatch(name) or len(name) > MOST_LETTERS:
        return f"it is no name of 1 to {MOST_LETTERS} plain letters"
    words = name.replace("-", " ").split()
    if len(words) > MOST_WORDS:
        return f"it has more than {MOST_WORDS} words"
    head = words[-1]
    if head in VAGUE or head.removesuffix("s") in VAGUE:
        return f"'{head}' does not say what it is"
    bad = [word for word in words if word in NO_NAMES]
    return f"it may not use the words {bad}" if bad else None


def refuse_together(names: Mapping[int, str]) -> str | None:
    """Why some names may not stand beside each other: two objects would have one of them, or one is a robot's part."""
    for name in names.values():
        refused = refuse_name(name)
        if refused is not None:
            return refused
    return None if len(set(names.values())) == len(names) else "two objects have the same name"
