"""Lamps: what they look like; their light is the scene's affair."""

from __future__ import annotations

import math

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation
from flowbench.rendering.shapes import lathe
from flowbench.rendering.sweeps import two_sided

from ..model import Model
from .assembly import Assembly, Place
from .draw import Draw
from .hulls import lathe_parts

Profile = list[tuple[float, float]]


def _glow(draw: Draw, emission: float) -> Material:
    """What shines: the row's ``glow`` is how white, 1 all white."""
    white = draw.size("glow")
    return Material("plain", (1.0, white, white * white), 0.4, emission=emission)


def _bulb(assembly: Assembly, draw: Draw, at: Place, size: float = 1.0) -> None:
    """A bulb of 6 cm times ``size`` from its lower tip up."""
    outline = [(0.0, 0.0), (0.024, 0.014), (0.03, 0.03), (0.016, 0.055), (0.0, 0.06)]
    profile = [(size * r, size * z) for r, z in outline]
    assembly.lathe(profile, _glow(draw, 1.4), sides=12, crease=90.0, at=at, solid=False)


def _cover(assembly: Assembly, profile: Profile, material: Material, at: Place = (0.0, 0.0, 0.0)) -> None:
    """A thin turned shell, seen from both sides, that collides as if it were full; heights must rise."""
    (_, low), (_, high) = profile[0], profile[-1]
    parts = lathe_parts([(0.0, low), *profile, (0.0, high)], 0.004)
    assembly.add(two_sided(lathe(profile, material, sides=28, crease=60.0)), parts, at=at)


def _shade(assembly: Assembly, draw: Draw, at: float) -> tuple[float, float]:
    """A cloth shade, open above and below, round z from height ``at``; gives its lower radius and its height."""
    low, tall = draw.size("shade"), draw.size("shade_height")
    tint = draw.colour((0.2, 0.5), (0.75, 0.95)) if draw.chance("coloured") else draw.palette.porcelain
    cloth = Material(draw.palette.plain_fabric, tint, 0.95, 0.0, 5.0, 0.25)
    _cover(assembly, [(low, at), (low * draw.size("taper"), at + tall)], cloth)
    _bulb(assembly, draw, (0.0, 0.0, at + 0.35 * tall))
    return low, tall


def floor_lamp(draw: Draw) -> Model:
    """A pole or a tripod under a shade; an arc; a bowl or a ball of light on a pole."""
    assembly = Assembly("FloorLamp")
    form, height, post = draw.shape("form"), draw.size("height"), draw.metal()
    if form == "arc":
        _arc(assembly, draw, height, post)
    elif form in ("pole", "tripod"):
        _, tall = _shade(assembly, draw, height)
        if form == "pole":
            foot, top = draw.size("foot"), height + 0.4 * tall
            profile = [(0.0, 0.0), (foot, 0.0), (foot, 0.02), (0.03, 0.035), (0.012, 0.06), (0.012, top), (0.0, top)]
            assembly.lathe(profile, post, sides=28)
        else:
            _tripod(assembly, (height - 0.06, height + 0.5 * tall), draw.wood() if draw.chance("wooden") else post)
    else:
        foot = draw.size("foot")
        profile = [(0.0, 0.0), (foot, 0.0), (foot, 0.03), (0.016, 0.032), (0.016, height), (0.0, height)]
        assembly.lathe(profile, post, sides=28)
        _crown(assembly, draw, form, height, post)
    return assembly.model(5.0)


def _tripod(assembly: Assembly, heights: tuple[float, float], post: Material) -> None:
    """Three legs up to a hub at the first height, a stem to the second."""
    hub, top = heights
    for i in range(3):
        turn = rotation("z", 2.0 * math.pi * (i + 0.25) / 3)
        assembly.tube([(0.27, 0.0, 0.0), (0.015, 0.0, hub)], [0.011, 0.014], post, at=turn)
    collar = [(0.0, hub - 0.03), (0.035, hub - 0.03), (0.035, hub), (0.012, hub + 0.01), (0.012, top), (0.0, top)]
    assembly.lathe(collar, post, sides=14)


def _crown(assembly: Assembly, draw: Draw, form: str, height: float, post: Material) -> None:
    """What shines on top of a pole: an upturned bowl or a ball."""
    r = draw.size("shade")
    if form == "uplight":
        r *= 1.5
        bowl = [(0.02, height - 0.01), (0.5 * r, height + 0.02), (0.85 * r, height + 0.07), (r, height + 0.13)]
        _cover(assembly, bowl, post)
        assembly.lathe([(0.9 * r, height + 0.1), (0.0, height + 0.1)], _glow(draw, 1.2), sides=24, solid=False)
        return
    assembly.lathe([(0.0, 0.0), (0.05, 0.0), (0.06, 0.04), (0.0, 0.04)], post, sides=20, at=(0.0, 0.0, height - 0.02))
    assembly.ball(0.85 * r, (0.0, 0.0, height + 0.8 * r), _glow(draw, 0.9), sides=24, rings=14)


