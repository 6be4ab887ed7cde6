"""What could not be marked is not proposed: a question that falls out when it is written is missing from its split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from support.measured import Flat, measured

from flowbench.builders.real.annotating import Published, annotate, unmarkable
from flowbench.builders.real.asking import ask
from flowbench.builders.real.categories import Draft
from flowbench.builders.real.facts import Facts
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.recording import Origin
from flowbench.builders.sim.items import Reject
from flowbench.release import Sample

MUG = Flat("mug", 150, 300, end=(300, 380, 1.0))
CAN = Flat("can", 420, 240, width=24, height=200)
OTHERS = (Flat("bowl", 60, 100), Flat("box", 540, 60), Flat("jar", 480, 100), Flat("plate", 200, 40))
ORIGIN = Origin("balanced", "bullet", "1", "drawn", "")


def questions(*things: Flat) -> Iterator[tuple[Facts, Draft]]:
    """All that is asked about some things, with marks."""
    found = measured([MUG, *things])
    assert not isinstance(found, Reject)
    asked = ask(found, preset_named("balanced"))
    assert not isinstance(asked, Reject)
    yield from ((asked[0], replace(draft, named=False)) for draft in asked[1])


def test_whatever_is_proposed_can_be_written() -> None:
    for facts, draft in questions(CAN, *OTHERS):
        assert unmarkable(facts, draft) is None
        assert isinstance(annotate("key-p0", Published(facts, None), draft, 0, ORIGIN), Sample)


def test_a_landmark_without_room_for_a_dot_is_asked_about_by_no_mark() -> None:
    narrow = replace(CAN, width=6)
    refused = [unmarkable(facts, draft) for facts, draft in questions(narrow, *OTHERS)]
    assert {each.reason for each in refused if each is not None} <= {
        "mark: no room for a dot",
        "mark: no room for a badge",
    }
    assert len(refused) > 3
    assert None not in refused, "badges mark all landmarks, whichever is asked about"
    for facts, draft in questions(narrow, *OTHERS):
        made = annotate("key-p0", Published(facts, None), draft, 0, ORIGIN)
        assert made == unmarkable(facts, draft)


def test_names_need_no_room() -> None:
    for facts, draft in questions(replace(CAN, width=6), *OTHERS):
        assert unmarkable(facts, replace(draft, named=True)) is None
