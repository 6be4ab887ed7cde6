"""Small things of bathrooms and of cleaning: rolls of paper, a plunger, towels."""

from __future__ import annotations

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.shapes import circle, lathe
from flowbench.rendering.sweeps import grid_surface, two_sided

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import coarse_hull
from .resting import along_x, lying
from .sheets import drape, ribbon
from .shells import shell, shell_parts
from .tints import paper, tint

_HOLE = 0.02
"""Radius of a roll's core, metres."""


def _card(draw: Draw) -> Material:
    return Material(draw.shape("card"), tint(draw, "card_hue", (0.08, 0.16), (0.86, 0.96)), 0.9, 0.0, 4.0)


def _roll(
    assembly: Assembly,
    draw: Draw,
    size: tuple[float, float],
    *,
    bottom: float = 0.0,
    aside: tuple[float, float] = (0.0, 0.0),
) -> None:
    """A roll of paper upright on ``bottom``."""
    r, h = size
    at = (*aside, bottom)
    edge = 0.006
    wall = [(0.0, 0.0), (r - edge, 0.0), (r - 0.3 * edge, 0.3 * edge), (r, edge)]
    wall += [(r, h - edge), (r - 0.3 * edge, h - 0.3 * edge), (r - edge, h), (_HOLE + 0.002, h)]
    assembly.lathe(wall, paper(draw), sides=28, crease=50.0, at=at)
    for k in (0.35, 0.6, 0.85):
        # Windings seen on top.
        middle = _HOLE + k * (r - edge - _HOLE)
        winding = [(middle + 0.0006, h + 0.0004), (middle - 0.0006, h + 0.0004)]
        assembly.lathe(winding, _card(draw), sides=28, solid=False, at=at)
    core = [(_HOLE + 0.002, h + 0.0005), (_HOLE, h + 0.0005), (_HOLE - 0.002, h - 0.05)]
    assembly.lathe(core, _card(draw), sides=18, solid=False, at=at)
    assembly.lathe(
        [(_HOLE, h - 0.05), (0.0, h - 0.05)], Material("plain", draw.palette.dark, 0.9), sides=18, solid=False, at=at
    )


