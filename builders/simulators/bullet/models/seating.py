"""Seats: sofas, armchairs, chairs, stools, ottomans."""

from __future__ import annotations

import math

import numpy as np

from flowbench.rendering import Material
from flowbench.rendering.placing import placed, rotation
from flowbench.rendering.shapes import box, cylinder

from ..model import Model
from .assembly import Assembly
from .palette import BLACK_PLASTIC, between, chance, cloth, metal, plastic, timber, wood


def sofa(rng: np.random.Generator, style: str) -> Model:
    """Two or three seats."""
    return _upholstered("Sofa", rng, style, between(rng, 1.45, 2.25), between(rng, 0.82, 0.95))


def arm_chair(rng: np.random.Generator, style: str) -> Model:
    """A sofa for one."""
    return _upholstered("ArmChair", rng, style, between(rng, 0.72, 0.95), between(rng, 0.74, 0.88))


def _upholstered(kind: str, rng: np.random.Generator, style: str, width: float, depth: float) -> Model:
    assembly = Assembly(kind)
    cover, legs = cloth(rng, style), timber(rng, style)
    leg, base = between(rng, 0.06, 0.14), between(rng, 0.18, 0.24)
    arm, arm_top = between(rng, 0.10, 0.2), between(rng, 0.54, 0.66)
    back, back_top = between(rng, 0.16, 0.22), between(rng, 0.74, 0.95)
    soft = between(rng, 0.03, 0.07)
    seat_top = leg + base + between(rng, 0.11, 0.15)
    assembly.box((width, depth, base), (0.0, 0.0, leg + base / 2), cover, rounding=0.03)
    for side in (-1.0, 1.0):
        x = side * (width - arm) / 2
        assembly.box((arm, depth, arm_top - leg), (x, 0.0, (arm_top + leg) / 2), cover, rounding=soft, segments=3)
    inner = width - 2 * arm
    back_height = back_top - leg
    centre = (0.0, (depth - back) / 2, leg + back_height / 2)
    assembly.box((inner + 0.02, back, back_height), centre, cover, rounding=soft, segments=3)
    count = 1 if width < 1.0 else 2 if width < 1.85 else 3
    seat = inner / count
    thick = seat_top - leg - base
    for i in range(count):
        x = (i + 0.5) * seat - inner / 2
        size = (seat - 0.008, depth - back + 0.01, thick)
        centre = (x, -back / 2 + 0.01, leg + base + thick / 2)
        assembly.box(size, centre, cover, rounding=0.04, segments=3, solid=False)
    assembly.block((inner, depth - back + 0.01, thick), (0.0, -back / 2 + 0.01, leg + base + thick / 2), rounding=0.04)
    if chance(rng, 0.6):
        _back_cushions(assembly, rng, cover, count, seat, (depth / 2 - back, seat_top, back_top))
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            assembly.lathe(
                [(0.0, 0.0), (0.022, 0.0), (0.032, leg + 0.01), (0.0, leg + 0.01)],
                legs,
                sides=12,
                at=(x * (width / 2 - 0.07), y * (depth / 2 - 0.07), 0.0),
            )
    return assembly.model(18.0 + 20.0 * width)


def _back_cushions(
    assembly: Assembly,
    rng: np.random.Generator,
    cover: Material,
    count: int,
    seat: float,
    place: tuple[float, float, float],
) -> None:
    front, bottom, top = place
    thick, lean = between(rng, 0.12, 0.16), between(rng, 0.12, 0.2)
    height = top - bottom - 0.03
    for i in range(count):
        at = rotation("x", -lean, ((i + 0.5 - count / 2) * seat, front - thick / 2 + 0.01, bottom + height / 2 - 0.01))
        assembly.box((seat - 0.03, thick, height), (0.0, 0.0, 0.0), cover, rounding=0.06, segments=3, at=at)