def _arc(assembly: Assembly, draw: Draw, height: float, post: Material) -> None:
    """A heavy foot, a rod that bends over, a dome at its end."""
    across, rise = 0.36, 0.45 * height
    assembly.lathe([(0.0, 0.0), (0.16, 0.0), (0.16, 0.05), (0.0, 0.05)], draw.stone(), sides=28, at=(-across, 0.0, 0.0))
    path: list[Vector] = [(-across, 0.0, 0.04)]
    for i in range(13):
        s, c = sin_cos(math.radians(140.0) * i / 12)
        path.append((-across * c, 0.0, height - rise + rise * s))
    assembly.tube(path, 0.011, post, spans=7)
    x, _, z = path[-1]
    r = draw.size("shade")
    dome = [(r, -0.62 * r), (0.95 * r, -0.4 * r), (0.7 * r, -0.12 * r), (0.35 * r, 0.0), (0.02, 0.02)]
    _cover(assembly, dome, post, at=(x, 0.0, z))
    _bulb(assembly, draw, (x, 0.0, z - 0.5 * r), 1.4)


def desk_lamp(draw: Draw) -> Model:
    """A ceramic foot under a shade, a jointed work lamp, a banker's lamp, a ball or a mushroom of light."""
    assembly = Assembly("DeskLamp", tolerance=0.003)
    form = draw.shape("form")
    if form == "jointed":
        _work_lamp(assembly, draw)
    elif form == "shaded":
        r, h = draw.size("foot"), draw.size("height")
        vase = [(0.7 * r, 0.0), (0.8 * r, 0.02), (r, 0.4 * h), (0.45 * r, 0.85 * h), (0.3 * r, h)]
        if draw.chance("column"):
            vase = [(r, 0.0), (r, 0.02), (0.3 * r, 0.04), (0.3 * r, h)]
        assembly.lathe([(0.0, 0.0), *vase, (0.0, h)], draw.glaze(), sides=28, crease=50.0)
        _, tall = _shade(assembly, draw, h + 0.03)
        stem = [(0.0, h), (0.008, h), (0.008, h + 0.6 * tall), (0.0, h + 0.6 * tall)]
        assembly.lathe(stem, draw.metal(), sides=10)
    elif form == "banker":
        _banker(assembly, draw)
    else:
        _luminous(assembly, draw, form)
    return assembly.model(1.8)


def _work_lamp(assembly: Assembly, draw: Draw) -> None:
    paint = Material("plain", draw.colour((0.3, 0.6), (0.55, 0.9)), 0.35)
    steel, foot = draw.metal(), draw.size("foot") + 0.02
    assembly.lathe([(0.0, 0.0), (foot, 0.0), (foot, 0.018), (0.02, 0.03), (0.0, 0.03)], paint, sides=28)
    lower, upper = draw.size("height") + 0.03, draw.size("height")
    elbow = (0.0, 0.4 * lower, 0.03 + 0.9 * lower)
    head = (0.0, elbow[1] - 0.85 * upper, elbow[2] + 0.5 * upper)
    assembly.tube([(0.0, 0.0, 0.02), elbow], 0.007, steel)
    assembly.tube([elbow, head], 0.007, steel)
    r, long = 0.4 * draw.size("shade"), 0.11
    at = rotation("x", -0.45, (head[0], head[1] - 0.02, head[2] - 0.6 * long))
    _cover(assembly, [(r, 0.0), (0.55 * r, 0.6 * long), (0.3 * r, long), (0.002, long + 0.001)], paint, at=at)
    _bulb(assembly, draw, at)


def _banker(assembly: Assembly, draw: Draw) -> None:
    """A brass foot and stem under a long half-round shade of coloured glass."""
    brass, h, foot = draw.metal(), draw.size("height"), draw.size("foot")
    stem = [(foot, 0.0), (foot, 0.012), (0.4 * foot, 0.025), (0.009, 0.04), (0.009, h), (0.0, h)]
    assembly.lathe([(0.0, 0.0), *stem], brass, sides=28)
    r, long = 0.62 * draw.size("shade"), draw.size("shade_length")
    half = [(-0.85 * r * s, r * c) for s, c in (sin_cos(math.pi * i / 12) for i in range(13))]
    tint = draw.colour((0.4, 0.62), (0.5, 0.7))
    at = rotation("y", math.pi / 2, (-long / 2, 0.0, h - 0.4 * r))
    assembly.loft(half, half, 0.0, long, Material("plain", tint, 0.15, emission=0.12), at=at)
    lit = (long - 0.012, 2 * r - 0.012, 0.004)
    assembly.box(lit, (0.0, 0.0, h - 0.4 * r), _glow(draw, 1.3), solid=False)
    ball = 0.012
    assembly.ball(ball, (0.0, 0.0, h + 0.45 * r + 0.6 * ball), brass, sides=10, rings=6)


