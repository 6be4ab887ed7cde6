"""Queries against the closed list of forms, by family, framing and builder."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from flowbench.schema.dynapix import RetrievalRecord, SelectionRecord
from flowbench.validation.dynapix.asking import asked_of, seconds_after_next
from flowbench.validation.dynapix.events import check_events
from flowbench.validation.dynapix.facts import FRAMES, TRUE_RUN, Hit, ItemFacts, RunFacts

NEXT = "Which image shows the scene right after the next collision?"
DELAYED = "Which image shows the scene 0.08 seconds after the next collision?"
LATER = "Which image shows the scene 1.0 seconds after the video ends?"
ENDING = "Two objects collide as the video ends. Pick the image that was taken 0.4 seconds afterwards."
ABSENT = "If the red metal cube were absent, what would the scene look like 1.0 seconds after the video ends?"
PAPER = "Which image is closest to the correct future state of the whole scene?"


def item(category: str, subtype: str, anchor: str | None = None, preset: str = "balanced") -> Any:
    origin = SimpleNamespace(preset=preset)
    return cast(SelectionRecord, SimpleNamespace(category=category, subtype=subtype, anchor=anchor, provenance=origin))


FUTURE, CONTACT = item("event", "future-match-5"), item("event", "contact-cross-10")
MATCHED = item("matched", "matched-10", "event"), item("matched", "matched-10", "time")


def knows(record: Any, query: str) -> bool:
    return any(each.fullmatch(query) for each in asked_of(record)[1])


@pytest.mark.parametrize(
    ("query", "fit"),
    [
        (NEXT, [True, False, False, False, True, False]),
        (DELAYED, [True, False, False, False, False, False]),
        (LATER, [False, False, True, True, False, True]),
        (ENDING, [False, True, False, False, False, False]),
        (PAPER, [False] * 6),
    ],
)
def test_a_form_belongs_to_its_kind(query: str, fit: list[bool]) -> None:
    records = [FUTURE, CONTACT, item("time", "time-1"), item("window", "G1-A-8-easy"), *MATCHED]
    assert [knows(record, query) for record in records] == fit


def test_the_paper_names_no_anchor() -> None:
    assert knows(item("event", "future-match-5", preset="paper"), PAPER)
    assert not knows(item("event", "future-match-5", preset="paper"), NEXT)


@pytest.mark.parametrize(
    "query",
    [
        LATER.replace("after", "before"),
        LATER.replace("ends", "begins"),
        LATER.replace("shows", "does not show"),
        LATER + " It is image B.",
        "Look. " + LATER,
        LATER.replace("1.0", "one"),
        LATER.replace("1.0", "1.000"),
        LATER.lower(),
        LATER + "\n",
    ],
)
def test_nothing_is_said_otherwise(query: str) -> None:
    assert not knows(item("time", "time-1"), query)


def builder(number: int) -> Any:
    return RetrievalRecord.model_construct(builder=number)


@pytest.mark.parametrize(
    ("number", "query", "fits"),
    [
        (1, "Retrieve the state of the scene 1.0 seconds after the video ends.", True),
        (1, "Retrieve the state of the scene 1.0 seconds before the video ends.", False),
        (3, "Look for the image in which the next collision has just happened.", True),
        (3, "Look for the image in which the collision after the next has just happened.", False),
        (3, "Retrieve the state of the scene right before the next collision happens.", False),
        (5, "Retrieve the state of the scene just as the next collision happens.", True),
        (6, "Which image was taken 0.52 seconds after the next collision?", True),
        (6, "Which image was taken 0.52 seconds after the previous collision?", False),
        (4, "Which image was taken 1.0 seconds after the collision at which the video ends?", True),
        (6, "Which image was taken 1.0 seconds after the collision at which the video ends?", False),
        (
            0,
            ABSENT,
            True,
        ),
        (
            0,
            ABSENT.replace("were", "were not"),
            False,
        ),
        (7, "Retrieve the state of the scene 1.0 seconds after the video ends.", False),
    ],
)
def test_a_builder_has_its_forms(number: int, query: str, fits: bool) -> None:
    assert knows(builder(number), query) == fits


def test_seconds_after_a_collision_are_read() -> None:
    assert seconds_after_next(DELAYED) == 0.08
    assert seconds_after_next(NEXT) is None
    assert seconds_after_next("Is it " + DELAYED) is None


def after(query: str, *candidates: int, target: int = 37) -> set[str]:
    """What is found of an item whose collision frame 35 shows."""
    full = np.full((FRAMES, 2), 100)
    run = RunFacts([None, None], full, full, np.zeros((FRAMES, 2, 2)), [Hit(34, 0, 1)])
    frames = tuple((TRUE_RUN, frame) for frame in candidates)
    letter = "ABCD"[candidates.index(target)]
    facts = ItemFacts("balanced", "event", "future-match-5", query, 11, 30, target, frames, letter)
    return {each.rule for each in check_events(facts, run)}


def test_right_after_a_collision_is_one_candidate() -> None:
    assert after(NEXT, 31, 34, 37, 40) == set()
    assert after(NEXT, 33, 35, 37, 39) == {"right after a contact"}
    assert after(DELAYED, 33, 35, 37, 39) == set()
    assert after(DELAYED.replace("0.08", "0.28"), 33, 35, 37, 39) == {"stated time"}
