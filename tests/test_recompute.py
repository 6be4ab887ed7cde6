"""Good samples pass the recheck; every corruption is found, by the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.drafts import DRAFTS, draft_closer_to, draft_near_object
from support.published import FIRST_LANDMARK, MOVER, Draft

from flowbench.validation.recompute import RECOMPUTE, PublishedSample, check

Corrupt = Callable[[Draft], None]


def rules_broken(draft: Draft) -> set[str]:
    found = check(PublishedSample.from_members(draft.members()))
    assert all(each.key == draft.record["id"] for each in found)
    return {each.rule for each in found}


def set_record(**values: Any) -> Corrupt:
    return lambda draft: draft.record.update(values)


def objects(draft: Draft) -> dict[int, Any]:
    return {each["id"]: each for each in draft.meta["objects"]}


def move_object(instance_id: int, when: str, dx: float) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        objects(draft)[instance_id][when]["position"][0] += dx

    return corrupt


def shift_mask(pixels: int, *, refresh: bool) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        mask = draft.after == MOVER
        draft.after[mask] = 1
        draft.after[np.roll(mask, pixels, axis=1)] = MOVER
        if refresh:
            draft.refresh_segments()

    return corrupt


def hide(instance_id: int, columns: int) -> Corrupt:
    """Cover so many of an object's ten columns in the after image."""

    def corrupt(draft: Draft) -> None:
        first = int(np.flatnonzero((draft.after == instance_id).any(axis=0))[0])
        region = draft.after[:, first : first + columns]
        region[region == instance_id] = 1
        draft.refresh_segments()

    return corrupt


def carry(instance_id: int, supporter: str | None) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        for when in ("before", "after"):
            objects(draft)[instance_id][when]["supporter"] = supporter

    return corrupt


def rename_choices(draft: Draft) -> None:
    draft.record["choices"] = draft.record["choices"][::-1]
    draft.record["answer_text"] = draft.record["choices"][0]


def landmark_distance(value: float | None) -> Corrupt:
    return lambda draft: draft.record["landmarks"][0].update(distance_after=value)


