"""Whether a rationale that a model wrote tells the record: its objects, its meetings, and where things are.

Strict on purpose, as far as words show it: a good text refused costs nothing, since the rule-based one stays.
"""

from __future__ import annotations

import re

from flowbench.collisions.oracle import COLOURS, MATERIALS, SHAPES

from .predicates import REGIONS, Predicates
from .validator import refuse

_NAMED = re.compile(
    rf"\b(?:({'|'.join(COLOURS)}) )?(?:({'|'.join(MATERIALS)}) )?({'|'.join(SHAPES)})s?\b", re.IGNORECASE
)
_PLACES = [re.escape(name) for row in REGIONS for name in row]
_REGION = re.compile(rf"(?<!toward the )(?<!towards the )\b({'|'.join(sorted(_PLACES, key=len, reverse=True))})\b")


def refuse_told(text: str, predicates: Predicates) -> str | None:
    """Why a model's rationale may not stand for a record; None where nothing speaks against it."""
    return refuse(text) or _refuse_names(text, predicates) or _refuse_regions(text, predicates)


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


def _refuse_regions(text: str, predicates: Predicates) -> str | None:
    """A sentence that names objects tells no regions but theirs, now or then."""
    for sentence in re.split(r"(?<=\.) ", text):
        about = [state for state in predicates.states if state.name.removeprefix("the ") in sentence]
        theirs = {region for state in about for region in (state.region, state.later)}
        strange = [found for found in _REGION.findall(sentence.replace("center", "centre")) if found not in theirs]
        if about and strange:
            return f"rationale with the region {strange[0]}, where none of the objects of its sentence is"
    return None
