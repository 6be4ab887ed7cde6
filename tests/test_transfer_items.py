"""Items of filmed scenes: both presets, whatever is wrong with scenes, and checks that find what is changed."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.filmed import billiard, short_clip, write_movi, write_physion

from flowbench.builders.dynapix.producing.base import NOT_REPRODUCED
from flowbench.builders.options import BuildOptions
from flowbench.builders.producer import Producer, Rejects
from flowbench.builders.rewriting import RewriterSettings
from flowbench.builders.runner import few_scenes, producer_for
from flowbench.encoding.video import decode_video
from flowbench.errors import ReleaseError, UsageError
from flowbench.release import Sample
from flowbench.schema import record_from_json, to_json
from flowbench.schema.dynapix import SelectionRecord
from flowbench.validation.dynapix.transfer.items import check_item
from flowbench.validation.dynapix.transfer.opened import OpenedTransfer
from flowbench.validation.registry import SUITES
from flowbench.validation.suites.base import SampleSuite

SCENES = 4
NOTE = {"endpoint": "https://llm.example.org/v1", "model": "m", "prompt": "teacher 1", "cache_sha256": "0"}


@pytest.fixture(scope="module")
def movi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("movi")
    for number in range(SCENES):
        write_movi(root / f"{number}", short_clip(number))
    return root


@pytest.fixture(scope="module")
def physion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("physion")
    for number in range(2):
        write_physion(root / "drop" / f"{number}.hdf5", billiard(number, 100, 512))
    return root


def producer(config: str, root: Path | None, preset: str = "balanced", **changes: Any) -> Producer:
    sources = {} if root is None else {config.partition("_")[2]: root}
    return producer_for(
        BuildOptions((config,), Path("unused"), 1, 3, preset=preset, sources=sources, **changes), config
    )


@functools.cache
def made(config: str, root: Path, preset: str, scenes: int) -> tuple[tuple[Sample, ...], Rejects]:
    kind = producer(config, root, preset)
    table, rejects = kind.propose(range(scenes))
    rows = kind.select(table)[0].to_dicts()
    samples = list(kind.samples(rows))
    return tuple(each for each in samples if isinstance(each, Sample)), rejects


def record(sample: Sample) -> SelectionRecord:
    return record_from_json(SelectionRecord, sample.members["json"], "the record")


def broken(sample: Sample, pool: str) -> set[str]:
    """Rules that the suites over samples find broken."""
    config = f"selection_{pool}"
    opened = OpenedTransfer(sample.key, sample.members)
    suites: tuple[SampleSuite[Any], ...] = SUITES[config].samples
    return {each.rule for suite in suites for each in suite.check(opened)}


@pytest.mark.parametrize("preset", ["balanced", "paper"])
@pytest.mark.parametrize("pool", ["movi", pytest.param("physion", marks=pytest.mark.slow)])
def test_items_are_what_their_preset_says(pool: str, preset: str, request: pytest.FixtureRequest) -> None:
    root: Path = request.getfixturevalue(pool)
    samples, _ = made(f"selection_{pool}", root, preset, SCENES if pool == "movi" else 2)
    records = [record(sample) for sample in samples]
    assert {each.category for each in records} == {"event", "time"}
    assert all(each.scene_id.startswith(f"{pool}-") and each.provenance.pool == pool for each in records)
    for sample, each in zip(samples, records, strict=True):
        assert broken(sample, pool) == set()
        kinds = sorted(one.kind for one in each.candidates)
        frames = {one.letter: one.frame for one in each.candidates}
        if preset == "balanced":
            assert kinds == ["same_scene"] * 3 + ["target"]
            gaps = np.diff(sorted(frames.values()))
            assert len(set(gaps.tolist())) == 1
        elif pool == "movi":
            assert kinds == ["other_scene"] * 2 + ["same_scene", "target"]
        else:
            assert kinds == ["other_scene", "same_scene", "same_scene", "target"]
            assert all(one.frame > each.target_frame for one in each.candidates if one.kind == "same_scene")
        assert each.prefix.fps == (12 if pool == "movi" else 30)
        assert len(decode_video(sample.members["video.mp4"])) == each.prefix.last - each.prefix.first + 1


@pytest.mark.slow
def test_regimes_end_ten_frames_before_their_event(physion: Path) -> None:
    samples, _ = made("selection_physion", physion, "paper", 2)
    subtypes = {each.subtype: each for each in map(record, samples)}
    assert {"A1-contact-10", "A2-motion-10", "A3-landing-10", "time-1-1", "time-1-2"} <= set(subtypes)
    assert all(each.horizon == 10 for name, each in subtypes.items() if name.endswith("-10"))
    assert {subtypes["time-1-1"].horizon, subtypes["time-1-2"].horizon} == {30, 60}
    assert "2 seconds after the observation ends" in subtypes["time-1-2"].query


@pytest.mark.slow
def test_balanced_states_its_anchor(physion: Path) -> None:
    samples, _ = made("selection_physion", physion, "balanced", 2)
    words = {
        "contact": "touch contact into meet",
        "motion": "move moving motion",
        "landing": "land lands landing ground",
    }
    for each in map(record, samples):
        _, kind, *_ = each.subtype.split("-")
        if each.category == "event":
            assert set(words[kind].split()) & set(each.query.lower().replace(".", "").replace("?", "").split())
        else:
            assert f"{each.horizon / 30:.1f} second" in each.query


Change = Callable[[dict[str, Any]], None]


def changed(sample: Sample, member: str, change: Change) -> Sample:
    plain = json.loads(sample.members[member])
    change(plain)
    data = to_json(SelectionRecord.model_validate(plain)) if member == "json" else to_json(plain)
    return Sample(sample.key, {**sample.members, member: data})


def put(*path: Any, value: Any) -> Change:
    """Put a value, or what a function makes of the former one, at a place."""

    def change(plain: dict[str, Any]) -> None:
        holder: Any = plain
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value(holder[path[-1]]) if callable(value) else value

    return change


def other_letter(plain: dict[str, Any]) -> None:
    plain["answer"] = "ABCD"["BCDA".index(plain["answer"])]


@pytest.mark.parametrize(
    ("member", "change", "rule"),
    [
        ("json", other_letter, "answer"),
        ("json", put("rank", value=lambda rank: rank % 4 + 1), "rank"),
        ("json", put("horizon", value=lambda horizon: horizon + 1), "horizon"),
        ("json", put("margin", value=lambda margin: margin + 0.1), "margin"),
        ("json", put("margin", value=2.0), "margin within its band"),
        ("json", put("target_frame", value=lambda frame: frame + 1), "answer"),
        ("json", put("subtype", value="A1-contact-6"), "next event"),
        ("json", put("subtype", value="A9-contact-10"), "subtype"),
        ("json", put("subtype", value="A2-contact-5"), "subtype"),
        ("json", put("prefix", "fps", value=25), "frames a second"),
        ("json", put("prefix", "first", value=lambda first: first + 1), "observation"),
        ("json", put("prefix", "shown", value=lambda shown: shown[1:]), "frames of the video"),
        ("json", put("candidates", 0, "kind", value="twin"), "kind"),
        ("json", put("candidates", 1, "letter", value="A"), "letters"),
        ("json", put("query", value="which one"), "sentence"),
        ("json", put("query", value=lambda text: text.replace(" after", " before")), "wording of a query"),
        ("json", put("query", value=lambda text: f"{text} It is the third."), "wording of a query"),
        ("json", put("query", value="Which image comes 0.4 seconds later?"), "stated time"),
        ("json", put("provenance", "pool", value="collisions"), "provenance"),
        ("json", put("source", value="bullet"), "source"),
        ("json", put("rationale", value="Because."), "fields of other items"),
        ("json", put("provenance", "rewriter", value=NOTE), "fields of other items"),
        ("meta.txt", put("scene", "touches", value=[]), "next event"),
        ("meta.txt", put("scene", "touches", value=lambda t: [*t, [13, 13, 0, 2]]), "next event"),
        ("meta.txt", put("scene", "fps", value=24), "frames a second"),
        ("meta.txt", put("scene", "visible", value=lambda rows: [[0] * 3 for _ in rows]), "event in sight"),
        ("meta.txt", put("frames", 0, "poses", value=lambda rows: rows[::-1]), "poses of a candidate"),
        ("meta.txt", put("frames", 0, "frame", value=lambda frame: frame - 1), "candidates"),
    ],
)
def test_what_is_changed_is_found(movi: Path, member: str, change: Change, rule: str) -> None:
    samples, _ = made("selection_movi", movi, "balanced", SCENES)
    sample = next(each for each in samples if record(each).subtype == "A1-contact-5" and record(each).target_frame > 13)
    assert rule in broken(changed(sample, member, change), "movi")


@pytest.mark.parametrize(
    "change",
    [
        put("scene", "poses", 3, value=None),
        put("scene", "poses", 3, 0, 0, value="x"),
        put("scene", "bodies", value=["a"]),
        put("scene", "touches", value=[[3, 2, 0, 1]]),
        put("scene", "touches", value=[[3, 4, 1, 0]]),
        put("scene", "touches", value=[[3, 4, 0, 9]]),
        put("scene", "fps", value=0),
        put("frames", value=[]),
        put("frames", 0, "name", value="0009"),
        put("frames", 0, "frame", value=99),
        put("more", value=1),
    ],
)
def test_metadata_that_cannot_be_are_refused(movi: Path, change: Change) -> None:
    sample = changed(made("selection_movi", movi, "balanced", SCENES)[0][0], "meta.txt", change)
    with pytest.raises(ReleaseError, match="is not what a filmed scene has"):
        _ = OpenedTransfer(sample.key, sample.members).meta


@pytest.mark.slow
def test_the_papers_mixture_is_checked(physion: Path) -> None:
    sample = made("selection_physion", physion, "paper", 2)[0][0]
    place = next(n for n, each in enumerate(record(sample).candidates) if each.kind == "same_scene")
    early = put("candidates", place, "frame", value=0)
    opened = OpenedTransfer(sample.key, changed(sample, "json", early).members)
    assert "source of distractors" in {each.rule for each in check_item(opened, "physion")}
    other = next(n for n, each in enumerate(record(sample).candidates) if each.kind == "other_scene")
    for name in ("drop/0", "collide/1"):
        strange = changed(sample, "meta.txt", put("frames", other, "name", value=name))
        assert "other scene" in broken(strange, "physion")


def test_broken_scenes_are_counted_and_the_others_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(3):
        write_movi(tmp_path / f"{number}", short_clip(number))
    (tmp_path / "1" / "events.json").unlink()
    (tmp_path / "2" / "rgba_00020.png").unlink()
    samples, rejects = made("selection_movi", tmp_path, "balanced", 4)
    assert {record(sample).scene_id for sample in samples} == {"movi-000000"}
    told = {reason: count for reason, count in rejects.items() if reason.startswith("scene: ")}
    assert told == {
        "scene: no events.json": 1,
        "scene: frames are missing": 1,
        "scene: the source has no more": 1,
    }
    assert [f"{name}" in caplog.text for name in ("1/events.json", "2/rgba_00020.png")] == [True, True]


def test_there_are_as_many_scenes_as_the_source_has(movi: Path, physion: Path) -> None:
    assert producer("selection_movi", movi).most_scenes() == SCENES
    configs, sources = ("selection_movi", "selection_physion"), {"movi": movi, "physion": physion}
    options = BuildOptions(configs, Path("unused"), 3, sources=sources)
    assert [few_scenes(options, wanted) for wanted in (1, 9)] == [1, 2]
    assert producer_for(options, configs[0]).most_scenes() == SCENES
    with pytest.raises(UsageError, match=r"^3 scenes of selection_physion .* has 2: ask for at most 2 --scenes"):
        producer_for(options, configs[1])
    with pytest.raises(UsageError, match="none were given: add --source physion=DIR"):
        few_scenes(replace(options, sources={"movi": movi}), 2)


def test_a_picture_that_the_video_alone_shows_may_be_broken(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(2):
        write_movi(tmp_path / f"{number}", short_clip(number))
    whole = (tmp_path / "1" / "rgba_00005.png").read_bytes()
    (tmp_path / "1" / "rgba_00005.png").write_bytes(whole[: len(whole) // 2])
    samples, rejects = made("selection_movi", tmp_path, "balanced", 2)
    assert {record(sample).scene_id for sample in samples} == {"movi-000000"}
    assert rejects["scene: a picture is broken"] == 1
    assert "1: rgba_00005.png cannot be decoded" in caplog.text


def test_another_scene_s_broken_picture_costs_that_scene_alone(tmp_path: Path) -> None:
    for number in range(5):
        write_movi(tmp_path / f"{number}", short_clip(number))
    for path in (tmp_path / "1").glob("rgba_*.png"):
        path.write_bytes(path.read_bytes()[:100])
    _, rejects = made("selection_movi", tmp_path, "paper", 5)
    assert rejects["scene: a picture is broken"] == 1


@pytest.mark.parametrize("fps", [1, 2, 3, 240])
def test_odd_rates_of_frames_leave_no_room_and_break_nothing(tmp_path: Path, fps: int) -> None:
    write_movi(tmp_path / "0", short_clip(0), fps)
    for preset in ("balanced", "paper"):
        samples, rejects = made("selection_movi", tmp_path, preset, 1)
        assert not any(record(sample).category == "time" for sample in samples)
        assert rejects["time: no moment leaves room for the target"]


def test_scenes_that_changed_are_not_reproduced(tmp_path: Path) -> None:
    for number in range(2):
        write_movi(tmp_path / f"{number}", short_clip(number))
    first = producer("selection_movi", tmp_path)
    rows = first.select(first.propose(range(2))[0])[0].to_dicts()
    again = producer("selection_movi", tmp_path)
    write_movi(tmp_path / "0", short_clip(3))
    (tmp_path / "1" / "metadata.json").unlink()
    from flowbench.builders.dynapix.transfer import stage

    stage._read.cache_clear()
    assert set(again.samples(rows)) == {NOT_REPRODUCED}


@pytest.mark.parametrize("config", ["selection_movi", "selection_physion"])
def test_what_cannot_be_done_is_refused(config: str, tmp_path: Path) -> None:
    source = config.partition("_")[2]
    with pytest.raises(UsageError, match=rf"none were given: add --source {source}=DIR, DIR being a folder with"):
        producer(config, None)
    with pytest.raises(UsageError, match="holds no scenes, but"):
        producer(config, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is no folder, but"):
        producer(config, tmp_path / "file")
    with pytest.raises(UsageError, match="no texts that one may reword"):
        producer(config, tmp_path, rewriter=RewriterSettings.of("https://llm.example.org/v1", "a-model", tmp_path))
