"""Leakage (quality.md, 7): no scene and no picture, nor one that looks the same, lies in two splits or two configs.

Configs that draw on one pool and have a split of the same name share its scenes; they are not held against each other.

Pictures that look the same are sought in two steps. Their perceptual hashes differ in at most :data:`MOST_BITS` of 64
bits: noise, JPEG at quality 60, another brightness, a shift by 4 of 800 pixels or a cropped rim of 8 changed up to 6;
pictures of different homes differed in 12 or more among a million pairs of six homes. Among the thousand million pairs
of a large release some of unrelated pictures come as near by chance; pictures that do are therefore looked at: reduced
to 32x32 gray values, retouched copies correlate by 0.957 or more, pictures of different homes by 0.70 at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, final

import cv2
import numpy as np
import polars as pl
from numpy.typing import NDArray

from flowbench.encoding import decode_rgb
from flowbench.errors import ReleaseError
from flowbench.release import iter_samples
from flowbench.schema import ConfigSpec

from ..nearness import near_pairs
from .base import ConfigSuite, Findings, OpenedConfig, Table, Violation

MOST_BITS: Final = 6
LEAST_CORRELATION: Final = 0.9
MOTION: Final = "motion_sha256"
"""Fact of samples whose scenes move: a digest of all that moves in them."""
MOST_LOOKED_AT: Final = 1000
"""Pairs with near hashes that are looked at, the nearest first."""
SIDE: Final = 32
_FACTS: Final = ("key", "split", "file", "scene_id")

Row = Mapping[str, Any]


@final
@dataclass(frozen=True)
class Leakage(ConfigSuite):
    """Scenes and pictures that occur in more than one split or config.

    Attributes:
        looks: whether pictures that look the same are sought; those of collision scenes all look much the same, and
            what moves in two scenes is compared instead. Those of recorded videos do where many show one table.
    """

    looks: bool = True

    name = "leakage"
    about = "No scene, picture or near-duplicate of a picture lies in two splits or configs."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What lies on both sides; between two splits of the config it is told once, between two configs in each."""
        violations: list[Violation] = []
        rows = []
        looks = self.looks and not config.recorded
        for one, other in _sides(config, others):
            pair = _Pair(config.root, one, other)
            found = [*pair.scenes(), *pair.motions(), *pair.copies(), *(pair.likenesses() if looks else ())]
            violations.extend(found)
            near = f"{len(pair.near[0]):,}" if looks else "not sought"
            rows.append((one.name, other.name, f"{one.pictures.height:,}", f"{other.pictures.height:,}", near))
        columns = ("split", "against", "pictures", "pictures there", f"pairs within {MOST_BITS} bits")
        limits = "No scene is in both, no picture has the same bytes, and none whose hash is near looks the same."
        return Findings(violations, [Table("Splits against each other", columns, rows, limits)])


@dataclass(frozen=True, eq=False)
class _Side:
    """A split.

    Attributes:
        name: of config and split.
        spec, split: whose.
        samples: a row each, ``key, split, file, scene_id`` and, where scenes have one, ``motion_sha256``.
        pictures: a row each, ``key, split, file, scene_id, moment, sha256, phash``, each once.
    """

    name: str
    spec: ConfigSpec
    split: str
    samples: pl.DataFrame
    pictures: pl.DataFrame

    @cached_property
    def scenes(self) -> frozenset[str]:
        return frozenset(self.samples["scene_id"])

    def shares_scenes(self, other: _Side) -> bool:
        """Whether both are the same part of the same pool."""
        return self.split == other.split and bool(set(self.spec.pools) & set(other.spec.pools))


