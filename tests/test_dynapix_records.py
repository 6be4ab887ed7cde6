"""Records and ``meta.txt`` of collision samples, made from items by hand."""

from __future__ import annotations

import dataclasses
import json

import numpy as np

from flowbench.builders.dynapix.items import CorpusFrame, Place, RetrievalQuery, SelectionItem
from flowbench.builders.dynapix.producing.choices import item_key
from flowbench.builders.dynapix.producing.meta import run_as_json
from flowbench.builders.dynapix.producing.records import Origin, corpus_record, retrieval_record, selection_record
from flowbench.builders.dynapix.producing.stage import drawn
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.filming import Studio
from flowbench.collisions.oracle import FRAMES

SEED, SCENE = 3, 4
ORIGIN = Origin(SEED, "balanced", "bullet", "1.0")


def test_a_body_left_out_has_null_for_numbers() -> None:
    found = drawn(SEED, SCENE)
    assert found is not None
    run = simulate(found.setup, 1)
    plain = json.loads(json.dumps(run_as_json(Studio().oracle(found.setup, run)), allow_nan=False))
    for table in ("poses", "velocities", "spins", "pixels"):
        assert len(plain[table]) == FRAMES
        assert all((frame[1] is None) and (frame[0] is not None) for frame in plain[table])
    assert all(frame[1] == 0 for table in ("visible", "whole") for frame in plain[table])
    assert np.array_equal(np.array([frame[0] for frame in plain["poses"]]), run.poses[:, 0])
    assert [tuple(each["pair"]) for each in plain["collisions"]] == [each.pair for each in run.collisions]


def test_keys_follow_from_slots() -> None:
    assert item_key({"scene": 7, "slot": "event 1"}) == "collisions-000007-event-0"
    assert item_key({"scene": 123456, "slot": "window 6"}) == "collisions-123456-window-5"


def test_a_selection_record() -> None:
    places = (Place("factual", 40), Place("twin-0", 46), Place("factual", 52), Place("factual", 58))
    kinds = ("same_scene", "twin", "target", "same_scene")
    item = SelectionItem(
        4,
        "test",
        "event",
        "future-cross-10",
        "What?",
        10,
        29,
        52,
        23,
        places,
        kinds,
        "C",
        3,
        (0,),
        12.3456789,
        "",
        (10, 11),
    )
    record = selection_record("k", item, ORIGIN)
    assert (record.scene_id, record.category, record.answer, record.rank) == ("collisions-000004", "event", "C", 3)
    assert [(c.letter, c.variant, c.frame, c.kind) for c in record.candidates] == [
        ("A", "factual", 40, "same_scene"),
        ("B", "twin-0", 46, "twin"),
        ("C", "factual", 52, "target"),
        ("D", "factual", 58, "same_scene"),
    ]
    assert (record.prefix.first, record.prefix.last, record.prefix.fps, record.prefix.shown) == (10, 29, 25, [10, 11])
    assert (record.margin, record.margin_unit, record.rationale, record.anchor) == (12.345679, "px", None, None)
    assert (record.provenance.scene, record.provenance.preset, record.provenance.pool) == (4, "balanced", "collisions")


def test_a_retrieval_record() -> None:
    wrong = (*(Place("without-2", frame) for frame in (40, 55, 90)), Place("erased-2", 70))
    query = RetrievalQuery(
        4, "test", 0, "counterfactual", "Without?", 0, 30, Place("without-2", 70), 40, wrong, "the red metal cube", 31.0
    )
    record = retrieval_record("k", query, 2, wrong[:3], ORIGIN)
    assert record.target_frame_id == "000004-without-2-070"
    assert record.negatives == ["000004-without-2-040", "000004-without-2-055", "000004-without-2-090"]
    assert record.intervention is not None
    assert (record.intervention.removed, record.intervention.body) == ("the red metal cube", 2)
    assert record.prefix.shown == list(range(31))
    plain = dataclasses.replace(query, builder=1, anchor="time", removed=None)
    assert retrieval_record("k", plain, None, (), ORIGIN).intervention is None


def test_a_corpus_record_says_nothing_of_why_it_is_there() -> None:
    records = [corpus_record(CorpusFrame(4, Place("erased-2", 70), needed), ORIGIN) for needed in (True, False)]
    assert records[0] == records[1]
    assert records[0].id == records[0].frame_id == "000004-erased-2-070"
    assert (records[0].variant, records[0].frame_index) == ("erased-2", 70)
