"""Household things at their true sizes: cans, crockery, fruit, bottles, boxes, toys that lie about in kitchens."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.builders.simulators.bullet.models.hulls import coarse_hull
from flowbench.builders.simulators.bullet.models.resting import along_x, lying
from flowbench.builders.simulators.bullet.models.tableware import vessel
from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation
from flowbench.rendering.shapes import lathe
from flowbench.rendering.sweeps import leaf

from .scene import Colour, Recipe

Profile = list[tuple[float, float]]

_STEEL = Material("metal", (0.80, 0.81, 0.83), 0.3, 0.8, 4.0)
_DARK = Material("plain", (0.12, 0.12, 0.13), 0.5)
_WHITE = Material("plain", (0.93, 0.92, 0.89), 0.4)
_LEAF = Material("plain", (0.24, 0.46, 0.14), 0.7)
_STALK = Material("plain", (0.33, 0.24, 0.13), 0.8)


def _plain(tint: Colour, roughness: float = 0.35) -> Material:
    return Material("plain", tint, roughness)


def _toned(tint: Colour, share: float) -> Colour:
    return tint[0] * share, tint[1] * share, tint[2] * share


def _paler(tint: Colour, share: float) -> Colour:
    r, g, b = (value + share * (1.0 - value) for value in tint)
    return r, g, b


def _band(assembly: Assembly, low: tuple[float, float], high: tuple[float, float], material: Material) -> None:
    """A printed band round a turned piece, a hair's breadth outside it; (radius, z) of its edges."""
    lift = 0.0002
    assembly.lathe([(low[0] + lift, low[1]), (high[0] + lift, high[1])], material, sides=36, solid=False)


def _style(recipe: Recipe, name: int, count: int) -> int:
    """One of ``count`` choices that the recipe's style makes; ``name`` tells choices apart."""
    return recipe.style // (7 * name + 1) % count


def can(assembly: Assembly, recipe: Recipe) -> None:
    """A drinks can: steel ends, a printed side with a pale band."""
    r, h = recipe.sizes["radius"], recipe.sizes["height"]
    print_ = Material("plain", recipe.tint, 0.28, 0.25)
    foot: Profile = [(0.0, 0.004), (0.72 * r, 0.004), (0.76 * r, 0.0), (0.8 * r, 0.0), (r, 0.009)]
    top: Profile = [(r, h - 0.013), (0.83 * r, h - 0.002), (0.83 * r, h), (0.79 * r, h), (0.77 * r, h - 0.005)]
    assembly.lathe([*foot, *top, (0.0, h - 0.005)], _STEEL, sides=36)
    _band(assembly, (r, 0.0095), (r, h - 0.0135), print_)
    z = (0.3 + 0.08 * _style(recipe, 1, 4)) * h
    _band(assembly, (r + 0.0001, z), (r + 0.0001, z + 0.16 * h), _plain(_paler(recipe.tint, 0.82)))


def mug(assembly: Assembly, recipe: Recipe) -> None:
    """A mug with a handle towards +x; now and then something is in it."""
    r, h, ware = recipe.sizes["radius"], recipe.sizes["height"], _plain(recipe.tint, 0.22)
    walls: Sequence[Profile] = (
        [(0.94 * r, 0.0), (r, 0.006), (r, h)],
        [(0.86 * r, 0.0), (0.95 * r, 0.01), (r, 0.45 * h), (r, h)],
    )
    wall = walls[_style(recipe, 1, 2)]
    assembly.lathe(vessel(wall, 0.004), ware, sides=36, crease=50.0)
    arc = [sin_cos(-1.4 + 2.8 * i / 9) for i in range(10)]
    path = [(0.95 * r + 0.028 * c, 0.0, 0.5 * h + 0.31 * h * s) for s, c in arc]
    assembly.tube(path, 0.0052, ware, sides=10, spans=5)
    if _style(recipe, 2, 2):
        coffee = _plain((0.25, 0.14, 0.08), 0.15)
        assembly.lathe([(r - 0.0045, 0.8 * h), (0.0, 0.8 * h)], coffee, sides=30, solid=False)


def cup(assembly: Assembly, recipe: Recipe) -> None:
    """A plastic tumbler without a handle."""
    r, h, ware = recipe.sizes["radius"], recipe.sizes["height"], _plain(recipe.tint, 0.4)
    assembly.lathe(vessel([(0.74 * r, 0.0), (r, h)], 0.0028), ware, sides=36)
    _band(assembly, (0.974 * r, 0.9 * h), (r, h), _plain(_paler(recipe.tint, 0.45)))


