"""Cameras whose pictures lie in the frames' files, encoded one by one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from PIL import Image, UnidentifiedImageError

from ..recorded import EpisodeError, Picture

MOST_PIXELS: Final = 4096 * 4096
_FORMATS: Final = ("PNG", "JPEG")


def pictures_of(path: Path, table: pa.Table, key: str, rows: Sequence[int]) -> list[Picture]:
    """Pictures of these rows of a file.

    Raises:
        EpisodeError: one is missing, is no PNG or JPEG, is too large, or cannot be decoded.
    """
    return [_picture(path, key, row, table[key][row].as_py()) for row in rows]


def _picture(path: Path, key: str, row: int, value: object) -> Picture:
    data = value.get("bytes") if isinstance(value, dict) else value
    if not isinstance(data, bytes):
        raise _refused(path, key, row, "holds no picture")
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as header:
            width, height = header.size
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        raise _refused(path, key, row, "is no PNG or JPEG") from None
    if not 0 < width * height <= MOST_PIXELS:
        raise _refused(path, key, row, f"has {width}x{height} pixels")
    decoded = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR_RGB)
    if decoded is None or decoded.shape[:2] != (height, width):
        raise _refused(path, key, row, "cannot be decoded")
    return np.asarray(decoded, dtype=np.uint8)


def _refused(path: Path, key: str, row: int, why: str) -> EpisodeError:
    return EpisodeError(
        f"{path}: {key} of row {row} {why}, expected a PNG or JPEG of at most {MOST_PIXELS:,} pixels; fetch it again.",
        "picture broken",
    )
