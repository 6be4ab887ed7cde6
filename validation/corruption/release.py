"""Corruptions of a release as a whole: manifest, card, index, files, splits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from flowbench.release import CARD, MANIFEST, Manifest, index_path
from flowbench.schema import config_spec

from .base import Break, Corruption, corruption
from .editing import picture, put_picture, put_record, record_of
from .rewriting import Draft, Place, Rewriting

Rng = np.random.Generator


def _card(pattern: str, change: Callable[[re.Match[str]], str]) -> Break:
    """The first match of a pattern in the card is replaced."""

    def apply(root: Path, rng: Rng) -> None:
        text, count = re.subn(pattern, change, (root / CARD).read_text("utf-8"), count=1)
        if not count:
            raise ValueError(f"the card of {root} has nothing like {pattern!r}: build the release again")
        (root / CARD).write_text(text, "utf-8")

    return apply


def _more(found: re.Match[str]) -> str:
    return f"{found[1]}{int(found[2]) + 1}"


def _manifest(change: Callable[[dict[str, Any]], None]) -> Break:
    """The manifest alone is changed, through its first config's first split."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        plain = release.manifest.model_dump()
        place = release.places()[0]
        change(plain["configs"][place.config][place.split])
        (root / MANIFEST).write_bytes(Manifest.model_validate(plain).to_bytes())

    return apply


def _wrong_sha(files: dict[str, Any]) -> None:
    files["shards"][0]["sha256"] = "0" * 64


def _wrong_count(files: dict[str, Any]) -> None:
    files["shards"][0]["samples"] += 1
    files["index"]["samples"] += 1


def _wrong_size(files: dict[str, Any]) -> None:
    files["shards"][0]["num_bytes"] += 1