def bowl(assembly: Assembly, recipe: Recipe) -> None:
    """A round bowl on a foot ring."""
    r, h, ware = recipe.sizes["radius"], recipe.sizes["height"], _plain(recipe.tint, 0.22)
    arc = [sin_cos(0.4 + (math.pi / 2 - 0.4) * i / 7) for i in range(8)]
    low = 1.0 - arc[0][1]
    side = [(r * s, 0.006 + (h - 0.006) * ((1.0 - c) - low) / (1.0 - low)) for s, c in arc]
    assembly.lathe(vessel([(0.95 * side[0][0], 0.0), *side], 0.0045), ware, sides=40, crease=60.0)


def plate(assembly: Assembly, recipe: Recipe) -> None:
    """A flat plate with a rim and a ring of a darker tone."""
    r, h, ware = recipe.sizes["radius"], recipe.sizes["height"], _plain(recipe.tint, 0.22)
    outside: Profile = [(0.0, 0.0), (0.6 * r, 0.0), (0.7 * r, 0.45 * h), (r, 0.9 * h)]
    inside: Profile = [(r - 0.001, h), (0.68 * r, 0.5 * h + 0.004), (0.6 * r, 0.006), (0.0, 0.005)]
    assembly.lathe([*outside, *inside], ware, sides=44, crease=25.0)
    ring = _plain(_toned(recipe.tint, 0.62), 0.3)
    assembly.lathe([(r - 0.003, h), (0.92 * r, 0.88 * h + 0.0012)], ring, sides=44, solid=False)


def fruit_profile(radius: float, tall: float, dimple: float, shoulder: float) -> Profile:
    """Half the outline of a round fruit, dimpled on top, flat for a little where it stands."""
    steps = 16
    points = []
    for i in range(steps + 1):
        s, c = sin_cos(math.pi * (i / steps - 0.5))
        c = 0.0 if i in (0, steps) else c
        near = max(0.0, 1.0 - c / 0.5)
        z = tall * (s - (dimple * near * near if s > 0.0 else 0.0))
        points.append((radius * c * (1.0 + shoulder * s), radius * z))
    foot = points[0][1] + 0.035 * radius
    lifted = [(r, max(z - foot, 0.0)) for r, z in points]
    return [(0.0, 0.0), *[point for point in lifted if point[1] > 0.0 or point[0] > 0.12 * radius]]


def _ripe(assembly: Assembly, profile: Profile, skin: Material) -> float:
    """Add a fruit's body; gives the height of its top's middle."""
    assembly.lathe(profile, skin, sides=32, crease=100.0)
    return profile[-1][1]


def apple(assembly: Assembly, recipe: Recipe) -> None:
    """With a stalk and sometimes a leaf."""
    r = recipe.sizes["radius"]
    top = _ripe(assembly, fruit_profile(r, 0.95, 0.28, 0.1), _plain(recipe.tint, 0.3))
    stalk = [(0.0, 0.0, top - 0.001), (0.002, 0.0, top + 0.009), (0.006, 0.0, top + 0.02)]
    assembly.tube(stalk, 0.0017, _STALK, sides=6)
    if _style(recipe, 1, 2):
        assembly.add(leaf(0.03, 0.015, 0.4, _LEAF, rows=4), at=rotation("z", 0.9, (0.003, 0.0, top + 0.012)))


def orange(assembly: Assembly, recipe: Recipe) -> None:
    """With a small green navel."""
    r = recipe.sizes["radius"]
    skin = Material("leather", recipe.tint, 0.5, 0.0, 6.0)
    top = _ripe(assembly, fruit_profile(r, 0.98, 0.04, 0.0), skin)
    assembly.ball(0.0035, (0.0, 0.0, top), _LEAF, scale=(1.0, 1.0, 0.5), sides=10, rings=6, solid=False)


def tomato(assembly: Assembly, recipe: Recipe) -> None:
    """With a green star."""
    r = recipe.sizes["radius"]
    top = _ripe(assembly, fruit_profile(r, 0.84, 0.16, 0.0), _plain(recipe.tint, 0.2))
    for i in range(5):
        assembly.add(leaf(0.6 * r, 0.24 * r, 0.8, _LEAF, rows=3), at=rotation("z", 1.2566 * i, (0.0, 0.0, top + 0.003)))
    assembly.tube([(0.0, 0.0, top), (0.001, 0.0, top + 0.01)], 0.002, _LEAF, sides=6)


