"""Light of a house: lamps and the sun's bearing as its file has them, strength, sky and daylight as our style has."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flowbench.geometry import sin_cos
from flowbench.rendering import Lighting, PointLight
from flowbench.seeding import generator

from ..bullet.lights import regions_of, scaled, window_light
from ..bullet.openings import HousePlan
from ..bullet.pieces import Piece
from ..bullet.plan import RoomPlan
from ..bullet.styles import Style
from ..bullet.tables import Colour
from .frames import floor_point
from .schema import House, Light

_HANGING = 0.35
_USUAL = 0.6
"""Intensity that a point light of ProcTHOR has on average."""
_STRONGER = (0.7, 1.4)


def light_of(
    house: House, style: Style, plan: HousePlan, pieces: Sequence[Piece], at: tuple[int, str, int]
) -> Lighting:
    """The light of a house.

    Args:
        house: its file.
        style: how strong lamps, sky and sun are.
        plan: rooms; each is lit by its own lamps and windows only.
        pieces: the building, whose glass lets daylight and sun in.
        at: (seed, pool, scene).
    """
    light = style.light
    rng = generator(*at, "light")
    key, sun, ambient, daylight, exposure, warmth, slope = (
        float(rng.uniform(*span))
        for span in (
            *(light.key_strength, light.sun_strength, light.ambient, light.daylight, light.exposure),
            *(light.key_warmth, light.key_slope),
        )
    )
    tone = (1.0 + warmth, 1.0, 1.0 - warmth)
    lamps: list[PointLight] = []
    for index, room in enumerate(plan.rooms):
        panes = [glass for piece in pieces if piece.room == index for glass in piece.glass]
        colour = light.lamp_colours[int(rng.integers(len(light.lamp_colours)))]
        power = scaled(colour, float(rng.uniform(*light.lamp_power)) * (0.6 + room.area / 30.0))
        bulbs = _bulbs(house, room, plan.height, power)
        for region in regions_of(room, plan.height):
            lamps += [PointLight(position, strength, region) for position, strength in bulbs]
            lamps += [window_light(glass, daylight, region) for glass in panes]
    x, y = _bearing(house)
    return Lighting(
        key_direction=(round(slope * x, 4), round(slope * y, 4), 1.0),
        key_colour=scaled(tone, key),
        sun_colour=scaled(tone, sun),
        lamps=tuple(lamps),
        ambient_up=scaled(light.ambient_up, ambient),
        ambient_down=scaled(light.ambient_down, ambient),
        exposure=exposure,
    )


def _bulbs(
    house: House, room: RoomPlan, height: float, power: Colour
) -> list[tuple[tuple[float, float, float], Colour]]:
    """A room's lamps as (position, light); they share its power. One in its middle where the file has none."""
    mine = [lamp for lamp in house.procedural_parameters.lights if lamp.type == "point" and _lies_in(lamp, room)]
    if not mine:
        x, y = max(room.legs, key=lambda leg: leg.area).centre
        return [((x, y, height - _HANGING), power)]
    found = []
    for lamp in mine:
        x, y = floor_point(lamp.position)
        z = min(max(lamp.position.y, 0.5 * height), height - 0.1)
        factor = min(max(lamp.intensity / _USUAL, _STRONGER[0]), _STRONGER[1]) / len(mine)
        shade = _linear(lamp)
        red, green, blue = (factor * strength * part for strength, part in zip(power, shade, strict=True))
        found.append(((x, y, round(z, 3)), (red, green, blue)))
    return found


def _lies_in(lamp: Light, room: RoomPlan) -> bool:
    return room.has(*floor_point(lamp.position))


def _linear(lamp: Light) -> Colour:
    """The lamp's colour, linear, a third of its strength kept neutral: our lamps have colours of their own."""
    red, green, blue = ((1.0 + 2.0 * v * v) / 3.0 for v in (lamp.rgb.r, lamp.rgb.g, lamp.rgb.b))
    mean = max((red + green + blue) / 3.0, 0.1)
    return red / mean, green / mean, blue / mean


def _bearing(house: House) -> tuple[float, float]:
    """Unit direction (x, y) towards the sun."""
    for lamp in house.procedural_parameters.lights:
        if lamp.type == "directional":
            s, c = sin_cos(math.radians(lamp.rotation.y))
            return -s, -c
    return 1.0, 0.0
