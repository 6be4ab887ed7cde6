"""The ambiguity suite passes clear labels and names the band that an unclear one lies in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.corrupting import Corrupt, move_object, set_record, shift_mask
from support.drafts import DRAFTS, THING
from support.loose import broken, loose_sample, loose_samples
from support.published import Draft

from flowbench.validation.opened import OpenedSample
from flowbench.validation.recompute import RECOMPUTE
from flowbench.validation.suites.ambiguity import BANDS, Ambiguity
from flowbench.validation.suites.base import Violation


def found_in(category: str, corrupt: Corrupt) -> list[Violation]:
    """What the suite tells of a hand-made sample."""
    draft = DRAFTS[category]()
    corrupt(draft)
    return list(Ambiguity().check(OpenedSample(draft.record["id"], draft.members())))


def move_thing(dx: float, instance_id: int = THING) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        for moment in ("before", "after"):
            move_object(instance_id, moment, dx)(draft)

    return corrupt


def hide_a_little(draft: Draft) -> None:
    """The mover covers 8 of the 40 columns of the board: a fifth, which is neither hidden nor shown."""
    draft.after[40:80, 60:100] = 11
    draft.after[40:80, 48:68] = 7
    draft.refresh_segments()


IN_THE_BAND: list[tuple[str, Corrupt, str]] = [
    ("left_right", shift_mask(-25, refresh=True), "px"),
    ("near_object", move_thing(0.12, 11), "0.05 m of the threshold"),
    ("closer_to", move_thing(0.13, 11), "runner-up"),
    ("occlusion", hide_a_little, "0.02 to 0.35"),
    ("contact_wall", move_thing(0.05), "0.03 to 0.15 m"),
    ("feasibility", move_thing(0.19), "0.03 m larger or smaller"),
    ("closest_three", move_thing(-0.55, 16), "fourth"),
    ("count_near", move_thing(0.35, 15), "threshold"),
]


def test_every_category_has_a_band_and_a_case() -> None:
    assert set(BANDS) == set(RECOMPUTE) == {category for category, _, _ in IN_THE_BAND}


def test_what_is_published_is_clear(release: Path) -> None:
    samples = [each for some in loose_samples(release).values() for each in some]
    assert len(samples) >= 20
    assert all(broken(Ambiguity(), each) == set() for each in samples)


@pytest.mark.parametrize("category", sorted(RECOMPUTE))
def test_a_clear_label_passes(category: str) -> None:
    assert found_in(category, lambda draft: None) == []


@pytest.mark.parametrize(("category", "corrupt", "band"), IN_THE_BAND, ids=[each[0] for each in IN_THE_BAND])
def test_a_label_in_its_band_is_told(category: str, corrupt: Corrupt, band: str) -> None:
    (found,) = found_in(category, corrupt)
    assert found.rule == "label within its band"
    assert band in found.expected


def test_the_claimed_margin_does_not_matter() -> None:
    assert found_in("near_object", set_record(margin=-1.0)) == []


@pytest.mark.parametrize("values", [{"category": "closer"}, {"choices": ["a", "b"]}, {"threshold": None}])
def test_what_cannot_be_judged_is_left_to_the_label_suite(values: dict[str, object]) -> None:
    assert found_in("near_object", set_record(**values)) == []


def test_masks_of_a_published_sample_pushed_together_are_ambiguous(release: Path) -> None:
    loose = loose_sample(release, "left_right")
    landmark = int(loose.record["landmarks"][0]["id"])
    ids = loose.image("seg_after.png16")
    column = int(np.flatnonzero(ids == landmark)[0] % ids.shape[1])
    ids[ids == loose.mover] = 1
    ids[100:110, max(0, column - 3) : column + 4] = loose.mover
    assert broken(Ambiguity(), loose) == {"label within its band"}