def pear(assembly: Assembly, recipe: Recipe) -> None:
    """Standing, with a stalk."""
    r, h = recipe.sizes["radius"], recipe.sizes["height"]
    outline = [(0.35, 0.0), (0.72, 0.05), (0.95, 0.18), (1.0, 0.32), (0.9, 0.48), (0.66, 0.65), (0.48, 0.78)]
    outline += [(0.4, 0.88), (0.28, 0.96), (0.12, 0.995), (0.0, 1.0)]
    top = _ripe(assembly, [(0.0, 0.0), *((a * r, b * h) for a, b in outline)], _plain(recipe.tint, 0.4))
    assembly.tube([(0.0, 0.0, top - 0.001), (0.004, 0.0, top + 0.016)], 0.0018, _STALK, sides=6)


def lemon(assembly: Assembly, recipe: Recipe) -> None:
    """Lying along x, with a nib at either end."""
    r, half = recipe.sizes["radius"], recipe.sizes["length"] / 2.0
    outline = [(0.0, -1.0), (0.12, -0.98), (0.16, -0.92), (0.4, -0.8), (0.78, -0.5), (0.97, -0.2), (1.0, 0.0)]
    outline += [(a, -b) for a, b in reversed(outline[:-1])]
    skin = Material("leather", recipe.tint, 0.45, 0.0, 6.0)
    mesh = lathe([(a * r, b * half) for a, b in outline], skin, sides=28, crease=100.0)
    lying(assembly, along_x(mesh), 0.03, pieces=2, grown=1.03)


def carrot(assembly: Assembly, recipe: Recipe) -> None:
    """Lying along x, its green towards +x."""
    r, half = recipe.sizes["radius"], recipe.sizes["length"] / 2.0
    outline = [
        (0.0, -1.0),
        (0.14, -0.97),
        (0.45, -0.4),
        (0.65, 0.0),
        (0.8, 0.3),
        (1.0, 0.72),
        (0.92, 0.9),
        (0.4, 0.99),
        (0.0, 1.0),
    ]
    mesh = lathe([(a * r, b * half) for a, b in outline], _plain(recipe.tint, 0.5), sides=24, crease=60.0)
    lying(assembly, along_x(mesh), 0.03, pieces=2, grown=1.03)
    for i, (y, up) in enumerate(((-0.2, 0.15), (0.25, 0.3), (0.0, 0.5), (-0.4, 0.4), (0.45, 0.1))):
        reach = 0.03 + 0.004 * (i % 3)
        path = [
            (half - 0.004, 0.0, 0.0),
            (half + 0.5 * reach, 0.5 * y * reach, up * reach),
            (half + reach, y * reach, 0.0),
        ]
        assembly.tube(path, [0.002, 0.0022, 0.0008], _LEAF, sides=6, spans=1)


def aubergine(assembly: Assembly, recipe: Recipe) -> None:
    """Lying along x, its stalk towards +x."""
    r, half = recipe.sizes["radius"], recipe.sizes["length"] / 2.0
    body = [
        (0.0, -1.0),
        (0.5, -0.95),
        (0.86, -0.74),
        (1.0, -0.42),
        (0.94, -0.12),
        (0.7, 0.35),
        (0.56, 0.62),
        (0.5, 0.74),
    ]
    skin, cap = _plain(_toned(recipe.tint, 0.62), 0.2), _plain((0.30, 0.46, 0.18), 0.6)
    mesh = lathe([(a * r, b * half) for a, b in [*body, (0.0, 0.76)]], skin, sides=28, crease=60.0)
    crown = [(0.5, 0.6), (0.56, 0.64), (0.5, 0.76), (0.2, 0.84), (0.14, 1.0), (0.0, 1.0)]
    green = lathe([(a * r, b * half) for a, b in crown], cap, sides=20, crease=40.0)
    lying(assembly, along_x(mesh), 0.03, pieces=2, grown=1.02)
    low, high = (float(bound[2]) for bound in mesh.bounds)
    turned = rotation("y", math.pi / 2, (-(low + high) / 2, 0.0, 0.0))
    assembly.add(green, [coarse_hull(green.vertices)], at=turned)


