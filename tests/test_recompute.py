"""Good samples pass the recheck; every corruption is found, by the rule that it breaks."""

from __future__ import annotations

import pytest
from support.corrupting import (
    Corrupt,
    carry,
    hide,
    landmark_distance,
    move_object,
    objects,
    rename_choices,
    rules_broken,
    second_landmark,
    set_record,
    shift_landmark,
    shift_mask,
)
from support.drafts import DRAFTS, draft_closer_to, draft_near_object
from support.published import FIRST_LANDMARK, MOVER, Draft

from flowbench.validation.recompute import RECOMPUTE, PublishedSample, check

EVERY = tuple(DRAFTS)
MARKED = ("left_right", "near_object", "closer_to", "occlusion", "closest_three", "count_near")
FLIPPED = tuple(name for name in EVERY if name != "occlusion")
NEAR, CLOSER = ("near_object",), ("closer_to",)
MEASURED = ("near_object", "closer_to", "closest_three", "count_near")
CORRUPTIONS: list[tuple[str, tuple[str, ...], Corrupt, set[str]]] = [
    ("answer swapped", ("left_right",), set_record(answer="A", answer_text="No"), {"answer"}),
    ("answer swapped", NEAR, set_record(answer="B", answer_text="No"), {"answer"}),
    ("answer is no letter of a choice", EVERY, set_record(answer="G"), {"answer", "answer_text"}),
    ("answer text of another choice", EVERY, set_record(answer_text="maybe"), {"answer_text"}),
    ("choices swapped, letter kept", NEAR, rename_choices, {"answer", "before_answer"}),
    ("choices out of the landmarks' order", CLOSER, rename_choices, {"question"}),
    ("before-answer dropped", FLIPPED, set_record(before_answer=None), {"before_answer"}),
    ("before-answer wrong", CLOSER, set_record(before_answer="D"), {"before_answer"}),
    ("flipped denied", EVERY, set_record(flipped=False), {"flipped"}),
    ("flipped unknown", FLIPPED, set_record(flipped=None), {"flipped"}),
    ("margin", MEASURED, set_record(margin=0.21), {"margin"}),
    ("margin, by a little", ("left_right",), set_record(margin=25.0001), {"margin"}),
    ("margin's unit", EVERY, set_record(margin_unit="cm"), {"margin_unit"}),
    ("relation turned", ("left_right",), set_record(relation="left"), {"question"}),
    ("relation unknown", ("left_right",), set_record(relation=None), {"question"}),
    ("static question asks for the other side", ("left_right",), set_record(static_question="Left?"), {"question"}),
    ("threshold changed", NEAR, set_record(threshold=0.5), {"question"}),
    ("threshold negative", NEAR, set_record(threshold=-0.75), {"question"}),
    ("no threshold", NEAR, set_record(threshold=None), {"question"}),
    (
        "threshold changed in the texts too",
        NEAR,
        set_record(threshold=1.25, question="Within 1.25 m?", static_question="Within 1.25 m?"),
        {"margin", "before_answer", "flipped"},
    ),
    (
        "threshold inside the band",
        NEAR,
        set_record(threshold=0.625, question="Within 0.625 m?", static_question="Within 0.625 m?"),
        {"margin", "ambiguous"},
    ),
    ("choices are not yes and no", ("left_right", "near_object"), set_record(choices=["A", "B"]), {"question"}),
    ("unknown category", EVERY, set_record(category="closer"), {"category"}),
    ("distance of a landmark", MEASURED, landmark_distance(0.65), {"distance_after"}),
    ("distance where none is measured", ("left_right",), landmark_distance(0.65), {"distance_after"}),
    ("distance missing", MEASURED, landmark_distance(None), {"distance_after"}),
    ("mask shifted", ("left_right",), shift_mask(10, refresh=True), {"margin"}),
    ("mask shifted behind the record's back", ("left_right",), shift_mask(10, refresh=False), {"margin", "segments"}),
    ("mask shifted behind the record's back", MEASURED, shift_mask(10, refresh=False), {"segments"}),
    ("mask shifted into the band", ("left_right",), shift_mask(-25, refresh=True), {"margin", "ambiguous"}),
    (
        "mask shifted to the other side",
        ("left_right",),
        shift_mask(-70, refresh=True),
        {"margin", "answer", "flipped"},
    ),
    (
        "mover's pose",
        ("left_right",),
        move_object(MOVER, "after", 0.2),
        {"motion.world", "motion.camera", "motion.right, motion.away"},
    ),
    (
        "mover's pose",
        MEASURED,
        move_object(MOVER, "after", 0.2),
        {"motion.world", "motion.camera", "motion.right, motion.away", "margin", "distance_after"},
    ),
    (
        "landmark's pose in both frames",
        NEAR,
        shift_landmark,
        {"margin", "distance_before", "distance_after"},
    ),
    ("landmark moves as well", ("left_right",), move_object(11, "after", 0.01), {"moved"}),
    ("list of what moved", EVERY, lambda draft: draft.meta.update(moved=[]), {"moved"}),
    ("landmark half hidden", MEASURED, hide(11, 4), {"kept"}),
    ("landmark hidden", MEASURED, hide(11, 10), {"visible"}),
    ("landmark hidden", ("left_right",), hide(11, 10), {"visible", "ambiguous", "margin"}),
    ("mover half hidden", MEASURED, hide(MOVER, 4), {"kept"}),
    ("mover hidden", MEASURED, hide(MOVER, 10), {"visible"}),
    ("mover stands on a landmark", MARKED, carry(MOVER, "Sofa|11"), {"supporter"}),
    ("mover hangs in the air", EVERY, carry(MOVER, None), {"supported"}),
    ("mover carries a landmark", MARKED, carry(11, "Box|7"), {"load"}),
    ("landmark is structure", MARKED, lambda draft: objects(draft)[11].update(structural=True), {"structure"}),
    ("another object's name", EVERY, lambda draft: draft.record["mover"].update(object="Mug|7"), {"object"}),
    ("id that does not exist", EVERY, lambda draft: draft.record["mover"].update(id=99), {"question"}),
    ("no parts to measure", MEASURED, lambda draft: objects(draft)[11].update(parts=[]), {"question"}),
    ("region of an object", EVERY, lambda draft: draft.record["segments"][1]["after"].update(area=7), {"segments"}),
    ("object not listed", EVERY, lambda draft: draft.record["segments"].pop(1), {"segments"}),
    ("two landmarks", ("left_right", "near_object"), second_landmark, {"question", "distinct"}),
]


