"""Light of a home: lamps in each room, windows, the sun through them, a soft ambient; varied from home to home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Lighting, PointLight

from .openings import HousePlan
from .pieces import Glass, Piece
from .plan import RoomPlan
from .space import Item
from .styles import Style
from .tables import Colour

_BELOW_LAMP = 0.12
"""A lamp's light comes from this far below its lowest point, metres, clear of its own shade."""
_OUTSIDE = 0.25
"""A window's light comes from this far outside its panes, metres, so that its reveal is not dazzling."""
_HANGING = 0.35
"""How far below the ceiling light comes from where no lamp hangs, metres."""

Region = tuple[tuple[float, float, float], tuple[float, float, float]]


def light_house(
    rng: np.random.Generator, style: Style, plan: HousePlan, lamps: Sequence[Item], pieces: Sequence[Piece]
) -> Lighting:
    """The light of a home.

    Args:
        rng: the light's generator.
        style: its light set-up.
        plan: rooms; each is lit by its own lamps and windows only.
        lamps: ceiling lamps; a room without one gets light from its middle.
        pieces: the building, whose glass lets daylight and sun in.
    """
    light = style.light
    slope = float(rng.uniform(*light.key_slope))
    x, y = _bearing(rng, [glass for piece in pieces for glass in piece.glass])
    warmth = float(rng.uniform(*light.key_warmth))
    tone = (1.0 + warmth, 1.0, 1.0 - warmth)
    key, sun, ambient, daylight, exposure = (
        float(rng.uniform(*span))
        for span in (light.key_strength, light.sun_strength, light.ambient, light.daylight, light.exposure)
    )
    sources: list[PointLight] = []
    for index, room in enumerate(plan.rooms):
        hanging = [item for item in lamps if item.room == index]
        colour = light.lamp_colours[int(rng.integers(len(light.lamp_colours)))]
        power = float(rng.uniform(*light.lamp_power)) * (0.6 + room.area / 30.0)
        panes = [glass for piece in pieces if piece.room == index for glass in piece.glass]
        for region in regions_of(room, plan.height):
            sources += _lamps(hanging, room, plan.height, scaled(colour, power), region)
            sources += [window_light(glass, daylight, region) for glass in panes]
    return Lighting(
        key_direction=(round(slope * x, 4), round(slope * y, 4), 1.0),
        key_colour=scaled(tone, key),
        sun_colour=scaled(tone, sun),
        lamps=tuple(sources),
        ambient_up=scaled(light.ambient_up, ambient),
        ambient_down=scaled(light.ambient_down, ambient),
        exposure=exposure,
    )


def _bearing(rng: np.random.Generator, panes: Sequence[Glass]) -> tuple[float, float]:
    """Unit direction (x, y) towards the sun: before some window, up to a radian aside."""
    nx, ny = panes[int(rng.integers(len(panes)))].inward if panes else (1, 0)
    s, c = sin_cos(float(rng.uniform(-1.0, 1.0)))
    return s * ny - c * nx, -s * nx - c * ny


def scaled(colour: Colour, factor: float) -> Colour:
    """A colour's light, ``factor`` times as strong."""
    red, green, blue = colour
    return factor * red, factor * green, factor * blue


def regions_of(room: RoomPlan, height: float) -> list[Region]:
    """Boxes that hold a room up to the middle of its walls, and none of another."""
    return [((r.x0, r.y0, -0.1), (r.x1, r.y1, height + 0.1)) for r in room.tiles]


def _lamps(
    hanging: Sequence[Item], room: RoomPlan, height: float, power: Colour, region: Region
) -> Iterator[PointLight]:
    """A room's lamps, which share its power."""
    if not hanging:
        yield PointLight((*room.bounds.centre, height - _HANGING), power, region)
    for item in hanging:
        x, y, _ = item.pose.position
        yield PointLight((x, y, item.volume.z0 - _BELOW_LAMP), scaled(power, 1.0 / len(hanging)), region)


def window_light(glass: Glass, daylight: float, region: Region) -> PointLight:
    """Light of the sky as strong as its panes are large, from just outside the middle of them."""
    pane, (nx, ny) = glass.pane, glass.inward
    x, y, z = (corner + 0.5 * (a + b) for corner, a, b in zip(pane.corner, pane.across, pane.up, strict=True))
    area = (abs(pane.across[0]) + abs(pane.across[1])) * pane.up[2]
    position = (x - _OUTSIDE * nx, y - _OUTSIDE * ny, z)
    return PointLight(position, scaled(glass.colour, daylight * area), region, (float(nx), float(ny), 0.0), pane)
