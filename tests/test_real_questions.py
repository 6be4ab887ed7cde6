"""Questions follow from the measured geometry as defined, and say it in words (paper, B.4)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.measured import Flat, measured, scene

from flowbench.builders.real.annotating import Published, annotate
from flowbench.builders.real.asking import ask
from flowbench.builders.real.candidates import matches, row_of, to_payload
from flowbench.builders.real.categories import CATEGORIES, Draft
from flowbench.builders.real.categories.base import Terms
from flowbench.builders.real.facts import Facts
from flowbench.builders.real.measuring.measure import Measured
from flowbench.builders.real.measuring.stated import Stated
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.recording import Origin
from flowbench.builders.real.wording import called, letterings
from flowbench.builders.sim.items import Reject
from flowbench.release import Sample
from flowbench.schema import RealMeta, RealRecord, record_from_json

BALANCED, PAPER = preset_named("balanced"), preset_named("paper")
ORIGIN = Origin("balanced", "by hand", "1", "drawn", "{}")


def asked(
    things: Sequence[Flat], preset: str = "balanced", task: str = "move the mug", **changes: object
) -> tuple[Facts, list[Draft]]:
    found = measured(things, task, **changes)
    assert isinstance(found, Measured), found
    both = ask(found, preset_named(preset))
    assert not isinstance(both, Reject), both
    return both


def of(facts: Facts, drafts: Sequence[Draft], category: str, label: str | None = None) -> list[Draft]:
    """The drafts of a category, about one landmark."""
    return [
        draft
        for draft in drafts
        if draft.category == category and (label is None or [facts.thing(k).label for k in draft.landmarks] == [label])
    ]


def test_distances_are_between_spheres() -> None:
    facts, _ = asked(scene())
    gaps = {facts.thing(k).label: facts.gaps[k] for k in facts.landmarks}
    # the can's middle is 300 px to the left of the mug's before, 130 px after; both have a radius of 5 cm
    assert gaps["can"].before == pytest.approx(300 / 610 - 0.1, abs=1e-6)
    assert gaps["can"].after == pytest.approx(130 / 610 - 0.1, abs=1e-6)
    assert gaps["box"].after == pytest.approx(float(np.hypot(80, 100)) / 610 - 0.1, abs=1e-6)


def test_a_threshold_that_is_crossed() -> None:
    facts, drafts = asked(scene())
    (draft,) = [each for each in of(facts, drafts, "near_object", "can") if each.flipped]
    assert draft.threshold in (0.15, 0.20, 0.30)
    assert {draft.before, draft.answer} == {"yes", "no"}
    assert (draft.answer == "yes") == (draft.relation == "within")
    assert draft.margin == pytest.approx(abs(130 / 610 - 0.1 - draft.threshold), abs=1e-6)


def test_thresholds_near_a_distance_are_not_asked() -> None:
    """The can ends 11.3 cm away: 10 cm is too near to ask about, and 15 cm is 3.7 cm off."""
    facts, drafts = asked(scene(), thresholds=(0.10,))
    assert not [each for each in of(facts, drafts, "near_object", "can") if each.flipped]


def test_left_right_flips_where_a_landmark_is_passed() -> None:
    facts, drafts = asked(scene())
    (draft,) = of(facts, drafts, "left_right", "box")
    assert draft.flipped
    assert (draft.answer == "yes") == (draft.relation == "left")
    assert draft.margin == pytest.approx(80 / 610, abs=1e-6)
    assert all(not each.flipped for label in ("can", "jar") for each in of(facts, drafts, "left_right", label))
    assert not of(facts, drafts, "left_right", "bowl"), "the mug moves away from the bowl, which its text would tell"
    _, all_of_them = asked(scene(), "paper")
    assert all(each.flipped for each in all_of_them)


@pytest.mark.parametrize(("left", "asks"), [(524, False), (530, False), (570, True)])
def test_left_right_is_not_asked_of_things_in_line(left: int, asks: bool) -> None:
    """A mug that ends farther back is right of the bowl in metres; in the picture 4, 10 and 50 pixels."""
    facts, drafts = asked(scene(mug=(left, 220, 1.15)), travel_limit=0.6)
    k = next(k for k in facts.landmarks if facts.thing(k).label == "bowl")
    assert facts.mover.after.position[0] - facts.thing(k).before.position[0] > 0.05
    assert [each.flipped for each in of(facts, drafts, "left_right", "bowl")] == [True] * asks


def test_no_change_is_asked_in_the_paper_only_where_nothing_else_is() -> None:
    things = [Flat("mug", 300, 220, end=(350, 220, 1.0)), Flat("box", 60, 220), Flat("can", 560, 40)]
    _, drafts = asked(things, "paper")
    assert {each.category for each in drafts} <= {"near_object", "left_right"}
    assert drafts
    assert not any(each.flipped for each in drafts)


def test_closer_to_names_the_nearest_by_a_clear_gap() -> None:
    things = [
        Flat("mug", 400, 220, end=(240, 220, 1.0)),
        Flat("box", 480, 220),
        Flat("can", 140, 220),
        Flat("jar", 300, 20),
    ]
    facts, drafts = asked(things)
    (draft,) = of(facts, drafts, "closer_to")
    assert facts.thing(draft.landmarks[int(draft.answer)]).label == "can"
    assert facts.thing(draft.landmarks[int(draft.before)]).label == "box"
    assert draft.margin > 0.06
    tied = [replace(each, left=340, top=300) if each.label == "jar" else each for each in things]
    assert [each.margin > 0.06 for each in of(*asked(tied), "closer_to")] in ([], [True])


def test_three_nearest_and_counts() -> None:
    facts, drafts = asked(scene())
    (three,) = of(facts, drafts, "closest_three")
    labels = {facts.thing(three.landmarks[int(place)]).label for place in three.answer.split("+")}
    assert labels == {"box", "can", "jar"}
    counts = of(facts, drafts, "count_near")
    assert len(counts) >= 2
    for count in counts:
        assert count.threshold is not None
        assert int(count.answer) == sum(gap.after < count.threshold for gap in facts.gaps.values())
        assert int(count.before) == sum(gap.before < count.threshold for gap in facts.gaps.values())
        assert {count.answer, count.before} <= set(count.options)
        assert all(abs(gap.after - count.threshold) >= 0.25 * count.threshold for gap in facts.gaps.values())
    (papers,) = of(*asked(scene(), "paper"), "count_near")
    assert min(papers.options, key=int) == min(papers.answer, papers.before, key=int)


TABLE = [
    Flat("box", 100, 300, depth=1.0),
    Flat("can", 500, 300, depth=1.0),
    Flat("bowl", 150, 151, depth=1.4),
    Flat("jar", 450, 151, depth=1.4),
]
"""Things whose feet lie on one slanted table."""


def foot(depth: float) -> int:
    """Row of a thing's top at a depth on that table: y of the foot is (360 - 240) / 610 at 1 m, and so on."""
    near, far = (360 - 240) * 1.0 / 610, (211 - 240) * 1.4 / 610
    y = near + (far - near) * (depth - 1.0) / 0.4
    return round(240 + y * 610 / depth) - 60


