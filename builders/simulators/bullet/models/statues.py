"""Statues: busts, animals and figures on their plinths."""

from __future__ import annotations

from dataclasses import replace

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation
from flowbench.rendering.shapes import sphere

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import ball_part
from .resting import seated

Lump = tuple[float, Vector, Vector]
"""An ellipsoid: radius, centre, scale."""


def statue(draw: Draw) -> Model:
    """A bust, a sitting cat, a dancer, a horse, an owl or a sitting sage."""
    assembly = Assembly("Statue", tolerance=0.003)
    # The grain is finer than a worktop's.
    body = replace(draw.stone(), scale=6.0) if draw.chance("stone") else draw.metal()
    s = draw.size("scale")
    _KINDS[draw.shape("kind")](assembly, body, s)
    return assembly.model(2.5)


def _lumps(assembly: Assembly, body: Material, s: float, pieces: list[Lump]) -> None:
    """Ellipsoids, all scaled by ``s``; the least are too small to collide."""
    for r, (x, y, z), scale in pieces:
        centre = (x * s, y * s, z * s)
        lump = sphere(r * s, body, at=centre, scale=scale, sides=13, rings=7)
        assembly.add(lump, [seated(ball_part(r * s, centre, scale))] if r > 0.0125 else [])


def _limb(
    assembly: Assembly, body: Material, s: float, path: list[Vector], radius: float | list[float], spans: int = 1
) -> None:
    """A tube, scaled by ``s``."""
    radii = radius * s if isinstance(radius, float) else [r * s for r in radius]
    assembly.tube([(x * s, y * s, z * s) for x, y, z in path], radii, body, sides=8, spans=spans)


def _bust(assembly: Assembly, body: Material, s: float) -> None:
    assembly.box((0.13 * s, 0.12 * s, 0.05 * s), (0.0, 0.0, 0.025 * s), body, rounding=0.005)
    foot = [(0.0, 0.05), (0.052, 0.05), (0.03, 0.085), (0.028, 0.11), (0.0, 0.11)]
    assembly.lathe([(r * s, z * s) for r, z in foot], body, crease=50.0)
    neck = [(0.0, 0.18), (0.032, 0.18), (0.028, 0.275), (0.0, 0.275)]
    assembly.lathe([(r * s, z * s) for r, z in neck], body)
    pieces: list[Lump] = [
        (0.085, (0.0, 0.0, 0.16), (1.15, 0.62, 0.72)),
        (0.05, (0.0, -0.006, 0.305), (0.82, 1.0, 1.22)),
        (0.051, (0.0, 0.012, 0.328), (0.92, 0.95, 0.92)),
        (0.012, (0.0, -0.053, 0.3), (0.7, 1.1, 1.4)),
        (0.011, (-0.04, 0.0, 0.3), (0.45, 0.8, 1.3)),
        (0.011, (0.04, 0.0, 0.3), (0.45, 0.8, 1.3)),
    ]
    _lumps(assembly, body, s, pieces)


def _cat(assembly: Assembly, body: Material, s: float) -> None:
    pieces: list[Lump] = [
        (0.075, (0.0, 0.02, 0.075), (0.85, 1.1, 1.0)),
        (0.06, (0.0, -0.01, 0.15), (0.8, 0.8, 1.35)),
        (0.048, (0.0, -0.03, 0.245), (1.0, 0.95, 0.9)),
        (0.016, (0.0, -0.071, 0.235), (1.1, 0.7, 0.8)),
    ]
    for side in (-1.0, 1.0):
        pieces.append((0.019, (side * 0.028, -0.056, 0.0134), (1.0, 1.3, 0.7)))
        ear = [(0.0, 0.0), (0.02 * s, 0.0), (0.0, 0.042 * s)]
        at = rotation("y", side * 0.3, (side * 0.028 * s, -0.025 * s, 0.272 * s))
        assembly.lathe(ear, body, sides=8, at=at)
        _limb(assembly, body, s, [(side * 0.028, -0.045, 0.012), (side * 0.026, -0.045, 0.13)], 0.016)
    _lumps(assembly, body, s, pieces)
    tail: list[Vector] = [(0.02, 0.09, 0.02), (0.07, 0.08, 0.018), (0.095, 0.03, 0.018), (0.08, -0.03, 0.018)]
    _limb(assembly, body, s, tail, 0.014, spans=3)


def _dancer(assembly: Assembly, body: Material, s: float) -> None:
    """A slender figure with raised arms."""
    plinth = [(0.0, 0.0), (0.055, 0.0), (0.055, 0.03), (0.045, 0.04), (0.0, 0.04)]
    assembly.lathe([(r * s, z * s) for r, z in plinth], body)
    gown = [(0.05, 0.04), (0.036, 0.1), (0.02, 0.17), (0.026, 0.2), (0.034, 0.23), (0.016, 0.265), (0.0, 0.265)]
    assembly.lathe([(0.0, 0.04 * s), *((r * s, z * s) for r, z in gown)], body, crease=60.0)
    _lumps(assembly, body, s, [(0.024, (0.0, 0.0, 0.29), (0.9, 1.0, 1.2))])
    for side in (-1.0, 1.0):
        arm = [(0.02, 0.245), (0.06, 0.28), (0.055, 0.34), (0.02, 0.375)]
        _limb(assembly, body, s, [(side * x, 0.0, z) for x, z in arm], 0.009, spans=3)


