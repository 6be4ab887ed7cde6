"""JSON as releases hold it: every float with a decimal point, no NaN, the same bytes for the same values.

Readers that take numbers as they find them (``datasets`` when it streams) tell floats from integers by the point.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

import pydantic
import pydantic_core

from ..errors import ReleaseError

MAX_JSON_BYTES = 1 << 26
"""A larger JSON text is refused before it is parsed."""
_SHAPES = bytes.maketrans(b"123456789E", b"000000000e")
"""Every digit becomes a 0, and E an e."""
_OVERFLOWING = (b"0e0", b"0e+", b"0" * 300)
"""What every number beyond a float's range has in it then."""

Model = TypeVar("Model", bound=pydantic.BaseModel)


class JsonText(str):
    """What :func:`to_json` made of a value: it may stand for that value inside others, and is not made again."""

    __slots__ = ()

    @classmethod
    def of(cls, value: object) -> JsonText:
        """The text of a value; raises like :func:`to_json`."""
        return cls("".join(_pieces(value)))


def to_json(value: object) -> bytes:
    """UTF-8 JSON of a record, or of plain dicts, lists, strings, numbers, booleans and None; keys in their order.

    A :class:`JsonText` anywhere in it goes in as it is.

    Raises:
        ValueError: NaN or infinity.
        TypeError: anything else that JSON has no word for (numpy scalars too: convert them knowingly).
    """
    plain = value.model_dump() if isinstance(value, pydantic.BaseModel) else value
    return "".join(_pieces(plain)).encode("utf-8")


def parse_model(kind: type[Model], data: bytes, name: str, limit: int, remedy: str) -> Model:
    """Parse JSON of unknown origin and check it, strictly as to types.

    Args:
        kind: what it has to be; it refuses NaN and infinities itself.
        data: UTF-8 JSON text.
        name: what an error calls it.
        limit: longer texts are not parsed, bytes.
        remedy: what an error advises.

    Raises:
        ReleaseError: too long, nested too deeply, not JSON, or not of this kind; the sentence says which field.
    """
    _check_size(data, name, limit)
    try:
        return kind.model_validate_json(data, strict=True)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = "".join(f"{part}." for part in first["loc"])[:-1]
        told = f"{where}: {first['msg']}" if where else first["msg"]
        raise ReleaseError(f"{name} is not a valid {kind.__name__}: {told}; {remedy}") from None


def record_from_json(kind: type[Model], data: bytes, name: str) -> Model:
    """The record in a ``json`` member; raises like :func:`parse_model`."""
    return parse_model(kind, data, name, MAX_JSON_BYTES, "build the shard again")


def value_from_json(data: bytes, name: str) -> Any:
    """The plain value in a JSON text of no fixed shape, e.g. ``meta.txt``.

    Raises:
        ReleaseError: too large, not JSON, NaN or infinity, nested absurdly deep.
    """
    _check_size(data, name, MAX_JSON_BYTES)
    if not _may_overflow(data):
        with contextlib.suppress(ValueError):  # the slow parser says better what is wrong
            return pydantic_core.from_json(data, allow_inf_nan=False)
    try:
        return json.loads(data, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{name} is not valid JSON ({error}): build the shard again") from None


def _may_overflow(data: bytes) -> bool:
    """Whether a number may be beyond what a float holds: it has an exponent above 0, or very many digits in a row.

    The fast parser would read such a number as infinity without a word; the slow one tells.
    """
    shapes = data.translate(_SHAPES)
    return any(each in shapes for each in _OVERFLOWING)


def _check_size(data: bytes, name: str, limit: int) -> None:
    if len(data) > limit:
        raise ReleaseError(f"{name} has {len(data):,} bytes, expected at most {limit:,}: do not use this file")


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"it holds {text}")


def _finite(text: str) -> float:
    """The float of a number's text; ``1e999`` would be read as infinity."""
    value = float(text)
    if not math.isfinite(value):
        _refuse_constant(f"{text[:40]}, which is beyond what a float holds")
    return value


def _pieces(value: object) -> Iterator[str]:
    if type(value) is JsonText:
        yield value
    elif isinstance(value, Mapping):
        opening = "{"
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"JSON keys are strings, got {key!r}")
            yield f"{opening}{json.dumps(key, ensure_ascii=False)}:"
            yield from _pieces(item)
            opening = ","
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple):
        opening = "["
        for item in value:
            yield opening
            yield from _pieces(item)
            opening = ","
        yield "]" if value else "[]"
    else:
        yield _scalar(value)


def _scalar(value: object) -> str:
    # exact types: numpy's float64 is a float, but its siblings are not, and writing only some would hide a mistake
    if type(value) is float:
        return _float(value)
    if value is None or type(value) in (str, bool, int):
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(f"JSON has no word for {type(value).__name__} {value!r}: convert it to a plain value first")


def _float(value: float) -> str:
    """The shortest text that reads back as the same float, with a decimal point."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written: records hold finite numbers only, null where there is none")
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")
