"""A real release, looked at as its users would: every sample, every column, every label."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.small import SCENES

from flowbench.builders.sim.categories import CATEGORIES
from flowbench.encoding import decode_depth, decode_flow, decode_ids, decode_rgb, decode_rle
from flowbench.geometry import Camera
from flowbench.release import Sample, file_sha256, iter_samples, read_manifest, shard_files
from flowbench.schema import SimRecord, config_spec, record_from_json
from flowbench.validation.recompute import PublishedSample, check


@pytest.fixture(scope="module")
def samples(release: Path) -> Sequence[tuple[Sample, SimRecord]]:
    """Every sample with its record."""
    return [
        (sample, record_from_json(SimRecord, sample.members["json"], sample.key))
        for path in shard_files(release, "sim_train")
        for sample in iter_samples(path)
    ]


def test_there_is_enough_of_everything(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    counts = Counter(record.category for _, record in samples)
    assert set(counts) == set(CATEGORIES)
    assert sum(counts.values()) >= 24
    assert {record.provenance.scene for _, record in samples} == set(range(SCENES))


def test_the_manifest_tells_the_truth(release: Path, samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    manifest = read_manifest(release)
    total = 0
    for files in manifest.configs["sim_train"].values():
        for receipt in (*files.shards, files.index):
            path = release / receipt.path
            assert (path.stat().st_size, file_sha256(path)) == (receipt.bytes, receipt.sha256)
        total += sum(shard.samples for shard in files.shards)
        assert pl.read_parquet(release / files.index.path).height == files.index.samples
    assert total == len(samples)


def test_every_sample_has_every_column_and_its_own_key(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    columns = {column.name for column in config_spec("sim_train").columns}
    assert all(set(sample.members) == columns for sample, _ in samples)
    assert len({sample.key for sample, _ in samples}) == len(samples)
    assert all(sample.key == record.id for sample, record in samples)


def test_every_label_is_recomputed_from_what_is_published(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    wrong = [found for sample, _ in samples for found in check(PublishedSample.from_members(sample.members))]
    assert not wrong, "\n".join(map(str, wrong))


def test_the_pictures_decode_and_agree(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for sample, record in samples:
        for moment in ("before", "after"):
            rgb = decode_rgb(sample.members[f"{moment}.png"])
            depth = decode_depth(sample.members[f"depth_{moment}.png16"])
            ids = decode_ids(sample.members[f"seg_{moment}.png16"])
            assert rgb.shape == (*ids.shape, 3) == (record.camera.height, record.camera.width, 3)
            assert ((depth > 0) == (ids > 0)).all()
            regions = {s.id: region for s in record.segments if (region := getattr(s, moment)) is not None}
            assert set(regions) == set(np.unique(ids).tolist()) - {0}
            for instance_id, region in regions.items():
                assert (decode_rle(region.counts, region.size) == (ids == instance_id)).all()


def test_the_flow_is_zero_where_nothing_moved_and_right_where_it_did(
    samples: Sequence[tuple[Sample, SimRecord]],
) -> None:
    for sample, record in samples:
        flow, valid = decode_flow(sample.members["flow.png16"])
        ids = decode_ids(sample.members["seg_before.png16"])
        depth = decode_depth(sample.members["depth_before.png16"]).astype(np.float64)
        assert (valid == (depth > 0)).all()
        mover = ids == record.mover.id
        assert not flow[valid & ~mover].any()
        if record.motion.world[2] != 0.0:
            continue  # settling may also turn the mover a little
        size = record.camera
        camera = Camera(size.width, size.height, size.k[0][0], np.array(size.camera_from_world))
        pixels = np.stack(np.meshgrid(np.arange(size.width), np.arange(size.height)), -1).astype(np.float64)
        moved, _ = camera.project(camera.unproject(pixels, depth)[mover] + np.array(record.motion.world))
        # depth is rounded to millimetres and flow to 1/64 px; at 1.5 m and more that is little
        assert np.abs(moved - pixels[mover] - flow[mover]).max() < 0.1


def test_marks_are_seen_on_their_objects(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for sample, record in samples:
        assert record.marks[0].id == record.mover.id
        assert sorted(mark.id for mark in record.marks[1:]) == sorted(each.id for each in record.landmarks)
        assert len({mark.colour for mark in record.marks}) == len(record.marks)
        for moment in ("before", "after"):
            ids = decode_ids(sample.members[f"seg_{moment}.png16"])
            clean = decode_rgb(sample.members[f"{moment}.png"])
            marked = decode_rgb(sample.members[f"{moment}_marked.png"])
            assert (clean != marked).any()
            for mark in record.marks:
                u, v = getattr(mark, moment)
                if not (record.category == "occlusion" and moment == "after" and mark.id != record.mover.id):
                    assert ids[round(v), round(u)] == mark.id
                else:
                    assert mark.after == mark.before, "a hidden thing's dot stays: a missing one would tell"
                assert mark.colour in (record.mover.name + " ".join(x.name for x in record.landmarks))


def test_a_dot_moves_as_its_object_does(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for sample, record in samples:
        flow, _ = decode_flow(sample.members["flow.png16"])
        for mark in record.marks:
            u, v = (round(x) for x in mark.before)
            shift = np.array(mark.after) - np.array(mark.before)
            assert np.abs(shift - flow[v, u]).max() <= 0.55  # dots sit on whole pixels


def test_objects_named_are_well_seen(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for _, record in samples:
        areas = {segment.id: segment.before.area for segment in record.segments if segment.before is not None}
        for mark in record.marks:
            assert areas[mark.id] >= 400 * (record.camera.width / 800) ** 2 - 1e-9
            # the dot leaves most of its object to see; a pixel or so at this size
            assert mark.radius**2 * np.pi <= areas[mark.id] / 3 + 3


def test_texts_are_whole_and_reasoning_ends_in_the_answer(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for _, record in samples:
        texts = [record.motion_text, record.question, record.static_question, *record.choices]
        reasoning = [record.reasoning.gt, record.reasoning.after, record.reasoning.before]
        for text in (*texts, *reasoning):
            assert not re.search(r"[{}]|None|  ", text), text
        assert all(text[0].isupper() for text in (*texts[:3], *reasoning))
        assert all(re.search(rf"\b{record.answer}\.$", text) for text in reasoning)
        assert not any(re.search(r"\d", text) for text in reasoning[1:])
        assert record.mover.name in record.motion_text.lower() or record.mover.name in record.motion_text
        assert record.answer_text == "; ".join(record.choices["ABCDEF".index(letter)] for letter in record.answer)
        assert len(set(record.choices)) == len(record.choices)


def test_the_motion_text_says_what_was_measured(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for _, record in samples:
        stated = [float(number) for number in re.findall(r"(\d+\.\d\d) m\b", record.motion_text)]
        assert stated == [abs(v) for v in (record.motion.right, record.motion.away) if v]
        assert math.dist((0, 0), record.motion.world[:2]) == pytest.approx(record.motion.distance, abs=0.006)
        assert record.motion.camera[0] == pytest.approx(record.motion.right, abs=0.006)


def numbers(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """The nearest key and the text of every number, where numbers were parsed to their texts in a list."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from numbers(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item, key)
    elif isinstance(value, Written):
        yield key, value


