"""Small hand-made releases: everything a real one has, drawn in a millisecond."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from flowbench import __version__
from flowbench.builders.index import write_index
from flowbench.builders.manifest import constraints_sha256, write_manifest
from flowbench.builders.shards import write_shard
from flowbench.cards import write_card
from flowbench.encoding import encode_depth, encode_flow, encode_ids, encode_instances, encode_rgb
from flowbench.release import UNRELEASED, Manifest, Sample, SplitFiles, index_path, shard_path
from flowbench.release.last import remember
from flowbench.schema import SimRecord, config_spec, to_json

WIDTH, HEIGHT = 32, 24
OBJECTS = {1: ("Floor|1", "Floor"), 2: ("Mug|2", "Mug"), 3: ("Box|3", "Box"), 700: ("Wall|700", "Wall")}
STEP = 4
"""The mover's shift to the right, pixels."""


def instance_ids(shift: int) -> NDArray[np.uint16]:
    """(H, W) uint16: a wall above a floor, a box that stays, a mug ``shift`` pixels from where it began."""
    ids = np.full((HEIGHT, WIDTH), 700, np.uint16)
    ids[HEIGHT // 2 :] = 1
    ids[10:18, 22:28] = 3
    ids[12:19, 5 + shift : 10 + shift] = 2
    return ids


def depth_map(ids: NDArray[np.uint16]) -> NDArray[np.float32]:
    """(H, W) float32 metres: the floor comes nearer towards the lower edge; a hole of no depth in the corner."""
    floor = 4.0 - np.arange(HEIGHT, dtype=np.float32)[:, None] * 0.1 + np.zeros_like(ids, np.float32)
    depth = np.select([ids == 700, ids == 1, ids == 2], [np.float32(5.0), floor, np.float32(2.25)], np.float32(2.5))
    depth[:2, :3] = 0.0
    return depth.astype(np.float32)


def flow_map() -> NDArray[np.float64]:
    """(H, W, 2) pixels: the mug moves, nothing else does."""
    flow = np.zeros((HEIGHT, WIDTH, 2))
    flow[instance_ids(0) == 2, 0] = STEP
    return flow


def picture(ids: NDArray[np.uint16], seed: int, *, marked: bool = False) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: a colour an object, a little noise, and a red dot if ``marked``."""
    noise = np.random.default_rng(seed).integers(0, 20, (HEIGHT, WIDTH, 3))
    rgb = np.stack([ids * 37 % 200, ids * 91 % 200, ids * 53 % 200], axis=-1) + noise
    if marked:
        rgb[14:16, 6:8] = (230, 20, 20)
    return rgb.astype(np.uint8)


def make_record(key: str, number: int, pool: str = "homes_train", **changes: Any) -> SimRecord:
    """A valid record; ``changes`` replace its top-level fields. Every third has no before-answer."""
    before, after = encode_instances(instance_ids(0)), encode_instances(instance_ids(STEP))
    mover = {"id": 2, "object": "Mug|2", "type": "Mug", "name": "the mug marked red"}
    landmark = {"id": 3, "object": "Box|3", "type": "Box", "name": "the box marked blue"}
    fields: dict[str, Any] = {
        "id": key,
        "category": ("left_right", "near_object", "closer_to")[number % 3],
        "scene_id": f"{pool}-{number:06d}",
        "view_id": f"{pool}-{number:06d}-v00",
        "source": "bullet",
        "motion_text": "Suppose the mug marked red is moved 0.40 m to the right, as seen from the camera.",
        "question": "Is the mug marked red left or right of the box marked blue?",
        "choices": ["left", "right"],
        "answer": "A",
        "answer_text": "left",
        "static_question": "Is the mug marked red left or right of the box marked blue?",
        "before_answer": None if number % 3 == 2 else "A",
        "flipped": None if number % 3 == 2 else False,
        "relation": "left",
        "threshold": 0.5 if number % 3 == 1 else None,
        "measure": "nearest" if number % 3 else None,
        "mover": {**mover, "distance_before": None, "distance_after": None},
        "landmarks": [{**landmark, "distance_before": 0.75, "distance_after": 0.35}],
        "motion": {
            "direction": "right",
            "distance": 0.4,
            "length_band": "0.35-0.54",
            "right": 0.4,
            "away": 0.0,
            "world": [0.4, 0.0, 0.0],
            "camera": [0.4, 0.0, 0.0],
        },
        "probe": None,
        "margin": 6.0,
        "margin_unit": "px",
        "marks": [
            {
                "id": 2,
                "object": "Mug|2",
                "colour": "red",
                "rgb": [230, 20, 20],
                "radius": 1.5,
                "before": [6.5, 14.5],
                "after": [6.5 + STEP, 14.5],
            }
        ],
        "camera": {
            "width": WIDTH,
            "height": HEIGHT,
            "k": [[16.0, 0.0, 15.5], [0.0, 16.0, 11.5], [0.0, 0.0, 1.0]],
            "camera_from_world": np.eye(4).tolist(),
        },
        "segments": [
            {
                "id": instance_id,
                "object": name,
                "type": kind,
                "before": before[instance_id],
                "after": None if instance_id == 3 and number % 2 else after[instance_id],
            }
            for instance_id, (name, kind) in OBJECTS.items()
        ],
        "reasoning": {"gt": "0.75 m, then 0.35 m: A.", "after": "It stands left: A.", "before": "It stays left: A."},
        "provenance": {
            "builder_version": __version__,
            "label_version": 1,
            "seed": 0,
            "pool": pool,
            "scene": number,
            "view": 0,
            "preset": "balanced",
            "simulator": "bullet",
            "simulator_version": "synthetic",
            "rewriter": None,
        },
    }
    return SimRecord.model_validate(fields | changes)


def make_sample(key: str, number: int, pool: str = "homes_train", **changes: Any) -> Sample:
    """A complete sample of ``sim_*``; ``changes`` replace fields of its record."""
    before, after = instance_ids(0), instance_ids(STEP)
    depth = depth_map(before)
    record = make_record(key, number, pool, **changes)
    return Sample(
        key,
        {
            "before.png": encode_rgb(picture(before, number)),
            "after.png": encode_rgb(picture(after, number)),
            "before_marked.png": encode_rgb(picture(before, number, marked=True)),
            "after_marked.png": encode_rgb(picture(after, number, marked=True)),
            "depth_before.png16": encode_depth(depth),
            "depth_after.png16": encode_depth(depth_map(after)),
            "seg_before.png16": encode_ids(before),
            "seg_after.png16": encode_ids(after),
            "flow.png16": encode_flow(flow_map(), depth > 0),
            "json": to_json(record),
            "meta.txt": to_json({"m0": {"objects": [{"id": 2, "height": 0.1}]}, "m1": {}, "odd": [number, 1.0, None]}),
        },
    )


def make_release(
    root: Path, n: int = 4, configs: tuple[str, ...] = ("sim_train", "sim_test"), **changes: Any
) -> Manifest:
    """Write a release of ``n`` samples a split, each split in two shards; ``changes`` replace fields of all records."""
    manifest_configs = {}
    scenes = {}
    number = 0
    for name in configs:
        spec = config_spec(name)
        manifest_configs[name] = {}
        for split in spec.splits:
            samples = [make_sample(f"{split}-{number + i:05d}", number + i, spec.pools[0], **changes) for i in range(n)]
            number += n
            halves = [samples[: n // 2], samples[n // 2 :]]
            shards = [
                write_shard(root, shard_path(name, split, i, len(halves)), spec, half) for i, half in enumerate(halves)
            ]
            index = write_index(root, index_path(name, split), spec, [shard.path for shard in shards])
            manifest_configs[name][split] = SplitFiles(shards=shards, index=index)
        scenes[spec.pools[0]] = number
    manifest = Manifest(
        version=UNRELEASED,
        builder_version=__version__,
        constraints_sha256=constraints_sha256(),
        seed=0,
        preset="balanced",
        simulator="bullet",
        width=WIDTH,
        height=HEIGHT,
        shard_bytes=100_000_000,
        scenes=scenes,
        configs=manifest_configs,
    )
    write_card(root, manifest)
    write_manifest(root, manifest)
    return manifest


def found_unnamed(place: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release of ``sim_test`` at ``place`` that loaders find although nobody names it, and why they do."""
    make_release(place, 2, ("sim_test",))
    if how == "it was built last":
        remember(place)
    else:
        monkeypatch.setenv("FLOWBENCH_ROOT", str(place))
    return place
