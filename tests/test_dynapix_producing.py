"""What the producers of collision scenes propose, refuse and write."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from flowbench.builders.dynapix.happenings import moment
from flowbench.builders.dynapix.presets import BALANCED, PAPER
from flowbench.builders.dynapix.producing import stage as staging
from flowbench.builders.dynapix.producing.base import NOT_REPRODUCED, CollisionProducer
from flowbench.builders.dynapix.producing.retrieval import corpus_size
from flowbench.builders.dynapix.producing.selection import SelectionProducer
from flowbench.builders.dynapix.producing.stage import Beside, Stage, draw_rejects, drawn, others_of, removable
from flowbench.builders.dynapix.scenes import FACTUAL, split_of
from flowbench.builders.forecast import ConfigPlan, forecast
from flowbench.builders.options import BuildOptions, with_companions
from flowbench.builders.producer import PRODUCERS, Producer
from flowbench.builders.rates import RATES
from flowbench.builders.runner import producer_for
from flowbench.encoding import decode_rgb
from flowbench.encoding.video import decode_video
from flowbench.errors import FlowbenchError, UsageError
from flowbench.release import Sample
from flowbench.schema import CONFIGS, record_from_json
from flowbench.schema.dynapix import SelectionRecord

SEED, SCENE = 3, 4
COLLIDING = tuple(name for name, spec in CONFIGS.items() if spec.pools == ("collisions",))


def producer(config: str, **changes: object) -> Producer:
    options = BuildOptions((config,), Path("unused"), 5, SEED)
    return producer_for(dataclasses.replace(options, **changes), config)  # type: ignore[arg-type]


@functools.cache
def matched() -> pl.DataFrame:
    """The candidates of one scene."""
    table, _ = producer("selection_matched").propose([SCENE])
    return table


@functools.cache
def pair() -> tuple[Sample, ...]:
    """The six samples of the scene's first draft."""
    kind = producer("selection_matched")
    rows = kind.select(matched())[0].head(6).to_dicts()
    made = list(kind.samples(rows))
    assert not any(isinstance(sample, str) for sample in made)
    return tuple(sample for sample in made if isinstance(sample, Sample))


def test_every_config_has_a_producer_and_rates() -> None:
    assert set(PRODUCERS) == set(CONFIGS) == set(RATES)


@pytest.mark.parametrize("config", COLLIDING)
def test_pictures_have_the_size_of_the_config(config: str) -> None:
    job = producer(config, width=800, height=600).job
    assert (job.width, job.height) == (480, 320)
    sim = producer("sim_test", width=640, height=480).job
    assert (sim.width, sim.height) == (640, 480)


@pytest.mark.parametrize("config", COLLIDING)
def test_what_cannot_be_done_is_refused(config: str) -> None:
    with pytest.raises(UsageError, match="unknown preset 'papre': did you mean 'paper'"):
        producer(config, preset="papre")
    with pytest.raises(UsageError, match="unknown simulator"):
        producer(config, simulator="bulet")


def test_matched_items_need_anchors() -> None:
    with pytest.raises(UsageError, match="preset paper, whose queries name no anchor to match: build it with"):
        producer("selection_matched", preset="paper")
    for config in COLLIDING:
        if config != "selection_matched":
            producer(config, preset="paper")


@pytest.mark.parametrize(
    ("asked", "built"),
    [
        (("retrieval_test",), ("retrieval_test", "retrieval_corpus")),
        (("retrieval_test", "sim_test"), ("retrieval_test", "sim_test", "retrieval_corpus")),
        (("retrieval_corpus", "retrieval_test"), ("retrieval_corpus", "retrieval_test")),
        (("retrieval_corpus",), ("retrieval_corpus",)),
        (("retrieval_train", "selection_test"), ("retrieval_train", "selection_test")),
    ],
)
def test_the_corpus_comes_with_its_queries(asked: tuple[str, ...], built: tuple[str, ...]) -> None:
    configs, added = with_companions(asked)
    assert configs == built
    assert bool(added) == (len(built) > len(asked))


def test_a_corpus_has_as_many_frames_a_scene_as_the_papers() -> None:
    assert corpus_size(387) == 10_000
    assert corpus_size(2_000) == 10_000
    assert [corpus_size(n) for n in (0, 1, 2)] == [0, 26, 52]


