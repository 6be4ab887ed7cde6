"""A release of ``real_train`` and ``real_test`` from drawn pairs (:mod:`.plain_pairs`), made in seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from flowbench import __version__
from flowbench.builders.index import write_index
from flowbench.builders.manifest import constraints_sha256, write_manifest
from flowbench.builders.shards import write_shard
from flowbench.cards import write_card
from flowbench.release import UNRELEASED, Manifest, Sample, SplitFiles, index_path, shard_path
from flowbench.schema import config_spec
from flowbench.validation.real.shares import capped_shares

from .plain_pairs import LAYOUT, SIZE, Disc, samples

TEST_OF, TEST_IS = 5, 4
COLUMNS = ("category", "choices", "answer", "flipped", "relation", "motion")
CATEGORIES = ("left_right", "near_object", "occlusion", "depth_order")
"""What is asked of pairs to test on."""


def varied(scene: int) -> tuple[Disc, ...]:
    """The layout with everything a little elsewhere; of odd scenes the mug comes back, of others it goes."""
    rng = np.random.default_rng(scene)

    def moved(place: tuple[float, float], by: tuple[float, float]) -> tuple[float, float]:
        return place[0] + by[0], place[1] + by[1]

    discs = []
    for number, disc in enumerate(LAYOUT):
        step = (float(rng.uniform(-0.015, 0.015)), float(rng.uniform(-0.01, 0.01)))
        ends = (disc.before, disc.after) if scene % 2 or number else (disc.after, disc.before)
        discs.append(Disc(disc.label, moved(ends[0], step), moved(ends[1], step), disc.radius))
    return tuple(discs)


def pairs(count: int, *, testing: bool) -> Iterator[list[Sample]]:
    """The questions of so many pairs; to test on one of each, such that no cap is broken."""
    scene = 0
    rows: list[dict[str, Any]] = []
    while count:
        if (scene % TEST_OF == TEST_IS) == testing:
            found = [*_questions(varied(scene), scene).values()]
            if testing:
                found = _fitting(rows, found)
            if found:
                yield found
                count -= 1
        scene += 1


def _fitting(rows: list[dict[str, Any]], found: Sequence[Sample]) -> list[Sample]:
    """The first question, of the category asked the least so far, that keeps all caps; its row is added."""
    asked = [(json.loads(sample.members["json"]), sample) for sample in found]
    asked = [each for each in asked if each[0]["category"] in CATEGORIES]
    for record, sample in sorted(asked, key=lambda each: sum(r["category"] == each[0]["category"] for r in rows)):
        if all(each.met for each in capped_shares(pl.DataFrame([{name: record[name] for name in COLUMNS}, *rows]))):
            rows.append({name: record[name] for name in COLUMNS})
            return [sample]
    return []


def _questions(layout: tuple[Disc, ...], scene: int) -> Mapping[str, Sample]:
    try:
        return samples(layout, scene)
    except AssertionError:  # a pair that gives no questions
        return {}


def make_real_release(root: Path, train: int, test: int) -> Manifest:
    """Write a release of so many pairs a config, one shard a split."""
    configs = {}
    for name, count in (("real_train", train), ("real_test", test)):
        spec, split = config_spec(name), config_spec(name).splits[0]
        listed = sorted((s for own in pairs(count, testing=split == "test") for s in own), key=lambda s: s.key)
        shards = [write_shard(root, shard_path(name, split, 0, 1), spec, listed)]
        index = write_index(root, index_path(name, split), spec, [shard.path for shard in shards])
        configs[name] = {split: SplitFiles(shards=shards, index=index)}
    manifest = Manifest(
        version=UNRELEASED,
        builder_version=__version__,
        constraints_sha256=constraints_sha256(),
        seed=0,
        preset="balanced",
        simulator="bullet",
        width=SIZE[0],
        height=SIZE[1],
        shard_bytes=100_000_000,
        scenes={"tabletop": TEST_OF * max(train, test)},
        configs=configs,
    )
    write_card(root, manifest)
    write_manifest(root, manifest)
    return manifest
