"""The label suite passes what is published and tells of every break of a record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.loose import Break, Loose, broken, loose_sample, loose_samples

from flowbench.encoding import encode_instances
from flowbench.errors import ReleaseError
from flowbench.validation.pixels.runs import IdImage, runs_of_counts
from flowbench.validation.suites.labels import Labels


def change(**values: Any) -> Break:
    return lambda loose: loose.record.update(values)


def change_in(field: str, **values: Any) -> Break:
    return lambda loose: loose.record[field].update(values)


def segment(change: Callable[[dict[str, Any]], None]) -> Break:
    """Change the last segment that is seen after the move."""
    return lambda loose: change([each for each in loose.record["segments"] if each["after"]][-1])


def shift_counts(region: dict[str, Any]) -> None:
    """The mask of another object of the same size: COCO's first run one pixel longer, the last one shorter."""
    first = region["counts"][0]
    region["counts"] = chr(ord(first) ^ 1) + region["counts"][1:]


def swap_masks(loose: Loose) -> None:
    one, other = [each["before"] for each in loose.record["segments"] if each["before"]][:2]
    one["counts"], other["counts"] = other["counts"], one["counts"]


def shift_mask(loose: Loose) -> None:
    """Three pixels to the right, behind the record's back."""
    ids = loose.image("seg_after.png16")
    mask = ids == loose.mover
    ids[mask] = 1
    ids[np.roll(mask, 3, axis=1)] = loose.mover


def flip_answer(loose: Loose) -> None:
    other = "B" if loose.record["answer"] == "A" else "A"
    loose.record.update(answer=other, answer_text=loose.record["choices"]["AB".index(other)])


def forget_segment(loose: Loose) -> None:
    loose.record["segments"].pop()


def repeat_segment(loose: Loose) -> None:
    loose.record["segments"].append(loose.record["segments"][0])


BREAKS: list[tuple[str, Break, str]] = [
    ("answer flipped", flip_answer, "answer"),
    ("before-answer dropped", change(before_answer=None), "before_answer"),
    ("margin", change(margin=0.5), "margin"),
    ("key of another sample", change(id="homes_train-000000-v00-other"), "id"),
    ("scene of another pool", change_in("provenance", pool="homes_test"), "scene_id"),
    ("scene of another number", change(scene_id="homes_train-000077"), "scene_id"),
    ("view of another number", change_in("provenance", view=77), "view_id"),
    ("metadata of another scene", lambda loose: loose.meta["scene"].update(scene_id="x"), "scene of the metadata"),
    ("another source", change(source="ai2thor"), "source"),
    ("seed below 0", change_in("provenance", seed=-1), "provenance"),
    ("label version 0", change_in("provenance", label_version=0), "provenance"),
    ("no version", change_in("provenance", builder_version=" "), "provenance"),
    ("choices alike", change(choices=["yes", "Yes"]), "choices"),
    ("one choice", change(choices=["yes"]), "choices"),
    ("an empty choice", change(choices=["yes", ""]), "choices"),
    ("answer twice", change(answer="AA"), "letters"),
    ("answer out of order", change(answer="BA"), "letters"),
    ("answer of no choice", change(answer="C"), "letters"),
    ("no answer", change(answer=""), "letters"),
    ("before-answer of two letters", change(before_answer="AB"), "letters"),
    ("mask shifted by 3 px", shift_mask, "segment mask"),
    ("area", segment(lambda each: each["after"].update(area=each["after"]["area"] + 1)), "segment area"),
    ("box", segment(lambda each: each["after"]["bbox"].__setitem__(2, 3.5)), "segment box"),
    ("size", segment(lambda each: each["after"].update(size=[12, 16])), "segment size"),
    ("run lengths of other pixels", segment(lambda each: shift_counts(each["after"])), "segment mask"),
    ("run lengths swapped", swap_masks, "segment mask"),
    ("run lengths cut off", segment(lambda each: each["after"].update(counts="o")), "segment mask"),
    ("no run lengths", segment(lambda each: each["after"].update(counts="")), "segment mask"),
    ("run lengths of nonsense", segment(lambda each: each["after"].update(counts="\u00e9!")), "segment mask"),
    ("said to be unseen", segment(lambda each: each.update(after=None)), "segment seen"),
    ("another name", segment(lambda each: each.update(object="Mug|99")), "segment name"),
    ("another type", segment(lambda each: each.update(type="Boat")), "segment name"),
    ("an id not listed", forget_segment, "segments listed"),
    ("an id listed twice", repeat_segment, "segments listed"),
]


def test_what_is_published_passes(release: Path) -> None:
    samples = loose_samples(release)
    assert len(samples) >= 6
    assert {each.key: broken(Labels(), each) for some in samples.values() for each in some} == {
        each.key: set() for some in samples.values() for each in some
    }


@pytest.mark.parametrize(("name", "spoil", "rule"), BREAKS, ids=[name for name, _, _ in BREAKS])
def test_every_break_is_told(release: Path, name: str, spoil: Break, rule: str) -> None:
    loose = loose_sample(release)
    spoil(loose)
    assert rule in broken(Labels(), loose)


def test_a_missing_member_is_a_release_error(release: Path) -> None:
    loose = loose_sample(release)
    del loose.members["seg_after.png16"]
    with pytest.raises(ReleaseError, match="seg_after"):
        broken(Labels(), loose)


@pytest.mark.parametrize("seed", range(10))
def test_runs_of_an_image_are_those_of_coco(seed: int) -> None:
    """Our reader and COCO's writer agree on areas, boxes and pixels."""
    rng = np.random.default_rng(seed)
    ids = np.kron(rng.integers(0, 6, (5, 7)), np.ones((4, 3), np.int64)).astype(np.uint16)
    regions = encode_instances(ids)
    image = IdImage.of(ids)
    assert {each: (r.area, tuple(r.bbox)) for each, r in regions.items()} == image.regions
    assert runs_of_counts([r.counts for r in regions.values()], list(regions), ids.size).same_as(image.runs)


def test_runs_by_hand() -> None:
    """Three by two pixels, down the columns: 1 1 0 | 0 2 2."""
    image = IdImage.of(np.array([[1, 0], [1, 2], [0, 2]], np.uint16))
    assert image.runs.starts.tolist() == [0, 4]
    assert image.runs.ends.tolist() == [2, 6]
    assert image.regions == {1: (2, (0.0, 0.0, 1.0, 2.0)), 2: (2, (1.0, 1.0, 1.0, 2.0))}
    assert runs_of_counts(["024", "42"], [1, 2], 6).same_as(image.runs)


def test_a_run_over_the_foot_of_a_column_fills_the_height() -> None:
    assert IdImage.of(np.array([[0, 3], [3, 0]], np.uint16)).regions == {3: (2, (0.0, 0.0, 2.0, 2.0))}


@pytest.mark.parametrize("counts", ["", "o", "\x10", "025", "0240", "oooooooo4", "0N4"])
def test_wrong_run_lengths_are_refused(counts: str) -> None:
    with pytest.raises(ReleaseError):
        runs_of_counts([counts], [1], 6)
