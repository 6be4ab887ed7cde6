"""Screens: televisions, computer screens, laptops."""

from __future__ import annotations

import math

from flowbench.geometry import atan2, compose, sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation, translation

from ..model import Model
from .assembly import Assembly, Place
from .draw import Draw

FLAT = rotation("x", -math.pi / 2)
"""Lays what faces -y on its back, facing up, its top away from the front."""


def lit(draw: Draw) -> Material:
    """A screen that shows one of the row's ``pictures``."""
    return Material(draw.shape("pictures"), (0.95, 0.97, 1.0), 0.1, emission=0.35)


def television(draw: Draw) -> Model:
    """A flat screen on its stand, or an old set with a picture tube."""
    assembly = Assembly("Television")
    width, stand = draw.size("width"), draw.shape("stand")
    height, lift, thick = width * draw.size("ratio"), draw.size("lift"), draw.size("thick")
    if stand == "tube":
        _tube_set(assembly, draw, width)
        return assembly.model(14.0)
    if stand == "soundbar":
        lift += 0.03
    shell = draw.steel if draw.chance("silver") else draw.dark
    rim = draw.size("rim")
    assembly.box((width, thick, height), (0.0, 0.0, lift + height / 2), shell, rounding=0.006)
    at = (0.0, -thick / 2 - 0.0006, lift + height / 2)
    assembly.picture(width - 2 * rim, height - 2 * rim, lit(draw), at=at)
    _stand(assembly, stand, (width, lift), shell)
    return assembly.model(9.0)


def _stand(assembly: Assembly, stand: str, size: tuple[float, float], shell: Material) -> None:
    """What a flat screen of (width, height above the ground) stands on."""
    width, lift = size
    if stand == "plate":
        assembly.box((width * 0.36, 0.2, 0.014), (0.0, 0.0, 0.007), shell, rounding=0.005, segments=1)
        assembly.box((0.1, 0.03, lift), (0.0, 0.005, lift / 2 + 0.007), shell)
    elif stand == "frame":
        for side in (-1.0, 1.0):
            assembly.box((0.02, 0.2, 0.016), (side * width * 0.22, 0.0, 0.008), shell)
            assembly.box((0.02, 0.02, lift), (side * width * 0.22, 0.0, lift / 2 + 0.01), shell)
        assembly.box((width * 0.44, 0.02, 0.016), (0.0, -0.09, 0.008), shell)
    elif stand == "feet":
        for side in (-1.0, 1.0):
            assembly.box((0.03, 0.22, 0.014), (side * width * 0.36, 0.0, 0.007), shell, rounding=0.004, segments=1)
            assembly.box((0.024, 0.028, lift), (side * width * 0.36, 0.0, lift / 2 + 0.007), shell)
    elif stand == "pedestal":
        foot = [(0.0, 0.0), (0.15, 0.0), (0.14, 0.014), (0.035, 0.03), (0.03, lift + 0.01), (0.0, lift + 0.01)]
        assembly.lathe(foot, shell, sides=32)
    else:
        size3 = (width * 0.86, 0.11, lift)
        assembly.box(size3, (0.0, 0.0, lift / 2), shell, rounding=0.012)
        grille = Material("fabric", (0.36, 0.35, 0.36), 0.9, 0.0, 6.0)
        assembly.picture(width * 0.8, 0.7 * lift, grille, at=(0.0, -0.0556, lift / 2))