def chair(rng: np.random.Generator, style: str) -> Model:
    """A dining chair with a slatted, panelled or upholstered back, or an office chair."""
    return _office_chair(rng, style) if chance(rng, 0.2) else _dining_chair(rng, style)


def _dining_chair(rng: np.random.Generator, style: str) -> Model:
    assembly = Assembly("Chair")
    frame, cover = timber(rng, style, 0.4), cloth(rng, style)
    width, depth = between(rng, 0.40, 0.5), between(rng, 0.40, 0.48)
    seat, back = between(rng, 0.43, 0.48), between(rng, 0.38, 0.55)
    leg = between(rng, 0.03, 0.042)
    assembly.box((width, depth, 0.035), (0.0, 0.0, seat - 0.0175), frame, rounding=0.012)
    if chance(rng, 0.6):
        assembly.box((width - 0.03, depth - 0.03, 0.05), (0.0, 0.0, seat + 0.015), cover, rounding=0.022, segments=3)
    inset = leg / 2 + 0.004
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            centre = (x * (width / 2 - inset), y * (depth / 2 - inset), (seat - 0.02) / 2)
            assembly.box((leg, leg, seat - 0.02), centre, frame, rounding=0.007, segments=1)
    lean = between(rng, 0.08, 0.2)
    # The back is built upright about the seat's rear edge, then leaned.
    at = rotation("x", -lean, (0.0, depth / 2 - inset, seat - 0.02))
    kind = int(rng.integers(3))
    if kind == 2:
        assembly.box((width - 0.02, 0.05, back), (0.0, 0.0, back / 2), cover, rounding=0.023, segments=3, at=at)
        return assembly.model(5.5)
    for x in (-1.0, 1.0):
        size = (leg * 0.9, leg * 0.7, back)
        assembly.box(size, (x * (width - leg) / 2, 0.0, back / 2), frame, rounding=0.007, segments=1, at=at)
    if kind == 0:
        rails = int(rng.integers(2, 5))
        for i in range(rails):
            z = back * (0.97 - 0.62 * i / rails) - 0.035
            size = (width - leg, 0.018, 0.75 * 0.62 * back / rails)
            assembly.box(size, (0.0, 0.0, z), frame, rounding=0.006, segments=1, at=at)
    else:
        assembly.box((width - leg, 0.022, 0.07), (0.0, 0.0, back - 0.035), frame, rounding=0.008, segments=1, at=at)
        bars = int(rng.integers(3, 6))
        for i in range(bars):
            x = (i + 1) * (width - leg) / (bars + 1) - (width - leg) / 2
            size = (0.02, 0.016, back - 0.05)
            assembly.box(size, (x, 0.0, (back - 0.05) / 2), frame, rounding=0.006, segments=1, at=at)
    return assembly.model(4.5)


def _office_chair(rng: np.random.Generator, style: str) -> Model:
    assembly = Assembly("Chair")
    cover, steel = cloth(rng, style, patterned=False), metal(rng, style)
    width, seat, back = between(rng, 0.46, 0.52), between(rng, 0.45, 0.52), between(rng, 0.45, 0.6)
    reach = between(rng, 0.26, 0.3)
    for i in range(5):
        arm = box((reach, 0.045, 0.035), (reach / 2, 0.0, 0.085), steel, rounding=0.012, segments=1)
        wheel = placed(
            cylinder(0.03, 0.044, BLACK_PLASTIC, sides=12), rotation("x", math.pi / 2, (reach - 0.01, 0.022, 0.03))
        )
        assembly.add_bunch(
            [(arm, (0.0, 0.0, 0.0)), (wheel, (0.0, 0.0, 0.0))], at=rotation("z", 2.0 * math.pi * (i + 0.5) / 5)
        )
    assembly.lathe([(0.0, 0.06), (0.03, 0.06), (0.025, seat - 0.06), (0.0, seat - 0.06)], steel, sides=14)
    assembly.box((width, width - 0.02, 0.08), (0.0, 0.0, seat - 0.03), cover, rounding=0.035, segments=3)
    at = rotation("x", -0.12, (0.0, width / 2 - 0.03, seat + 0.04))
    assembly.box((width - 0.06, 0.06, back), (0.0, 0.0, back / 2 + 0.02), cover, rounding=0.028, segments=3, at=at)
    assembly.box((0.07, 0.02, 0.22), (0.0, 0.03, 0.0), steel, at=at)
    return assembly.model(9.0)


