"""The pictures of samples that break a rule: decoded within limits, made small, encoded again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.release import Manifest, iter_samples
from flowbench.schema import CONFIGS
from flowbench.viewing.pictures import photo_uri

from ..opened import Opened
from ..registry import SUITES
from ..results import ConfigResult
from ..suites.base import Violation

MOST: Final = 40
"""Samples shown of a config."""
_WIDTH: Final = 480


@dataclass(frozen=True)
class Culprit:
    """A sample that breaks rules.

    Attributes:
        key, split, file: where it lies.
        category, question: what it is; empty where its record cannot be read.
        found: (suite, violation) of everything kept that it breaks.
        pictures: (name, ``data:`` URI or None where it cannot be decoded).
    """

    key: str
    split: str
    file: str
    category: str
    question: str
    found: Sequence[tuple[str, Violation]]
    pictures: Sequence[tuple[str, str | None]]


def culprits_of(root: Path, manifest: Manifest, result: ConfigResult) -> tuple[list[Culprit], int]:
    """Samples that break a rule with their pictures, at most :data:`MOST`, and how many more are kept.

    Every rule gets its turn before another has its second.
    """
    broken: dict[tuple[str, str], list[tuple[str, Violation]]] = {}
    turns: dict[tuple[str, str], int] = {}
    order: dict[tuple[str, str], int] = {}
    for suite in result.suites:
        for violation in suite.kept:
            if violation.key is None or violation.file is None:
                continue
            place = (violation.file, violation.key)
            broken.setdefault(place, []).append((suite.name, violation))
            rule = (suite.name, violation.rule)
            turns[rule] = turns.get(rule, 0) + 1
            order[place] = min(order.get(place, turns[rule]), turns[rule])
    chosen = sorted(broken, key=lambda place: order[place])[:MOST]
    samples, shown = _read(root, manifest, result.config, chosen), SUITES[result.config].opener.shown
    return [_culprit(place, broken[place], samples.get(place), shown) for place in chosen], len(broken) - len(chosen)


def _read(
    root: Path, manifest: Manifest, config: str, places: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], Opened]:
    """The samples at these places, as far as they can be read."""
    size, opener = CONFIGS[config].size or (manifest.width, manifest.height), SUITES[config].opener
    columns = frozenset({"json", *(f"{name}.png" for name in opener.shown)})
    listed = {shard.path for files in manifest.configs[config].values() for shard in files.shards}
    found = {}
    for file in sorted({file for file, _ in places} & listed):
        wanted = {key for other, key in places if other == file}
        try:
            for sample in iter_samples(root / file, columns):
                if sample.key in wanted:
                    found[file, sample.key] = opener(sample.key, sample.members, size)
                    if len(wanted) == sum(other == file for other, _ in found):
                        break
        except (ReleaseError, OSError):
            continue  # the report says so elsewhere
    return found


def _culprit(
    place: tuple[str, str], found: Sequence[tuple[str, Violation]], sample: Opened | None, shown: Sequence[str]
) -> Culprit:
    category = question = ""
    try:
        if sample is not None:
            category, question = sample.record.category, sample.question
    except ReleaseError:
        pass
    pictures = [(name, None if sample is None else _thumbnail(sample, name)) for name in shown]
    split = next((violation.split for _, violation in found if violation.split), "")
    return Culprit(place[1], split, place[0], category, question, found, pictures)


def _thumbnail(sample: Opened, name: str) -> str | None:
    """A small picture as a ``data:`` URI; None where it cannot be decoded."""
    try:
        return photo_uri(_reduced(sample.picture(name)))
    except ReleaseError:
        return None


def _reduced(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    if width <= _WIDTH:
        return picture
    size = (_WIDTH, max(1, round(height * _WIDTH / width)))
    reduced: NDArray[np.uint8] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return reduced
