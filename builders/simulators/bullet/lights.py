"""Light of a home: one lamp in each room, daylight from one direction, a soft ambient; varied from home to home."""

from __future__ import annotations

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Lighting, PointLight

from .light_setups import LightSetUp
from .openings import HousePlan
from .plan import INNER_HALF
from .space import Item
from .styles import Style
from .tables import Colour

_BELOW_LAMP = 0.12
"""A lamp's light comes from this far below its lowest point, metres, clear of its own shade."""


def light_house(rng: np.random.Generator, style: Style, plan: HousePlan, lamps: list[Item]) -> Lighting:
    """Lamps where ceiling lamps hang (a room without one gets light from its middle), and the key light."""
    light = style.light
    s, c = sin_cos(float(rng.uniform(0.0, 6.283)))
    slope = float(rng.uniform(*light.key_slope))
    strength = float(rng.uniform(*light.key_strength))
    warmth = float(rng.uniform(*light.key_warmth))
    ambient = float(rng.uniform(*light.ambient))
    up, down = (_scaled(tone, ambient) for tone in (light.ambient_up, light.ambient_down))
    return Lighting(
        key_direction=(round(slope * c, 4), round(slope * s, 4), 1.0),
        key_colour=(strength * (1.0 + warmth), strength, strength * (1.0 - warmth)),
        lamps=tuple(_lamp(rng, light, plan, index, lamps) for index in range(len(plan.rooms))),
        ambient_up=up,
        ambient_down=down,
        exposure=float(rng.uniform(*light.exposure)),
        background=light.skies[0][0],
    )


def _scaled(colour: Colour, factor: float) -> Colour:
    red, green, blue = colour
    return factor * red, factor * green, factor * blue


def _lamp(rng: np.random.Generator, light: LightSetUp, plan: HousePlan, index: int, lamps: list[Item]) -> PointLight:
    room = plan.rooms[index]
    hanging = [item for item in lamps if item.room == index]
    x, y = room.bounds.centre
    z = plan.height - 0.35
    if hanging:
        x, y, _ = hanging[0].pose.position
        z = hanging[0].volume.z0 - _BELOW_LAMP
    red, green, blue = light.lamp_colours[int(rng.integers(len(light.lamp_colours)))]
    power = float(rng.uniform(*light.lamp_power)) * (0.6 + room.area / 30.0)
    reach = room.bounds.grown(INNER_HALF)
    region = ((reach.x0, reach.y0, -0.1), (reach.x1, reach.y1, plan.height + 0.1))
    return PointLight((x, y, z), (red * power, green * power, blue * power), region)