def _tube_set(assembly: Assembly, draw: Draw, width: float) -> None:
    """An old set: a deep case, a screen with rounded corners, knobs beside it, an aerial."""
    case = draw.wood() if draw.chance("wooden") else draw.plastic()
    high = 0.74 * width
    low = 0.03
    assembly.box((width, 0.2, high), (0.0, -0.05, low + high / 2), case, rounding=0.02)
    half_x, half_z = 0.46 * width, 0.46 * high
    front = [(-half_x, -half_z), (half_x, -half_z), (half_x, half_z), (-half_x, half_z)]
    back = [(0.55 * x, 0.55 * z) for x, z in front]
    assembly.loft(front, back, 0.0, 0.14, draw.dark, at=compose(translation(0.0, 0.05, low + high / 2), FLAT))
    for x in (-0.36, 0.36):
        assembly.box((0.04, 0.16, low), (x * width, -0.04, low / 2), draw.dark)
    left, tall = -0.11 * width, 0.82 * high
    front_y = -0.15
    assembly.box((0.72 * width, 0.012, tall), (left, front_y, low + high / 2), draw.dark, rounding=0.02, solid=False)
    assembly.picture(0.64 * width, 0.86 * tall, lit(draw), at=(left, front_y - 0.0066, low + high / 2))
    for z in (0.72, 0.5):
        knob = rotation("x", math.pi / 2, (0.37 * width, front_y + 0.004, low + z * high))
        assembly.lathe(
            [(0.0, 0.0), (0.026, 0.0), (0.022, 0.014), (0.0, 0.014)], draw.steel, sides=16, at=knob, solid=False
        )
    for k in range(4):
        bar = (0.16 * width, 0.006, 0.008)
        assembly.box(bar, (0.37 * width, front_y - 0.001, low + (0.14 + 0.06 * k) * high), draw.dark, solid=False)
    for side in (-1.0, 1.0):
        tip = (side * 0.2, 0.0, low + high + 0.24)
        assembly.tube([(side * 0.01, 0.0, low + high - 0.005), tip], 0.004, draw.steel, sides=6)


def desktop(draw: Draw) -> Model:
    """A monitor on its stand."""
    assembly = Assembly("Desktop", tolerance=0.004)
    width = draw.size("width")
    height, lift, chin = width * draw.size("ratio"), draw.size("lift"), draw.size("chin")
    shell = draw.white if draw.chance("pale") else draw.steel if draw.chance("silver") else draw.dark
    middle = lift + height / 2
    assembly.box((width, 0.03, height), (0.0, 0.0, middle), shell, rounding=0.006)
    rim = draw.size("rim")
    at = (0.0, -0.0156, middle + chin / 2)
    assembly.picture(width - 2 * rim, height - 2 * rim - chin, lit(draw), at=at)
    stand = draw.shape("stand")
    neck = (0.0, 0.026, lift / 2 + 0.055)
    if stand == "plate":
        assembly.box((0.06, 0.025, lift + 0.1), neck, shell, rounding=0.005, segments=1)
        assembly.box((0.2, 0.16, 0.012), (0.0, 0.02, 0.006), shell, rounding=0.005, segments=1)
    elif stand == "wing":
        assembly.box((0.12, 0.016, lift + 0.08), (0.0, 0.023, lift / 2 + 0.045), shell)
        assembly.loft(_wing(0.16, 0.09), _wing(0.15, 0.08), 0.0, 0.014, shell)
    elif stand == "disc":
        assembly.lathe([(0.0, 0.0), (0.115, 0.0), (0.11, 0.012), (0.0, 0.016)], shell, sides=32, at=(0.0, 0.03, 0.0))
        assembly.tube([(0.0, 0.034, 0.01), (0.0, 0.034, lift + 0.1)], 0.02, shell, sides=16)
    else:
        for side in (-1.0, 1.0):
            leg = [(0.0, 0.05, 0.02), (side * 0.17, -0.09, 0.009)]
            assembly.tube(leg, 0.011, shell, sides=10)
        assembly.tube([(0.0, 0.05, 0.02), (0.0, 0.1, 0.009)], 0.011, shell, sides=10)
        assembly.tube([(0.0, 0.05, 0.012), (0.0, 0.03, lift + 0.08)], 0.016, shell, sides=12)
    return assembly.model(4.0)


