"""Small things of bathrooms and of cleaning: rolls of paper, a plunger, towels."""

from __future__ import annotations

from flowbench.rendering import Material
from flowbench.rendering.shapes import circle, lathe

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .resting import along_x, lying
from .tints import paper, tint

_HOLE = 0.02
"""Radius of a roll's core, metres."""


def _card(draw: Draw) -> Material:
    return Material(draw.shape("card"), tint(draw, "card_hue", (0.08, 0.16), (0.86, 0.96)), 0.9, 0.0, 4.0)


def _roll(assembly: Assembly, draw: Draw, size: tuple[float, float], *, bottom: float = 0.0) -> None:
    """A roll of paper upright on ``bottom``."""
    r, h = size
    at = (0.0, 0.0, bottom)
    edge = 0.004
    wall = [(0.0, 0.0), (r - edge, 0.0), (r, edge), (r, h - edge), (r - edge, h), (_HOLE + 0.002, h)]
    assembly.lathe(wall, paper(draw), sides=24, crease=50.0, at=at)
    core = [(_HOLE + 0.002, h + 0.0005), (_HOLE, h + 0.0005), (_HOLE - 0.002, h - 0.05)]
    assembly.lathe(core, _card(draw), sides=18, solid=False, at=at)
    assembly.lathe(
        [(_HOLE, h - 0.05), (0.0, h - 0.05)], Material("plain", draw.palette.dark, 0.9), sides=18, solid=False, at=at
    )


def _tail(assembly: Assembly, draw: Draw, r: float, h: float, long: float) -> None:
    """The loose end of an upright roll, standing off at its right."""
    size = (0.002, long, h - 0.006)
    assembly.box(size, (r - 0.001, -long / 2 + 0.004, h / 2), paper(draw))


def toilet_paper(draw: Draw) -> Model:
    """One roll upright or two on each other; or one on its side, its end hanging in front."""
    assembly = Assembly("ToiletPaper", tolerance=0.002)
    r, h = draw.size("radius"), draw.size("height")
    form = draw.shape("form")
    if form in ("upright", "pair"):
        _roll(assembly, draw, (r, h))
        if form == "pair":
            _roll(assembly, draw, (draw.between(0.68, 0.82) * r, h), bottom=h)
        else:
            _tail(assembly, draw, r, h, draw.size("tail"))
        return assembly.model(0.2)
    wall = [(_HOLE, 0.0), (r - 0.003, 0.0), (r, 0.003), (r, h - 0.003), (r - 0.003, h), (_HOLE, h)]
    lying(assembly, along_x(lathe(wall, paper(draw), sides=32, crease=50.0)), 0.02)
    core = lathe([(_HOLE, h), (_HOLE, 0.0)], _card(draw), sides=20)
    assembly.add(along_x(core))
    long = r + draw.size("tail")
    assembly.box((h - 0.002, long, 0.0016), (0.0, -long / 2, 0.0008 - 0.96 * r), paper(draw))
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
    """A rubber cup on a stick: a bell, or a stepped one with a grip."""
    assembly = Assembly("Plunger", tolerance=0.004)
    r, h, cup = draw.size("radius"), draw.size("height"), draw.size("cup")
    rubber = Material("plain", tint(draw, "rubber_hue", (0.6, 0.75), (0.5, 0.65)), 0.5)
    if draw.chance("black"):
        rubber = draw.dark
    form = draw.shape("form")
    if form == "bell":
        skin = [(0.0, 0.0), (r, 0.0), (r, 0.01), (0.94 * r, 0.35 * cup), (0.6 * r, 0.8 * cup), (0.24 * r, cup)]
    else:
        skin = [(0.0, 0.0), (0.7 * r, 0.0), (0.72 * r, 0.3 * cup), (r, 0.34 * cup), (r, 0.42 * cup)]
        skin += [
            (0.7 * r, 0.5 * cup),
            (0.9 * r, 0.58 * cup),
            (0.9 * r, 0.66 * cup),
            (0.55 * r, 0.74 * cup),
            (0.3 * r, cup),
        ]
    collar = [(0.26 * r, 1.3 * cup), (0.0, 1.3 * cup)]
    assembly.lathe([*skin, *collar], rubber, sides=24, crease=50.0)
    stick = draw.wood() if draw.chance("wooden") else draw.white
    thin = draw.size("thick")
    rod = [(0.0, 1.25 * cup), (thin, 1.25 * cup), (thin, h - 0.008), (0.6 * thin, h), (0.0, h)]
    assembly.lathe(rod, stick, sides=12)
    if form != "bell":
        grip = [(-0.05, 0.0, h), (0.05, 0.0, h)]
        assembly.tube(grip, 1.1 * thin, rubber)
    return assembly.model(0.4)


def towel(draw: Draw) -> Model:
    """A towel over a rail on the wall, banded, its front longer than its back; or folded in three on a ring."""
    assembly = Assembly("TowelHolder", tolerance=0.004)
    width, long = draw.size("width"), draw.size("length")
    cloth, band, rail = draw.cloth(patterned=False), draw.cloth(), draw.steel if draw.chance("steel") else draw.metal()
    form = draw.shape("form")
    reach, thick = 0.075, 0.02
    half = width / 2 + 0.07
    if form == "rail":
        assembly.tube([(-half, -reach, long), (half, -reach, long)], 0.009, rail)
        for x in (-half + 0.01, half - 0.01):
            assembly.tube([(x, -reach, long), (x, -0.006, long)], 0.008, rail)
            assembly.box((0.045, 0.012, 0.045), (x, -0.006, long), rail, rounding=0.004, segments=1)
        folds = 1
    else:
        ring = [(0.085 * c, -reach, long + 0.085 * s + 0.07) for c, s in (circle(24)[(19 + i) % 24] for i in range(24))]
        assembly.tube(ring, 0.006, rail, sides=7, spans=4)
        assembly.tube([(0.0, -reach, long + 0.155), (0.0, -0.006, long + 0.155)], 0.008, rail)
        assembly.box((0.05, 0.012, 0.05), (0.0, -0.006, long + 0.155), rail, rounding=0.004, segments=1)
        folds = 3
    step = width / folds
    for i in range(folds):
        x = (i - (folds - 1) / 2) * step * 0.8
        lift = 0.012 * (i % 2)
        size = (step if folds == 1 else 1.1 * step, thick, long + 0.012)
        assembly.box(
            size,
            (x, -reach - 0.012 - lift, long / 2 + 0.012 - 0.006),
            cloth,
            rounding=0.009,
            segments=1 if folds > 1 else 2,
        )
        stripe = (size[0] + 0.002, thick + 0.002, 0.045)
        for z in (0.09, 0.15):
            assembly.box(stripe, (x, -reach - 0.012 - lift, z), band, rounding=0.009, segments=1, solid=False)
    back = 0.75 * long
    size = (0.96 * width if folds == 1 else 0.7 * width, 0.016, back)
    assembly.box(size, (0.0, -reach + 0.012, long - back / 2 + 0.008), cloth, rounding=0.007)
    return assembly.model(0.5, anchor="wall")