@pytest.mark.parametrize(("lift", "count"), [(0, True), (60, False)])
def test_depth_order_needs_a_mover_on_the_table(lift: int, count: bool) -> None:
    start, end = foot(1.2), foot(1.08)
    mover = Flat("mug", 300, start, depth=1.25, end=(180, end - lift, 1.08))
    mover = replace(mover, top=foot(1.25))
    facts, drafts = asked(
        [mover, *(replace(each, depth=each.depth) for each in TABLE), Flat("plate", 330, foot(1.17), 61, 61, 1.17)]
    )
    assert bool(of(facts, drafts, "depth_order")) == count
    for draft in of(facts, drafts, "depth_order"):
        assert (facts.mover.after.depth < facts.thing(draft.landmarks[0]).before.depth) == (
            (draft.answer == "yes") == (draft.relation == "closer")
        )


def narrow(left: int, end: int) -> list[Flat]:
    """A narrow mug that moves in front of the middle of a box."""
    mug = Flat("mug", left, 240, 24, 61, 0.95, end=(end, 240, 0.95))
    return [mug, Flat("box", 300, 240, 60, 61, 1.05), Flat("can", 100, 240), Flat("bowl", 560, 240)]


def test_occlusion_covers() -> None:
    facts, drafts = asked(narrow(420, 318), named_objects=False)
    (draft,) = of(facts, drafts, "occlusion", "box")
    assert (draft.before, draft.answer) == ("fully visible", "partly blocked")
    assert draft.margin == pytest.approx(0.74 - 36 / 60, abs=1e-6)
    facts, drafts = asked(narrow(470, 350), named_objects=False)
    assert not of(facts, drafts, "occlusion"), "18% of it are covered"