ANY = tuple(DRAFTS)
METRIC = ("near_object", "closer_to")
CORRUPTIONS: list[tuple[str, tuple[str, ...], Corrupt, set[str]]] = [
    ("answer swapped", ("left_right",), set_record(answer="A", answer_text="No"), {"answer"}),
    ("answer swapped", METRIC[:1], set_record(answer="B", answer_text="No"), {"answer"}),
    ("answer is no letter of a choice", ANY, set_record(answer="E"), {"answer", "answer_text"}),
    ("answer text of another choice", ANY, set_record(answer_text="maybe"), {"answer_text"}),
    ("choices swapped, letter kept", METRIC[:1], rename_choices, {"answer", "before_answer"}),
    ("choices out of the landmarks' order", METRIC[1:], rename_choices, {"question"}),
    ("before-answer dropped", ANY, set_record(before_answer=None), {"before_answer"}),
    ("before-answer wrong", METRIC[1:], set_record(before_answer="D"), {"before_answer"}),
    ("flipped denied", ANY, set_record(flipped=False), {"flipped"}),
    ("flipped unknown", ANY, set_record(flipped=None), {"flipped"}),
    ("margin", METRIC, set_record(margin=0.2), {"margin"}),
    ("margin, by a little", ("left_right",), set_record(margin=25.0001), {"margin"}),
    ("margin's unit", ANY, set_record(margin_unit="cm"), {"margin_unit"}),
    ("relation turned", ("left_right",), set_record(relation="left"), {"question"}),
    ("relation unknown", ("left_right",), set_record(relation=None), {"question"}),
    ("static question asks for the other side", ("left_right",), set_record(static_question="Left?"), {"question"}),
    ("threshold changed", METRIC[:1], set_record(threshold=0.5), {"question"}),
    ("threshold negative", METRIC[:1], set_record(threshold=-0.75), {"question"}),
    ("no threshold", METRIC[:1], set_record(threshold=None), {"question"}),
    (
        "threshold changed in the texts too",
        METRIC[:1],
        set_record(threshold=1.25, question="Within 1.25 m?", static_question="Within 1.25 m?"),
        {"margin", "before_answer", "flipped"},
    ),
    (
        "threshold inside the band",
        METRIC[:1],
        set_record(threshold=0.625, question="Within 0.625 m?", static_question="Within 0.625 m?"),
        {"margin", "ambiguous"},
    ),
    ("choices are not yes and no", ("left_right", "near_object"), set_record(choices=["A", "B"]), {"question"}),
    ("unknown category", ANY, set_record(category="closer"), {"category"}),
    ("distance of a landmark", METRIC, landmark_distance(0.7), {"distance_after"}),
    ("distance where none is measured", ("left_right",), landmark_distance(0.7), {"distance_after"}),
    ("distance missing", METRIC, landmark_distance(None), {"distance_after"}),
    ("mask shifted", ("left_right",), shift_mask(10, refresh=True), {"margin"}),
    ("mask shifted behind the record's back", ("left_right",), shift_mask(10, refresh=False), {"margin", "segments"}),
    ("mask shifted behind the record's back", METRIC, shift_mask(10, refresh=False), {"segments"}),
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
        METRIC,
        move_object(MOVER, "after", 0.2),
        {"motion.world", "motion.camera", "motion.right, motion.away", "margin", "distance_after"},
    ),
    (
        "landmark's pose in both frames",
        METRIC[:1],
        lambda draft: _shift_landmark(draft),
        {"margin", "distance_before", "distance_after"},
    ),
    ("landmark moves as well", ("left_right",), move_object(11, "after", 0.01), {"moved"}),
    ("list of what moved", ANY, lambda draft: draft.meta.update(moved=[]), {"moved"}),
    ("landmark half hidden", ("near_object", "closer_to"), hide(11, 4), {"kept"}),
    ("landmark hidden", ("near_object", "closer_to"), hide(11, 10), {"visible"}),
    ("landmark hidden", ("left_right",), hide(11, 10), {"visible", "ambiguous", "margin"}),
    ("mover half hidden", METRIC, hide(MOVER, 4), {"kept"}),
    ("mover hidden", METRIC, hide(MOVER, 10), {"visible"}),
    ("mover stands on a landmark", ANY, carry(MOVER, "Sofa|11"), {"supporter"}),
    ("mover hangs in the air", ANY, carry(MOVER, None), {"supported"}),
    ("mover carries a landmark", ANY, carry(11, "Box|7"), {"load"}),
    ("landmark is structure", ANY, lambda draft: objects(draft)[11].update(structural=True), {"structure"}),
    ("another object's name", ANY, lambda draft: draft.record["mover"].update(object="Mug|7"), {"object"}),
    ("id that does not exist", ANY, lambda draft: draft.record["mover"].update(id=99), {"question"}),
    ("no parts to measure", METRIC, lambda draft: objects(draft)[11].update(parts=[]), {"question"}),
    ("region of an object", ANY, lambda draft: draft.record["segments"][-1]["after"].update(area=7), {"segments"}),
    ("object not listed", ANY, lambda draft: draft.record["segments"].pop(), {"segments"}),
    ("two landmarks", ("left_right", "near_object"), lambda draft: _second_landmark(draft), {"question", "distinct"}),
]


def _shift_landmark(draft: Draft) -> None:
    for when in ("before", "after"):
        move_object(11, when, 0.01)(draft)


def _second_landmark(draft: Draft) -> None:
    draft.record["landmarks"].append(draft.record["landmarks"][0])


@pytest.mark.parametrize("category", ANY)
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


def test_preset_with_other_definitions_is_not_rechecked() -> None:
    draft = draft_near_object()
    draft.record["provenance"]["preset"] = "paper"
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


@pytest.mark.parametrize("category", ANY)
def test_formula_never_reads_what_the_record_derived(category: str) -> None:
    draft = DRAFTS[category]()
    honest = RECOMPUTE[category](PublishedSample.from_members(draft.members()))
    draft.record.update(answer="A", before_answer=None, flipped=None, margin=9.0, segments=[])
    for each in draft.record["landmarks"]:
        each.update(distance_before=0.0, distance_after=0.0)
    assert RECOMPUTE[category](PublishedSample.from_members(draft.members())) == honest