def banana(assembly: Assembly, recipe: Recipe) -> None:
    """Lying on its side, bent in the plane, its ends towards +y."""
    length, r = recipe.sizes["length"], recipe.sizes["radius"]
    reach, radius = 1.75, length / 1.75
    steps = 12
    path, radii = [], []
    for i in range(steps + 1):
        t = 2.0 * i / steps - 1.0
        s, c = sin_cos(0.5 * reach * t)
        path.append((radius * s, radius * (1.0 - c), r))
        fade = t * t * t * t
        radii.append(r * max(0.2, 1.0 - 0.72 * fade * fade))
    assembly.tube(path, radii, Material("plain", recipe.tint, 0.45), sides=14, spans=6)
    for i, inward in ((0, 1), (steps, steps - 1)):
        (x, y, z), (p, q, _) = path[i], path[inward]
        step = ((x - p) * 0.45, (y - q) * 0.45)
        tip = [(x, y, z), (x + step[0], y + step[1], z)]
        assembly.tube(
            tip, [radii[i] * 1.05, radii[i] * 0.75], _STALK if i else _plain((0.38, 0.40, 0.14), 0.7), sides=10
        )


def bottle(assembly: Assembly, recipe: Recipe) -> None:
    """A bottle with a cap and a label: slim like for water, or with shoulders."""
    r, h, body = recipe.sizes["radius"], recipe.sizes["height"], _plain(recipe.tint, 0.18)
    shapes: Sequence[Profile] = (
        [
            (0.0, 0.0),
            (0.9 * r, 0.0),
            (r, 0.01),
            (r, 0.62 * h),
            (0.42 * r, 0.84 * h),
            (0.38 * r, 0.92 * h),
            (0.0, 0.92 * h),
        ],
        [
            (0.0, 0.0),
            (0.92 * r, 0.0),
            (r, 0.008),
            (r, 0.7 * h),
            (0.8 * r, 0.8 * h),
            (0.5 * r, 0.85 * h),
            (0.45 * r, 0.92 * h),
        ],
    )
    shape = shapes[_style(recipe, 1, 2)]
    closed = shape if shape[-1][0] == 0.0 else [*shape, (0.0, shape[-1][1])]
    assembly.lathe(closed, body, sides=36, crease=50.0)
    cap = [(0.0, 0.9 * h), (0.5 * r, 0.9 * h), (0.5 * r, h - 0.002), (0.46 * r, h), (0.0, h)]
    assembly.lathe(cap, _WHITE if _style(recipe, 2, 2) else _plain((0.75, 0.12, 0.1)), sides=24)
    _band(assembly, (r, 0.26 * h), (r, 0.55 * h), Material("plain", _paler(recipe.tint, 0.75), 0.7))


def jar(assembly: Assembly, recipe: Recipe) -> None:
    """A jam jar: what is in it shows its colour; a white lid and a label."""
    r, h = recipe.sizes["radius"], recipe.sizes["height"]
    body = [(0.0, 0.0), (0.93 * r, 0.0), (r, 0.006), (r, 0.74 * h), (0.86 * r, 0.83 * h), (0.0, 0.83 * h)]
    assembly.lathe(body, _plain(recipe.tint, 0.12), sides=36, crease=40.0)
    lid = [(0.0, 0.82 * h), (0.9 * r, 0.82 * h), (0.93 * r, 0.84 * h), (0.93 * r, 0.98 * h), (0.9 * r, h), (0.0, h)]
    assembly.lathe(lid, _WHITE if _style(recipe, 1, 2) else _STEEL, sides=36)
    _band(assembly, (r, 0.2 * h), (r, 0.58 * h), Material("paper", (0.95, 0.93, 0.86), 0.8, 0.0, 8.0))


MAKERS: Mapping[str, Callable[[Assembly, Recipe], None]] = {
    "can": can,
    "mug": mug,
    "cup": cup,
    "bowl": bowl,
    "plate": plate,
    "apple": apple,
    "orange": orange,
    "tomato": tomato,
    "pear": pear,
    "lemon": lemon,
    "carrot": carrot,
    "aubergine": aubergine,
    "banana": banana,
    "bottle": bottle,
    "jar": jar,
}
"""What makes each thing, by the name that things.toml gives."""