def test_occlusion_reveals() -> None:
    """The mug stands before a corner of the box, 30 of its 60 columns and 40 of its 61 rows."""
    mug = Flat("mug", 269, 219, depth=0.70, end=(440, 219, 0.70))
    things = [mug, Flat("box", 300, 240, 60, 61, 0.75), Flat("can", 100, 240), Flat("bowl", 540, 300)]
    facts, drafts = asked(things, named_objects=False)
    (draft,) = of(facts, drafts, "occlusion", "box")
    assert (draft.before, draft.answer) == ("partly blocked", "fully visible")
    assert draft.margin == pytest.approx(60 * 61 / (60 * 61 - 30 * 40) - 1.35, abs=1e-6)


def test_names_must_fit_one_thing_alone() -> None:
    facts, _ = asked(scene())
    assert called(facts, range(len(facts.measured.things))) == {
        k: f"the {thing.label}" for k, thing in enumerate(facts.measured.things)
    }
    twins, _ = asked([*scene(), Flat("tin can", 20, 20)])
    can = next(k for k, thing in enumerate(twins.measured.things) if thing.label == "can")
    assert called(twins, [can]) is None
    alike, _ = asked([*scene(), Flat("cup", 20, 20)])
    mug = next(k for k, thing in enumerate(alike.measured.things) if thing.label == "mug")
    assert called(alike, [mug]) is None
    vague, _ = asked([*scene(), Flat("small object", 20, 20)])
    thing = next(k for k, each in enumerate(vague.measured.things) if each.generic)
    assert called(vague, [thing]) is None


@pytest.mark.parametrize(
    ("moved", "words", "direction"),
    [
        ((0.119, -0.051, 0.3), "12 cm to the right and 5 cm up", "right+up"),
        ((-0.204, 0.019, 0.0), "20 cm to the left", "left"),
        ((0.0199, 0.02, 0.0), "2 cm down", "down"),
        ((0.0, 0.0, 0.5), "", ""),
    ],
)
def test_moves_in_words(moved: tuple[float, float, float], words: str, direction: str) -> None:
    stated = Stated.of(moved)
    assert (stated.words, stated.direction) == (words, direction)


def samples(things: Sequence[Flat], most: int = 99) -> list[tuple[RealRecord, RealMeta, Sample]]:
    facts, drafts = asked(things)
    published = Published(facts, None)
    found = []
    for k, draft in enumerate(drafts[:most]):
        made = annotate(
            f"{facts.measured.pair.name}-{draft.category}-{k}", published, draft, k % letterings(draft), ORIGIN
        )
        if isinstance(made, Sample):
            record = record_from_json(RealRecord, made.members["json"], made.key)
            found.append((record, RealMeta.model_validate_json(made.members["meta.txt"]), made))
    return found


@pytest.fixture(scope="module")
def published() -> list[tuple[RealRecord, RealMeta, Sample]]:
    return samples(scene())


def test_most_questions_become_samples(published: list[tuple[RealRecord, RealMeta, Sample]]) -> None:
    _, drafts = asked(scene())
    assert len(published) >= 0.7 * len(drafts)
    assert {record.category for record, _, _ in published} >= {"near_object", "left_right", "closest_three"}
    assert {record.named for record, _, _ in published} == {False, True}


