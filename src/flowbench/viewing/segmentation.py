"""Instance ids as a picture: every id has its own colour, the same in every picture of every sample."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..rendering.colour import srgb_from_linear

Image = NDArray[np.uint8]

NO_OBJECT: Final = (0, 0, 0)
_GOLDEN: Final = 0.618033988749895
"""Steps of the golden ratio round the hue circle keep any run of consecutive ids well apart."""


def id_colour(instance_id: int, *, muted: bool = False) -> tuple[int, int, int]:
    """The sRGB colour of an instance id; ``muted`` ones (the building) are nearly grey."""
    if instance_id == 0:
        return NO_OBJECT
    hue = (instance_id * _GOLDEN) % 1.0
    tone = (instance_id * 7) % 3
    if muted:
        return _srgb(0.42 + 0.07 * tone, 0.018, hue)
    return _srgb(0.62 + 0.09 * tone, 0.14, hue)


def ids_to_rgb(ids: NDArray[np.uint16], muted: Collection[int] = ()) -> Image:
    """An id image in colours.

    Args:
        ids: (H, W) uint16 instance ids; 0 = none, drawn black.
        muted: ids drawn nearly grey so that the others stand out.

    Returns:
        (H, W, 3) uint8 sRGB.
    """
    present, index = np.unique(ids, return_inverse=True)
    palette = np.array([id_colour(int(i), muted=int(i) in muted) for i in present], dtype=np.uint8)
    image: Image = palette[index.reshape(ids.shape)]
    return image


def _srgb(lightness: float, chroma: float, hue: float) -> tuple[int, int, int]:
    """A colour of Ottosson's OKLCH space (hue in turns) as 8-bit sRGB, cut to the gamut."""
    angle = 2.0 * np.pi * hue
    a, b = chroma * np.cos(angle), chroma * np.sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = np.rint(255.0 * srgb_from_linear(np.array(linear))).astype(int).tolist()
    return red, green, blue
