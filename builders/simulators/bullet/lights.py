"""Light of a home: one lamp in each room, daylight from one direction, a soft ambient; varied from home to home."""

from __future__ import annotations

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Lighting, PointLight

from .openings import HousePlan
from .plan import INNER_HALF
from .space import Item
from .styles import Style

_BELOW_LAMP = 0.12
"""A lamp's light comes from this far below its lowest point, metres, clear of its own shade."""


def light_house(rng: np.random.Generator, style: Style, plan: HousePlan, lamps: list[Item]) -> Lighting:
    """Lamps where ceiling lamps hang (a room without one gets light from its middle), and the key light."""
    azimuth = float(rng.uniform(0.0, 6.283))
    s, c = sin_cos(azimuth)
    strength = float(rng.uniform(0.5, 1.2))
    warmth = float(rng.uniform(-0.06, 0.08))
    ambient = float(rng.uniform(0.85, 1.15))
    return Lighting(
        key_direction=(round(0.45 * c, 4), round(0.45 * s, 4), float(rng.uniform(0.8, 1.1))),
        key_colour=(strength * (1.0 + warmth), strength, strength * (1.0 - warmth)),
        lamps=tuple(_lamp(rng, style, plan, index, lamps) for index in range(len(plan.rooms))),
        ambient_up=(0.42 * ambient, 0.43 * ambient, 0.45 * ambient),
        ambient_down=(0.40 * ambient, 0.385 * ambient, 0.365 * ambient),
        exposure=float(rng.uniform(0.74, 0.92)),
        background=style.skies[0][0],
    )


def _lamp(rng: np.random.Generator, style: Style, plan: HousePlan, index: int, lamps: list[Item]) -> PointLight:
    room = plan.rooms[index]
    hanging = [item for item in lamps if item.room == index]
    x, y = room.bounds.centre
    z = plan.height - 0.35
    if hanging:
        x, y, _ = hanging[0].pose.position
        z = hanging[0].volume.z0 - _BELOW_LAMP
    red, green, blue = style.lamp_colours[int(rng.integers(len(style.lamp_colours)))]
    power = float(rng.uniform(1.3, 2.0)) * (0.6 + room.area / 30.0)
    reach = room.bounds.grown(INNER_HALF)
    region = ((reach.x0, reach.y0, -0.1), (reach.x1, reach.y1, plan.height + 0.1))
    return PointLight((x, y, z), (red * power, green * power, blue * power), region)
