"""Leakage: what lies in two splits or configs is told, whatever it is called there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from flowbench.encoding import encode_rgb
from flowbench.release import Manifest
from flowbench.schema import config_spec
from flowbench.validation.corruption.rewriting import Draft, packed
from flowbench.validation.facts import perceptual_hash
from flowbench.validation.nearness import MOST_BITS, near_pairs
from flowbench.validation.suites.base import OpenedConfig
from flowbench.validation.suites.leakage import Leakage

Picture = NDArray[np.uint8]
NAMES = ("train", "validation")


def room(seed: int) -> Picture:
    """(60, 80, 3): soft patches, as unlike those of another seed as two rooms are."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return cv2.resize(coarse, (80, 60), interpolation=cv2.INTER_CUBIC)


def retouched(image: Picture) -> Picture:
    noise = np.random.default_rng(0).integers(-5, 6, image.shape)
    return (image * 1.04 + noise).clip(0, 255).astype(np.uint8)


def config(root: Path, name: str, splits: Mapping[str, Mapping[str, tuple[str, Picture, Picture]]]) -> OpenedConfig:
    """A config of these samples: split -> key -> scene, picture before, picture after."""
    rows = []
    for split, samples in splits.items():
        file = f"data/{name}/{split}-00000-of-00001.tar"
        drafts = []
        for key, (scene, *pictures) in samples.items():
            encoded = [encode_rgb(image) for image in pictures]
            drafts.append(Draft(key, dict(zip(("before.png", "after.png"), encoded, strict=True))))
            row: dict[str, object] = {"key": key, "split": split, "file": file, "scene_id": scene}
            for moment, image, data in zip(("before", "after"), pictures, encoded, strict=True):
                row[f"{moment}_sha256"] = hashlib.sha256(data).hexdigest()
                row[f"{moment}_phash"] = perceptual_hash(image)
            rows.append(row)
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(packed([entry for draft in drafts for entry in draft.entries()]))
    kinds = {"before_phash": pl.UInt64(), "after_phash": pl.UInt64()}
    facts = pl.DataFrame(rows, schema_overrides=kinds)
    return OpenedConfig(root, cast(Manifest, None), config_spec(name), pl.DataFrame(), facts)


def told(*configs: OpenedConfig) -> list[tuple[str, str | None]]:
    every = {each.spec.name: each for each in configs}
    return [(each.rule, each.key) for each in Leakage().check(configs[0], every).violations]


def test_splits_of_their_own_pass(tmp_path: Path) -> None:
    splits = {
        split: {f"{split}-{i}": (f"{split}-{i // 2}", room(10 * n + i // 2), room(10 * n + i // 2)) for i in range(6)}
        for n, split in enumerate(NAMES)
    }
    assert told(config(tmp_path, "sim_train", splits)) == []


def test_a_scene_in_two_splits_is_told_once(tmp_path: Path) -> None:
    both = {"train": {"a": ("s", room(1), room(2))}, "validation": {"b": ("s", room(1), room(3))}}
    assert told(config(tmp_path, "sim_train", both)) == [("scene in two splits", "a")]


def test_a_copy_under_another_name_is_told(tmp_path: Path) -> None:
    both = {"train": {"a": ("s", room(1), room(2))}, "validation": {"b": ("t", room(3), room(1))}}
    assert told(config(tmp_path, "sim_train", both)) == [("picture in two splits", "a")]


def test_a_retouched_picture_is_told(tmp_path: Path) -> None:
    both = {"train": {"a": ("s", room(1), room(2))}, "validation": {"b": ("t", retouched(room(1)), room(3))}}
    assert told(config(tmp_path, "sim_train", both)) == [("near-duplicate in two splits", "a")]


def test_pictures_of_one_split_may_be_alike(tmp_path: Path) -> None:
    train = {f"a{i}": (f"s{i}", room(1), retouched(room(1))) for i in range(3)}
    assert told(config(tmp_path, "sim_train", {"train": train, "validation": {"b": ("t", room(5), room(6))}})) == []


def test_another_config_counts_too(tmp_path: Path) -> None:
    train = config(tmp_path, "sim_train", {"train": {"a": ("s", room(1), room(2))}})
    test = config(
        tmp_path, "sim_test", {"test": {"b": ("t", retouched(room(2)), room(3)), "c": ("s", room(7), room(8))}}
    )
    assert told(train, test) == [("scene in two splits", "a")]
    other = config(tmp_path, "sim_test", {"test": {"b": ("t", retouched(room(2)), room(3))}})
    assert told(train, other) == [("near-duplicate in two splits", "a")]
    assert told(other, train) == [("near-duplicate in two splits", "b")]


def test_near_hashes_of_unlike_pictures_are_looked_at(tmp_path: Path) -> None:
    both = config(
        tmp_path, "sim_train", {"train": {"a": ("s", room(1), room(2))}, "validation": {"b": ("t", room(3), room(4))}}
    )
    same = both.facts.with_columns(pl.lit(5, pl.UInt64()).alias("before_phash"))
    findings = Leakage().check(OpenedConfig(tmp_path, both.manifest, both.spec, both.index, same), {})
    assert not findings.violations
    assert findings.tables[0].rows[0][-1] == "1"


def test_samples_that_could_not_be_read_are_passed_over(tmp_path: Path) -> None:
    nothing = pl.DataFrame({"key": ["a"], "split": ["train"], "file": ["x.tar"]})
    opened = OpenedConfig(tmp_path, cast(Manifest, None), config_spec("sim_train"), pl.DataFrame(), nothing)
    assert not Leakage().check(opened, {"sim_train": opened}).violations


def test_near_pairs_are_all_that_there_are() -> None:
    rng = np.random.default_rng(1)
    one, other = (rng.integers(0, 1 << 64, size, dtype=np.uint64) for size in (300, 2000))
    for place in range(300):
        flips = sum(1 << int(bit) for bit in rng.choice(64, place % (MOST_BITS + 3), replace=False))
        other[place] = one[place] ^ np.uint64(flips)
    left, right, bits = near_pairs(one, other, MOST_BITS)
    every = np.bitwise_count(one[:, None] ^ other[None, :])
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == set(
        zip(*map(list, np.nonzero(every <= MOST_BITS)), strict=True)
    )
    assert (bits == every[left, right]).all()
    assert (np.diff(bits.astype(int)) >= 0).all()


def test_farther_pairs_are_not_promised() -> None:
    with pytest.raises(ValueError, match="up to 7 bits"):
        near_pairs(np.zeros(1, np.uint64), np.zeros(1, np.uint64), MOST_BITS + 1)