def _wing(half: float, deep: float) -> list[tuple[float, float]]:
    """A foot that narrows towards the back."""
    return [(-half, -deep), (half, -deep), (0.5 * half, deep), (-0.5 * half, deep)]


def laptop(draw: Draw) -> Model:
    """Open, its screen towards the front."""
    assembly = Assembly("Laptop", tolerance=0.003)
    width = draw.size("width")
    depth, tilt, form = width * draw.size("ratio"), draw.size("tilt"), draw.shape("form")
    shell = draw.steel if draw.chance("silver") else draw.plastic() if draw.chance("coloured") else draw.dark
    if form == "tablet":
        _tablet(assembly, draw, (width, depth, tilt), shell)
        return assembly.model(0.9)
    thick = draw.size("thick")
    rounding = 0.0065 if form == "round" else 0.003
    assembly.box((width, depth, thick), (0.0, 0.0, thick / 2), shell, rounding=rounding, segments=2)
    _keyboard(assembly, draw, (width, depth, thick))
    lid = rotation("x", -tilt, (0.0, depth / 2 - 0.006, thick - 0.002))
    cover = 0.01 if form == "square" else 0.007
    assembly.box((width, cover, depth), (0.0, 0.0, depth / 2), shell, rounding=0.4 * cover, segments=1, at=lid)
    rim = draw.size("rim")
    border = compose(lid, translation(0.0, -cover / 2 - 0.0003, depth / 2))
    screen = compose(lid, translation(0.0, -cover / 2 - 0.0006, depth / 2 + 0.003))
    assembly.picture(width - 0.008, depth - 0.01, draw.dark, at=border)
    assembly.picture(width - 2 * rim, depth - 2 * rim - 0.008, lit(draw), at=screen)
    return assembly.model(1.6)


def _keyboard(assembly: Assembly, draw: Draw, size: tuple[float, float, float]) -> None:
    """Keys and a pad on top of a slab of (width, depth, height)."""
    width, depth, top = size
    tone = draw.size("keys")
    at: Place = compose(translation(0.0, 0.2 * depth, top + 0.0006), FLAT)
    assembly.picture(width - 0.03, depth * 0.48, Material("keys", (tone, tone, tone), 0.6), at=at)
    at = compose(translation(0.0, -depth * 0.28, top + 0.0006), FLAT)
    assembly.picture(width * 0.32, depth * 0.3, Material("plain", (1.4 * tone, 1.4 * tone, 1.4 * tone), 0.4), at=at)


def _tablet(assembly: Assembly, draw: Draw, size: tuple[float, float, float], shell: Material) -> None:
    """A slate on a prop behind a thin keyboard; size: (width, depth, tilt)."""
    width, depth, tilt = size
    low = 0.007
    assembly.box((width, depth, low), (0.0, 0.0, low / 2), draw.cloth(patterned=False), rounding=0.002, segments=1)
    _keyboard(assembly, draw, (width, depth, low))
    slate = rotation("x", -tilt, (0.0, depth / 2 + 0.01, 0.004))
    assembly.box((width, 0.012, depth), (0.0, 0.0, depth / 2), shell, rounding=0.004, segments=1, at=slate)
    border = compose(slate, translation(0.0, -0.0063, depth / 2))
    screen = compose(slate, translation(0.0, -0.0066, depth / 2))
    assembly.picture(width - 0.006, depth - 0.006, draw.dark, at=border)
    assembly.picture(width - 0.03, depth - 0.03, lit(draw), at=screen)
    # The prop runs from the floor behind to the middle of the slate's back.
    sine, cosine = sin_cos(tilt)
    reach, high = 0.5 * depth * sine + 0.012, 0.5 * depth * cosine
    spread = 0.4 * depth
    long = math.sqrt(spread * spread + high * high)
    prop = rotation("x", atan2(spread, high), (0.0, depth / 2 + reach + spread, 0.004))
    assembly.box((0.7 * width, 0.005, long), (0.0, 0.0, long / 2), shell, at=prop)
