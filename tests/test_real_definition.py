"""What distances between true surfaces would have answered, and how far off spheres are."""

from __future__ import annotations

import pytest
from support.plain_pairs import samples

from flowbench.schema.real_meta import TrueGap
from flowbench.validation.real.definition import against_truth
from flowbench.validation.real.opened import OpenedReal

PAIR = {key.rpartition("-")[0]: OpenedReal(sample.key, sample.members) for key, sample in samples().items()}


def told(category: str, shift: float, only: int = 0) -> tuple[float, bool]:
    """Millimetres and whether the answer is another, when the gap of one landmark is longer by so many metres."""
    opened = PAIR[category]
    gaps = [
        TrueGap(id=each.id, before=0.0, after=(each.distance_after or 0.0) + (shift if number == only else 0.0))
        for number, each in enumerate(opened.record.landmarks)
    ]
    found = against_truth(opened.record, opened.meta.model_copy(update={"truth": gaps}))
    off, other = found["definition_mm"], found["definition_other"]
    assert isinstance(off, float)
    assert isinstance(other, bool)
    return off, other


@pytest.mark.parametrize("category", ["near_object", "closer_to", "closest_three", "count_near"])
def test_equal_distances_give_the_same_answer(category: str) -> None:
    assert told(category, 0.0) == (0.0, False)


@pytest.mark.parametrize("category", ["near_object", "closer_to", "closest_three", "count_near"])
def test_a_distance_far_off_gives_another_answer(category: str) -> None:
    record = PAIR[category].record
    right = "ABCDEF".index(record.answer[0]) if category.startswith("close") else 0
    nearer = (record.landmarks[right].distance_after or 0.0) < (record.threshold or 9.0)
    off, other = told(category, 1.0 if nearer else -(record.landmarks[right].distance_after or 0.0), right)
    assert other
    assert off > 30.0


def test_nothing_is_told_where_no_truth_is_known_or_no_distance_is_asked_about() -> None:
    assert against_truth(PAIR["near_object"].record, PAIR["near_object"].meta) == {}
    truth = [TrueGap(id=each.id, before=0.0, after=0.0) for each in PAIR["left_right"].record.landmarks]
    meta = PAIR["left_right"].meta.model_copy(update={"truth": truth})
    assert against_truth(PAIR["left_right"].record, meta) == {}
