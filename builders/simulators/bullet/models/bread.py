"""Loaves of bread."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import placed, rotation, stretched, translation
from flowbench.rendering.shapes import lathe, sphere

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .resting import along_x, lying
from .tints import tint, tinted
from .turned import squared


def bread(draw: Draw) -> Model:
    """A loaf: oval with cuts, from a tin with its cut face; long and thin, or round with a cross."""
    assembly = Assembly("Bread", tolerance=0.003)
    long, half = draw.size("length"), draw.size("half")
    crust = Material("crust", tint(draw, "crust_hue", (0.02, 0.12), (0.86, 1.0)), 0.9, 0.0, 4.0)
    crumb = tinted(draw, "crumb_hue", (0.3, 0.38), (0.88, 0.93), 0.95)
    forms = {"oval": _oval, "tin": _tin, "baguette": _baguette, "round": _round}
    forms[draw.shape("form")](assembly, (long, half), crust, crumb)
    return assembly.model(0.5)


def _cut(assembly: Assembly, x: float, lean: float, half: tuple[float, float], crumb: Material) -> None:
    """A slash over the crust at x, over a cross-section of half axes (y, z), leaning by so many metres."""
    y, z = half
    steps = [0.2 * k for k in range(-3, 4)]
    # Sunk so far that a strip of the tube shows.
    path = [(x + lean * t, y * t, z * math.sqrt(1.0 - t * t) - 0.003) for t in steps]
    assembly.tube(path, [0.002, 0.0036, 0.0046, 0.005, 0.0046, 0.0036, 0.002], crumb, sides=8, spans=0)


def _oval(assembly: Assembly, size: tuple[float, float], crust: Material, crumb: Material) -> None:
    long, half = size
    # The unit ball's texture is stretched with it.
    crust = replace(crust, scale=4.0 * half)
    lying(assembly, stretched(sphere(1.0, crust, sides=24, rings=14), (long / 2, half, half * 0.8)), 0.27, pieces=2)
    for i in range(4):
        x = (i - 1.5) * long * 0.17
        shrink = math.sqrt(1.0 - (2.0 * x / long) * (2.0 * x / long))
        _cut(assembly, x, 0.012, (half * shrink, half * 0.8 * shrink), crumb)


def _tin(assembly: Assembly, size: tuple[float, float], crust: Material, crumb: Material) -> None:
    """Square below, swollen above, its left end cut off."""
    long, half = size[0], 0.9 * size[1]
    profile = [(0.0, 0.0), (half, 0.0), (half, 0.5 * long), (half, long - 0.015), (0.8 * half, long), (0.0, long)]
    loaf = along_x(squared(lathe(profile, crust, sides=32)))
    face = [(0.0, 0.0), (0.93 * half, 0.0)]
    end = along_x(squared(lathe(face, crumb, sides=32)))
    end = placed(end, translation(-long / 2 - 0.001, 0.0, 0.0))
    lying(assembly, _swollen(loaf, half), 0.02, pieces=2)
    assembly.add(_swollen(end, half))


def _swollen(mesh: Mesh, half: float) -> Mesh:
    """A loaf that rose over its tin's edge."""
    over = np.minimum(np.maximum(mesh.vertices[:, 2] / half - 0.15, 0.0), 0.35)
    return replace(
        mesh, vertices=mesh.vertices * np.stack([np.ones_like(over), 1.0 + 0.4 * over, 1.0 + 0.2 * over], axis=1)
    )


def _baguette(assembly: Assembly, size: tuple[float, float], crust: Material, crumb: Material) -> None:
    long, half = 2.1 * size[0], 0.48 * size[1]
    shape = [(0.0, 0.0), (0.35, 0.012), (0.68, 0.05), (0.92, 0.13), (1.0, 0.25), (1.0, 0.5)]
    ends = [(half * r, long * z) for r, z in shape]
    loaf = along_x(lathe([*ends, *((r, long - z) for r, z in reversed(ends[:-1]))], crust, sides=20, crease=80.0))
    lying(assembly, loaf, 0.1, pieces=2)
    for i in range(6):
        _cut(assembly, (i - 2.5) * long * 0.115, 0.022, (0.98 * half, 0.98 * half), crumb)


def _round(assembly: Assembly, size: tuple[float, float], crust: Material, crumb: Material) -> None:
    across = 1.35 * size[1]
    high = 0.62 * across
    rise = [sin_cos(-0.5 + (0.5 * math.pi + 0.5) * i / 9) for i in range(10)]
    dome = [(across * c, high * s) for s, c in rise[:-1]]
    assembly.lathe([(0.0, dome[0][1]), *dome, (0.0, high)], crust, sides=28, crease=60.0)
    steps = [-0.6, -0.3, 0.0, 0.3, 0.6]
    for turn in (0.785, 2.356):
        path = [(across * t, 0.0, 0.95 * high * math.sqrt(1.0 - t * t)) for t in steps]
        radii = [0.003, 0.006, 0.0065, 0.006, 0.003]
        assembly.tube(path, radii, crumb, sides=6, spans=0, at=rotation("z", turn))
