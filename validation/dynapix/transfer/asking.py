"""Queries of filmed scenes against a closed list of what may be asked: every kind of item has its own sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from flowbench.schema.dynapix import SelectionRecord

from ...recompute.rules import Finding
from ..asking import ELAPSED, PAPER, forms

Forms = Sequence[re.Pattern[str]]

AFTER: Final[Mapping[str, Sequence[str]]] = {
    "contact": (
        r"Which image shows the scene @when two objects that are apart next touch each other\?",
        r"After the video ends, two objects that are apart come into contact\. "
        r"Which image shows the scene @when that\?",
        r"Think ahead to the next time that one object runs into another\. Which image shows the scene @when it\?",
        r"Pick the image that shows the scene @at_once an object next comes into contact with another one\.",
        r"The video stops before two objects meet\. Which image shows the scene @when they first touch\?",
    ),
    "motion": (
        r"Which image shows the scene @when an object at rest next starts to move\?",
        r"After the video ends, an object that rests is set in motion\. Which image shows the scene @when that\?",
        r"Think ahead to the moment in which a resting object begins to move\. "
        r"Which image shows the scene @when it\?",
        r"Pick the image that shows the scene @at_once a stationary object next starts moving\.",
        r"The video stops before something that stands still starts to move\. "
        r"Which image shows the scene @when that\?",
    ),
    "landing": (
        r"Which image shows the scene @when an object next lands on the ground\?",
        r"After the video ends, an object comes down on the ground\. Which image shows the scene @when it lands\?",
        r"Think ahead to the next time that an object hits the ground\. Which image shows the scene @when it\?",
        r"Pick the image that shows the scene @at_once an object next reaches the ground\.",
        r"The video stops before an object lands on the ground\. Which image shows the scene @when the landing\?",
    ),
}
"""Kind of event -> sentences; whether they state a delay is held against the candidates where times are."""


def _events(texts: Sequence[str]) -> Forms:
    """Each at once after the event, and a stated time after it."""
    at_once = [text.replace("@when", "right after").replace("@at_once", "immediately after") for text in texts]
    delayed = [text.replace("@when", "@s after").replace("@at_once", "@s after") for text in texts]
    return forms(*at_once, *delayed)


EVENTS: Final[Mapping[str, Forms]] = {kind: _events(texts) for kind, texts in AFTER.items()}


def check_asked(record: SelectionRecord) -> Iterator[Finding]:
    """The query is one of those of its kind; with ``paper`` the sentence names the time that the subtype has."""
    if not any(each.fullmatch(record.query) for each in _allowed(record)):
        about = record.subtype.split("-")[1] if record.category == "event" and "-" in record.subtype else "the time"
        yield Finding("wording of a query", f"{record.query!r}", f"a known question about {about}, and nothing else")


def _allowed(record: SelectionRecord) -> Forms:
    parts = record.subtype.split("-")
    if record.provenance.preset == "paper":
        if record.category != "time":
            return PAPER.get(record.category, ())
        count = "1 second" if parts[-1] == "1" else f"{parts[-1]} seconds"
        return [each for each in PAPER["time"] if (found := each.fullmatch(record.query)) and found["count"] == count]
    if record.category == "time":
        return ELAPSED
    return EVENTS.get(parts[1], ()) if len(parts) > 1 else ()
