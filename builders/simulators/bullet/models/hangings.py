"""What hangs on walls: paintings, mirrors, posters."""

from __future__ import annotations

import math

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation, translation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .electronics import FLAT
from .palette import hsv
from .printing import Outline, ellipse, lines, panel
from .tints import toned

_ROUND = rotation("x", math.pi / 2)
"""Turns a lathed ring so that its upper side faces -y."""


def _rails(assembly: Assembly, size: tuple[float, float], rim: float, deep: float, frame: Material) -> None:
    """Four mitred rails and what they collide as, about the origin."""
    width, height = size
    for side in (-1.0, 1.0):
        assembly.box(
            (width, deep, rim), (0.0, 0.0, side * (height - rim) / 2), frame, rounding=0.006, segments=1, solid=False
        )
        upright = (rim, deep, height - 2 * rim)
        assembly.box(upright, (side * (width - rim) / 2, 0.0, 0.0), frame, rounding=0.006, segments=1, solid=False)
    assembly.block((width, deep, height), (0.0, 0.0, 0.0))


def _ring(assembly: Assembly, r: float, rim: float, frame: Material) -> None:
    """A round frame with a full back, about the origin, its front at y = -0.015."""
    profile = [(0.0, -0.015), (r, -0.015), (r, 0.008), (r - 0.3 * rim, 0.015), (r - 0.8 * rim, 0.013), (r - rim, 0.0)]
    assembly.lathe([*profile, (0.0, 0.0)], frame, sides=40, at=_ROUND, crease=50.0)


def _canvas(draw: Draw) -> Material:
    tint = hsv(float(draw.rng.random()), draw.size("tinted"), 1.0)
    return Material(draw.shape("pictures"), tint, 0.7)


def painting(draw: Draw) -> Model:
    """A picture in a frame, with or without a mount, on a bare stretched canvas, or round."""
    assembly = Assembly("Painting")
    form, width = draw.shape("form"), draw.size("width")
    height, rim = width * draw.size("ratio"), draw.size("rim")
    canvas = _canvas(draw)
    if form == "round":
        r = 0.62 * width
        _ring(assembly, r, rim, draw.timber())
        assembly.add(panel(ellipse(r - rim, r - rim), canvas), at=(0.0, -0.001, 0.0))
        return assembly.model(3.0, anchor="wall")
    if form == "canvas":
        cloth = Material(draw.palette.plain_fabric, draw.palette.porcelain, 0.9, 0.0, 4.0)
        assembly.box((width, 0.04, height), (0.0, 0.0, 0.0), cloth, rounding=0.003, segments=1)
        assembly.picture(width - 0.006, height - 0.006, canvas, at=(0.0, -0.0206, 0.0))
        return assembly.model(2.0, anchor="wall")
    _rails(assembly, (width, height), rim, 0.03, draw.metal() if draw.chance("gilt") else draw.timber())
    inner_x, inner_z = width - 2 * rim, height - 2 * rim
    assembly.box((inner_x, 0.012, inner_z), (0.0, 0.006, 0.0), draw.white, solid=False)
    mount = 0.0 if form == "filled" else draw.size("mount") * width
    assembly.picture(inner_x - 2 * mount, inner_z - 2 * mount, canvas, at=(0.0, -0.001, 0.0))
    return assembly.model(3.0, anchor="wall")


def mirror(draw: Draw) -> Model:
    """A wall mirror; it shows a bright haze, not the room."""
    assembly = Assembly("Mirror")
    form, width, rim = draw.shape("form"), draw.size("width"), draw.size("rim")
    haze = draw.size("haze")
    glass = Material(draw.shape("glass"), (haze, haze, haze), 0.08)
    frame = draw.metal() if draw.chance("metal") else draw.timber()
    if form == "round":
        _ring(assembly, width / 2, rim, frame)
        outline = ellipse(width / 2 - rim, width / 2 - rim)
        _reflection(assembly, draw, outline, glass)
        return assembly.model(5.0, anchor="wall")
    height = width * draw.size("ratio")
    if form == "arch":
        _arched(assembly, (width, height, rim), frame)
        _reflection(assembly, draw, _arch(width - 2 * rim, height - 2 * rim), glass)
        return assembly.model(5.0, anchor="wall")
    _rails(assembly, (width, height), rim, 0.03, frame)
    assembly.box((width - 2 * rim, 0.01, height - 2 * rim), (0.0, 0.005, 0.0), glass, solid=False)
    x, z = width / 2 - rim, height / 2 - rim
    _reflection(assembly, draw, [(-x, -z), (x, -z), (x, z), (-x, z)], glass)
    if form == "shelf":
        assembly.box((width, 0.11, 0.02), (0.0, -0.04, -height / 2 - 0.01), frame)
    return assembly.model(5.0, anchor="wall")


