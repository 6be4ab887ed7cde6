"""The fields of a record type as a small tree, from which the types of other libraries are made."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pydantic


@dataclass(frozen=True)
class Scalar:
    """A leaf: ``bool``, ``int``, ``float`` or ``str``; every field may be null in the libraries we map to."""

    kind: type


@dataclass(frozen=True)
class ListOf:
    """A list of any length, of one kind of item."""

    item: Field


@dataclass(frozen=True)
class Struct:
    """A nested record: fields by name, in their order."""

    fields: Mapping[str, Field]


Field = Scalar | ListOf | Struct


@dataclass(frozen=True)
class FieldDoc:
    """One line of a record's documentation.

    Attributes:
        path: e.g. ``"segments[].before.area"``.
        type_name: e.g. ``"float"``, ``"list of struct"``.
        nullable: whether it may be null.
        description: what its author wrote of the field, else the first line of the record's docstring.
    """

    path: str
    type_name: str
    nullable: bool
    description: str


def struct_of(record: type[pydantic.BaseModel]) -> Struct:
    """The field tree of a record type.

    Raises:
        TypeError: a field's annotation is none of bool, int, float, str, a list, a record, or one of these or None.
    """
    return Struct({name: _field(info.annotation)[0] for name, info in record.model_fields.items()})


def describe(record: type[pydantic.BaseModel], prefix: str = "") -> Iterator[FieldDoc]:
    """Every field of a record type, nested ones after the field that holds them."""
    for name, info in record.model_fields.items():
        field, nullable = _field(info.annotation)
        path = prefix + name
        inner, suffix = _unwrap(info.annotation)
        about = info.description or (inspect.getdoc(inner) or "").partition("\n")[0]
        yield FieldDoc(path, _type_name(field), nullable, about)
        if isinstance(inner, type) and issubclass(inner, pydantic.BaseModel):
            yield from describe(inner, f"{path}{suffix}.")


def _field(annotation: Any) -> tuple[Field, bool]:
    """The tree of an annotation, and whether None is allowed."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not types.NoneType]
        if len(inner) == 1:
            return _field(inner[0])[0], True
    elif typing.get_origin(annotation) is list:
        return ListOf(_field(arguments[0])[0]), False
    elif isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return struct_of(annotation), False
    elif annotation in (bool, int, float, str):
        return Scalar(annotation), False
    raise TypeError(
        f"a record field cannot be {annotation}: use bool, int, float, str, list, a record, or None with one"
    )


def _unwrap(annotation: Any) -> tuple[Any, str]:
    """The annotation under lists and ``| None``, and ``[]`` for each list."""
    suffix = ""
    while arguments := [argument for argument in typing.get_args(annotation) if argument is not types.NoneType]:
        suffix += "[]" if typing.get_origin(annotation) is list else ""
        annotation = arguments[0]
    return annotation, suffix


def _type_name(field: Field) -> str:
    if isinstance(field, Scalar):
        return field.kind.__name__
    return f"list of {_type_name(field.item)}" if isinstance(field, ListOf) else "struct"
