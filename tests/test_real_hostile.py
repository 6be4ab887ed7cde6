"""Records and metadata of recorded pairs that no builder wrote: judged, or refused in one sentence."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from support.fuzzing import MEGABYTE, changed_json, examine, memory_limited
from support.plain_pairs import samples

from flowbench.errors import ReleaseError
from flowbench.schema import RealRecord, record_from_json
from flowbench.validation.real.meta import shared_meta
from flowbench.validation.real.opened import OpenedReal
from flowbench.validation.registry import SUITES

SAMPLE = samples()["closer_to-5"]
SUITES_OF_SAMPLES = SUITES["real_train"].samples


def judge(name: str, data: bytes) -> None:
    """All suites; what they find does not matter, but that they end."""
    opened = OpenedReal(SAMPLE.key, {**SAMPLE.members, name: data})
    _ = opened.record, opened.meta
    for suite in SUITES_OF_SAMPLES:
        for each in suite.check(opened):
            assert len(each.found) < 100_000


@pytest.mark.parametrize(("name", "examples", "reasons"), [("meta.txt", 60, 20), ("json", 60, 15)])
def test_changed_texts_of_a_sample(name: str, examples: int, reasons: int) -> None:
    valid: Any = json.loads(SAMPLE.members[name])

    def change(rng: Random) -> bytes:
        return changed_json(rng, valid)

    with memory_limited(400 * MEGABYTE):
        judged = examine(change, lambda data: judge(name, data), examples, ReleaseError)
    assert judged.accepted > 5
    assert len(judged.reasons) >= reasons


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda meta: meta.update(size=[640]), "1 numbers in size"),
        (lambda meta: meta.update(size=[1, 1]), "pictures of 1x1"),
        (lambda meta: meta.update(size=[10**5, 480]), "pictures of 100000x480"),
        (lambda meta: meta.update(k=[[1.0]]), "not 3x3"),
        (lambda meta: meta["k"][0].__setitem__(0, 0.0), "focal lengths 0"),
        (lambda meta: meta.update(plane_from_pixel=[[0.0, 0.0, 0.0]] * 2), "not 3x3"),
        (lambda meta: meta.update(plane_points=[[1.0, 2.0, 0.1, 0.2]]), "1 plane_points"),
        (lambda meta: meta["objects"][0].update(id=1), "expected different ones from 2"),
        (lambda meta: meta["objects"][0].update(object=meta["objects"][1]["object"]), "one name"),
        (lambda meta: meta["objects"][0]["before"].update(area=10**9), "in area"),
        (lambda meta: meta.update(format="flowbench-real/9"), "the format"),
    ],
)
def test_metadata_that_no_pair_has(change: Any, told: str) -> None:
    meta = json.loads(SAMPLE.members["meta.txt"])
    change(meta)
    opened = OpenedReal(SAMPLE.key, {**SAMPLE.members, "meta.txt": json.dumps(meta).encode()})
    with pytest.raises(ReleaseError, match=told):
        _ = opened.pair


def test_a_plane_whose_horizon_is_seen_gives_findings() -> None:
    meta = json.loads(SAMPLE.members["meta.txt"])
    meta["plane_from_pixel"] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    judge("meta.txt", json.dumps(meta).encode())


def test_nothing_is_remembered_of_refused_metadata() -> None:
    for _ in range(2):
        with pytest.raises(ReleaseError):
            shared_meta(b"[]")
    with pytest.raises(ReleaseError):
        record_from_json(RealRecord, b"{}", "the record")