def _sides(config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Iterator[tuple[_Side, _Side]]:
    """Every pair of splits of which one at least is the config's, each once."""
    own = _splits(config)
    for number, side in enumerate(own):
        yield from ((side, later) for later in own[number + 1 :])
    for name in sorted(others):
        if name != config.spec.name:
            theirs = _splits(others[name])
            yield from ((side, foreign) for side in own for foreign in theirs if not side.shares_scenes(foreign))


def _splits(config: OpenedConfig) -> list[_Side]:
    known = config.facts.columns
    if "scene_id" not in known:  # no sample could be read
        return []
    facts = config.facts.filter(pl.col("scene_id").is_not_null())
    moments = [name.removesuffix("_phash") for name in known if name.endswith("_phash")]
    empty = facts.select(*_FACTS, moment=pl.lit(""), sha256=pl.lit(""), phash=pl.lit(0, pl.UInt64)).clear()
    pictures = pl.concat(
        [
            empty,
            *(
                facts.select(
                    *_FACTS,
                    moment=pl.lit(moment),
                    sha256=pl.col(f"{moment}_sha256"),
                    phash=pl.col(f"{moment}_phash").cast(pl.UInt64),
                ).drop_nulls()
                for moment in moments
            ),
        ]
    ).unique(["split", "scene_id", "sha256"], keep="first", maintain_order=True)
    samples = facts.select(*_FACTS, *({MOTION} & set(known)))
    return [
        _Side(
            f"{config.spec.name}/{split}",
            config.spec,
            split,
            samples.filter(pl.col("split") == split),
            pictures.filter(pl.col("split") == split),
        )
        for split in sorted(samples["split"].unique())
    ]


class _Pair:
    """Two splits that are to have nothing in common."""

    def __init__(self, root: Path, one: _Side, other: _Side) -> None:
        self._root, self._one, self._other = root, one, other
        self._shared = sorted(one.scenes & other.scenes)

    def scenes(self) -> Iterator[Violation]:
        """Scenes in both."""
        for scene in self._shared:
            first = self._one.samples.filter(pl.col("scene_id") == scene).row(0, named=True)
            yield _told("scene in two splits", f"{scene} is also in {self._other.name}", "each scene in one", first)

    def motions(self) -> Iterator[Violation]:
        """Scenes that go by two names and are one: the same bodies start the same way before the same camera."""
        sides = [side.samples for side in (self._one, self._other)]
        if all(MOTION in samples.columns for samples in sides):
            mine, theirs = (each.filter(~pl.col("scene_id").is_in(self._shared)) for each in sides)
            pairs = mine.join(theirs, on=MOTION, suffix="_there").sort("key", "key_there")
            for row in pairs.unique(MOTION, keep="first", maintain_order=True).iter_rows(named=True):
                found = f"{row['scene_id']} moves as {row['scene_id_there']} in {self._other.name}"
                yield _told("scene in two splits", found, "each scene in one", row)

    def copies(self) -> Iterator[Violation]:
        """Pictures with the same bytes in both, as far as their scenes are not known to be the same."""
        mine, theirs = self._rest
        pairs = mine.join(theirs, on="sha256", suffix="_there").sort("key", "moment", "key_there", "moment_there")
        both = pairs.unique("sha256", keep="first", maintain_order=True)
        for row in both.iter_rows(named=True):
            found = f"the {row['moment']} image is also the {row['moment_there']} image of {row['key_there']}"
            yield _told("picture in two splits", f"{found} in {self._other.name}", "each picture in one", row)

    def likenesses(self) -> Iterator[Violation]:
        """Pictures that look like one of the other split."""
        mine, theirs, bits = self.near
        looks: dict[tuple[str, str, str], NDArray[np.float64]] = {}
        for row, there, differing in list(zip(mine, theirs, bits, strict=True))[:MOST_LOOKED_AT]:
            alike = float((self._look(row, looks) * self._look(there, looks)).sum())
            if alike >= LEAST_CORRELATION:
                found = f"the {row['moment']} image looks like the {there['moment']} image of {there['key']}"
                where = f"in {self._other.name} ({differing} of 64 bits differ, correlation {alike:.3f})"
                yield _told("near-duplicate in two splits", f"{found} {where}", "pictures of their own", row)
        if len(mine) > MOST_LOOKED_AT:
            expected = f"at most {MOST_LOOKED_AT:,}, which are looked at"
            yield Violation("too many alike pictures", f"{len(mine):,} pairs in {self._other.name}", expected)

    @cached_property
    def near(self) -> tuple[Sequence[Row], Sequence[Row], Sequence[int]]:
        """Pairs of different pictures with near hashes, one a pair of hashes."""
        mine, theirs = (frame.unique("phash", keep="first", maintain_order=True) for frame in self._apart)
        ones, others = (frame["phash"].to_numpy().astype(np.uint64) for frame in (mine, theirs))
        if len(ones) <= len(others):
            left, right, bits = near_pairs(ones, others, MOST_BITS)
        else:
            right, left, bits = near_pairs(others, ones, MOST_BITS)
        return mine[left].to_dicts(), theirs[right].to_dicts(), bits.tolist()

    @cached_property
    def _rest(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The pictures whose scenes are only on one side."""
        known = pl.col("scene_id").is_in(self._shared)
        return self._one.pictures.filter(~known), self._other.pictures.filter(~known)

    @cached_property
    def _apart(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Of these, the pictures that have no copy on the other side."""
        mine, theirs = self._rest
        known = set(mine["sha256"]) & set(theirs["sha256"])
        apart = ~pl.col("sha256").is_in(sorted(known))
        return mine.filter(apart), theirs.filter(apart)

    def _look(self, row: Row, looks: dict[tuple[str, str, str], NDArray[np.float64]]) -> NDArray[np.float64]:
        """A picture's small gray values, of mean 0 and length 1."""
        place = (row["file"], row["key"], row["moment"])
        if place not in looks:
            looks[place] = _small(self._root / row["file"], row["key"], f"{row['moment']}.png")
        return looks[place]


def _small(shard: Path, key: str, column: str) -> NDArray[np.float64]:
    """(32, 32) float64; raises :class:`ReleaseError` where the picture that was read before is no longer there."""
    for sample in iter_samples(shard, frozenset({column})):
        if sample.key == key and column in sample.members:
            gray = cv2.cvtColor(decode_rgb(sample.members[column], column), cv2.COLOR_RGB2GRAY)
            small = cv2.resize(gray, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float64)
            small -= small.mean()
            return small / max(float(np.sqrt((small * small).sum())), 1e-9)
    raise ReleaseError(f"{shard} no longer holds {key}.{column}: let nothing change a release that is being checked")


def _told(rule: str, found: str, expected: str, row: Row) -> Violation:
    return Violation(rule, found, expected, key=row["key"], split=row["split"], file=row["file"])
