"""Queries of filmed scenes: whatever is asked is known to the checks, and nothing that belongs to another kind."""

from __future__ import annotations

import pytest
from support.synthetic_dynapix import selection_record

from flowbench.builders.dynapix.selection.phrasing import PAPER_EVENT, PAPER_TIME, TIME
from flowbench.builders.dynapix.transfer.phrasing import DELAYED, EVENTS
from flowbench.validation.dynapix.transfer.asking import check_asked

SUBTYPES = {"contact": "A1-contact-10", "motion": "A2-motion-10", "landing": "A3-landing-10"}


def broken(query: str, category: str, subtype: str, preset: str = "balanced") -> bool:
    record = selection_record("k", 0, query=query, category=category, subtype=subtype)
    return bool([*check_asked(record.model_copy(update={"provenance": with_preset(record.provenance, preset)}))])


def with_preset(provenance: object, preset: str) -> object:
    return provenance.model_copy(update={"preset": preset})  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", list(EVENTS))
def test_events_are_asked_for_by_their_own_sentences(kind: str) -> None:
    for text in (*EVENTS[kind], *(each.format(seconds="0.17") for each in DELAYED[f"{kind} delayed"])):
        assert not broken(text, "event", SUBTYPES[kind])
        for other in SUBTYPES:
            assert broken(text, "event", SUBTYPES[other]) == (other != kind)
        assert broken(text, "time", "time-1-2")
        assert broken(text, "event", SUBTYPES[kind], "paper")
        assert broken(text.replace("after", "before"), "event", SUBTYPES[kind])
        assert broken(f"{text} ", "event", SUBTYPES[kind])


def test_times_are_asked_for_by_theirs() -> None:
    for text in TIME:
        assert not broken(text.format(seconds="0.75"), "time", "time-0.5-0.75")
        assert broken(text.format(seconds="0.75"), "event", "A1-contact-10")
        assert broken(text.format(seconds="0.75"), "event", "A1")


@pytest.mark.parametrize(("count", "subtype"), [("1 second", "time-1-1"), ("2 seconds", "time-1-2")])
def test_the_papers_sentences(count: str, subtype: str) -> None:
    text = PAPER_TIME.format(count=count)
    assert not broken(text, "time", subtype, "paper")
    assert broken(text, "time", "time-1-1" if subtype == "time-1-2" else "time-1-2", "paper")
    assert broken(text, "time", subtype)
    assert not broken(PAPER_EVENT, "event", "A1-contact-10", "paper")
    assert broken(PAPER_EVENT, "event", "A1-contact-10")
