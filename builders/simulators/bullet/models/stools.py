"""Seats without backs: stools and ottomans."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material, join
from flowbench.rendering.placing import rotation
from flowbench.rendering.shapes import circle
from flowbench.rendering.sweeps import grid_surface

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import coarse_hull, lathe_parts
from .legs import CORNERS, legs
from .shells import shell, shell_parts

_SIDES = (-1.0, 1.0)


def stool(draw: Draw) -> Model:
    """Low or bar-high, without a back."""
    height = draw.size("high") if draw.chance("tall") else draw.size("low")
    return STOOLS[draw.shape("build")](draw, height, draw.size("radius"), draw.size("thick"))


def _top(draw: Draw) -> Material:
    kind = draw.rng.random()
    return draw.cloth() if kind < 0.35 else draw.plastic() if kind < 0.55 else draw.wood()


def _disc(assembly: Assembly, radius: float, low: float, high: float, material: Material) -> None:
    """A round seat with soft edges."""
    edge = 0.3 * (high - low)
    rim = [(radius - edge, low), (radius, low + edge), (radius, high - edge), (radius - edge, high)]
    assembly.lathe([(0.0, low), *rim, (0.0, high)], material, sides=24)
    reach = 0.68 * (radius - edge)
    assembly.surface(-reach, -reach, reach, reach, high)


def _rungs(assembly: Assembly, reach: float, level: float, radius: float, material: Material) -> None:
    """Rails between four legs that stand ``reach`` off the middle in x and y, at ``level`` metres."""
    for side in _SIDES:
        ends = [(-reach, side * reach, level), (reach, side * reach, level)]
        assembly.tube(ends, radius, material, sides=6)
        assembly.tube([(y, x, z + 0.05) for x, y, z in ends], radius, material, sides=6)


def _round_stool(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A disc on four slanting legs with rungs."""
    assembly = Assembly("Stool")
    frame = draw.timber() if draw.rng.random() < 0.6 else draw.metal()
    _disc(assembly, radius, height - thick, height, _top(draw))
    _four(assembly, height - 0.5 * thick, radius, frame)
    return assembly.model(3.5)


def _four(assembly: Assembly, top: float, radius: float, frame: Material) -> None:
    low, high = 0.78 * radius, 0.52 * radius
    for x, y in CORNERS:
        assembly.tube([(x * low, y * low, 0.0), (x * high, y * high, top)], [0.014, 0.018], frame)
    _rungs(assembly, low + 0.32 * (high - low), 0.32 * top, 0.009, frame)


