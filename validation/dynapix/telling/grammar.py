"""What a rule-based rationale may say: a closed grammar, from a text to the claims that it makes.

A rationale has four parts; each part has its openings and its kinds of clauses, and a sentence is an opening and
clauses, or clauses alone. What cannot be read so is told as a sentence that is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from flowbench.collisions.oracle import COLOURS, MATERIALS, SHAPES

NAME: Final = rf"the (?:{'|'.join(COLOURS)}) (?:{'|'.join(MATERIALS)}) (?:{'|'.join(SHAPES)})"
REGIONS: Final = (
    ("top-left", "top", "top-right"),
    ("left side", "centre", "right side"),
    ("bottom-left", "bottom", "bottom-right"),
)
"""Row by row of the picture's nine thirds."""
PACES: Final[Mapping[str, Sequence[str]]] = {
    "slow": ("slowly", "at a slow pace", "without haste"),
    "medium": ("at a medium pace", "at a moderate speed", "steadily"),
    "fast": ("quickly", "fast", "at high speed"),
}
HEADINGS: Final[Mapping[str, Sequence[str]]] = {
    "right": ("right", "right edge"),
    "left": ("left", "left edge"),
    "top": ("top", "upper edge", "back of the scene"),
    "bottom": ("bottom", "lower edge", "viewer"),
    "upper right": ("upper right",),
    "upper left": ("upper left",),
    "lower right": ("lower right",),
    "lower left": ("lower left",),
}
WAYS: Final[Mapping[str, Sequence[str]]] = {
    "slow": ("go on no faster than that by itself", "keep to that pace at most"),
    "medium": (
        "cover some ground unless something is in its way",
        "come a fair way along its path unless something is in it",
    ),
    "fast": ("cover a lot of ground unless something stops it", "be well along its path unless something stops it"),
}
WHEN: Final[Mapping[str, Sequence[str]]] = {
    "imminent": ("and their meeting is imminent", "and they are about to meet"),
    "soon": ("and they will meet soon if nothing comes between", "and without interference they meet before long"),
}
_MEANT: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "pace": PACES,
    "heading": HEADINGS,
    "way": WAYS,
    "when": WHEN,
    "region": {name: (name,) for row in REGIONS for name in row},
}
"""Slot -> meaning -> the words for it."""


@dataclass(frozen=True)
class Claim:
    """What one clause says.

    Attributes:
        kind: a key of a part's kinds.
        names: of the bodies that it names, in its order.
        slots: ``pace``, ``heading``, ``way``, ``when``, ``region`` -> what is meant.
        text: the clause.
    """

    kind: str
    names: tuple[str, ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Part:
    """One of the four parts.

    Attributes:
        head: its title.
        openings: with which a sentence may begin.
        opens: how many of its sentences have an opening: its first one.
        between: what stands between two clauses of a sentence.
        kinds: kind of a clause -> its patterns.
    """

    head: str
    openings: re.Pattern[str]
    opens: int
    between: re.Pattern[str]
    kinds: Mapping[str, Sequence[re.Pattern[str]]]


def kinds(**forms: Sequence[str]) -> dict[str, list[re.Pattern[str]]]:
    """Patterns of clauses; ``@a``, ``@b``, ``@names`` and the slots' names stand for what they match."""
    return {kind: [re.compile(_filled(text)) for text in texts] for kind, texts in forms.items()}


def _filled(text: str) -> str:
    text = text.replace("@names", rf"(?P<names>{NAME}(?:, {NAME})*(?: and {NAME})?)")
    text = text.replace("@a", rf"(?P<a>{NAME})").replace("@b", rf"(?P<b>{NAME})")
    for slot, meant in _MEANT.items():
        words = sorted((word for ways in meant.values() for word in ways), key=len, reverse=True)
        text = text.replace(f"@{slot}", rf"(?P<{slot}>{'|'.join(map(re.escape, words))})")
    return text


def claims_of(part: Part, text: str) -> Iterator[Claim | str]:
    """What a part's text says; a sentence that cannot be read comes as it is."""
    for number, sentence in enumerate(re.split(r"(?<=\.) ", text)):
        found = _sentence(part, sentence, number < part.opens)
        yield from [sentence] if found is None else found


def _sentence(part: Part, sentence: str, opened: bool) -> list[Claim] | None:
    if not sentence.endswith(".") or not sentence[:1].isupper():
        return None
    plain = sentence[0].lower() + sentence[1:-1]
    opening = part.openings.match(plain) if opened else None
    if opened and opening is None:
        return None
    return _clauses(part, plain, 0 if opening is None else opening.end())


def _clauses(part: Part, text: str, at: int) -> list[Claim] | None:
    """All of the text from a place on, as clauses; None where it cannot be read."""
    for kind, patterns in part.kinds.items():
        for pattern in patterns:
            found = pattern.match(text, at)
            if found is None:
                continue
            rest: list[Claim] | None = [] if found.end() == len(text) else None
            between = part.between.match(text, found.end())
            if rest is None and between is not None:
                rest = _clauses(part, text, between.end())
            if rest is not None:
                return [_claim(kind, found), *rest]
    return None


def _claim(kind: str, found: re.Match[str]) -> Claim:
    groups = {name: text for name, text in found.groupdict().items() if text is not None}
    listed = [groups[name] for name in ("a", "b", "names") if name in groups]
    names = tuple(name for text in listed for name in re.findall(NAME, text))
    slots = {slot: _meaning(slot, groups[slot]) for slot in _MEANT if slot in groups}
    return Claim(kind, names, slots, found[0])


def _meaning(slot: str, words: str) -> str:
    return next(meant for meant, ways in _MEANT[slot].items() if words in ways)
