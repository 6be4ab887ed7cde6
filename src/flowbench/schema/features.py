"""``datasets.Features`` of a config, derived from its columns and its record type.

They are written into the dataset card: without them the reader guesses from a few samples and drops or nulls what
differs (schema.md, "What datasets 5.2 ... do").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .columns import ConfigSpec, Kind
from .fields import Field, ListOf, Scalar, struct_of

if TYPE_CHECKING:
    import datasets  # type: ignore[import-untyped]

_VALUE_TYPES = {bool: "bool", int: "int64", float: "float64", str: "string"}


def features(spec: ConfigSpec) -> datasets.Features:
    """The features that ``datasets`` gives a config's samples: its columns, then ``__key__`` and ``__url__``.

    ``datasets`` is imported here, not with the module: it takes a second.
    """
    import datasets

    columns: dict[str, Any] = {}
    for column in spec.columns:
        if column.kind is Kind.IMAGE:
            columns[column.name] = datasets.Image()
        elif column.kind is Kind.STRUCT:
            columns[column.name] = _feature(struct_of(spec.record))
        else:
            columns[column.name] = datasets.Value("binary" if column.kind is Kind.BINARY else "string")
    return datasets.Features(columns | {"__key__": datasets.Value("string"), "__url__": datasets.Value("string")})


def _feature(field: Field) -> Any:
    import datasets

    if isinstance(field, Scalar):
        return datasets.Value(_VALUE_TYPES[field.kind])
    if isinstance(field, ListOf):
        return datasets.List(_feature(field.item))
    return {name: _feature(inner) for name, inner in field.fields.items()}
