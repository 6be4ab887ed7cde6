"""Members that no builder wrote are refused in one sentence, before anything is made of them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.drafts import DRAFTS, draft_near_object
from support.published import MOVER

from flowbench.encoding import encode_ids
from flowbench.errors import ReleaseError
from flowbench.geometry import Pose
from flowbench.validation.recompute import HomeMeta, PublishedSample, check, meta


def parse(text: str) -> HomeMeta:
    return HomeMeta.parse(text.encode())


def changed(change: Callable[[dict[str, Any]], None]) -> str:
    facts = draft_near_object().meta
    change(facts)
    return json.dumps(facts)


def set_quaternion(value: list[float]) -> Callable[[dict[str, Any]], None]:
    return lambda facts: facts["objects"][1]["before"].update(quaternion=value)


def set_vertex(value: float) -> Callable[[dict[str, Any]], None]:
    return lambda facts: facts["objects"][1]["parts"][0][0].__setitem__(0, value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("[" * 100_000, id="deeply nested"),
        pytest.param('{"a":' * 100_000, id="deeply nested objects"),
        pytest.param("{}", id="no format"),
        pytest.param(changed(lambda facts: facts.update(format="flowbench-home/2")), id="another format"),
        pytest.param(changed(set_vertex(float("nan"))), id="NaN"),
        pytest.param(changed(set_vertex(float("inf"))), id="Infinity"),
        pytest.param(changed(set_vertex(0.123456789)).replace("0.123456789", "1e999"), id="overflow"),
        pytest.param(changed(set_vertex(1e5)), id="another planet"),
        pytest.param(changed(set_quaternion([0.0, 0.0, 0.0, 0.0])), id="no rotation"),
        pytest.param(changed(set_quaternion([0.0, 0.0, 0.1, 1.0])), id="quaternion too long"),
        pytest.param(changed(lambda facts: facts["objects"].append(facts["objects"][1])), id="object twice"),
        pytest.param(changed(lambda facts: facts["objects"][1].update(id=0)), id="id of nothing"),
        pytest.param(changed(lambda facts: facts["objects"][1].update(parts=[[]])), id="empty part"),
        pytest.param(changed(lambda facts: facts["camera"]["camera_from_world"][0].__setitem__(0, 2.0)), id="shear"),
        pytest.param(changed(lambda facts: facts["camera"].update(width=10**9)), id="huge picture"),
        pytest.param(changed(lambda facts: facts["camera"].pop("k")), id="no intrinsics"),
        pytest.param(changed(lambda facts: facts["camera"]["k"][0].__setitem__(0, 1e9)), id="endless focal length"),
        pytest.param(changed(lambda facts: facts["camera"]["k"].pop()), id="intrinsics of two rows"),
        pytest.param(changed(lambda facts: facts["objects"][1].pop("room")), id="no room"),
        pytest.param(changed(lambda facts: facts["objects"][1].update(room="")), id="nameless room"),
    ],
)
def test_hostile_meta_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ReleaseError, match="build the sample again") as caught:
        parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_oversized_meta_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meta, "MAX_BYTES", 1000)
    with pytest.raises(ReleaseError, match="expected at most 1,000"):
        parse("[" * 1001)


def test_rounded_quaternion_is_normalised() -> None:
    """A pose is published with seven decimals; parts placed by it keep their size."""
    facts = draft_near_object().meta
    facts["objects"][1]["before"]["quaternion"] = list(Pose.upright(0.0, 0.0, 0.0, 0.5).quaternion)
    mover = parse(json.dumps(facts)).find(MOVER)
    (placed,) = mover.placed_parts(mover.before)
    assert math.dist(placed[0], placed[7]) == pytest.approx(0.2 * math.sqrt(3.0), abs=1e-12)


@pytest.mark.parametrize(
    ("column", "data"),
    [
        ("json", b"{}"),
        ("json", b"[" * 100_000),
        ("seg_before.png16", b"no picture"),
        ("seg_after.png16", encode_ids(np.zeros((5, 5), dtype=np.uint16))),
        ("depth_before.png16", encode_ids(np.zeros((5, 5), dtype=np.uint16))),
        ("depth_after.png16", b""),
    ],
)
def test_broken_member_is_refused(column: str, data: bytes) -> None:
    draft = draft_near_object()
    draft.extra[column] = data
    with pytest.raises(ReleaseError):
        PublishedSample.from_members(draft.members())


FLAT: list[list[list[list[float]]]] = [
    [[[0.0, 0.0, 0.0]]],
    [[[0.0, 0.0, 0.0]] * 9],
    [[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]],
    [[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]],
    [[[x, 0.0, 0.0] for x in (-1e4, 0.0, 1e4)]],
    [[[0.0, -2.0 + 1e-300, 0.0]]],
    [],
]


@pytest.mark.parametrize("parts", FLAT, ids=[f"parts {i}" for i in range(len(FLAT))])
@pytest.mark.parametrize("category", sorted(DRAFTS))
def test_shapes_that_no_object_has_are_told_not_raised(category: str, parts: list[list[list[float]]]) -> None:
    for instance_id in (7, 11, 31):
        draft = DRAFTS[category]()
        for each in draft.meta["objects"]:
            if each["id"] == instance_id:
                each["parts"] = parts
        assert isinstance(check(PublishedSample.from_members(draft.members())), list)


@pytest.mark.parametrize(("right", "away"), [(0.0, 0.0), (1e300, 0.0), (5e-324, 0.0), (-1e9, 1e9)])
def test_probes_that_nobody_asks_about_are_told_not_raised(right: float, away: float) -> None:
    draft = DRAFTS["feasibility"]()
    draft.record["probe"].update(right=right, away=away)
    words = [word for part, word in ((right, "right" if right > 0.0 else "left"), (away, "away")) if part]
    text = f"Moved {abs(right)} m {words} {round(abs(right), 2):f} {round(abs(away), 2):f}?"
    draft.record.update(question=text, static_question=text)
    assert check(PublishedSample.from_members(draft.members()))


def test_missing_member_is_named() -> None:
    members = draft_near_object().members()
    del members["meta.txt"]
    with pytest.raises(ReleaseError, match=r"lacks meta\.txt"):
        PublishedSample.from_members(members)


def test_nan_in_the_record_is_refused() -> None:
    draft = draft_near_object()
    draft.extra["json"] = draft.members()["json"].replace(b'"margin":0.1,', b'"margin":NaN,')
    with pytest.raises(ReleaseError, match="margin"):
        PublishedSample.from_members(draft.members())
