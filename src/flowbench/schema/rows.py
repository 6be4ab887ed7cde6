"""Rows of the index: a record without its pixels, and the shard that holds it; not imported with the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pydantic

from .columns import ConfigSpec
from .fields import Field, ListOf, Scalar, Struct, struct_of

PIXEL_FIELDS = frozenset({"counts"})
"""Fields left out at any depth: run lengths of masks. Their areas and boxes stay."""

_TYPES = {bool: pl.Boolean(), int: pl.Int64(), float: pl.Float64(), str: pl.String()}


def row_schema(spec: ConfigSpec) -> dict[str, pl.DataType]:
    """Column -> type of a config's index: the record's fields, then ``shard``."""
    return {**_struct_fields(struct_of(spec.record)), "shard": pl.String()}


def row_of(record: pydantic.BaseModel, shard: str) -> dict[str, Any]:
    """The row of a record that lies in ``shard``, a path relative to the release."""
    return {**_without_pixels(record.model_dump()), "shard": shard}


def _without_pixels(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_pixels(item) for name, item in value.items() if name not in PIXEL_FIELDS}
    return [_without_pixels(item) for item in value] if isinstance(value, list) else value


def _struct_fields(struct: Struct) -> dict[str, pl.DataType]:
    return {name: _type(field) for name, field in struct.fields.items() if name not in PIXEL_FIELDS}


def _type(field: Field) -> pl.DataType:
    if isinstance(field, Scalar):
        return _TYPES[field.kind]
    return pl.List(_type(field.item)) if isinstance(field, ListOf) else pl.Struct(_struct_fields(field))
