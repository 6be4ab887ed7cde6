"""Integrity of single samples (quality.md, 1): every member is there, decodes, and is what the record says it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pydantic

from flowbench.errors import ReleaseError
from flowbench.schema import ConfigSpec, Kind, to_json, value_from_json

from ..opened import Opened
from ..written import again, check_mp4, check_png, stored
from .base import SampleSuite, Violation
from .samples import violations_of

INTEGRITY: Final = "integrity"
SAMPLED: Final = frozenset({"sim", "real"})
"""Families whose pictures are encoded again in a part of the samples: they have depth, ids and flow, too."""
_BARE_EXPONENT: Final = re.compile(rb"(?<=[:\[,])(-?[0-9]+)(?=e[-+]?[0-9])")
"""Digits of a number that json writes with an exponent and without a decimal point."""


@dataclass(frozen=True)
class Members(SampleSuite[Opened]):
    """The part of the integrity suite that looks at samples.

    Attributes:
        spec: what a sample of the config consists of.
    """

    spec: ConfigSpec
    name = INTEGRITY
    about = "Files, members, columns and counts are what manifest, card and index say, and everything can be read."

    def check(self, sample: Opened) -> Iterable[Violation]:
        """Members that are missing, unknown or out of order, cannot be read, or contradict the key."""
        yield from self._columns(sample)
        for column in self.spec.columns:
            if column.name in sample.members:
                try:
                    yield from _read(sample, column.name, column.kind)
                    yield from self._written(sample, column.name)
                except ReleaseError as error:
                    yield Violation("member cannot be read", str(error), f"a readable {column.name}")

    def _written(self, sample: Opened, name: str) -> Iterator[Violation]:
        """A picture or a video is written as our encoders do, with nothing beside."""
        data = sample.member(name)
        if name.endswith((".png", ".png16")):
            pixels = None
            if again(sample.key, self.spec.family not in SAMPLED):
                pixels = sample.decoded(name) if name.endswith(".png") else stored(data, name)
            yield from violations_of(check_png(name, data, pixels), sample.key)
        elif name.endswith(".mp4"):
            yield from violations_of(check_mp4(name, data), sample.key)

    def _columns(self, sample: Opened) -> Iterator[Violation]:
        known = [column.name for column in self.spec.columns]
        required = {column.name for column in self.spec.columns if not column.optional}
        missing, unknown = sorted(required - sample.members.keys()), sorted(sample.members.keys() - set(known))
        if missing:
            yield Violation("columns of a sample", f"without {', '.join(missing)}", f"all of {', '.join(known)}")
        if unknown:
            yield Violation("columns of a sample", f"with {', '.join(unknown)}", f"only {', '.join(known)}")
        if list(sample.members) != sorted(sample.members):
            yield Violation("order of members", ", ".join(sample.members), "ascending names")


def _read(sample: Opened, name: str, kind: Kind) -> Iterator[Violation]:
    """Decode a member; every picture has the size that all have."""
    if kind is Kind.STRUCT:
        yield from _record(sample)
    elif kind is Kind.TEXT:
        _text(sample, name)
    else:
        sample.decoded(name)


def _record(sample: Opened) -> Iterator[Violation]:
    record = sample.record
    if record.id != sample.key:
        yield Violation("id of the record", record.id, sample.key)
    for each in sample.odd():
        yield Violation(each.rule, each.found, each.expected)
    if not _is_written_so(record, sample.member("json")):
        yield Violation("text of the record", "other JSON of the same values", "fields in order, floats with a point")


def _text(sample: Opened, name: str) -> None:
    """The simulator's state is what a recheck can read, and JSON to everybody else."""
    data = sample.member(name)
    if b"NaN" in data or b"Infinity" in data:  # nearly never: parsing it a second time costs as much as a picture
        value_from_json(data, name)
    _ = sample.meta


def _is_written_so(record: pydantic.BaseModel, data: bytes) -> bool:
    """Whether the bytes are those of :func:`to_json`; asks json's encoder, which is much faster, first.

    The two differ in the decimal points of numbers with exponents alone.
    """
    text = json.dumps(record.model_dump(), ensure_ascii=False, separators=(",", ":")).encode()
    return _BARE_EXPONENT.sub(rb"\1.0", text) == data or to_json(record) == data
