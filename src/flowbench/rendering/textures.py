"""Procedural textures: name -> (256, 256, 3) uint8 sRGB, the same bytes on every CPU.

Only exact arithmetic: value noise with polynomial smoothing, triangle waves instead of sines. Row index grows
with v, column index with u, so row 0 is the bottom of an upright picture. Textures that a material's colour
tints are light and grey; those that show something (pictures, screens) have their own colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..seeding import generator
from .mesh import Float
from .texturing import cloth, masonry, matter, paintings, prints, rugs, screens, skies, timber
from .texturing.drawing import SIZE, Painter


def _plain(rng: np.random.Generator) -> Float:
    del rng
    return np.ones((SIZE, SIZE, 3))


MATERIALS: Mapping[str, Painter] = {
    "plain": _plain,
    **timber.PAINTERS,
    **masonry.PAINTERS,
    **cloth.PAINTERS,
    **matter.PAINTERS,
}
"""What paints the textures that repeat without a seam, by name."""

PICTURES: Mapping[str, Painter] = {**rugs.PAINTERS, **paintings.PAINTERS, **screens.PAINTERS, **prints.PAINTERS}
"""What paints those that show one thing, by name."""

TEXTURES: Mapping[str, Painter] = {**MATERIALS, **PICTURES, **skies.PAINTERS}
"""What paints each texture, by name."""


def make_textures(seed: int = 0, names: Sequence[str] | None = None) -> dict[str, NDArray[np.uint8]]:
    """The texture set, (256, 256, 3) uint8 sRGB each.

    Args:
        seed: of their noise; each texture has its own generator, so that one more changes no other.
        names: which; all by default.
    """
    out = {}
    for name in TEXTURES if names is None else names:
        image = np.clip(TEXTURES[name](generator(seed, "textures", 0, name)), 0.0, 1.0)
        image *= 255.0
        image += 0.5
        out[name] = image.astype(np.uint8)
    return out