@pytest.mark.parametrize("config", COLLIDING)
def test_only_scenes_of_the_split_are_proposed(config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(
        "flowbench.builders.dynapix.producing.base.Stage", lambda seed, scene: seen.append(scene) or (seed, scene)
    )
    made = producer(config)
    monkeypatch.setattr(type(made), "plan", lambda self, stage: ([], {"odd": 1}))
    table, rejects = made.propose(range(10))
    assert seen == ([4, 9] if CONFIGS[config].splits == ("test",) else [0, 1, 2, 3, 5, 6, 7, 8])
    assert table.height == 0
    assert rejects["odd"] == len(seen)
    assert isinstance(made, CollisionProducer)
    assert dict(table.schema) == dict(made.schema)
    selected, _ = made.select(table)
    assert selected.height == 0
    assert {"split", "key", "category", "payload"} <= set(selected.columns)


@pytest.mark.parametrize("scene", [0, 3, 4, 8, 9])
def test_other_scenes_are_of_the_same_split(scene: int) -> None:
    others = others_of(scene)
    assert len(set(others)) == 3
    assert min(others) > scene
    assert {split_of(other) for other in others} == {split_of(scene)}


def test_rejected_draws_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    good, rejects = draw_rejects(SEED, 9, Beside(twins=1))
    found = [drawn(SEED, 9, twin) for twin in (0, 1)]
    assert good
    assert rejects.total() == sum(each.rejects.total() for each in found if each is not None)
    assert set(rejects) >= {f"twin: {reason}" for reason in (found[1].rejects if found[1] else {})}

    def never(seed: int, scene: int, twin: int = 0) -> None:
        raise FlowbenchError("none was good")

    monkeypatch.setattr(staging, "draw", never)
    assert draw_rejects(SEED + 100, 0, Beside()) == (False, {staging.NO_DRAW: 1})
    with pytest.raises(FlowbenchError, match="no good draw"):
        Stage(SEED + 100, 0).shot(FACTUAL)
    drawn.cache_clear()


def test_removed_bodies_collide_late_enough() -> None:
    for scene in (4, 9):
        stage = Stage(SEED, scene)
        bodies = removable(stage)
        assert bodies == removable(Stage(SEED, scene))
        assert len(bodies) <= 2
        for body in bodies:
            first = next(c for c in stage.shot(FACTUAL).run.collisions if body in c.pair)
            assert 28 <= moment(first) <= 115


def test_variants_of_a_scene() -> None:
    stage = Stage(SEED, SCENE)
    true, twin, erased = (stage.shot(name) for name in (FACTUAL, "twin-0", "erased-1"))
    assert [body.name for body in twin.setup.bodies] == [body.name for body in true.setup.bodies]
    assert (twin.setup.twin, true.setup.twin) == (1, 0)
    assert erased.run is true.run
    assert erased.erased == 1
    without = stage.shot("without-1")
    assert without.without == 1
    assert np.isnan(without.run.poses[:, 1]).all()
    assert stage.shot("other-0").setup.scene == 9
    assert stage.fingerprints(["twin-0"]).keys() == {FACTUAL, "twin-0"}
    assert stage.fingerprint("erased-1") == stage.fingerprint(FACTUAL) != stage.fingerprint("without-1")
    assert stage.fingerprint(FACTUAL) == Stage(SEED, SCENE).fingerprint(FACTUAL)


def test_matched_candidates_are_the_same_every_time() -> None:
    again, _ = producer("selection_matched").propose([SCENE])
    assert again.equals(matched())
    assert matched().height >= 4
    assert set(matched()["family"]) == {"matched"}


def test_six_items_share_their_candidates() -> None:
    samples = pair()
    keys = [sample.key for sample in samples]
    stem, _, _ = keys[0].partition("-event-")
    assert stem in ("collisions-000004-matched-0", "collisions-000004-matched-1")
    conditions = ("candidates_only", "full", "shuffled_prefix")
    assert keys == [f"{stem}-{anchor}-{control}" for anchor in ("event", "time") for control in conditions]
    records = [record_from_json(SelectionRecord, sample.members["json"], "json") for sample in samples]
    assert len({record.pair for record in records}) == 1
    assert len({record.answer for record in records}) == 1
    for number in range(4):
        assert len({sample.members[f"candidate_{number}.png"] for sample in samples}) == 1
    assert len({sample.members["meta.txt"] for sample in samples}) == 1
    for anchor in ("event", "time"):
        assert len({record.query for record in records if record.anchor == anchor}) == 1
    for record, sample in zip(records, samples, strict=True):
        assert ("video.mp4" in sample.members) == (record.control != "candidates_only") == bool(record.prefix.shown)
        if record.control == "shuffled_prefix":
            assert sorted(record.prefix.shown) == list(range(record.prefix.first, record.prefix.last + 1))
            assert record.prefix.shown[-1] != record.prefix.last


def sampled() -> Iterator[tuple[SelectionRecord, Sample]]:
    for sample in pair()[:3]:
        yield record_from_json(SelectionRecord, sample.members["json"], "json"), sample


def test_videos_show_the_frames_that_the_record_names() -> None:
    reel = Stage(SEED, SCENE).reel(FACTUAL)
    for record, sample in sampled():
        if record.prefix.shown:
            shown = decode_video(sample.members["video.mp4"])
            assert shown.shape == (len(record.prefix.shown), 320, 480, 3)
            for place in (0, len(shown) - 1):
                true = reel.picture(record.prefix.shown[place])
                assert np.abs(shown[place].astype(int) - true.astype(int)).mean() < 2.0


def test_candidates_are_distinct_and_follow_from_the_meta() -> None:
    record, sample = next(sampled())
    pictures = [decode_rgb(sample.members[f"candidate_{number}.png"]) for number in range(4)]
    for one in range(4):
        for other in range(one):
            changed = (np.abs(pictures[one].astype(int) - pictures[other].astype(int)) > 24).any(axis=2).sum()
            assert changed >= BALANCED.changed_px
    meta = json.loads(sample.members["meta.txt"])
    assert set(meta) == {"setup", "factual", "frames", "focus"}
    poses = np.array(meta["factual"]["poses"])
    assert [(each["variant"], each["frame"]) for each in meta["frames"]] == [
        (candidate.variant, candidate.frame) for candidate in record.candidates
    ]
    for each in meta["frames"]:
        assert np.array_equal(np.array(each["poses"]), poses[each["frame"]])
        assert (each["setup"], each["erased"]) == (None, None)


def test_what_does_not_come_out_again_is_dropped() -> None:
    kind = producer("selection_matched")
    row = kind.select(matched())[0].to_dicts()[0]
    content = json.loads(row["payload"])
    content["runs"]["factual"] = "0" * 16
    assert list(kind.samples([row | {"payload": json.dumps(content)}])) == [NOT_REPRODUCED]


def test_presets_say_what_stands_beside_a_scene() -> None:
    found = [producer("selection_test", preset=preset) for preset in ("balanced", "paper")]
    assert [kind.beside() for kind in found if isinstance(kind, SelectionProducer)] == [Beside(1, 0), Beside(0, 3)]
    assert (BALANCED.anchored, PAPER.anchored) == (True, False)


@pytest.mark.parametrize("config", COLLIDING)
def test_expectations_grow_up_to_the_papers_numbers(config: str) -> None:
    kind = producer(config)
    counts = [kind.expected(scenes)[0] for scenes in (5, 50, 500, 100_000)]
    assert counts == sorted(counts)
    assert counts[0] >= 1
    most = {"selection_train": 9_368, "selection_test": 2_208, "retrieval_train": 22_500, "retrieval_test": 2_002}
    if config in most:
        assert counts[-1] == most[config]


def test_a_plan_tells_of_the_configs_own_size(tmp_path: Path) -> None:
    def plan(**size: int) -> ConfigPlan:
        options = BuildOptions(("retrieval_test",), tmp_path / "r", 1000, SEED, engine="serial", **size)
        return forecast(options).configs[0]

    assert plan() == plan(width=80, height=60)
    assert plan().measured
    assert plan().write_hours == pytest.approx(plan().samples * RATES["retrieval_test"].write / 3600.0)
