"""Textures with their mip levels in one array.

Texels hold the square root of linear light as a byte: shading decodes by squaring, and dark tones keep the
resolution that sRGB gives them. Levels are averaged in linear light. A texture of one colour becomes one texel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .colour import decoding_table

MAX_LEVELS = 13
"""Up to 4096 texels a side."""


@dataclass(frozen=True, eq=False)
class TextureSet:
    """All textures, packed for the shading kernel.

    Attributes:
        rows: name -> row of ``levels`` and ``sizes``.
        texels: (N, 3) uint8, square root of linear light, row-major images one after another.
        starts: (T, MAX_LEVELS) int64 first texel of each level.
        sizes: (T,) int64 texels a side at level 0.
        counts: (T,) int64 how many levels there are; each has half the side of the one before.
    """

    rows: dict[str, int]
    texels: NDArray[np.uint8]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    counts: NDArray[np.int64]


def pack_textures(textures: Mapping[str, NDArray[np.uint8]]) -> TextureSet:
    """Make the mip levels.

    Args:
        textures: name -> (n, n, 3) uint8 sRGB, n a power of two.

    Raises:
        ValueError: a texture has another shape or dtype.
    """
    decode = decoding_table()
    starts = np.zeros((len(textures), MAX_LEVELS), dtype=np.int64)
    sizes = np.ones(len(textures), dtype=np.int64)
    counts = np.ones(len(textures), dtype=np.int64)
    parts: list[NDArray[np.uint8]] = []
    total = 0
    for row, (name, image) in enumerate(textures.items()):
        _check(name, image)
        uniform = bool((image == image[0, 0]).all())
        level = decode[image[:1, :1] if uniform else image]
        sizes[row] = len(level)
        for number in range(MAX_LEVELS):
            starts[row, number] = total
            parts.append(np.floor(np.sqrt(level) * 255.0 + 0.5).astype(np.uint8).reshape(-1, 3))
            total += len(parts[-1])
            counts[row] = number + 1
            if len(level) == 1:
                break
            level = (level[::2, ::2] + level[1::2, ::2] + level[::2, 1::2] + level[1::2, 1::2]) * 0.25
    texels = np.concatenate([np.empty((0, 3), dtype=np.uint8), *parts])
    return TextureSet({name: row for row, name in enumerate(textures)}, texels, starts, sizes, counts)


def _check(name: str, image: NDArray[np.uint8]) -> None:
    size = image.shape[0] if image.ndim else 0
    square = image.ndim == 3 and image.shape == (size, size, 3) and image.dtype == np.uint8
    if not square or size < 1 or size & (size - 1) or size > 2 ** (MAX_LEVELS - 1):
        raise ValueError(
            f"texture {name!r} is {image.dtype} {image.shape}, not uint8 (n, n, 3) with n a power of two up to 4096."
        )
