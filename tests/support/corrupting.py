"""Ways to corrupt a hand-made sample, and the rules that a recheck finds broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flowbench.validation.recompute import PublishedSample, check

from .published import MOVER, Draft

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


def shift_landmark(draft: Draft) -> None:
    for when in ("before", "after"):
        move_object(11, when, 0.01)(draft)


def second_landmark(draft: Draft) -> None:
    draft.record["landmarks"].append(draft.record["landmarks"][0])
