"""The recheck's blind rules and checks on hand-made pictures and items."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.validation.dynapix import events, questions, rules, times
from flowbench.validation.dynapix.facts import Hit, ItemFacts, RunFacts


def grey(level: int) -> NDArray[np.uint8]:
    return np.full((4, 6, 3), level, dtype=np.uint8)


SEEN = rules.Seen(
    pictures=(grey(50), grey(10), grey(20), grey(200)),
    last=grey(12),
    times=(70, 40, 60, 50),
    objects=(3, 2, 3, 1),
    gaps=(0.9, 0.6, 0.5, 2.0),
    right=2,
)


@pytest.mark.parametrize(
    ("name", "picked"),
    [
        ("medoid", {0, 2}),
        ("odd one out", {3}),
        ("nearest to the last seen", {1}),
        ("most objects visible", {0, 2}),
        ("closest pair", {2}),
        ("letter C", {2}),
        ("rank 1", {1}),
        ("rank 3", {2}),
        ("rank 4", {0}),
    ],
)
def test_what_rules_pick(name: str, picked: set[int]) -> None:
    assert rules.RULES[name](SEEN) == picked


def test_unlikeness_does_not_wrap_around() -> None:
    assert rules.unlikeness(grey(0), grey(255)) == rules.unlikeness(grey(255), grey(0)) == 255.0


def test_ties_are_worth_a_guess() -> None:
    assert rules.worth(rules.RULES["medoid"], [SEEN]) == 0.5
    assert rules.worth(rules.RULES["rank 3"], [SEEN, dataclasses.replace(SEEN, right=0)]) == 0.5
    assert rules.worth(rules.medoid, []) == 0.0


ITEM = ItemFacts(
    preset="balanced",
    family="time",
    subtype="time-1",
    query="Which image shows the scene 1.0 seconds after the video ends?",
    first=10,
    last=34,
    target=59,
    candidates=(("factual", 65), ("factual", 59), ("factual", 53), ("factual", 71)),
    letter="B",
)


def broken(**changes: object) -> set[str]:
    return {finding.rule for finding in times.check_times(dataclasses.replace(ITEM, **changes))}  # type: ignore[arg-type]


def test_a_sound_item_has_no_findings() -> None:
    assert broken() == set()
    assert ITEM.rank == 2


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"first": 11}, "observation"),
        ({"target": 60}, "horizon"),
        ({"letter": "A"}, "answer"),
        ({"candidates": (("twin-0", 59), ("factual", 59), ("factual", 59), ("factual", 71))}, "steps"),
        ({"candidates": (("factual", 65), ("factual", 59), ("factual", 54), ("factual", 71))}, "steps"),
        ({"candidates": (("factual", 29), ("factual", 59), ("factual", 44), ("factual", 74))}, "candidates"),
        ({"query": "Which image shows the scene 0.9 seconds after the video ends?"}, "stated time"),
        ({"query": "Which image shows the scene after the video ends?"}, "anchor"),
        ({"subtype": "time-2"}, "horizon"),
    ],
)
def test_what_is_wrong_with_an_item_is_found(changes: dict[str, object], rule: str) -> None:
    assert rule in broken(**changes)


def test_an_item_without_four_candidates_or_a_letter_is_refused() -> None:
    for changes in ({"letter": "E"}, {"letter": ""}, {"candidates": ITEM.candidates[:3]}):
        with pytest.raises(ReleaseError, match="expected four"):
            _ = dataclasses.replace(ITEM, **changes).right


def run_of(*hits: Hit) -> RunFacts:
    table = np.full((128, 2), 500, dtype=np.int64)
    return RunFacts([None, 0], table, table, np.zeros((128, 2, 2)), hits)


def test_the_next_contact_is_the_first_that_was_not_shown() -> None:
    run = run_of(Hit(20, 0, 1), Hit(9, 0, 1))
    assert events.next_hit(run, 9) == Hit(9, 0, 1)
    assert events.next_hit(run, 10) == Hit(20, 0, 1)
    assert events.next_hit(run, 21) is None
    assert events.next_hit(run_of(Hit(5, 0, 1), Hit(5, 0, 2)), 0) is None


def test_subtypes_and_gaps_that_do_not_exist_are_found() -> None:
    run = run_of(Hit(39, 0, 1))
    odd = dataclasses.replace(ITEM, family="event", subtype="future-offset-7", last=30, target=41)
    assert [finding.rule for finding in events.check_events(odd, run)] == ["subtype"]
    matched = dataclasses.replace(odd, family="matched", subtype="matched-11", last=29)
    assert [finding.rule for finding in events.check_events(matched, run)] == ["gap"]


@pytest.mark.parametrize(
    ("family", "subtype"),
    [
        ("time", "time-9"),
        ("time", "time"),
        ("window", "G1-D-8-easy"),
        ("window", "G1-B-8-easy"),
        ("window", "G4-C-24-hard"),
        ("window", "G2-A-8-medium"),
        ("window", "G2-A-8-easyx"),
    ],
)
def test_cells_that_do_not_exist_are_found(family: str, subtype: str) -> None:
    odd = dataclasses.replace(ITEM, family=family, subtype=subtype)
    assert [finding.rule for finding in times.check_subtype(odd)] == ["subtype"]
    assert [*times.check_subtype(ITEM)] == []
    assert len(times.WINDOWS) == 54


@pytest.mark.parametrize(
    ("family", "subtype", "about"),
    [
        ("time", "time-1", [(0, 1, 2)]),
        ("window", "G2-A-24-easy", [(0, 1, 2)]),
        ("window", "G2-B-24-easy", [(0, 1)]),
        ("window", "G2-C-24-easy", [(1,), (2,)]),
        ("event", "future-offset-10", [(0, 1)]),
        ("event", "contact-offset-10", [(1, 2)]),
    ],
)
def test_what_an_item_is_about_follows_from_its_subtype(
    family: str, subtype: str, about: list[tuple[int, ...]]
) -> None:
    table, pixels = np.full((128, 3), 500, dtype=np.int64), np.zeros((128, 3, 2))
    pixels[59, 1:, 0] = 5.0
    run = RunFacts([None] * 3, table, table, pixels, [Hit(43, 0, 1), Hit(33, 1, 2)])
    item = dataclasses.replace(ITEM, family=family, subtype=subtype)
    for bodies in [(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)]:
        found = [finding.rule for finding in questions.check_focus(item, run, bodies)]
        assert found == ([] if bodies in about else ["focus"])


def test_a_late_target_and_a_contact_that_is_not_there_are_found() -> None:
    run = run_of(Hit(39, 0, 1))
    late = dataclasses.replace(ITEM, family="event", subtype="future-offset-10", last=30, target=43)
    assert [finding.rule for finding in events.check_events(late, run)] == ["target"]
    contact = dataclasses.replace(late, subtype="contact-offset-10", last=39, target=49)
    assert [finding.rule for finding in events.check_events(contact, run)] == ["contact"]


def test_tables_that_do_not_belong_together_are_refused() -> None:
    table = np.zeros((128, 2), dtype=np.int64)
    with pytest.raises(ReleaseError, match="expected"):
        RunFacts([None], table, table, np.zeros((128, 2, 2)), [])