def stool(rng: np.random.Generator, style: str) -> Model:
    """Low or bar-high, round or square, on four splayed legs or a pillar."""
    assembly = Assembly("Stool")
    height = between(rng, 0.42, 0.5) if chance(rng, 0.6) else between(rng, 0.6, 0.72)
    frame = timber(rng, style) if chance(rng, 0.6) else metal(rng, style)
    top = cloth(rng, style) if chance(rng, 0.4) else plastic(rng, style) if chance(rng, 0.3) else wood(rng, style)
    radius, thick = between(rng, 0.15, 0.19), between(rng, 0.03, 0.06)
    edge = thick * 0.3
    if chance(rng, 0.6):
        low = height - thick
        rim = [(radius - edge, low), (radius, low + edge), (radius, height - edge), (radius - edge, height)]
        assembly.lathe([(0.0, low), *rim, (0.0, height)], top, sides=28, crease=50.0)
    else:
        size = (2 * radius, 2 * radius, thick)
        assembly.box(size, (0.0, 0.0, height - thick / 2), top, rounding=edge)
    if chance(rng, 0.25):
        foot = [
            (0.0, 0.0),
            (radius, 0.0),
            (radius, 0.012),
            (0.03, 0.03),
            (0.025, height - thick),
            (0.0, height - thick),
        ]
        assembly.lathe(foot, metal(rng, style), sides=24)
        return assembly.model(5.0)
    spread = between(rng, 0.9, 1.12) * radius
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            start = (x * spread * 0.72, y * spread * 0.72, 0.0)
            end = (x * radius * 0.5, y * radius * 0.5, height - thick * 0.6)
            assembly.tube([start, end], [0.013, 0.018], frame)
    rail, level = spread * 0.72 * 0.93, height * 0.3
    for side in (-1.0, 1.0):
        assembly.tube([(-rail, side * rail, level), (rail, side * rail, level)], 0.009, frame, sides=6)
    return assembly.model(3.5)


def ottoman(rng: np.random.Generator, style: str) -> Model:
    """A padded cube, drum or bench."""
    assembly = Assembly("Ottoman")
    cover, height = cloth(rng, style), between(rng, 0.36, 0.46)
    if chance(rng, 0.45):
        radius, edge = between(rng, 0.22, 0.32), 0.04
        side = [(radius - 0.03, 0.0), (radius, edge), (radius, height - edge), (radius - 0.015, height - 0.012)]
        profile = [(0.0, 0.0), *side, (radius - edge, height), (0.0, height + 0.01)]
        assembly.lathe(profile, cover, sides=32, crease=60.0)
        return assembly.model(7.0)
    width, depth = between(rng, 0.45, 0.8), between(rng, 0.42, 0.5)
    leg = between(rng, 0.05, 0.12)
    body = height - leg
    assembly.box((width, depth, body * 0.6), (0.0, 0.0, leg + body * 0.3), cover, rounding=0.02)
    assembly.box(
        (width + 0.01, depth + 0.01, body * 0.42), (0.0, 0.0, height - body * 0.21), cover, rounding=0.05, segments=3
    )
    legs = timber(rng, style)
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            centre = (x * (width / 2 - 0.05), y * (depth / 2 - 0.05), (leg + 0.01) / 2)
            assembly.box((0.045, 0.045, leg + 0.01), centre, legs, rounding=0.008, segments=1)
    return assembly.model(9.0)