def _square_stool(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A square seat on four slanting legs with rungs."""
    assembly = Assembly("Stool")
    frame = draw.timber()
    size = (2 * radius, 1.8 * radius, thick)
    assembly.box(size, (0.0, 0.0, height - thick / 2), _top(draw), rounding=0.35 * thick, segments=2)
    _four(assembly, height - 0.5 * thick, radius, frame)
    x, y = radius - thick, 0.9 * radius - thick
    assembly.surface(-x, -y, x, y, height)
    return assembly.model(3.5)


def _pillar_stool(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A padded disc on a pillar with a round foot, its footrest a ring."""
    assembly = Assembly("Stool")
    metal, low = draw.metal(), height - thick - 0.01
    _disc(assembly, radius, low, height, draw.cloth() if draw.rng.random() < 0.6 else draw.plastic())
    foot = [(0.0, 0.0), (radius, 0.0), (radius, 0.01), (0.04, 0.03), (0.024, 0.06), (0.02, low), (0.0, low)]
    assembly.lathe(foot, metal, sides=20)
    _ring(assembly, 0.75 * radius, 0.36 * height, metal)
    for side in _SIDES:
        assembly.tube([(0.0, 0.0, 0.36 * height), (side * 0.75 * radius, 0.0, 0.36 * height)], 0.007, metal, sides=6)
    return assembly.model(5.0)


def _ring(assembly: Assembly, radius: float, level: float, metal: Material) -> None:
    """A footrest round the legs; it collides as four bows."""
    points = [(radius * c, radius * s, level) for c, s in circle(16)]
    for i in range(4):
        assembly.tube([points[(4 * i + k) % 16] for k in range(5)], 0.009, metal, sides=6)


def _saddle(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A wide seat that dips in the middle, on four straight legs."""
    assembly = Assembly("Stool")
    frame = draw.timber(0.2)
    half_x, half_y = 1.15 * radius, 0.7 * radius
    steps = [k / 5.0 - 1.0 for k in range(11)]
    grid = np.array(
        [[(u * half_x, v * half_y, height - 0.03 * (1.0 - u * u)) for u in steps] for v in (-1.0, 0.0, 1.0)]
    )
    assembly.add(shell(grid, 0.03, frame), shell_parts(grid, 0.03, (0, 2), (0, 3, 7, 10)))
    top = height - 0.045
    legs(assembly, "splayed", (1.35 * half_x, 1.2 * half_y), top, 0.036, frame)
    reach = (0.675 * half_x + 0.09 * top, 0.6 * half_y + 0.09 * top)
    for side in _SIDES:
        level = 0.3 * top
        assembly.tube([(side * reach[0], -reach[1], level), (side * reach[0], reach[1], level)], 0.01, frame, sides=6)
    assembly.tube([(-reach[0], 0.0, 0.3 * top), (reach[0], 0.0, 0.3 * top)], 0.01, frame, sides=6)
    return assembly.model(4.0)


def _tripod(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A thick round seat on three slanting legs."""
    assembly = Assembly("Stool")
    wood, frame = draw.wood(), draw.timber()
    radius *= 0.92
    _disc(assembly, radius, height - 0.045, height, wood)
    for i in range(3):
        at = rotation("z", 2.0 * math.pi * i / 3 + 0.5)
        assembly.tube([(1.05 * radius, 0.0, 0.0), (0.55 * radius, 0.0, height - 0.03)], [0.014, 0.021], frame, at=at)
        s, c = sin_cos(2.0 * math.pi / 3)
        reach, level = 0.9 * radius, 0.33 * height
        ends = [(reach, 0.0, level), (reach * c, reach * s, level)]
        assembly.tube(ends, 0.008, frame, sides=6, at=at)
    return assembly.model(3.2)


def _barstool(draw: Draw, height: float, radius: float, thick: float) -> Model:
    """A thick round pad on four thin metal legs within a ring for the feet."""
    assembly = Assembly("Stool")
    metal = draw.metal()
    _disc(assembly, radius, height - thick, height, draw.cloth() if draw.rng.random() < 0.6 else draw.wood())
    top = height - thick
    for x, y in CORNERS:
        low, high = 0.72 * radius, 0.6 * radius
        assembly.tube([(x * low, y * low, 0.0), (x * high, y * high, top + 0.005)], 0.011, metal, sides=8)
    _ring(assembly, 0.99 * radius, 0.3 * height, metal)
    return assembly.model(4.5)


def ottoman(draw: Draw) -> Model:
    """Padded all round: something to put the feet on, or to sit on."""
    assembly = Assembly("Ottoman")
    cover, height = draw.cloth(), draw.size("height")
    return OTTOMANS[draw.shape("build")](draw, assembly, cover, height)


def _cube(draw: Draw, assembly: Assembly, cover: Material, height: float) -> Model:
    """A padded body with a thicker lid on short legs."""
    width, depth, leg = draw.size("width"), draw.size("depth"), draw.size("leg")
    return _padded_box(draw, assembly, cover, (width, depth, height), leg)


def _bench(draw: Draw, assembly: Assembly, cover: Material, height: float) -> Model:
    """The same, longer."""
    width, depth = 0.8 + 0.5 * (draw.size("width") - 0.46), draw.size("depth")
    return _padded_box(draw, assembly, cover, (width, depth, height), draw.size("leg"))


def _padded_box(draw: Draw, assembly: Assembly, cover: Material, size: tuple[float, float, float], leg: float) -> Model:
    width, depth, height = size
    body, lid = height - leg, 0.4 * (height - leg)
    assembly.box(
        (width - 0.015, depth - 0.015, body * 0.65), (0.0, 0.0, leg + body * 0.325), cover, rounding=0.02, segments=1
    )
    assembly.box((width, depth, lid), (0.0, 0.0, height - lid / 2), cover, rounding=0.045, segments=2)
    legs(assembly, draw.shape("feet"), (width - 0.1, depth - 0.1), leg + 0.01, 0.042, draw.timber())
    reach = (width / 2 - 0.06, depth / 2 - 0.06)
    assembly.surface(-reach[0], -reach[1], reach[0], reach[1], height)
    return assembly.model(6.0 + 5.0 * width)


def _drum(draw: Draw, assembly: Assembly, cover: Material, height: float) -> Model:
    """Round, a seam below its soft edge."""
    radius = 0.5 * draw.size("width")
    edge = 0.045
    seam = height - 0.3 * height
    side = [
        (radius - 0.02, 0.0),
        (radius, 0.03),
        (radius, seam - 0.008),
        (radius - 0.012, seam),
        (radius, seam + 0.008),
    ]
    rim = [(radius, height - edge), (radius - 0.3 * edge, height - 0.3 * edge), (radius - edge, height)]
    assembly.lathe([(0.0, 0.0), *side, *rim, (0.0, height)], cover, sides=32, crease=60.0)
    reach = 0.68 * (radius - edge)
    assembly.surface(-reach, -reach, reach, reach, height)
    return assembly.model(7.0)


def _tufted(draw: Draw, assembly: Assembly, cover: Material, height: float) -> Model:
    """A low padded square whose top is buttoned down in rows."""
    plain = draw.cloth(patterned=False)
    width, leg, deep = draw.size("width"), draw.size("leg"), 0.032
    body = height - deep - leg
    assembly.box((width, width, body), (0.0, 0.0, leg + body / 2), plain)
    legs(assembly, draw.shape("feet"), (width - 0.12, width - 0.12), leg + 0.01, 0.055, draw.wood())
    count = draw.count("buttons")
    cells, reach = 4 * count, width / 2
    t = np.arange(cells + 1) * (2.0 / cells) - 1.0
    swell = np.array([0.0, 0.8, 1.0, 0.8])[np.arange(cells + 1) % 4]
    rise = np.minimum(0.45 * (swell[:, None] + swell[None, :]) + 0.1, 1.0)
    rise[[0, -1]] = rise[:, [0, -1]] = 0.0
    u, v = np.meshgrid(t, t, indexing="xy")
    grid = np.stack([reach * u, reach * v, height - deep * (1.0 - rise)], axis=-1)
    under = grid[::cells, ::cells]
    lid = join([grid_surface(side, side[..., :2].copy(), plain) for side in (grid.transpose(1, 0, 2), under)])
    assembly.add(lid, [coarse_hull(lid.vertices)])
    for i in range(1, count):
        for j in range(1, count):
            x, y = (2.0 * i / count - 1.0) * reach, (2.0 * j / count - 1.0) * reach
            assembly.ball(
                0.017, (x, y, height - 0.027), draw.dark, scale=(1.0, 1.0, 0.5), sides=8, rings=4, solid=False
            )
    return assembly.model(13.0)


_POUF = ((0.0, 0.0), (0.62, 0.0), (0.88, 0.1), (1.0, 0.35), (1.0, 0.62), (0.88, 0.88), (0.62, 0.98), (0.3, 1.0))
"""(radius, z) of a pouf's outline, of its radius and its height."""
_RIB = (0.94, 0.99, 1.0, 0.99)
"""Radii over one rib, of the pouf's radius."""


def _pouf(draw: Draw, assembly: Assembly, cover: Material, height: float) -> Model:
    """A round bag with ribs, wider at its middle, drawn together by a button."""
    radius, corners = 0.44 * draw.size("width"), circle(8 * len(_RIB))
    spokes = [(c * _RIB[k % 4] * radius, s * _RIB[k % 4] * radius) for k, (c, s) in enumerate([*corners, corners[0]])]
    outline = [(max(r, 0.02), z * height) for r, z in (*_POUF, (0.0, 0.98))]
    grid = np.array([[(r * x, r * y, z) for x, y in spokes] for r, z in outline])
    steps = 2.0 * math.pi * radius / len(corners)
    around, along = np.meshgrid(np.arange(len(spokes)) * steps, np.arange(len(outline)) * 0.07)
    body = grid_surface(grid[::-1], np.stack([around, along], axis=-1)[::-1], cover)
    assembly.add(body, lathe_parts([(0.98 * r * radius, z * height) for r, z in (*_POUF, (0.0, 1.0))], 0.006))
    assembly.ball(0.03, (0.0, 0.0, height * 0.985), cover, scale=(1.0, 1.0, 0.4), sides=10, rings=4, solid=False)
    return assembly.model(5.0)


STOOLS: Mapping[str, Callable[[Draw, float, float, float], Model]] = MappingProxyType(
    {
        "round": _round_stool,
        "square": _square_stool,
        "pillar": _pillar_stool,
        "saddle": _saddle,
        "tripod": _tripod,
        "barstool": _barstool,
    }
)
OTTOMANS: Mapping[str, Callable[[Draw, Assembly, Material, float], Model]] = MappingProxyType(
    {"cube": _cube, "bench": _bench, "drum": _drum, "tufted": _tufted, "pouf": _pouf}
)
