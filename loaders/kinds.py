"""The kinds of samples as data: which columns each has, and what becomes of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pydantic

from flowbench.errors import UsageError, unknown_name
from flowbench.schema import CONFIGS, ConfigSpec, RealRecord, SimRecord, config_spec
from flowbench.schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

from .members import plain_record, read_depth, read_flow, read_ids, read_meta, read_record, read_rgb, read_video
from .sample import CorpusSample, RealSample, RetrievalSample, SelectionSample, SimSample

KEY: Final = "key"
"""What every decoded sample has, whatever was asked for."""


@dataclass(frozen=True)
class Field:
    """What becomes of a column, or of some that belong together.

    Attributes:
        columns: their names in the shards; pictures of one size where there are several, stacked in this order.
        names: what a decoded sample calls it; two where it holds two things.
        read: member and what to call it in errors -> the value, a tuple of two where there are two names.
        optional: whether samples may lack the member; the value is then None.
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[object, str], Any]
    optional: bool = False


@dataclass(frozen=True)
class SampleKind:
    """What the samples of some configs are once they are decoded.

    Attributes:
        record: type of their record; of the configs that have it.
        sample: what a decoded one is.
        fields: all that such a sample may have.
    """

    record: type[pydantic.BaseModel]
    sample: type[Mapping[str, Any]]
    fields: tuple[Field, ...]

    @functools.cached_property
    def by_name(self) -> Mapping[str, Field]:
        """Columns and names of decoded samples -> their fields."""
        return {name: field for field in self.fields for name in (*field.columns, *field.names)}


def _field(column: str, name: str, read: Callable[[object, str], Any], *, optional: bool = False) -> Field:
    return Field((column,), (name,), read, optional)


def _record(model: type[pydantic.BaseModel]) -> Field:
    return _field("json", "record", functools.partial(read_record, model))


def _stack(prefix: str, name: str, count: int = 4) -> Field:
    return Field(tuple(f"{prefix}_{number}.png" for number in range(count)), (name,), read_rgb)


_META: Final = _field("meta.txt", "meta", read_meta)
_VIDEO: Final = _field("video.mp4", "video", read_video, optional=True)

_MOMENTS: Final = ("before", "after")


def _counterfactual(*marked: str) -> tuple[Field, ...]:
    """The fields of samples with pictures, depth, ids and flow; ``marked`` are the ways in which objects are marked."""
    pictures = (*_MOMENTS, *(f"{moment}_{way}" for way in marked for moment in _MOMENTS))
    return (
        *(_field(f"{name}.png", name, read_rgb) for name in pictures),
        *(_field(f"depth_{moment}.png16", f"depth_{moment}", read_depth) for moment in _MOMENTS),
        *(_field(f"seg_{moment}.png16", f"ids_{moment}", read_ids) for moment in _MOMENTS),
        Field(("flow.png16",), ("flow", "valid"), read_flow),
        _META,
    )


SIM: Final = SampleKind(SimRecord, SimSample, (_record(SimRecord), *_counterfactual("marked")))
REAL: Final = SampleKind(RealRecord, RealSample, (_record(RealRecord), *_counterfactual("marked", "badges")))
SELECTION: Final = SampleKind(
    SelectionRecord, SelectionSample, (_record(SelectionRecord), _stack("candidate", "candidates"), _VIDEO, _META)
)
RETRIEVAL: Final = SampleKind(
    RetrievalRecord,
    RetrievalSample,
    (
        _record(RetrievalRecord),
        _VIDEO,
        _field("target.png", "target", read_rgb),
        _stack("negative", "negatives"),
        _META,
    ),
)
CORPUS: Final = SampleKind(
    CorpusRecord, CorpusSample, (_record(CorpusRecord), _field("frame.png", "frame", read_rgb), _META)
)
KINDS: Final = (SIM, REAL, SELECTION, RETRIEVAL, CORPUS)


def _alone(kind: SampleKind) -> frozenset[str]:
    """Names of columns and of values that no other kind has."""
    return frozenset(kind.by_name).difference(*(other.by_name for other in KINDS if other is not kind))


def _own_fields(kind: SampleKind) -> frozenset[str]:
    """Fields of its record that no other kind's record has."""
    fields = {each: frozenset(each.record.model_fields) for each in KINDS}
    return fields[kind].difference(*(names for each, names in fields.items() if each is not kind))


_TELLING: Final = tuple((kind, _alone(kind), _own_fields(kind)) for kind in KINDS)
_NAMES: Final = frozenset(name for kind in KINDS for name in kind.by_name)


def kind_of_config(config: str) -> SampleKind:
    """The kind of a config's samples."""
    record = config_spec(config).record
    return next(kind for kind in KINDS if kind.record is record)


def kind_of_sample(members: Mapping[str, Any], asked: Sequence[str] = ()) -> SampleKind:
    """The kind of a sample, by its columns or values, else by its record, else by what is asked of it.

    A sample of which only what all kinds share is left, such as ``meta.txt``, counts as one of the first that has it.
    """
    for names in (members.keys(), asked):
        for kind, alone, _ in _TELLING:
            if not alone.isdisjoint(names):
                return kind
        if names is not asked and (found := _kind_of_record(members.get("record", members.get("json")))):
            return found
    seen = _NAMES.intersection((*members, *asked))
    return next((kind for kind in KINDS if seen <= kind.by_name.keys()), SIM)


def _kind_of_record(record: object) -> SampleKind | None:
    """By a record, or by the field of it that only one kind has; None where it is none of ours."""
    for kind in KINDS:
        if type(record) is kind.record:  # records of videos are records of simulated scenes with more to say
            return kind
    fields = plain_record(record)
    return next((kind for kind, _, own in _TELLING if not own.isdisjoint(fields)), None)


def fields_of_config(spec: ConfigSpec, columns: Iterable[str] | None) -> tuple[Field, ...]:
    """The fields asked for of a config's samples; all that the config has if None.

    Raises:
        UsageError: an unknown name, with the nearest right one, or one that only related configs have.
    """
    kind = kind_of_config(spec.name)
    held = {column.name for column in spec.columns}
    fields = fields_of(columns, kind)
    for field in fields:
        if columns is not None and held.isdisjoint(field.columns):
            others = [other.name for other in CONFIGS.values() if field.columns[0] in {c.name for c in other.columns}]
            raise UsageError(
                f"{spec.name} has no {field.names[0]!r}, which is in {', '.join(others)}: ask for another."
            )
    return tuple(field for field in fields if not held.isdisjoint(field.columns))


def fields_of(columns: Iterable[str] | None, kind: SampleKind) -> tuple[Field, ...]:
    """The fields asked for, each once: by the names of a decoded sample or of the shards; all of them if None.

    Raises:
        UsageError: an unknown name, with the nearest right one.
    """
    if columns is None:
        return kind.fields
    if isinstance(columns, str):
        raise UsageError(f"columns is the text {columns!r}, expected a list of names: write [{columns!r}].")
    wanted = []
    for name in columns:
        if name not in kind.by_name and name != KEY:
            raise unknown_name("column", name, kind.by_name)
        wanted.append(name)
    return tuple(dict.fromkeys(kind.by_name[name] for name in wanted if name != KEY))
