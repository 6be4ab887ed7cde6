"""The optional teacher: a language model narrates an item's predicates (paper, section 5.1 and appendix G).

It is sampled at temperature 0.7 until its text is valid, a few times; else the rule-based rationale stays. It sees the
predicates alone: names, paces, directions and regions, never a number.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flowbench.builders.rewriting import CachedModel, Entry, RewriterSettings, clean
from flowbench.builders.rewriting.client import Message

from .grounding import refuse_told
from .predicates import Predicates, State
from .validator import LEAST_WORDS, MOST_WORDS, PARTS

PROMPT_VERSION = "teacher 1"
TEMPERATURE = 0.7
TRIES = 4
SLOT = "rationale"
_ROOM = 15
"""Words that the request stays clear of the limits: models do not count well."""
_INSTRUCTIONS = f"""You narrate what a simulator recorded of a scene of simple bodies that move on the ground. A \
viewer sees a video up to its end and has to find the image of one later moment, the target moment. You are given a \
JSON object of facts, all of them true. Write how the state at the target moment follows from what the video shows.

Rules:
- Plain text in four parts, each beginning with its title, in this order: {" ".join(f'"{part}"' for part in PARTS)} \
The first tells where objects are and how they move at the end of the video and who is on a collision course; the \
second what follows from that; the third where objects are at the target moment; the fourth sums up what the \
image shows.
- Call objects by the names given, in full. Places are the regions given; directions are those of the image.
- Tell nothing that the facts do not hold. Every pair that meets or ends up close together is named.
- No digits, no numbers above four, no coordinates, frames, seconds, pixels, units, letters of answers; no markup.
- {LEAST_WORDS + _ROOM} to {MOST_WORDS - _ROOM} words."""


@dataclass(frozen=True)
class Narrated:
    """What a teacher made of an item.

    Attributes:
        text: the rationale.
        source: what the cache holds of it, for the provenance.
    """

    text: str
    source: Entry


class Teacher(CachedModel):
    """Asks a model to narrate, checks what it says, and remembers the outcome."""

    def narrate(self, predicates: Predicates, otherwise: str) -> Narrated:
        """A rationale of the model, or the rule-based one where none of its texts is valid.

        Raises:
            RewriterError: the endpoint fails.
            UsageError: the cache cannot be used.
        """
        entry = self._remembered(PROMPT_VERSION, request(predicates), lambda: self._asked(predicates))
        text = entry.texts.get(SLOT, "")
        # The cache may come from anywhere: what is in it is held to the same checks.
        return Narrated(text if text and refuse_told(text, predicates) is None else otherwise, entry)

    def _asked(self, predicates: Predicates) -> Mapping[str, str]:
        """What the model makes of the predicates."""
        problem = ""
        for _ in range(TRIES):
            text = clean(self._client.ask(request(predicates, problem), TEMPERATURE) or "")
            refused = refuse_told(text, predicates)
            if refused is None:
                return {SLOT: text}
            problem = refused
        return {}


def request(predicates: Predicates, problem: str = "") -> list[Message]:
    """What the model is asked; ``problem`` is why its last text was refused."""
    facts = facts_of(predicates) | ({"refused_before_because": problem} if problem else {})
    return [
        {"role": "system", "content": _INSTRUCTIONS},
        {"role": "user", "content": json.dumps(facts, indent=1)},
    ]


def facts_of(predicates: Predicates) -> dict[str, Any]:
    """The predicates as plain words."""
    facts: dict[str, Any] = {"objects": [_object(state) for state in predicates.states]}
    if predicates.courses or predicates.calm:  # who meets only after other collisions is on no course, nor on none
        courses = [{"objects": list(each.pair), "meeting": each.when} for each in predicates.courses]
        facts["on a collision course"] = courses
    if predicates.met:
        facts["have just collided"] = [list(pair) for pair in predicates.met]
    return facts | {
        "meet before the target moment": [list(pair) for pair in predicates.meetings],
        "close together at the target moment": [list(pair) for pair in predicates.close],
    }


def _object(state: State) -> dict[str, str]:
    towards = "" if state.heading is None else f" toward the {state.heading}"
    later = "out of the picture" if state.left else state.later or "hidden from view"
    return {
        "name": state.name,
        "region at the end of the video": state.region,
        "motion": "at rest" if state.pace is None else f"{state.pace}{towards}",
        "region at the target moment": later,
        "by then": "it has moved" if state.moves else "it has not moved visibly",
    }


@functools.lru_cache(maxsize=4)
def teacher_of(settings: RewriterSettings | None) -> Teacher | None:
    """The teacher of this process; None where the rules narrate."""
    return None if settings is None else Teacher(settings)