def test_texts_are_whole(published: list[tuple[RealRecord, RealMeta, Sample]]) -> None:
    for record, _, _ in published:
        texts = [record.motion_text, record.question, record.static_question, *record.choices, record.reasoning.gt]
        if record.badge_texts:
            texts += [record.badge_texts.motion_text, record.badge_texts.question, *record.badge_texts.choices]
        assert not any(re.search(r"[{}]|None|  ", text) for text in texts)
        assert "28 cm to the left (directions as seen from the camera)." in record.motion_text
        assert record.motion_text.endswith(record.scale.text)
        assert record.static_question.endswith(record.scale.text)
        assert record.reasoning.gt.endswith(f"{record.answer}.")
        marked = {mark.colour for mark in record.marks}
        assert set(re.findall(r"marked (\w+)", record.motion_text + record.question)) == marked
        assert record.named == (not marked)


def test_answers_are_letters_of_the_choices(published: list[tuple[RealRecord, RealMeta, Sample]]) -> None:
    for record, _, _ in published:
        told = [record.choices["ABCDEF".index(letter)] for letter in record.answer]
        assert "; ".join(told) == record.answer_text
        assert record.flipped == (record.answer != record.before_answer)
        if record.category in ("closer_to", "closest_three"):
            assert [landmark.name for landmark in record.landmarks] == list(record.choices)


def test_the_document_beside_tells_what_was_measured(published: list[tuple[RealRecord, RealMeta, Sample]]) -> None:
    for record, meta, _ in published:
        objects = {each.id: each for each in meta.objects}
        assert objects[record.mover.id].role == "mover"
        assert {objects[landmark.id].role for landmark in record.landmarks} == {"landmark"}
        assert meta.certification.ratio == 1.0
        numbers = sorted(each.number for each in meta.objects if each.number is not None)
        assert numbers == list(range(1, len(numbers) + 1))
        assert record.named or [badge.number for badge in record.badges] == numbers


def test_named_samples_have_clean_pictures(published: list[tuple[RealRecord, RealMeta, Sample]]) -> None:
    for record, _, sample in published:
        for way in ("marked", "badges"):
            assert (sample.members[f"before_{way}.png"] == sample.members["before.png"]) == record.named


def test_the_same_pair_gives_the_same_bytes() -> None:
    one, other = samples(scene(), 2), samples(scene(), 2)
    assert one
    assert [sample.members for _, _, sample in one] == [sample.members for _, _, sample in other]


def test_another_mover_is_told() -> None:
    found = samples(scene(can=(120, 280, 1.0)), 2)
    assert found
    for record, _, _ in found:
        assert [other.down for other in record.others] == [0.10]
        assert re.search(r"is moved by 10 cm down as well\.", record.motion_text)


def test_rows_recognise_their_drafts() -> None:
    facts, drafts = asked(scene())
    rows = [row_of(facts, k, draft) for k, draft in enumerate(drafts)]
    assert all(matches(draft, row["payload"]) for draft, row in zip(drafts, rows, strict=True))
    assert not matches(replace(drafts[0], margin=drafts[0].margin + 1e-6), rows[0]["payload"])
    assert json.loads(to_payload(drafts[0]))["category"] == drafts[0].category
    assert all(row["label"] == draft.answer for row, draft in zip(rows, drafts, strict=True))


@pytest.mark.parametrize("name", CATEGORIES)
def test_every_phrasing_can_be_filled(name: str) -> None:
    category = CATEGORIES[name]
    for relation in ("within", "beyond", "left", "right", "closer", "farther"):
        if name == "near_object" and relation not in ("within", "beyond"):
            continue
        draft = Draft(name, (1, 2), relation, 0.25, "yes", "no", 0.1, ("yes", "no"), True)
        asked_texts, static = (category.phrasings(draft, flag) for flag in (False, True))
        assert len(asked_texts) == len(static) >= 2
        for phrasing in (*asked_texts, *static):
            text = category.fill(phrasing, draft, Terms("the mug", ("the box", "the can")))
            assert "the mug" in text
            assert text.endswith("?")
            assert not re.search(r"[{}]", text)
