"""Rules of B.2 to B.5 that no label shows: what validation says of pairs that break one, alone or among others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.plain_pairs import LAYOUT, Disc, samples

from flowbench.builders.real.measuring import landmarks
from flowbench.encoding import decode_depth, decode_ids, encode_depth, encode_ids
from flowbench.release import Sample
from flowbench.validation.corruption import Draft
from flowbench.validation.corruption.editing import Record
from flowbench.validation.corruption.real_editing import edited
from flowbench.validation.real.opened import OpenedReal
from flowbench.validation.registry import SUITES

Change = Callable[[Record, Record], Any]


@cache
def sample() -> Sample:
    return samples()["left_right-4"]


def broken(members: Mapping[str, bytes], key: str = "") -> list[str]:
    """Rules that labels and geometry find broken, with what was found and expected."""
    opened = OpenedReal(key or sample().key, members)
    suites = [each for each in SUITES["real_train"].samples if each.name in ("labels", "geometry")]
    return [f"{each.rule}: {each.found}; {each.expected}" for suite in suites for each in suite.check(opened)]


def changed(change: Change) -> list[str]:
    """The same of a sample whose metadata and record were changed."""
    draft = Draft(sample().key, dict(sample().members))
    edited(change)(draft, np.random.default_rng(0))
    return broken(draft.members)


def twins(meta: Record, record: Record) -> None:
    """The mover was matched as the only one of its class, but there is another of it."""
    mover, other = (next(each for each in meta["objects"] if each["role"] == role) for role in ("mover", "landmark"))
    mover["match"]["kind"], other["label"] = "unique", mover["label"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda meta, record: meta["certification"].update(tracked=0.1), "certified by tracks: 0.10 of the mover"),
        (lambda meta, record: meta["certification"].update(track=[-90.0, 0.0]), "stated direction: "),
        (lambda meta, record: record["provenance"].update(task="Flip the mug"), "task of the episode: it is to Flip"),
        (twins, "the only one of its class"),
    ],
)
def test_statements_that_break_a_rule(change: Change, told: str) -> None:
    assert broken(dict(sample().members)) == []
    assert any(told in each for each in changed(change))


def repainted(**images: Callable[[np.ndarray[Any, Any]], None]) -> list[str]:
    """Of a sample whose id images were painted over."""
    members = dict(sample().members)
    for moment, paint in images.items():
        ids = decode_ids(members[f"seg_{moment}.png16"]).copy()
        paint(ids)
        members[f"seg_{moment}.png16"] = encode_ids(ids)
    return broken(members)


def mask_of(ids: np.ndarray[Any, Any], instance_id: int) -> tuple[np.ndarray[Any, Any], int, int]:
    """Its mask, and the middle of its box."""
    mask = ids == instance_id
    rows, columns = np.nonzero(mask)
    return mask, int(rows.min() + rows.max()) // 2, int(columns.min() + columns.max()) // 2


def test_a_mover_that_was_knocked_over() -> None:
    record = OpenedReal(sample().key, sample().members).record

    def tall(ids: np.ndarray[Any, Any]) -> None:
        mask, _, middle = mask_of(ids, record.mover.id)
        ids[mask & (np.abs(np.arange(ids.shape[1]) - middle) > 12)] = 0

    def lying(ids: np.ndarray[Any, Any]) -> None:
        mask, middle, _ = mask_of(ids, record.mover.id)
        ids[mask & (np.abs(np.arange(ids.shape[0])[:, None] - middle) > 12)] = 0

    assert any(each.startswith("mover knocked over: ") for each in repainted(before=tall, after=lying))
    assert not any(each.startswith("mover knocked over: ") for each in repainted(before=tall))


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_landmark_that_the_arm_touches(moment: str) -> None:
    record = OpenedReal(sample().key, sample().members).record

    def touch(ids: np.ndarray[Any, Any]) -> None:
        _, row, column = mask_of(ids, record.landmarks[0].id)
        ids[row - 1 : row + 2, column - 1 : column + 2] = 1

    assert any(each.startswith("landmark beside the arm: ") for each in repainted(**{moment: touch}))


def test_what_is_behind_things_may_be_far() -> None:
    members = dict(sample().members)
    for name in ("depth_before.png16", "depth_after.png16"):
        depth = decode_depth(members[name]).copy()
        depth[decode_ids(members[name.replace("depth", "seg")]) == 0] = 40.0
        members[name] = encode_depth(depth)
    assert broken(members) == []


def test_marks_keep_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = (*LAYOUT[:5], Disc.still("lemon", 0.16, 1.0, 0.035))
    rules = []
    for least in (landmarks.LEAST_APART, 0.0):
        monkeypatch.setattr(landmarks, "LEAST_APART", least)
        made = next(iter(samples(layout).values()))
        rules.append([each.partition(": ")[0] for each in broken(made.members, made.key)])
    assert rules == [[], ["landmark beside a marked object"] * 2]
