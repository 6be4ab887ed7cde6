"""How bodies and ground look: three shapes with rounded edges, matt rubber, mirroring metal, CLEVR's eight colours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import sin_cos
from flowbench.rendering import Instance, Lighting, Material, Mesh, PointLight
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box, lathe, sphere
from flowbench.rendering.textures import make_textures

from .oracle import Body
from .setup import RADIUS, Ground, Light
from .studio import studio

GROUNDS: Mapping[str, float] = {"concrete": 0.35, "plaster": 0.6, "stucco": 0.5, "linen": 0.5}
"""Textures that grounds have, and their repeats a metre."""
GROUND_ID = 65535
"""Instance id of the ground while it is drawn; ids say 0 for it."""

COLOURS: Mapping[str, tuple[float, float, float]] = {
    "blue": (0.165, 0.294, 0.843),
    "brown": (0.506, 0.290, 0.098),
    "cyan": (0.161, 0.816, 0.816),
    "gray": (0.44, 0.44, 0.44),
    "green": (0.114, 0.412, 0.078),
    "purple": (0.506, 0.149, 0.753),
    "red": (0.678, 0.137, 0.137),
    "yellow": (1.000, 0.933, 0.200),
}
"""sRGB of CLEVR's colours."""

_ROUNDING = {"cube": 0.035, "cylinder": 0.025}
_GROUND_SIZE = 80.0
_SIDES, _RINGS = 48, 24
_SHEEN = 0.15
"""Metal is this much paler: the lamps that it mirrors are white."""
_EXPOSURE = 0.9


def textures() -> dict[str, NDArray[np.uint8]]:
    """The texture set of all scenes."""
    return {**make_textures(0, ("plain", *GROUNDS)), "studio": studio()}


def material_of(body: Body) -> Material:
    """Rubber is matt; metal mirrors the studio in its colour."""
    r, g, b = COLOURS[body.colour]
    if body.material == "rubber":
        return Material("plain", (r, g, b), 0.9, 0.0)
    paler = (r + _SHEEN * (1.0 - r), g + _SHEEN * (1.0 - g), b + _SHEEN * (1.0 - b))
    return Material("plain", paler, 0.12, 0.95)


@cache
def mesh_of(body: Body) -> Mesh:
    """The body about its centre, metres."""
    material = material_of(body)
    if body.shape == "sphere":
        return sphere(RADIUS, material, sides=_SIDES, rings=_RINGS)
    if body.shape == "cube":
        return box((2.0 * RADIUS,) * 3, material=material, rounding=_ROUNDING["cube"], segments=3)
    return lathe(_cylinder_profile(), material, sides=_SIDES)


def _cylinder_profile() -> list[tuple[float, float]]:
    """Rounded at both rims; rings just before the rounding keep caps and side evenly shaded."""
    rounding, steps = _ROUNDING["cylinder"], 4
    inner = RADIUS - rounding
    quarter = [sin_cos(0.5 * math.pi * k / steps) for k in range(steps + 1)]
    lower = [(inner + rounding * s, -inner - rounding * c) for s, c in quarter]
    half = [(0.0, -RADIUS), (inner - 0.002, -RADIUS), *lower, (RADIUS, -inner + 0.002)]
    return half + [(r, -z) for r, z in reversed(half)]


def ground_of(ground: Ground) -> Instance:
    """A plane that reaches beyond the picture."""
    material = Material(ground.texture, ground.tint, 0.85, 0.0, GROUNDS[ground.texture])
    slab = box((_GROUND_SIZE, _GROUND_SIZE, 0.1), (*ground.shift, -0.05), material)
    x, y = ground.shift
    return Instance(GROUND_ID, slab, translation(-x, -y, 0.0), casts_shadow=False)


def lighting_of(light: Light) -> Lighting:
    """Key, fill, and what comes from all around."""
    a = light.ambient
    return Lighting(
        key_direction=light.key,
        key_colour=light.key_colour,
        lamps=(PointLight(light.fill, light.fill_colour),),
        ambient_up=(a, a, 1.03 * a),
        ambient_down=(0.62 * a, 0.61 * a, 0.60 * a),
        exposure=_EXPOSURE,
        environment="studio",
    )
