"""One member of a sample, as any reader hands it over, to arrays or records.

``datasets`` hands over PIL pictures, or ``{"bytes", "path"}`` where it is told not to decode; ``webdataset`` and
:func:`flowbench.release.iter_samples` bytes, or whatever handlers made of them. All of these end in the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from flowbench.encoding import decode_depth_millimetres, decode_flow, decode_ids, decode_rgb, metres
from flowbench.errors import ReleaseError, UsageError
from flowbench.schema import record_from_json, value_from_json

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

Array = NDArray[Any]
Record = TypeVar("Record", bound=BaseModel)


def read_rgb(value: object, name: str) -> Array:
    """(H, W, 3) uint8 of bytes, an RGB picture, or such an array.

    Raises:
        ReleaseError: broken bytes; the sentence calls them ``name``.
        UsageError: something that a reader has already turned into another thing.
    """
    data = _bytes(value)
    if data is not None:
        return decode_rgb(data, name)
    pixels = _pixels(value, "RGB", name)
    return pixels if pixels.dtype == np.uint8 and pixels.shape[2:] == (3,) else _refuse(value, name, "8-bit RGB")


def read_depth(value: object, name: str) -> Array:
    """(H, W) float32 metres, 0 = none, of bytes, an ``I;16`` picture, or a uint16 array of millimetres."""
    return metres(_gray16(value, name, decode_depth_millimetres))


def read_ids(value: object, name: str) -> Array:
    """(H, W) int32 instance ids, 0 = none, of bytes, an ``I;16`` picture, or a uint16 array."""
    return _gray16(value, name, decode_ids).astype(np.int32)


def read_flow(value: object, name: str) -> tuple[Array, Array]:
    """Flow (H, W, 2) float32 pixels and validity (H, W) bool; of bytes alone, for Pillow cuts 16-bit colour to 8."""
    data = _bytes(value)
    return decode_flow(data, name) if data is not None else _refuse(value, name, "the bytes of a 16-bit RGB PNG")


def read_video(value: object, name: str) -> Array:
    """(n, H, W, 3) uint8 of the bytes of a video, or such an array."""
    data = _bytes(value)
    if data is not None:
        from flowbench.encoding.video import decode_video  # which needs more than pictures do

        return decode_video(data, name)
    if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 4 and value.shape[3] == 3:
        return value
    return _refuse(value, name, "the bytes of a video")


def read_record(model: type[Record], value: object, name: str) -> Record:
    """The typed record of JSON text or of the plain values that readers make of it."""
    if isinstance(value, model):
        return value
    if isinstance(value, Mapping):
        try:
            return model.model_validate(value, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ReleaseError(
                f"{name} is not a valid {model.__name__}: {where}: {first['msg']}; fetch or build the shard again"
            ) from None
    return record_from_json(model, _text(value, name), name)


def plain_record(value: object) -> Mapping[str, Any]:
    """The fields of a record by name, to tell what it is a record of; empty where it is none."""
    if isinstance(value, str | bytes):
        try:
            value = value_from_json(value.encode() if isinstance(value, str) else value, "the record")
        except ReleaseError:  # which whoever reads it tells better
            return {}
    return value if isinstance(value, Mapping) else {}


def read_meta(value: object, name: str) -> Any:
    """The plain values of a JSON text of no fixed shape."""
    return value if isinstance(value, Mapping) else value_from_json(_text(value, name), name)


def _bytes(value: object) -> bytes | None:
    """The undecoded bytes, where there still are some."""
    if isinstance(value, Mapping):
        value = value.get("bytes")
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else None


def _text(value: object, name: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    return value if isinstance(value, bytes) else _refuse(value, name, "JSON text")


def _gray16(value: object, name: str, decode: Callable[[bytes, str], NDArray[np.uint16]]) -> NDArray[np.uint16]:
    data = _bytes(value)
    if data is not None:
        return decode(data, name)
    pixels = _pixels(value, "I;16", name)
    return pixels if pixels.dtype == np.uint16 and pixels.ndim == 2 else _refuse(value, name, "16-bit gray")


def _pixels(value: object, mode: str, name: str) -> Array:
    """The array in a picture of that mode, or the array itself."""
    if isinstance(value, np.ndarray):
        return value
    if getattr(value, "mode", None) != mode:
        _refuse(value, name, f"bytes, a picture of mode {mode} or an array of its pixels")
    picture: Picture = value  # type: ignore[assignment]
    try:
        return np.array(picture)
    except (OSError, SyntaxError, ValueError) as error:  # Pillow decodes when it is asked for pixels
        raise ReleaseError(f"{name} cannot be decoded ({error}): fetch or build the shard again") from None


def _refuse(value: object, name: str, expected: str) -> NoReturn:
    kind = type(value).__name__
    shape = f" {value.dtype} {value.shape}" if isinstance(value, np.ndarray) else ""
    mode = f" of mode {value.mode}" if hasattr(value, "mode") else ""
    raise UsageError(
        f"{name} is {kind}{mode}{shape}, expected {expected}: leave the decoding of this column to flowbench.decode."
    )
