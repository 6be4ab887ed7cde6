"""Whether a rationale that a model wrote tells the record: its objects, its meetings, and where things are.

Strict on purpose, as far as words show it: a good text refused costs nothing, since the rule-based one stays.
"""

from __future__ import annotations

import re

from flowbench.collisions.oracle import COLOURS, MATERIALS, SHAPES

from .phrases import HEADING
from .predicates import REGIONS, Predicates, State
from .validator import refuse

_NAMED = re.compile(
    rf"\b(?:({'|'.join(COLOURS)}) )?(?:({'|'.join(MATERIALS)}) )?({'|'.join(SHAPES)})s?\b", re.IGNORECASE
)
_PLACES = [re.escape(name) for row in REGIONS for name in row]
_REGION = re.compile(rf"(?<!toward the )(?<!towards the )\b({'|'.join(sorted(_PLACES, key=len, reverse=True))})\b")

_WORDED = {word: heading for heading, words in HEADING.items() for word in words}
_TOWARD = re.compile(rf"\btowards? the ({'|'.join(sorted(_WORDED, key=len, reverse=True))})\b")
_MEETS = re.compile(r"\b(?:collid\w+|collisions?|meet\w*|met|hits?|strikes?|struck|runs? into|ran into|bump\w*)\b")
_DENIED = re.compile(r"\b(?:no|not|never|nothing|neither|nor|without|avoid\w*|miss\w*)\b|n't\b")


def refuse_told(text: str, predicates: Predicates) -> str | None:
    """Why a model's rationale may not stand for a record; None where nothing speaks against it."""
    return refuse(text) or _refuse_names(text, predicates) or _refuse_sentences(text, predicates)


def _refuse_names(text: str, predicates: Predicates) -> str | None:
    """Whatever is named is in sight, by its whole name; whoever meets or ends up close is named."""
    known = {state.name for state in predicates.states}
    for found in _NAMED.finditer(text):
        name = "the " + " ".join(part.lower() for part in found.groups() if part)
        if found[1] and name not in known:
            return f"rationale with {name}, which is not among the objects in sight"
    pairs = (*predicates.meetings, *predicates.close)
    missing = sorted({name for pair in pairs for name in pair if name.removeprefix("the ") not in text})
    return f"rationale without {', '.join(missing)}" if missing else None


def _refuse_sentences(text: str, predicates: Predicates) -> str | None:
    """What a sentence says of the objects that it names is true of them."""
    for sentence in re.split(r"(?<=\.) ", text):
        about = [state for state in predicates.states if state.name.removeprefix("the ") in sentence]
        told = sentence.replace("center", "centre")
        why = about and (_refuse_region(told, about) or _refuse_heading(told, about))
        why = why or _refuse_meeting(told, about, predicates)
        if why:
            return why
    return None


def _refuse_region(sentence: str, about: list[State]) -> str | None:
    """No regions but theirs, now or then."""
    theirs = {region for state in about for region in (state.region, state.later)}
    strange = [found for found in _REGION.findall(sentence) if found not in theirs]
    return f"rationale with the region {strange[0]}, where none of the objects of its sentence is" if strange else None


def _refuse_heading(sentence: str, about: list[State]) -> str | None:
    """No directions but theirs at the cut."""
    theirs = {state.heading for state in about}
    strange = [found for found in _TOWARD.findall(sentence) if _WORDED[found] not in theirs]
    return f"rationale with motion toward the {strange[0]}, where none of its sentence goes" if strange else None


def _refuse_meeting(sentence: str, about: list[State], predicates: Predicates) -> str | None:
    """Two objects that are said to meet have just met, do so up to the target, or are on a collision course."""
    if len(about) != 2 or not _MEETS.search(sentence) or _DENIED.search(sentence):
        return None
    known = [*predicates.met, *predicates.meetings, *(each.pair for each in predicates.courses)]
    pair = {state.name for state in about}
    return None if any(set(each) == pair for each in known) else f"rationale in which {' meets '.join(sorted(pair))}"