@pytest.mark.parametrize("category", EVERY)
def test_good_sample_passes(category: str) -> None:
    assert check(PublishedSample.from_members(DRAFTS[category]().members())) == []


@pytest.mark.parametrize(
    ("category", "corrupt", "expected"),
    [
        pytest.param(category, corrupt, expected, id=f"{category}: {name}")
        for name, categories, corrupt, expected in CORRUPTIONS
        for category in categories
    ],
)
def test_corruption_is_found_by_its_rule(category: str, corrupt: Corrupt, expected: set[str]) -> None:
    draft = DRAFTS[category]()
    corrupt(draft)
    assert rules_broken(draft) == expected


def test_answer_of_closer_to_swapped() -> None:
    draft = draft_closer_to()
    draft.record.update(answer="C", answer_text=draft.record["choices"][2])
    assert rules_broken(draft) == {"answer"}


@pytest.mark.parametrize("kind", ["ShelvingUnit", "Drawer"])
def test_look_alikes_are_named_once(kind: str) -> None:
    draft = draft_closer_to()
    for landmark, facts in zip(draft.record["landmarks"][:2], draft.meta["objects"][2:4], strict=True):
        landmark["type"] = facts["type"] = kind
    draft.refresh_segments()
    assert rules_broken(draft) == {"alike"}


def test_an_unknown_preset_is_not_rechecked() -> None:
    draft = draft_near_object()
    draft.record["provenance"]["preset"] = "wild"
    assert rules_broken(draft) == {"category"}


def test_disagreement_tells_both_values() -> None:
    draft = draft_near_object()
    draft.record["margin"] = 0.3
    (found,) = check(PublishedSample.from_members(draft.members()))
    assert str(found) == "homes_train-00000-v00-near_object-0: margin: published 0.3, recomputed 0.1"


def recede(draft: Draft, rows: int) -> None:
    """The mover goes 1.5 m away from the camera: its distance grows by sqrt(22.5 / 11.25), its area halves."""
    objects(draft)[MOVER]["after"]["position"] = [0.0, 1.5, 0.0]
    draft.after[draft.after == MOVER] = 1
    draft.after[60 : 60 + rows, 60:67] = MOVER
    draft.refresh_segments()


@pytest.mark.parametrize(("rows", "kept"), [(7, True), (6, True), (5, True), (4, False)])
def test_mover_may_shrink_with_distance_only(rows: int, kept: bool) -> None:
    """0.7 of the 100 px before are 35 px at this distance: 5 rows of 7 px are enough, 4 are not."""
    draft = draft_near_object()
    recede(draft, rows)
    assert ("kept" not in rules_broken(draft)) is kept


def test_landmark_keeps_its_share_exactly() -> None:
    draft = draft_near_object()
    hide(FIRST_LANDMARK, 3)(draft)
    assert rules_broken(draft) == set()


def test_least_area_scales_with_the_picture() -> None:
    """150 px at 800 px width are 6 px at 160 px."""
    for area, expected in ((6, set()), (5, {"visible"})):
        draft = draft_near_object()
        for image in (draft.before, draft.after):
            image[image == FIRST_LANDMARK] = 1
            image[0, :area] = FIRST_LANDMARK
        draft.refresh_segments()
        assert rules_broken(draft) == expected


@pytest.mark.parametrize("category", EVERY)
def test_formula_never_reads_what_the_record_derived(category: str) -> None:
    draft = DRAFTS[category]()
    honest = RECOMPUTE[category](PublishedSample.from_members(draft.members()))
    draft.record.update(answer="A", before_answer=None, flipped=None, margin=9.0, segments=[])
    for each in draft.record["landmarks"]:
        each.update(distance_before=0.0, distance_after=0.0)
    assert RECOMPUTE[category](PublishedSample.from_members(draft.members())) == honest