def _tail(assembly: Assembly, draw: Draw, r: float, h: float, long: float) -> None:
    """The loose end of an upright roll: it leaves the roll at its right and curls away from it."""
    edge = [(1.006 * r * c, 1.006 * r * s) for s, c in (sin_cos(0.24 * k) for k in range(3, 0, -1))]
    edge += [(1.006 * r + 0.45 * long * t * t, -long * t) for t in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    sheet = ribbon([(x, y, 0.003) for x, y in edge], (0.0, 0.0, h - 0.006), paper(draw))
    assembly.add(sheet, [coarse_hull(sheet.vertices)])


def toilet_paper(draw: Draw) -> Model:
    """One roll upright or two on each other; or one on its side, its end hanging in front."""
    assembly = Assembly("ToiletPaper", tolerance=0.002)
    r, h = draw.size("radius"), draw.size("height")
    form = draw.shape("form")
    if form in ("upright", "pair"):
        _roll(assembly, draw, (r, h))
        _tail(assembly, draw, r, h, draw.size("tail"))
        if form == "pair":
            # Not quite above each other.
            aside = (draw.between(-0.006, 0.006), draw.between(-0.006, 0.006))
            _roll(assembly, draw, (draw.between(0.94, 1.0) * r, h), bottom=h, aside=aside)
        return assembly.model(0.2)
    wall = [(_HOLE, 0.0), (r - 0.003, 0.0), (r, 0.003), (r, h - 0.003), (r - 0.003, h), (_HOLE, h)]
    lying(assembly, along_x(lathe(wall, paper(draw), sides=32, crease=50.0)), 0.02)
    core = lathe([(_HOLE, h), (_HOLE, 0.0)], _card(draw), sides=20)
    assembly.add(along_x(core))
    floor, long = 0.001 - 0.96 * r, draw.size("tail")
    # Down the front of the roll and out over the ground.
    turns = [sin_cos(0.9 - 0.35 * k) for k in range(6)]
    edge = [(-1.006 * r * c, 1.006 * r * s) for s, c in turns]
    edge += [(-0.8 * r - 0.012, floor + 0.012), (-0.8 * r - 0.022, floor + 0.004), (-0.8 * r - 0.035, floor)]
    edge.append((-0.8 * r - 0.035 - long, floor))
    sheet = ribbon([(-h / 2 + 0.001, y, z) for y, z in edge], (h - 0.002, 0.0, 0.0), paper(draw))
    assembly.add(sheet, [coarse_hull(sheet.vertices[sheet.vertices[:, 2] < -0.7 * r])])
    return assembly.model(0.2)


def paper_towel_roll(draw: Draw) -> Model:
    """A tall roll, standing by itself with a loose end, or on a stand."""
    assembly = Assembly("PaperTowelRoll", tolerance=0.003)
    r, h = draw.size("radius"), draw.size("height")
    if draw.shape("form") == "loose":
        _roll(assembly, draw, (r, h))
        _tail(assembly, draw, r, h, draw.size("tail"))
        return assembly.model(0.3)
    frame = draw.wood() if draw.chance("wooden") else draw.metal()
    foot = [(0.0, 0.0), (1.2 * r, 0.0), (1.2 * r, 0.012), (1.1 * r, 0.016), (0.0, 0.016)]
    assembly.lathe(foot, frame, sides=28)
    _roll(assembly, draw, (r, h), bottom=0.016)
    top = h + 0.014
    post = [
        (0.0, top),
        (0.008, top),
        (0.008, top + 0.025),
        (0.017, top + 0.034),
        (0.013, top + 0.05),
        (0.0, top + 0.054),
    ]
    assembly.lathe(post, frame, sides=14, crease=60.0)
    arm = [(0.0, 1.12 * r, 0.012), (0.0, 1.12 * r, 0.75 * h)]
    assembly.tube(arm, 0.005, frame, sides=7)
    return assembly.model(0.6)


def plunger(draw: Draw) -> Model:
    """A rubber cup on a stick: a bell, or a flanged one with a knob."""
    assembly = Assembly("Plunger", tolerance=0.004)
    r, h, cup = draw.size("radius"), draw.size("height"), draw.size("cup")
    rubber = Material("plain", tint(draw, "rubber_hue", (0.6, 0.75), (0.5, 0.65)), 0.5)
    if draw.chance("black"):
        rubber = draw.dark
    form = draw.shape("form")
    if form == "bell":
        skin = [(0.0, 0.0), (r, 0.0), (r, 0.01), (0.94 * r, 0.35 * cup), (0.6 * r, 0.8 * cup), (0.24 * r, cup)]
    else:
        skin = [(0.0, 0.0), (0.5 * r, 0.0), (0.56 * r, 0.2 * cup), (0.97 * r, 0.22 * cup), (r, 0.3 * cup)]
        skin += [(0.94 * r, 0.5 * cup), (0.72 * r, 0.78 * cup), (0.3 * r, cup)]
    collar = [(0.26 * r, 1.3 * cup), (0.0, 1.3 * cup)]
    assembly.lathe([*skin, *collar], rubber, sides=24, crease=50.0)
    stick = draw.wood() if draw.chance("wooden") else draw.white
    thin = draw.size("thick")
    rod = [(0.0, 1.25 * cup), (thin, 1.25 * cup), (thin, h - 0.008), (0.6 * thin, h), (0.0, h)]
    assembly.lathe(rod, stick, sides=12)
    if form != "bell":
        assembly.ball(1.5 * thin, (0.0, 0.0, h), stick, sides=14, rings=8)
    return assembly.model(0.4)


def towel(draw: Draw) -> Model:
    """A towel over a rail on the wall, banded, its front longer than its back; or gathered in a ring."""
    assembly = Assembly("TowelHolder", tolerance=0.004)
    width, long = draw.size("width"), draw.size("length")
    cloth, band, rail = draw.cloth(patterned=False), draw.cloth(), draw.steel if draw.chance("steel") else draw.metal()
    form = draw.shape("form")
    reach, thick, half = 0.075, 0.007, width / 2 + 0.07
    if form == "rail":
        assembly.tube([(-half, -reach, long), (half, -reach, long)], 0.009, rail)
        for x in (-half + 0.01, half - 0.01):
            assembly.tube([(x, -reach, long), (x, -0.006, long)], 0.008, rail)
            assembly.box((0.045, 0.012, 0.045), (x, -0.006, long), rail, rounding=0.004, segments=1)
        grid = drape((long, 0.75 * long), 0.017, (3.2, 0.011), 1.0, 15)
    else:
        ring = [(0.085 * c, -reach, long + 0.085 * s + 0.07) for c, s in (circle(24)[(19 + i) % 24] for i in range(24))]
        assembly.tube(ring, 0.006, rail, sides=7, spans=4)
        assembly.tube([(0.0, -reach, long + 0.155), (0.0, -0.006, long + 0.155)], 0.008, rail)
        assembly.box((0.05, 0.012, 0.05), (0.0, -0.006, long + 0.155), rail, rounding=0.004, segments=1)
        grid, thick = drape((long, 0.75 * long), 0.012, (3.5, 0.015), 0.52, 29), 0.003
    grid = grid * np.array([width, 1.0, 1.0]) + np.array([0.0, -reach, long])
    hull = shell_parts(grid, thick, (0, 4, 7), (0, grid.shape[1] - 1)) + shell_parts(
        grid, thick, (7, 10, 14), (0, grid.shape[1] - 1)
    )
    assembly.add(shell(grid, thick, cloth), hull)
    for low, high in ((0.12, 0.17), (0.21, 0.24)):
        # Between the lowest two rows of the front.
        rows = np.stack([grid[0] + (grid[1] - grid[0]) * (5.0 * share) for share in (low, high)])
        rows[..., 1] -= 0.0015
        assembly.add(two_sided(grid_surface(rows.transpose(1, 0, 2), rows[..., ::2].transpose(1, 0, 2).copy(), band)))
    return assembly.model(0.5, anchor="wall")
