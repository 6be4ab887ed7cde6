"""Facts of pictures: digests of their bytes, and a hash that looks alike have alike."""

from __future__ import annotations

import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from support.loose import loose_sample, loose_samples

from flowbench.validation.facts import facts_of, perceptual_hash

ALIKE, UNLIKE = 8, 12
"""Bits that near-duplicates differ in at most, and others at least."""


def bits(one: int, other: int) -> int:
    return (one ^ other).bit_count()


def scene(seed: int) -> NDArray[np.uint8]:
    """Blocks of colour, as a room has them."""
    blocks = np.random.default_rng(seed).integers(0, 256, (6, 8, 3))
    return np.kron(blocks, np.ones((20, 20, 1), np.int64)).astype(np.uint8)


def test_facts_of_a_published_sample(release: Path) -> None:
    loose = loose_sample(release)
    facts = facts_of(loose.opened())
    assert facts["scene_id"] == loose.record["scene_id"]
    assert facts["category"] == "left_right"
    for moment in ("before", "after"):
        assert facts[f"{moment}_sha256"] == hashlib.sha256(loose.members[f"{moment}.png"]).hexdigest()
        assert facts[f"{moment}_phash"] == perceptual_hash(loose.image(f"{moment}.png"))


def test_the_hash_fits_in_64_bits_and_half_of_them_are_set() -> None:
    for seed in range(20):
        value = perceptual_hash(scene(seed))
        assert 0 <= value < 1 << 64
        assert value.bit_count() == 32


@pytest.mark.parametrize("seed", range(5))
def test_what_looks_alike_has_nearly_the_same_hash(seed: int) -> None:
    picture = scene(seed)
    noise = np.random.default_rng(seed).integers(-10, 11, picture.shape)
    larger = np.asarray(cv2.resize(picture, (400, 300), interpolation=cv2.INTER_CUBIC), np.uint8)
    retouched = picture.copy()
    retouched[50:53, 70:73] = 255
    for other in (np.clip(picture + noise, 0, 255).astype(np.uint8), larger, retouched, picture // 2 + 60):
        assert bits(perceptual_hash(picture), perceptual_hash(other)) <= ALIKE


def test_other_pictures_have_other_hashes() -> None:
    hashes = [perceptual_hash(scene(seed)) for seed in range(30)]
    apart = [bits(one, other) for i, one in enumerate(hashes) for other in hashes[:i]]
    assert min(apart) >= UNLIKE
    assert 28.0 < np.mean(apart) < 36.0


def test_views_of_a_release_differ(release: Path) -> None:
    """Samples of one view share the before picture; those of others do not look like it."""
    by_view = {
        each.record["view_id"]: perceptual_hash(each.image("before.png"))
        for some in loose_samples(release).values()
        for each in some
    }
    values = list(by_view.values())
    assert len(values) > 5
    assert len(set(values)) == len(values)