def _luminous(assembly: Assembly, draw: Draw, form: str) -> None:
    """A ball on a ring, or a dome on a thick stem; both shine."""
    r, h, foot = draw.size("shade"), 0.6 * draw.size("height"), draw.size("foot")
    if form == "globe":
        base = [(foot, 0.0), (foot, 0.015), (0.012, 0.02), (0.012, h), (0.4 * r, h + 0.012), (0.0, h + 0.012)]
        assembly.lathe([(0.0, 0.0), *base], draw.metal(), sides=28)
        assembly.ball(0.95 * r, (0.0, 0.0, h + 0.9 * r), _glow(draw, 0.9), sides=24, rings=14)
        return
    paint = draw.glaze()
    assembly.lathe(
        [(0.0, 0.0), (foot, 0.0), (0.5 * foot, 0.04), (0.4 * foot, h), (0.0, h)], paint, sides=28, crease=60.0
    )
    dome = [
        (0.0, h - 0.01),
        (1.2 * r, h - 0.01),
        (1.25 * r, h + 0.015),
        (1.1 * r, h + 0.4 * r),
        (0.7 * r, h + 0.68 * r),
    ]
    assembly.lathe([*dome, (0.0, h + 0.8 * r)], _glow(draw, 0.7), sides=28, crease=70.0)


def ceiling_light(draw: Draw) -> Model:
    """Glass close to the ceiling, a hanging shade, a disc, hanging balls, or a long hanging bar."""
    assembly = Assembly("CeilingLight")
    form, ring, r = draw.shape("form"), draw.metal(), draw.size("radius")
    if form == "bowl":
        drop = draw.size("drop")
        bowl = [(0.0, -drop), (0.6 * r, -0.88 * drop), (0.9 * r, -0.55 * drop), (r, -0.02), (0.0, -0.02)]
        assembly.lathe(bowl, _glow(draw, 1.3), sides=32, crease=60.0)
        assembly.lathe([(0.0, -0.025), (r * 1.05, -0.025), (r * 1.05, 0.0), (0.0, 0.0)], ring, sides=32)
    elif form == "pendant":
        low = -draw.size("cord") - draw.size("shade_height")
        _, tall = _shade(assembly, draw, low)
        _cord(assembly, low + 0.5 * tall, ring)
    elif form == "disc":
        drop = draw.size("drop")
        assembly.lathe([(0.0, -drop), (r, -drop), (r, 0.0), (0.0, 0.0)], ring, sides=40)
        assembly.lathe(
            [(0.0, -drop - 0.002), (0.92 * r, -drop - 0.002), (0.92 * r, -drop), (0.0, -drop)],
            _glow(draw, 1.3),
            sides=40,
        )
    elif form == "cluster":
        assembly.lathe([(0.0, -0.025), (0.7 * r, -0.025), (0.7 * r, 0.0), (0.0, 0.0)], ring, sides=32)
        for i in range(3):
            s, c = sin_cos(2.0 * math.pi * (i + 0.2) / 3)
            drop, ball = draw.size("cord") - 0.08 + 0.06 * i, 0.085
            at = (0.55 * r * c, 0.55 * r * s, 0.0)
            _cord(assembly, -drop - 0.02, ring, at)
            assembly.ball(ball, (at[0], at[1], -drop - ball), _glow(draw, 0.9), sides=18, rings=10)
    else:
        drop, long = draw.size("cord"), draw.size("bar")
        for side in (-1.0, 1.0):
            _cord(assembly, -drop, ring, (side * 0.36 * long, 0.0, 0.0))
        assembly.box((long, 0.07, 0.035), (0.0, 0.0, -drop - 0.0175), ring, rounding=0.004, segments=1)
        assembly.box((long - 0.02, 0.055, 0.01), (0.0, 0.0, -drop - 0.038), _glow(draw, 1.4))
    return assembly.model(2.0, anchor="ceiling")


def _cord(assembly: Assembly, low: float, material: Material, at: Vector = (0.0, 0.0, 0.0)) -> None:
    """A cord from a rose at the ceiling down to height ``low``."""
    rod = [(0.0, low), (0.005, low), (0.005, -0.025), (0.05, -0.02), (0.05, 0.0), (0.0, 0.0)]
    assembly.lathe(rod, material, sides=12, at=at)
