"""The sRGB curve from exactly rounded operations only, so that tables have the same bits on every CPU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def root(values: Float, degree: int) -> Float:
    """The real ``degree``-th root of values from 0 to about 1 by Newton's method (no ``pow``); 0 stays 0."""
    safe = np.maximum(values, 1e-12)
    root = np.ones_like(safe)
    for _ in range(60):
        power = np.ones_like(safe)
        for _ in range(degree - 1):
            power = power * root
        root = ((degree - 1) * root + safe / power) / degree
    return np.where(values > 0.0, root, 0.0)


def linear_from_srgb(values: Float) -> Float:
    """Linear light of sRGB values in 0..1, any shape: ((x + 0.055) / 1.055) ** 2.4 above the toe."""
    x = np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)
    base = (x + 0.055) / 1.055
    fifth = root(base, 5)
    return np.where(x <= 0.04045, x / 12.92, base * base * fifth * fifth)


def srgb_from_linear(values: Float) -> Float:
    """sRGB values of linear light in 0..1, any shape: 1.055 x ** (1 / 2.4) - 0.055 above the toe."""
    x = np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)
    twelfth = np.sqrt(np.sqrt(root(x, 3)))
    power = twelfth * twelfth * twelfth * twelfth * twelfth
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * power - 0.055)


def decoding_table() -> Float:
    """(256,) linear light of each sRGB byte."""
    return linear_from_srgb(np.arange(256) / 255.0)


def encoding_table(size: int = 16384) -> NDArray[np.uint8]:
    """(size,) sRGB byte of each linear value ``(k + 0.5) / size``."""
    return np.floor(srgb_from_linear((np.arange(size) + 0.5) / size) * 255.0 + 0.5).astype(np.uint8)
