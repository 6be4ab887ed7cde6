"""Queries against a closed list of what may be asked: every family, framing and builder has its own whole sentences.

A query is one of these forms from its first to its last sign, so that before and after, ends and begins, next and
previous, and a "not" cannot be exchanged unseen. Which form belongs to a record follows from its family, its subtype,
its builder; the seconds and the names in it are held against the record where times and bodies are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from flowbench.schema.dynapix import RetrievalRecord, SelectionRecord

from ..recompute.rules import Finding

_HOLES: Final = {
    "@s": r"(?P<seconds>\d+\.\d{1,2}) seconds",
    "@end": r"after (?:the video ends|the end of the video)",
    "@name": r"(?P<name>the [a-z]+ [a-z]+ [a-z]+)",
}


def forms(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of whole queries; see ``_HOLES`` for the signs in them."""
    found = []
    for text in texts:
        for hole, pattern in _HOLES.items():
            text = text.replace(hole, pattern)
        found.append(re.compile(text))
    return tuple(found)


FUTURE: Final = forms(
    r"Which image shows the scene right after the next collision\?",
    r"The video stops before two objects collide\. Which image shows the scene right after that next collision\?",
    r"Think ahead to the next collision\. Which image shows the scene immediately after it\?",
    r"Which of the images shows what the scene looks like right after the next collision takes place\?",
    r"Soon after the video stops, two objects collide\. Which image was taken right after that, the next collision\?",
    r"Pick the image that shows the scene immediately after the next collision\.",
)
AFTER_NEXT: Final = forms(
    r"Which image shows the scene @s after the next collision\?",
    r"The video stops before two objects collide\. Which image shows the scene @s after that next collision\?",
    r"Think ahead to the next collision\. Which image shows the scene @s after it\?",
    r"Which of the images shows what the scene looks like @s after the next collision takes place\?",
    r"Soon after the video stops, two objects collide\. Which image was taken @s after that, the next collision\?",
    r"Pick the image that shows the scene @s after the next collision\.",
)
ELAPSED: Final = forms(
    r"Which image shows the scene @s after the video ends\?",
    r"What does the scene look like @s after the video ends\? Pick the image that shows it\.",
    r"The scene goes on after the video ends\. Which image was taken @s later\?",
    r"Imagine that the video went on\. Which image would it show @s after its present end\?",
    r"Which of the images shows the state of the scene @s after the end of the video\?",
    r"Pick the image that was taken @s after the video ends\.",
)
CONTACT: Final = forms(
    r"The video ends just as two objects collide\. Which image shows the scene @s after the video ends\?",
    r"At the end of the video two objects have just met\. Which image shows the scene @s later\?",
    r"Which image shows the scene @s after the collision at which the video ends\?",
    r"The last thing in the video is a collision\. What does the scene look like @s after it\?",
    r"Two objects collide as the video ends\. Pick the image that was taken @s afterwards\.",
)
PAPER: Final[Mapping[str, Sequence[re.Pattern[str]]]] = {
    "event": forms(r"Which image is closest to the correct future state of the whole scene\?"),
    "time": forms(
        r"Watch the 1-second observation video\. Which image best shows what the scene will look like "
        r"(?P<count>1 second|2 seconds) after the observation ends\?"
    ),
    "window": forms(r"Which image best matches the next scene state\?"),
}
"""Family -> the paper's one sentence, which names no anchor."""
SEARCHED: Final[Mapping[str, Sequence[re.Pattern[str]]]] = {
    "time": forms(
        r"Find the image that shows the scene @s after the video ends\.",
        r"Which image was taken @s after the end of the video\?",
        r"The scene goes on after the video ends\. Find what it looks like @s later\.",
        r"Retrieve the state of the scene @s after the video ends\.",
        r"Look for the image that the video would show @s after its present end\.",
    ),
    "next": forms(
        r"Find the image that shows the scene at the moment of the next collision\.",
        r"Which image was taken at the very moment of the next collision\?",
        r"The video stops before two objects collide\. Find the image of the moment in which they meet\.",
        r"Retrieve the state of the scene just as the next collision happens\.",
        r"Look for the image in which the next collision has just happened\.",
    ),
    "contact": forms(
        r"The video ends just as two objects collide\. Find the image that shows the scene @s later\.",
        r"Which image was taken @s after the collision at which the video ends\?",
        r"At the end of the video two objects have just met\. Find what the scene looks like @s later\.",
        r"Retrieve the state of the scene @s after the collision that ends the video\.",
        r"Two objects collide as the video ends\. Look for the image taken @s afterwards\.",
    ),
    "after_next": forms(
        r"Find the image that shows the scene @s after the next collision\.",
        r"Which image was taken @s after the next collision\?",
        r"The video stops before two objects collide\. Find what the scene looks like @s after they meet\.",
        r"Retrieve the state of the scene @s after the collision that comes next\.",
        r"Wait for the next collision and then (?P<seconds>\d+\.\d{1,2}) seconds more\. "
        r"Look for the image of that moment\.",
    ),
    "without": forms(
        r"Suppose @name had never been there\. Find the image that shows the scene @s after the video ends\.",
        r"If @name were absent, what would the scene look like @s after the video ends\?",
        r"Take @name away from the scene\. Which image would be taken @s after the end of the video\?",
        r"Imagine the same scene without @name\. Retrieve its state @s after the video ends\.",
        r"Were it not for @name, how would things stand @s after the video ends\? Find that image\.",
    ),
}
BUILDERS: Final = {0: "without", 1: "time", 2: "time", 3: "next", 4: "contact", 5: "next", 6: "after_next"}
"""Builder -> what its queries are about."""


def check_asked(record: SelectionRecord | RetrievalRecord) -> Iterator[Finding]:
    """The query is one of the forms that belong to the record."""
    what, allowed = asked_of(record)
    if not any(each.fullmatch(record.query) for each in allowed):
        yield Finding("wording of a query", f"{record.query!r}", f"a known question about {what}, and nothing else")


def asked_of(record: SelectionRecord | RetrievalRecord) -> tuple[str, Sequence[re.Pattern[str]]]:
    """What a record asks about, in words, and its forms."""
    if isinstance(record, RetrievalRecord):
        kind = BUILDERS.get(record.builder, "")
        return f"{kind or 'nothing'} (builder {record.builder})", SEARCHED.get(kind, ())
    family = record.category
    if record.provenance.preset == "paper":
        return f"{family}, as the paper asks", PAPER.get(family, ())
    if family == "matched":
        by_event = record.anchor == "event"
        return ("the next collision", FUTURE) if by_event else ("the elapsed time", ELAPSED)
    if family == "event":
        if record.subtype.startswith("contact"):
            return "the collision at the cut", CONTACT
        return "the next collision", (*FUTURE, *AFTER_NEXT)
    return "the elapsed time", ELAPSED


def seconds_after_next(query: str) -> float | None:
    """Seconds from the next collision's moment, where a question of selection counts from there; else None."""
    for form in AFTER_NEXT:
        found = form.fullmatch(query)
        if found:
            return float(found["seconds"])
    return None
