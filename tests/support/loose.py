"""Published samples taken apart, to break one thing at a time and to see which rules of a suite tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from flowbench.encoding import (
    decode_depth,
    decode_flow,
    decode_ids,
    decode_rgb,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_instances,
    encode_rgb,
)
from flowbench.release import Sample, iter_samples
from flowbench.validation.opened import OpenedSample
from flowbench.validation.suites.base import SampleSuite

MOMENTS = ("before", "after")


class Loose:
    """A sample whose record, metadata and images can be changed; what is touched is written anew.

    Attributes:
        key: in the shard.
        members: column -> bytes, as published.
    """

    def __init__(self, sample: Sample) -> None:
        self.key = sample.key
        self.members = dict(sample.members)
        self._texts: dict[str, Any] = {}
        self._images: dict[str, Any] = {}

    @property
    def record(self) -> dict[str, Any]:
        return self._text("json")

    @property
    def meta(self) -> dict[str, Any]:
        return self._text("meta.txt")

    @property
    def mover(self) -> int:
        return int(self.record["mover"]["id"])

    def thing(self, instance_id: int) -> dict[str, Any]:
        """An object of the metadata."""
        (found,) = [each for each in self.meta["objects"] if each["id"] == instance_id]
        return found

    def image(self, column: str) -> Any:
        """The pixels of a column, to be changed in place: (flow, valid) of the flow."""
        if column not in self._images:
            pixels = _decoder(column)(self.members[column])
            self._images[column] = tuple(each.copy() for each in pixels) if column == "flow.png16" else pixels.copy()
        return self._images[column]

    def replace(self, column: str, pixels: Any) -> None:
        self._images[column] = pixels

    def list_segments(self) -> None:
        """Let the record list what the id images show."""
        known = {each["id"]: each for each in self.meta["objects"]}
        regions = {moment: encode_instances(self.image(f"seg_{moment}.png16")) for moment in MOMENTS}
        self.record["segments"] = [
            {
                "id": each,
                **{name: known[each][name] for name in ("object", "type")},
                **{m: regions[m][each].model_dump() if each in regions[m] else None for m in MOMENTS},
            }
            for each in sorted({*regions["before"], *regions["after"]})
        ]

    def opened(self) -> OpenedSample:
        """The sample as it now is."""
        texts = {column: json.dumps(value).encode() for column, value in self._texts.items()}
        images = {column: _encoded(column, pixels) for column, pixels in self._images.items()}
        return OpenedSample(self.key, {**self.members, **texts, **images})

    def _text(self, column: str) -> dict[str, Any]:
        return self._texts.setdefault(column, json.loads(self.members[column]))


Break = Callable[[Loose], None]


def broken(suite: SampleSuite, loose: Loose) -> set[str]:
    """The rules that a suite finds broken."""
    found = list(suite.check(loose.opened()))
    assert all(each.key == loose.key and each.expected for each in found)
    return {each.rule for each in found}


def loose_samples(release: Path) -> dict[str, list[Loose]]:
    """Category -> the release's samples of it, ready to be broken."""
    found: dict[str, list[Loose]] = {}
    for sample in _samples(release):
        found.setdefault(sample.key.rpartition("-")[2], []).append(Loose(sample))
    return found


def loose_sample(release: Path, category: str = "left_right") -> Loose:
    """The first sample of a category."""
    return loose_samples(release)[category][0]


@cache
def _samples(release: Path) -> tuple[Sample, ...]:
    return tuple(sample for shard in sorted(release.glob("data/*/*.tar")) for sample in iter_samples(shard))


def _decoder(column: str) -> Callable[[bytes], Any]:
    for prefix, decode in (("depth", decode_depth), ("seg", decode_ids), ("flow", decode_flow)):
        if column.startswith(prefix):
            return decode
    return decode_rgb


def _encoded(column: str, pixels: Any) -> bytes:
    if column.startswith("flow"):
        return encode_flow(*pixels)
    if column.startswith("depth"):
        return encode_depth(pixels)
    return encode_ids(pixels) if column.startswith("seg") else encode_rgb(np.ascontiguousarray(pixels))