class Written(str):
    """A number as it stands in the text."""


def test_every_number_in_meta_text_but_ids_and_pixels_has_a_decimal_point(
    samples: Sequence[tuple[Sample, SimRecord]],
) -> None:
    """Readers that guess types from the first samples would otherwise take a length for an integer."""
    seen: Counter[str] = Counter()
    for sample, _ in samples[:: len(samples) // 4]:
        meta = json.loads(sample.members["meta.txt"], parse_int=Written, parse_float=Written)
        size = (meta["camera"].pop("width"), meta["camera"].pop("height"))
        assert not any("." in side for side in size)
        for key, text in numbers(meta):
            assert ("." in text) != (key == "id"), (key, text)
            seen[key] += 1
    assert {"position", "quaternion", "parts", "half", "frame", "aabb", "polygon", "height", "k"} <= set(seen)


def test_letters_and_cells_are_spread(samples: Sequence[tuple[Sample, SimRecord]]) -> None:
    for category in CATEGORIES:
        records = [record for _, record in samples if record.category == category]
        letters = Counter(record.answer for record in records)
        flipped = Counter(record.flipped for record in records)
        assert len(letters) >= 2, (category, letters)
        assert max(letters.values()) <= 0.75 * len(records), (category, letters)
        assert set(flipped) == ({None} if category == "occlusion" else {True, False}), (category, flipped)