def _horse(assembly: Assembly, body: Material, s: float) -> None:
    """Standing on a long plinth, its head to the left."""
    assembly.box((0.3 * s, 0.12 * s, 0.04 * s), (0.0, 0.0, 0.02 * s), body, rounding=0.004, segments=1)
    _lumps(
        assembly,
        body,
        s,
        [
            (0.06, (0.01, 0.0, 0.215), (1.6, 0.75, 0.85)),
            (0.052, (-0.065, 0.0, 0.22), (0.85, 0.8, 1.05)),
            (0.055, (0.085, 0.0, 0.222), (0.85, 0.85, 1.0)),
            (0.03, (-0.165, 0.0, 0.325), (1.5, 0.6, 0.72)),
            (0.013, (-0.13, -0.012, 0.355), (0.5, 0.5, 1.4)),
            (0.013, (-0.13, 0.012, 0.355), (0.5, 0.5, 1.4)),
        ],
    )
    _limb(assembly, body, s, [(-0.075, 0.0, 0.235), (-0.11, 0.0, 0.29), (-0.14, 0.0, 0.345)], [0.045, 0.032, 0.022])
    mane: list[Vector] = [(-0.045, 0.0, 0.265), (-0.075, 0.0, 0.31), (-0.11, 0.0, 0.352)]
    _limb(assembly, body, s, mane, 0.011)
    for x, bend in ((-0.075, -0.012), (0.1, 0.02)):
        for y in (-0.026, 0.026):
            leg: list[Vector] = [(x, y, 0.19), (x + bend, y, 0.115), (x, y, 0.05), (x - 0.008, y, 0.036)]
            _limb(assembly, body, s, leg, [0.022, 0.013, 0.0105, 0.015])
    tail: list[Vector] = [(0.125, 0.0, 0.245), (0.155, 0.0, 0.215), (0.155, 0.0, 0.13)]
    _limb(assembly, body, s, tail, [0.01, 0.018, 0.008])


def _owl(assembly: Assembly, body: Material, s: float) -> None:
    """On a block, with wide eyes and ear tufts."""
    assembly.box((0.15 * s, 0.14 * s, 0.05 * s), (0.0, 0.0, 0.025 * s), body, rounding=0.004, segments=1)
    pieces: list[Lump] = [
        (0.08, (0.0, 0.0, 0.15), (0.9, 0.8, 1.35)),
        (0.066, (0.0, -0.004, 0.265), (1.12, 0.92, 0.9)),
    ]
    for side in (-1.0, 1.0):
        pieces.append((0.07, (side * 0.05, 0.012, 0.145), (0.5, 0.75, 1.35)))
        pieces.append((0.02, (side * 0.028, -0.05, 0.055), (0.9, 1.2, 0.6)))
        eye = rotation("x", 1.5707963267948966, (side * 0.028 * s, -0.05 * s, 0.278 * s))
        ring = [(0.0, 0.0), (0.026, 0.0), (0.026, 0.014), (0.016, 0.018), (0.014, 0.012), (0.0, 0.012)]
        assembly.lathe([(r * s, z * s) for r, z in ring], body, sides=16, at=eye)
        pieces.append((0.01, (side * 0.028, -0.062, 0.278), (1.0, 0.7, 1.0)))
        tuft = rotation("y", side * 0.45, (side * 0.045 * s, -0.01 * s, 0.3 * s))
        assembly.lathe([(0.0, 0.0), (0.02 * s, 0.0), (0.0, 0.055 * s)], body, sides=8, at=tuft)
    beak = rotation("x", 2.2, (0.0, -0.055 * s, 0.268 * s))
    assembly.lathe([(0.0, 0.0), (0.012 * s, 0.0), (0.0, 0.03 * s)], body, sides=8, at=beak)
    _lumps(assembly, body, s, pieces)


def _sage(assembly: Assembly, body: Material, s: float) -> None:
    """Sitting with crossed legs and hands in the lap, on a round base."""
    base = [(0.0, 0.0), (0.13, 0.0), (0.135, 0.02), (0.125, 0.045), (0.0, 0.045)]
    assembly.lathe([(r * s, z * s) for r, z in base], body, sides=28)
    pieces: list[Lump] = [
        (0.075, (0.0, 0.005, 0.155), (1.0, 0.75, 1.25)),
        (0.05, (0.0, 0.0, 0.215), (1.5, 0.75, 0.65)),
        (0.046, (0.0, -0.004, 0.305), (0.9, 0.95, 1.15)),
        (0.02, (0.0, 0.002, 0.362), (1.0, 1.0, 0.9)),
        (0.013, (0.0, -0.047, 0.3), (0.6, 0.8, 1.3)),
    ]
    for side in (-1.0, 1.0):
        shin: list[Vector] = [(side * 0.025, 0.02, 0.085), (side * 0.105, -0.02, 0.075), (side * -0.01, -0.085, 0.068)]
        _limb(assembly, body, s, shin, [0.04, 0.034, 0.022], spans=2)
        arm: list[Vector] = [(side * 0.07, 0.0, 0.22), (side * 0.098, -0.005, 0.15), (side * 0.015, -0.072, 0.112)]
        _limb(assembly, body, s, arm, [0.024, 0.02, 0.016], spans=2)
        pieces.append((0.012, (side * 0.043, 0.0, 0.295), (0.4, 0.8, 1.9)))
    _limb(assembly, body, s, [(0.0, 0.0, 0.23), (0.0, 0.0, 0.28)], 0.024)
    _lumps(assembly, body, s, pieces)


_KINDS = {"bust": _bust, "cat": _cat, "dancer": _dancer, "horse": _horse, "owl": _owl, "sage": _sage}
