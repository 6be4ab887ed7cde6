"""CIELAB (D65) of sRGB colours from tables and exactly rounded arithmetic: the same bits on every CPU."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..rendering.colour import decoding_table, root

_STEPS = 4096
_TOE = 6.0 / 29.0
_WHITE = (0.95047, 1.0, 1.08883)
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


@cache
def _linear() -> NDArray[np.float64]:
    """Linear light of the 256 sRGB codes."""
    return decoding_table()


@cache
def _compressed() -> NDArray[np.float64]:
    """CIELAB's cube-root compression at ``_STEPS + 2`` points, 0 to just above 1."""
    t = np.arange(_STEPS + 2) / _STEPS
    return np.where(t > _TOE * _TOE * _TOE, root(t, 3), t / (3.0 * _TOE * _TOE) + 4.0 / 29.0)


def to_lab(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(..., 3) uint8 sRGB to (..., 3) float64 L*, a*, b*; within 0.1 of the exact values."""
    light = _linear()[rgb]
    table = _compressed()
    f = []
    for row, white in zip(_XYZ, _WHITE, strict=True):
        t = (row[0] * light[..., 0] + row[1] * light[..., 1] + row[2] * light[..., 2]) / white
        position = np.clip(t, 0.0, 1.0) * _STEPS
        low = position.astype(np.int64)
        share = position - low
        f.append(table[low] * (1.0 - share) + table[low + 1] * share)
    return np.stack([116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])], axis=-1)


def lab_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Euclidean distance of (..., 3) L*a*b* colours (CIE76)."""
    d = a - b
    return np.sqrt(d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1] + d[..., 2] * d[..., 2])