def _reflection(assembly: Assembly, draw: Draw, outline: Outline, glass: Material) -> None:
    """The glass and two slanting gleams on it, so that nobody takes it for a window."""
    assembly.add(panel(outline, glass), at=(0.0, -0.0008, 0.0))
    half = max(x for x, _ in outline)
    gleam = Material("plain", toned((1.0, 1.0, 0.985), draw.size("haze")), 0.08)
    start = draw.size("gleam") * half
    for left, right in ((start, start + 0.3 * half), (start + 0.42 * half, start + 0.52 * half)):
        strip = _cut(_cut(outline, (1.0, -0.6, right)), (-1.0, 0.6, -left))
        if len(strip) > 2:
            assembly.add(panel(strip, gleam), at=(0.0, -0.0012, 0.0))


def _cut(outline: Outline, line: tuple[float, float, float]) -> Outline:
    """What of a convex outline has a x + b z <= c for a line (a, b, c), counter-clockwise."""
    a, b, c = line
    kept = []
    for (x0, z0), (x1, z1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        over, after = a * x0 + b * z0 - c, a * x1 + b * z1 - c
        if over <= 0.0:
            kept.append((x0, z0))
        if (over <= 0.0) != (after <= 0.0):
            share = over / (over - after)
            kept.append((x0 + share * (x1 - x0), z0 + share * (z1 - z0)))
    return kept


def _arch(width: float, height: float) -> Outline:
    """A rectangle under a half circle, counter-clockwise, its middle at the origin."""
    r = width / 2
    top = [(r * c, height / 2 - r + r * s) for s, c in (sin_cos(math.pi * i / 12) for i in range(13))]
    return [(-r, -height / 2), (r, -height / 2), *top]


def _arched(assembly: Assembly, size: tuple[float, float, float], frame: Material) -> None:
    """A flat board of (width, height, rim) with a round rail along its edge."""
    width, height, rim = size
    # Laid flat upside down: FLAT turns the polygon's y to -z.
    board = [(-x, -z) for x, z in _arch(width, height)]
    assembly.loft(board, board, 0.0, 0.02, frame, at=FLAT)
    inset = 0.35 * rim
    edge = _arch(width - 2 * inset, height - 2 * inset)
    path = [(x, 0.0, z) for x, z in (*edge, edge[0])]
    assembly.tube(path, inset, frame, sides=8, spans=0)


def poster(draw: Draw) -> Model:
    """A printed sheet without a frame: a picture over a title, held by pins, rails, tape or a clip."""
    assembly = Assembly("Poster")
    width, form = draw.size("width"), draw.shape("hold")
    height, border = width * draw.size("ratio"), draw.size("border") * width
    ground = draw.white if draw.chance("pale") else Material("plain", draw.colour((0.4, 0.65), (0.55, 0.85)), 0.8)
    assembly.box((width, 0.004, height), (0.0, 0.0, 0.0), ground)
    band = draw.size("title") * height
    picture = (width - 2 * border, height - band - 2 * border)
    assembly.picture(*picture, _canvas(draw), at=(0.0, -0.0026, band / 2))
    ink = draw.dark if ground == draw.white else draw.white
    title = translation(0.0, -0.0026, -height / 2 + border + 0.62 * band)
    lines(assembly, draw, (width - 2 * border, 0.55 * band), 1, ink, at=title, fill=0.7)
    small = translation(0.0, -0.0026, -height / 2 + border + 0.18 * band)
    lines(assembly, draw, (0.7 * width - 2 * border, 0.3 * band), 2, ink, at=small)
    if form == "rails":
        rail = draw.wood()
        for side in (-1.0, 1.0):
            assembly.box((width + 0.02, 0.012, 0.025), (0.0, 0.0, side * height / 2), rail)
    elif form == "clip":
        assembly.box((0.09, 0.014, 0.05), (0.0, 0.0, height / 2 + 0.005), draw.metal())
    for x in (-1.0, 1.0):
        for z in (-1.0, 1.0):
            at = (x * (width / 2 - 0.02), -0.002, z * (height / 2 - 0.02))
            if form == "pins":
                pin = rotation("x", math.pi / 2, at)
                assembly.lathe(
                    [(0.0, 0.0), (0.008, 0.0), (0.006, 0.006), (0.0, 0.006)],
                    draw.plastic(),
                    sides=12,
                    at=pin,
                    solid=False,
                )
            elif form == "tape":
                tape = Material("plain", draw.colour((0.4, 0.6), (0.8, 0.95)), 0.7)
                turned = rotation("y", x * z * 0.785, (at[0], -0.0028, at[2]))
                assembly.picture(0.062, 0.022, tape, at=turned)
    return assembly.model(0.3, anchor="wall")
