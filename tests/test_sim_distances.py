"""Distances between objects by each measure: builder, recheck and schoolbook agree; texts and records name them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import Case, evidence
from support.corrupting import Corrupt, rules_broken, set_record
from support.drafts import draft_closer_to, draft_left_right, draft_near_object
from support.prisms import DISTANCES
from support.published import Draft
from support.still import sights_of

from flowbench.builders.sim.candidates import Candidate, from_payload, to_table
from flowbench.builders.sim.distances import TERMS, Measure
from flowbench.builders.sim.items import Item, Label, Question
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.view import ViewPose
from flowbench.errors import ReleaseError
from flowbench.validation.recompute.measures import measured

metres = st.integers(-300, 300).map(lambda cm: cm / 100.0)
offsets = st.integers(-80, 80).map(lambda cm: cm / 100.0)
halves = st.integers(2, 60).map(lambda cm: cm / 100.0)
yaws = st.integers(-90, 90).map(lambda quarter: 2.0 * quarter)


@st.composite
def shapes(draw: st.DrawFn) -> Case:
    """One or two upright boxes."""
    count = draw(st.integers(1, 2))
    return {
        "parts": [
            {"half": [draw(halves) for _ in range(3)], "centre": [draw(offsets) for _ in range(3)]}
            for _ in range(count)
        ]
    }


@st.composite
def poses(draw: st.DrawFn) -> Case:
    return {"position": [draw(metres), draw(metres), draw(offsets)], "yaw": draw(yaws)}


def scene(mover: Case, landmark: Case, before: Case, after: Case, at: Case) -> Case:
    return {"input": {"mover": mover, "before": before, "after": after, "landmark": {**landmark, **at}, "threshold": 1}}


@pytest.mark.parametrize("measure", TERMS)
@settings(max_examples=40)
@given(mover=shapes(), landmark=shapes(), before=poses(), after=poses(), at=poses())
def test_builder_and_recheck_and_schoolbook_measure_alike(
    measure: Measure, mover: Case, landmark: Case, before: Case, after: Case, at: Case
) -> None:
    case = scene(mover, landmark, before, after, at)
    case["input"]["measure"] = measure
    facts = evidence("near_object", case)
    ((first, last),) = facts.gaps
    for sight, pose, recomputed in zip(sights_of(facts), (before, after), (first, last), strict=True):
        _, one, other = (each.object_id for each in sight.arrangement.objects)
        found = sight.arrangement.distance(one, other, measure)
        assert found == sight.arrangement.distance(other, one, measure)
        assert found == pytest.approx(recomputed, abs=1e-6)
        assert found == pytest.approx(DISTANCES[measure](mover["parts"], pose, {**landmark, **at}), abs=1e-6)


@settings(max_examples=40)
@given(mover=shapes(), landmark=shapes(), before=poses(), at=poses())
def test_boxes_are_never_farther_apart_than_what_they_hold(mover: Case, landmark: Case, before: Case, at: Case) -> None:
    sight, _ = sights_of(evidence("near_object", scene(mover, landmark, before, before, at)))
    _, one, other = (each.object_id for each in sight.arrangement.objects)
    distance = sight.arrangement.distance
    assert distance(one, other, "boxes") <= distance(one, other, "nearest") + 1e-9
    assert distance(one, other, "nearest") == sight.arrangement.gap(one, other)


def test_what_cannot_be_measured_is_refused() -> None:
    facts = evidence("near_object", scene(CUBE, CUBE, ORIGIN, ORIGIN, {"position": [1.0, 0.0, 0.0], "yaw": 0.0}))
    mover, landmark = (facts.meta.find(each) for each in facts.question.named)
    with pytest.raises(ReleaseError, match="measured as 'corners', expected one of nearest, centres, boxes"):
        measured("corners", (mover, mover.before), (landmark, landmark.before))
    bare = landmark.model_copy(update={"parts": ()})
    for measure in TERMS:
        with pytest.raises(ReleaseError, match="no convex parts"):
            measured(measure, (mover, mover.before), (bare, bare.before))


CUBE: Case = {"parts": [{"half": [0.1, 0.1, 0.1], "centre": [0.0, 0.0, 0.1]}]}
ORIGIN: Case = {"position": [0.0, 0.0, 0.0], "yaw": 0.0}


# --- records


def draft_between_centres() -> Draft:
    """Preset ``paper``: a cube and a sofa 0.1 m higher, 1.5 m and then 0.9 m apart; the threshold is 1.25 m."""
    before, after = (math.hypot(x, 0.1) for x in (1.5, 0.9))
    ask = "the object marked red within 1.25 m of the object marked blue, measured between their centres?"
    draft = draft_near_object()
    draft.record["provenance"]["preset"] = "paper"
    draft.record["landmarks"][0].update(distance_before=before, distance_after=after)
    draft.record.update(measure="centres", threshold=1.25, margin=1.25 - after - 0.05)
    draft.record.update(question=f"After this move, is {ask}", static_question=f"Is {ask}")
    return draft


def balanced(draft: Draft) -> None:
    draft.record["provenance"]["preset"] = "balanced"


def surfaces(draft: Draft) -> None:
    """Claim the gaps between nearest points, of which the first is ambiguous, in texts that say so."""
    draft.record["landmarks"][0].update(distance_before=1.2, distance_after=0.6)
    draft.record.update(measure="nearest", before_answer=None, flipped=None, margin=0.6)
    reword("centres", "nearest points")(draft)


def reword(old: str, new: str, *keys: str) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        for key in keys or ("question", "static_question"):
            draft.record[key] = draft.record[key].replace(old, new)

    return corrupt


WRONG = {"measure", "margin", "distance_before", "distance_after"}
CORRUPTIONS: Mapping[str, tuple[Corrupt, set[str]]] = {
    "nothing": (lambda draft: None, set()),
    "American spelling": (reword("centres", "centers"), set()),
    "another preset": (balanced, {"measure"}),
    "between nearest points": (surfaces, {"measure"}),
    "between boxes": (set_record(measure="boxes"), {*WRONG, "before_answer", "flipped"}),
    "no measure": (set_record(measure=None), {*WRONG, "before_answer", "flipped"}),
    "unknown measure": (set_record(measure="corners"), {"measure", "question"}),
    "a text that says nothing": (reword(", measured between their centres", "", "question"), {"measure"}),
    "a text that says something else": (reword("centres", "bounding boxes", "static_question"), {"measure"}),
    "a text that says two things": (reword("centres", "centres, not bounding boxes"), {"measure"}),
    "a distance": (lambda draft: draft.record["landmarks"][0].update(distance_after=0.9), {"distance_after"}),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_what_is_wrong_with_a_measure_is_found(name: str) -> None:
    draft = draft_between_centres()
    corrupt, expected = CORRUPTIONS[name]
    corrupt(draft)
    assert rules_broken(draft) == expected


def test_balanced_samples_speak_of_nothing_but_nearest_points() -> None:
    for word in ("centres", "bounding boxes"):
        draft = draft_closer_to()
        reword("nearest points", word)(draft)
        assert rules_broken(draft) == {"measure"}


def test_a_measure_without_distances_is_refused() -> None:
    draft = draft_left_right()
    draft.record["measure"] = "nearest"
    assert rules_broken(draft) == {"measure"}


# --- candidates


def candidate(measure: Measure) -> Candidate:
    question = Question("M", ("L",), "within", 0.5, measure=measure)
    item = Item.of("near_object", Move(40, 0), question, None, Label("yes", 0.1), "yes>yes")
    pose = ViewPose((0.0, 0.0, 1.6), 0.0, 0.0, "room-0")
    return Candidate.of(0, 0, pose, 0, item, "Mug", preset_named("paper"))


@pytest.mark.parametrize("measure", TERMS)
def test_candidates_keep_their_measure(measure: Measure) -> None:
    (payload,) = to_table([candidate(measure)])["payload"]
    assert from_payload(payload) == candidate(measure)
    assert from_payload(payload).item.question.measure == measure


def test_a_candidate_that_names_no_measure_lies_between_nearest_points() -> None:
    (payload,) = to_table([candidate("nearest")])["payload"]
    older = json.loads(payload)
    del older["item"]["measure"]
    assert from_payload(json.dumps(older)) == candidate("nearest")
