"""From a sample of any reader to one typed sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flowbench.errors import ReleaseError, UsageError
from flowbench.release import Sample

from .kinds import KEY, KINDS, Field, SampleKind, fields_of, kind_of_config, kind_of_sample

_COLUMNS = frozenset(column for kind in KINDS for field in kind.fields for column in field.columns)


def decode(sample: Sample | Mapping[str, Any], columns: Sequence[str] | None = None) -> Any:
    """A sample from anywhere, decoded.

    Args:
        sample: a row of ``datasets`` (pictures decoded or not), of ``webdataset`` (before or after ``.decode("pil")``),
            a :class:`~flowbench.release.Sample`, or one that is decoded already.
        columns: decode only these, by the names of the decoded sample or of the shards; what the sample has if None.

    Returns:
        A :class:`~flowbench.SimSample`, :class:`~flowbench.SelectionSample`, :class:`~flowbench.RetrievalSample` or
        :class:`~flowbench.CorpusSample`, whichever its columns or its record show it to be; plain dicts at run time.
        Type checkers take your word: ``sample: flowbench.SelectionSample = flowbench.decode(row)``.

    Raises:
        ReleaseError: a member asked for is missing or broken; the sentence names it and the sample.
        UsageError: an unknown column, no sample at all, or a member that a reader has cut to 8 bits.
    """
    return _decode(sample, columns, None)


def _decode(sample: Sample | Mapping[str, Any], columns: Sequence[str] | None, kind: SampleKind | None) -> Any:
    if isinstance(sample, Sample):
        members, key = sample.members, sample.key
    elif isinstance(sample, Mapping):
        members, key = sample, str(sample.get("__key__", ""))
    else:
        raise UsageError(f"decode was given {type(sample).__name__}, expected a sample: pass one row at a time.")
    if kind is None:
        kind = kind_of_sample(members, () if columns is None or isinstance(columns, str) else columns)
    if not isinstance(sample, Sample) and _COLUMNS.isdisjoint(members):
        return _chosen(members, columns, kind)
    return _decoded(key, members, columns, kind)


def _decoded(key: str, members: Mapping[str, Any], columns: Sequence[str] | None, kind: SampleKind) -> dict[str, Any]:
    found: dict[str, Any] = {KEY: key}
    fields = fields_of(columns, kind)
    if columns is None:
        fields = _held(fields, members)
    for field in fields:
        value = _value(key, members, field)
        found.update(zip(field.names, value if len(field.names) > 1 else (value,), strict=True))
    return found


def _held(fields: tuple[Field, ...], members: Mapping[str, Any]) -> tuple[Field, ...]:
    """The fields of which a sample has a member.

    One that it may lack counts as there, unless others are not there either: then somebody has chosen among its
    columns, and that this one is absent says nothing.
    """
    there = {field for field in fields if not members.keys().isdisjoint(field.columns)}
    whole = "json" in members and "meta.txt" in members
    return tuple(field for field in fields if field in there or (field.optional and whole))


def _value(key: str, members: Mapping[str, Any], field: Field) -> Any:
    if field.optional and members.get(field.columns[0]) is None:
        return None
    values = []
    for column in field.columns:
        what = f"{column} of sample {key!r}" if key else column
        member = members.get(column)
        if member is None:
            raise ReleaseError(f"{what} is missing: fetch or build the shard again, or ask for fewer columns")
        values.append(field.read(member, what))
    return _stacked(values, field, key) if len(field.columns) > 1 else values[0]


def _stacked(pictures: list[Any], field: Field, key: str) -> Any:
    """(n, H, W, 3) of n pictures."""
    sizes = list(dict.fromkeys(picture.shape for picture in pictures))
    if len(sizes) > 1:
        raise ReleaseError(
            f"the {field.names[0]} of sample {key!r} have the sizes {' and '.join(map(str, sizes))}, "
            "expected one: fetch or build the shard again"
        )
    return np.stack(pictures)


def _chosen(sample: Mapping[str, Any], columns: Sequence[str] | None, kind: SampleKind) -> dict[str, Any]:
    """What is asked for of a sample that is decoded already."""
    names = [KEY, *(name for field in fields_of(columns, kind) for name in field.names)]
    missing = [name for name in names if name not in sample]
    if KEY in missing or (missing and columns is not None):
        listed = ", ".join(map(str, list(sample)[:12])) or "nothing"
        raise UsageError(
            f"this sample holds {listed}, expected {missing[0]} or the columns of a shard such as "
            f"{kind.fields[1].columns[0]}: pass a row of datasets or webdataset as it is."
        )
    return {name: sample[name] for name in names if name in sample}


@dataclass(frozen=True)
class Decoder:
    """Decodes one sample, or a batch of columns as ``datasets`` hands it to a transform; can be pickled.

    Attributes:
        columns: as in :func:`decode`.
        config: whose samples they are; told by each sample if None.
    """

    columns: tuple[str, ...] | None = None
    config: str | None = None

    def __call__(self, sample: Sample | Mapping[str, Any]) -> Any:
        """One sample."""
        return _decode(sample, self.columns, None if self.config is None else kind_of_config(self.config))

    def batch(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Columns of undecoded members to columns of arrays."""
        rows = [self(dict(zip(batch, row, strict=True))) for row in zip(*batch.values(), strict=True)]
        return {name: [row.get(name) for row in rows] for name in (rows[0] if rows else ())}
