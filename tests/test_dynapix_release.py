"""Whole builds of collision configs: the same bytes however they are built, and a corpus that fits its queries."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.building import published
from typer.testing import CliRunner

from flowbench.builders.dynapix.producing.retrieval import RetrievalProducer
from flowbench.builders.forecast import forecast
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import BuildReport, Silent
from flowbench.builders.runner import build
from flowbench.cli.app import app
from flowbench.collisions.filming import Studio
from flowbench.collisions.run import Run
from flowbench.collisions.setup import from_json
from flowbench.encoding import decode_rgb
from flowbench.encoding.video import decode_video
from flowbench.errors import UsageError
from flowbench.release import Sample, read_manifest
from flowbench.release.tar import iter_samples
from flowbench.schema import config_spec, record_from_json
from flowbench.schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

SEED = 3


def built(out: Path, *configs: str, scenes: int = 5, **changes: Any) -> BuildReport:
    fields: dict[str, Any] = {"seed": SEED, "engine": "serial"} | changes
    return build(BuildOptions(configs, out, scenes, **fields), Silent())


def samples(out: Path, config: str) -> Mapping[str, Sample]:
    return {
        sample.key: sample for path in sorted((out / "data" / config).glob("*.tar")) for sample in iter_samples(path)
    }


def records(out: Path, config: str) -> list[Any]:
    kind = config_spec(config).record
    return [record_from_json(kind, sample.members["json"], key) for key, sample in samples(out, config).items()]


@functools.cache
def studio() -> Studio:
    return Studio()


def filmed(setup: Any, poses: Any, frame: int, erased: int | None) -> np.ndarray:
    """A picture made from what ``meta.txt`` says of a frame."""
    rows = np.array([[np.nan] * 7 if row is None else row for row in poses])
    still = np.zeros((128, len(rows), 3))
    run = Run(np.broadcast_to(rows, (128, *rows.shape)), still, still, (), ())
    return studio().film(from_json(setup), run, [frame], erased)[0][0]


@pytest.mark.slow
def test_workers_change_no_byte_and_scenes_can_be_added(tmp_path: Path) -> None:
    small = {"scenes": 10, "shard_bytes": 3_000_000}
    built(tmp_path / "one", "selection_matched", **small)
    built(tmp_path / "two", "selection_matched", **small, engine="local", workers=2)
    built(tmp_path / "grown", "selection_matched", scenes=5, shard_bytes=3_000_000)
    grown = built(tmp_path / "grown", "selection_matched", **small)
    assert grown.changed
    whole = published(tmp_path / "one")
    assert len([path for path in whole if path.endswith(".tar")]) > 1
    assert published(tmp_path / "two") == whole
    assert published(tmp_path / "grown") == whole
    state = tmp_path / "one" / ".build" / "selection_matched"
    for path in (state / "complete.json", state / "propose" / "000001.json", *sorted((state / "write").iterdir())[:1]):
        path.unlink()
    (tmp_path / "one" / "manifest.json").unlink()
    assert built(tmp_path / "one", "selection_matched", **small).changed
    assert published(tmp_path / "one") == whole
    assert not built(tmp_path / "one", "selection_matched", **small).changed


@pytest.mark.slow
def test_a_selection_release(tmp_path: Path) -> None:
    built(tmp_path, "selection_test", seed=4)  # of whose five scenes one question has a twin
    made = samples(tmp_path, "selection_test")
    assert len(made) >= 6
    manifest = read_manifest(tmp_path)
    assert manifest.scenes == {"collisions": 5}
    for key, sample in made.items():
        record = record_from_json(SelectionRecord, sample.members["json"], key)
        assert record.id == key
        assert record.candidates[ord(record.answer) - ord("A")].kind == "target"
        assert record.candidates[ord(record.answer) - ord("A")].frame == record.target_frame
        order = sorted((each.frame, each.variant, each.letter) for each in record.candidates)
        assert [letter for *_, letter in order].index(record.answer) + 1 == record.rank
        assert record.rationale
        pictures = [decode_rgb(sample.members[f"candidate_{number}.png"]) for number in range(4)]
        assert {picture.shape for picture in pictures} == {(320, 480, 3)}
        assert len({picture.tobytes() for picture in pictures}) == 4
        assert decode_video(sample.members["video.mp4"]).shape[0] == len(record.prefix.shown)
    assert {candidate.variant for record in records(tmp_path, "selection_test") for candidate in record.candidates} == {
        "factual",
        "twin-0",
    }
    key, sample = next((k, s) for k, s in made.items() if b'"twin-0"' in s.members["json"])
    meta = json.loads(sample.members["meta.txt"])
    for number, each in enumerate(meta["frames"]):
        assert (each["setup"] is not None) == each["variant"].startswith("twin")
        again = filmed(each["setup"] or meta["setup"], each["poses"], each["frame"], each["erased"])
        assert np.array_equal(again, decode_rgb(sample.members[f"candidate_{number}.png"])), (key, number)


@pytest.mark.slow
def test_a_corpus_holds_every_target_and_negative(tmp_path: Path) -> None:
    out = tmp_path / "r"
    done = CliRunner().invoke(app, ["build", "retrieval_test", "--scenes", "10", "--seed", "3", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "retrieval_corpus is built as well: retrieval_test is of no use without it." in done.output
    queries, frames = records(out, "retrieval_test"), records(out, "retrieval_corpus")
    assert len(queries) >= 6
    assert len(frames) == 52
    there = {frame.frame_id: frame for frame in frames}
    assert len(there) == len(frames)
    for query in queries:
        assert isinstance(query, RetrievalRecord)
        assert there[query.target_frame_id].frame_index == query.target_frame
        assert set(query.negatives) <= set(there)
        assert query.target_frame_id not in query.negatives
    assert any(query.intervention is not None for query in queries)
    shown = samples(out, "retrieval_corpus")
    for key in [next(k for k in shown if kind in k) for kind in ("factual", "without", "erased")]:
        meta = json.loads(shown[key].members["meta.txt"])
        again = filmed(meta["setup"], meta["poses"], meta["frame"], meta["erased"])
        assert np.array_equal(again, decode_rgb(shown[key].members["frame.png"])), key
        assert isinstance(record_from_json(CorpusRecord, shown[key].members["json"], key), CorpusRecord)
    with pytest.raises(UsageError, match="holds 10 scenes of retrieval_test, but 15 of the same pool"):
        built(out, "retrieval_corpus", scenes=15)


@pytest.mark.slow
def test_a_corpus_is_the_same_whether_or_not_its_queries_spare_it_proposing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(tmp_path / "alone", "retrieval_corpus")
    built(tmp_path / "beside", "retrieval_test")
    monkeypatch.setattr(RetrievalProducer, "propose", lambda *_: pytest.fail("proposed again"))
    built(tmp_path / "beside", "retrieval_corpus")
    one, other = (tmp_path / name / "data" / "retrieval_corpus" for name in ("alone", "beside"))
    assert published(one) == published(other) != {}


@pytest.mark.slow
def test_training_queries_bring_their_pictures(tmp_path: Path) -> None:
    built(tmp_path, "retrieval_train", scenes=1)
    made = samples(tmp_path, "retrieval_train")
    assert len(made) >= 4
    for key, sample in made.items():
        record = record_from_json(RetrievalRecord, sample.members["json"], key)
        assert len(record.negatives) == 4
        pictures = [sample.members[name] for name in ("target.png", *(f"negative_{n}.png" for n in range(4)))]
        assert len(set(pictures)) == 5
        assert decode_video(sample.members["video.mp4"]).shape[0] == record.prefix.last - record.prefix.first + 1
        meta = json.loads(sample.members["meta.txt"])
        assert (meta["removed"] is None) == (meta["without"] is None) == (record.intervention is None)


@pytest.mark.slow
def test_the_papers_distractors_are_of_other_scenes(tmp_path: Path) -> None:
    built(tmp_path, "selection_test", preset="paper")
    found = records(tmp_path, "selection_test")
    kinds = {candidate.kind for record in found for candidate in record.candidates}
    assert kinds == {"target", "same_scene", "other_scene"}
    cross = next(record for record in found if any(c.kind == "other_scene" for c in record.candidates))
    meta = json.loads(samples(tmp_path, "selection_test")[cross.id].members["meta.txt"])
    others = [each["setup"]["scene"] for each in meta["frames"] if each["setup"] is not None]
    assert len(others) == 3
    assert set(others) <= {9, 14, 19}


@pytest.mark.parametrize("config", ["selection_test", "selection_matched", "retrieval_test", "retrieval_corpus"])
@pytest.mark.parametrize("scenes", [1, 4])
def test_too_few_scenes_are_told_before_anything_is_done(tmp_path: Path, config: str, scenes: int) -> None:
    said = rf"{scenes} scenes? gave nothing to ask \(one scene of 5, the last, is for .* --scenes, 5 at least"
    with pytest.raises(UsageError, match=said):
        built(tmp_path / "out", config, scenes=scenes)
    assert not (tmp_path / "out").exists()
    with pytest.raises(UsageError, match=said):
        forecast(BuildOptions((config,), tmp_path / "out", scenes))
