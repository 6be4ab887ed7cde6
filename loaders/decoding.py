"""From a sample of any reader to one typed sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from flowbench.errors import ReleaseError, UsageError, unknown_name
from flowbench.release import Sample

from .members import read_depth, read_flow, read_ids, read_meta, read_record, read_rgb
from .sample import SimSample


@dataclass(frozen=True)
class Field:
    """What becomes of one column.

    Attributes:
        column: its name in the shards.
        names: what a decoded sample calls it; two where it holds two things.
        read: member and what to call it in errors -> the value, a tuple of two where there are two names.
    """

    column: str
    names: tuple[str, ...]
    read: Callable[[object, str], Any]


FIELDS: Final = (
    Field("json", ("record",), read_record),
    *(Field(f"{name}.png", (name,), read_rgb) for name in ("before", "after", "before_marked", "after_marked")),
    *(Field(f"depth_{moment}.png16", (f"depth_{moment}",), read_depth) for moment in ("before", "after")),
    *(Field(f"seg_{moment}.png16", (f"ids_{moment}",), read_ids) for moment in ("before", "after")),
    Field("flow.png16", ("flow", "valid"), read_flow),
    Field("meta.txt", ("meta",), read_meta),
)
_BY_NAME: Final = {name: field for field in FIELDS for name in (field.column, *field.names)}
_KEY: Final = "key"


def fields_of(columns: Iterable[str] | None) -> tuple[Field, ...]:
    """The fields asked for, each once: by the names of a decoded sample or of the shards; all of them if None.

    Raises:
        UsageError: an unknown name, with the nearest right one.
    """
    if columns is None:
        return FIELDS
    if isinstance(columns, str):
        raise UsageError(f"columns is the text {columns!r}, expected a list of names: write [{columns!r}].")
    wanted = []
    for name in columns:
        if name not in _BY_NAME and name != _KEY:
            raise unknown_name("column", name, _BY_NAME)
        wanted.append(name)
    return tuple(dict.fromkeys(_BY_NAME[name] for name in wanted if name != _KEY))


def decode(sample: Sample | Mapping[str, Any], columns: Sequence[str] | None = None) -> SimSample:
    """A sample from anywhere, decoded.

    Args:
        sample: a row of ``datasets`` (pictures decoded or not), of ``webdataset`` (before or after ``.decode("pil")``),
            a :class:`~flowbench.release.Sample`, or one that is decoded already.
        columns: decode only these, by the names of :class:`SimSample` or of the shards; what the sample has if None.

    Raises:
        ReleaseError: a member asked for is missing or broken; the sentence names it and the sample.
        UsageError: an unknown column, no sample at all, or a member that a reader has cut to 8 bits.
    """
    if isinstance(sample, Sample):
        return _decoded(sample.key, sample.members, columns)
    if not isinstance(sample, Mapping):
        raise UsageError(f"decode was given {type(sample).__name__}, expected a sample: pass one row at a time.")
    if not any(field.column in sample for field in FIELDS):
        return _chosen(sample, columns)
    return _decoded(str(sample.get("__key__", "")), sample, columns)


def _decoded(key: str, members: Mapping[str, Any], columns: Sequence[str] | None) -> SimSample:
    found: dict[str, Any] = {_KEY: key}
    for field in fields_of(columns):
        if field.column not in members and columns is None:
            continue
        what = f"{field.column} of sample {key!r}" if key else field.column
        member = members.get(field.column)
        if member is None:
            raise ReleaseError(f"{what} is missing: fetch or build the shard again, or ask for fewer columns")
        value = field.read(member, what)
        found.update(zip(field.names, value if len(field.names) > 1 else (value,), strict=True))
    return cast(SimSample, found)


def _chosen(sample: Mapping[str, Any], columns: Sequence[str] | None) -> SimSample:
    """What is asked for of a sample that is decoded already."""
    names = [_KEY, *(name for field in fields_of(columns) for name in field.names)]
    missing = [name for name in names if name not in sample]
    if _KEY in missing or (missing and columns is not None):
        listed = ", ".join(map(str, list(sample)[:12])) or "nothing"
        raise UsageError(
            f"this sample holds {listed}, expected {missing[0]} or the columns of a shard such as before.png: "
            "pass a row of datasets or webdataset as it is."
        )
    return cast(SimSample, {name: sample[name] for name in names if name in sample})


@dataclass(frozen=True)
class Decoder:
    """Decodes one sample, or a batch of columns as ``datasets`` hands it to a transform; can be pickled.

    Attributes:
        columns: as in :func:`decode`.
    """

    columns: tuple[str, ...] | None = None

    def __call__(self, sample: Sample | Mapping[str, Any]) -> SimSample:
        """One sample."""
        return decode(sample, self.columns)

    def batch(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Columns of undecoded members to columns of arrays."""
        rows = [self(dict(zip(batch, row, strict=True))) for row in zip(*batch.values(), strict=True)]
        return {name: [row.get(name) for row in rows] for name in (rows[0] if rows else ())}