def _index(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Break:
    """The index of a split is changed, manifest and card vouch for it."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        place = release.places()[0]
        frame = pl.read_parquet(root / index_path(place.config, place.split))
        release.put_index(place.config, place.split, change(frame))
        release.publish()

    return apply


def _stale_index(root: Path, rng: Rng) -> None:
    """Every record of a shard has new wording, the index has the old."""
    release = Rewriting(root)
    place = release.places()[0]
    old = pl.read_parquet(root / index_path(place.config, place.split))
    drafts = release.read(place)
    for draft in drafts:
        record = record_of(draft)
        record["question"] = record["question"].replace("?", " then?")
        put_record(draft, record)
    release.write(place, drafts)
    release.finish()
    release.put_index(place.config, place.split, old)
    release.publish()


def _flipped_byte(root: Path, rng: Rng) -> None:
    release = Rewriting(root)
    path = root / release.receipt(release.places()[0]).path
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _missing_shard(root: Path, rng: Rng) -> None:
    release = Rewriting(root)
    (root / release.receipt(release.places()[0]).path).unlink()


def _cut_index(root: Path, rng: Rng) -> None:
    place = Rewriting(root).places()[0]
    path = root / index_path(place.config, place.split)
    path.write_bytes(path.read_bytes()[:-100])


def _file(name: str) -> Break:
    """A further file."""

    def apply(root: Path, rng: Rng) -> None:
        place = Rewriting(root).places()[0]
        path = root / name.format(config=place.config)
        path.write_bytes(b"hello")

    return apply


def _other_card(root: Path, rng: Rng) -> None:
    """The card's YAML stays, its prose is of something else."""
    head = (root / CARD).read_text("utf-8").split("---\n", 2)[1]
    (root / CARD).write_text(f"---\n{head}---\n\n# Another data set\n", "utf-8")


def _no_picture(root: Path, rng: Rng) -> None:
    next(iter(sorted(root.glob("index/*/preview.png")))).unlink()


def _no_card(root: Path, rng: Rng) -> None:
    (root / CARD).unlink()


def _two_splits(release: Rewriting) -> tuple[Place, Place]:
    """The first shards of two splits of a config; ValueError where no config has two."""
    for config, splits in release.manifest.configs.items():
        named = [split for split in config_spec(config).splits if split in splits]
        if len(named) > 1:
            return Place(config, named[0], 0), Place(config, named[1], 0)
    raise ValueError(f"{release.root} has no config with two splits: build it from more scenes")


def _shared(change: Callable[[Draft, Draft, Rng], list[Draft]]) -> Break:
    """Something of a split's last sample gets into the first of another split of the config.

    ``change`` is given both and returns what the other split holds more.
    """

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        source, target = _two_splits(release)
        given, drafts = release.read(source)[-1], release.read(target)
        drafts.extend(change(given, drafts[0], rng))
        release.write(target, sorted(drafts, key=lambda draft: draft.key))
        release.finish()

    return apply


def _same_scene(given: Draft, taken: Draft, rng: Rng) -> list[Draft]:
    """A sample of the other split once more, under a name of its own."""
    copy = Draft(f"{given.key}-again", dict(given.members))
    record = record_of(given)
    record["id"] = copy.key
    put_record(copy, record)
    return [copy]


def _same_picture(given: Draft, taken: Draft, rng: Rng) -> list[Draft]:
    for name in ("before.png", "after.png"):
        taken.members[name] = given.members[name]
    return []


def _alike(given: Draft, taken: Draft, rng: Rng) -> list[Draft]:
    """The other picture, a little brighter and noisy."""
    for name in ("before", "after"):
        image = picture(given, name)
        noisy = image * 1.05 + rng.integers(-4, 5, image.shape)
        put_picture(taken, name, noisy.clip(0, 255).astype(np.uint8))
    return []


RELEASE: tuple[Corruption, ...] = (
    corruption(
        "wrong count in the card",
        "the card tells of a sample more",
        "integrity",
        _card(r"(num_examples: )(\d+)", _more),
    ),
    corruption(
        "wrong size in the card", "the card tells of a byte more", "integrity", _card(r"(download_size: )(\d+)", _more)
    ),
    corruption(
        "wrong type in the card",
        "the card calls an integer a string",
        "integrity",
        _card("dtype: int64", lambda found: "dtype: string"),
    ),
    corruption(
        "stale card",
        "the card's digest is of other shards",
        "integrity",
        _card("(content sha256 )[0-9a-f]{8}", lambda found: f"{found[1]}00000000"),
    ),
    corruption("no card", "the card is missing", "integrity", _no_card),
    corruption("card of another", "the card's prose is of something else", "integrity", _other_card),
    corruption("no picture", "a picture that the card shows is missing", "integrity", _no_picture),
    corruption("wrong sha256", "the manifest has another digest of a shard", "integrity", _manifest(_wrong_sha)),
    corruption(
        "wrong count in the manifest", "the manifest tells of a sample more", "integrity", _manifest(_wrong_count)
    ),
    corruption("wrong size in the manifest", "the manifest tells of a byte more", "integrity", _manifest(_wrong_size)),
    corruption("bit turned", "a bit of a shard is turned", "integrity", _flipped_byte),
    corruption("shard missing", "a shard is not there", "integrity", _missing_shard),
    corruption(
        "unlisted shard",
        "a shard lies there that the manifest does not list",
        "integrity",
        _file("data/{config}/train-00007-of-00008.tar"),
    ),
    corruption("unlisted file", "a file lies among the data", "integrity", _file("data/{config}/notes.txt")),
    corruption("shadowing module", "a flowbench.py lies in the release", "integrity", _file("flowbench.py")),
    corruption("stale index", "the index has the wording of before", "integrity", _stale_index),
    corruption("index row missing", "the index lacks its last row", "integrity", _index(lambda frame: frame[:-1])),
    corruption(
        "index rows swapped", "the index is in reverse order", "integrity", _index(lambda frame: frame.reverse())
    ),
    corruption(
        "index column missing",
        "the index lacks a column",
        "integrity",
        _index(lambda frame: frame.drop("question")),
    ),
    corruption("index cut short", "the index lacks its last 100 bytes", "integrity", _cut_index),
    corruption("scene in two splits", "a sample of one split is in the other too", "leakage", _shared(_same_scene)),
    corruption(
        "picture in two splits", "a sample has the pictures of another split's", "leakage", _shared(_same_picture)
    ),
    corruption(
        "near-duplicate picture",
        "a sample has another split's pictures, brighter and noisy",
        "leakage",
        _shared(_alike),
    ),
)
