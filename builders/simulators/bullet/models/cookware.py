"""Pots, pans and kettles."""

from __future__ import annotations

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .tableware import vessel
from .tints import pane
from .turned import Profile, turned


def _body(draw: Draw) -> Material:
    return draw.steel if draw.chance("bare") else draw.glaze()


def pot(draw: Draw) -> Model:
    """A cooking pot with two ears and a lid: round, tall like a stockpot, or an oval roaster."""
    assembly = Assembly("Pot", tolerance=0.004)
    r, h, form = draw.size("radius"), draw.size("height"), draw.shape("form")
    body, grip = _body(draw), draw.dark if draw.chance("dark_grips") else draw.steel
    stretch: Vector = (1.0, draw.size("oval"), 1.0)
    wall: Profile = [(0.0, 0.0), (r - 0.008, 0.0), (r, 0.012), (r, h), (r + 0.004, h), (r + 0.004, h + 0.005)]
    if form == "bellied":
        wall = [(0.0, 0.0), (0.8 * r, 0.0), (0.97 * r, 0.2 * h), (r, 0.5 * h), (0.93 * r, h), (0.96 * r, h + 0.005)]
    turned(assembly, [*wall, (0.0, h + 0.005)], body, stretch=stretch, sides=28, tolerance=0.004)
    lid = pane(draw) if draw.chance("glass_lid") else body
    edge = wall[-1][0] - 0.002
    rise = draw.size("dome")
    dome = [(edge, h + 0.005), (0.75 * r, h + 0.6 * rise), (0.4 * r, h + 0.92 * rise), (0.0, h + rise)]
    turned(assembly, [(0.0, h + 0.004), *dome], lid, stretch=stretch, sides=28, crease=50.0, tolerance=0.004)
    top = h + rise - 0.001
    if form == "stockpot":
        arc = [(-0.03, top - 0.004), (-0.024, top + 0.022), (0.024, top + 0.022), (0.03, top - 0.004)]
        assembly.tube([(x, 0.0, z) for x, z in arc], 0.0055, grip, sides=7)
    else:
        knob = [(0.0, top), (0.008, top), (0.02, top + 0.018), (0.014, top + 0.026), (0.0, top + 0.028)]
        assembly.lathe(knob, grip, sides=14, crease=60.0)
    for side in (-1.0, 1.0):
        start, far, z = side * (r - 0.003), side * (r + 0.035), 0.8 * h
        tip = z + (0.02 if form == "stockpot" else 0.0)
        path = [(start, -0.04, z), (far, -0.03, tip), (far, 0.03, tip), (start, 0.04, z)]
        assembly.tube(path, 0.007, grip)
    return assembly.model(1.8)


def pan(draw: Draw) -> Model:
    """A frying pan, its handle to the right: round, or a square one with grill ridges."""
    assembly = Assembly("Pan", tolerance=0.004)
    r, h, long = draw.size("radius"), draw.size("height"), draw.size("handle")
    tint = (
        draw.colour((0.35, 0.6), (0.45, 0.7)) if draw.chance("coloured") else tuple(1.9 * c for c in draw.palette.dark)
    )
    iron = Material(draw.palette.metal, (tint[0], tint[1], tint[2]), 0.45, 0.3, 2.0)
    square = draw.shape("form") == "square"
    wall = draw.size("foot")
    turned(
        assembly,
        vessel([(wall * r, 0.0), (0.97 * r, 0.7 * h), (r, h)], 0.004),
        iron,
        square=square,
        sides=32,
        tolerance=0.004,
    )
    if square:
        for i in range(7):
            y = (i - 3) * 0.22 * r
            size = (1.5 * wall * r, 0.006, 0.004)
            assembly.box(size, (0.0, y, 0.006), iron, solid=False)
    grip = draw.wood() if draw.chance("wooden") else draw.dark
    assembly.tube([(0.93 * r, 0.0, 0.62 * h), (r + 0.05, 0.0, h + 0.012)], [0.012, 0.009], iron)
    path = [(r + 0.032, 0.0, h + 0.004), (r + 0.1, 0.0, h + 0.02), (r + long, 0.0, h + 0.025)]
    assembly.tube(path, [0.009, 0.013, 0.011], grip)
    return assembly.model(1.2)


def kettle(draw: Draw) -> Model:
    """A kettle with its spout to the right: for the stove, with a bow handle, or electric, or a cone."""
    assembly = Assembly("Kettle", tolerance=0.004)
    size = (draw.size("radius"), draw.size("height"))
    forms = {"jug": _jug, "cone": _cone}
    forms.get(draw.shape("form"), _stovetop)(assembly, draw, size, _body(draw))
    return assembly.model(1.3)


def _stovetop(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    r, h = size
    belly, top = draw.size("belly"), draw.size("mouth")
    wall: Profile = [(0.0, 0.0), (0.92 * r, 0.0), (r, 0.12 * h), (0.97 * r, belly * h), (0.72 * r, 0.85 * h)]
    assembly.lathe([*wall, (top * r, h), (0.0, 1.03 * h)], body, sides=28, crease=50.0)
    knob = [(0.0, h), (0.008, h), (0.015, 1.12 * h), (0.0, 1.17 * h)]
    assembly.lathe(knob, draw.dark, sides=12, crease=70.0)
    spout = [(0.85 * r, 0.0, 0.42 * h), (1.25 * r, 0.0, 0.7 * h), (1.5 * r, 0.0, 0.98 * h)]
    assembly.tube(spout, [0.022, 0.016, 0.011], body)
    arc = [sin_cos(-1.35 + 2.7 * i / 10) for i in range(11)]
    path = [(0.72 * r * s, 0.0, 0.85 * h + 0.52 * h * c) for s, c in arc]
    grip = draw.wood() if draw.chance("wooden") else draw.dark
    assembly.tube(path, 0.008, grip, spans=5)


def _side_handle(assembly: Assembly, x: float, z: tuple[float, float], out: float, material: Material) -> None:
    """A handle to the left, from the height z[0] to z[1]."""
    low, high = z
    path = [(x, 0.0, high), (x - 0.6 * out, 0.0, high + 0.008), (x - out, 0.0, high - 0.02)]
    path += [(x - out, 0.0, 0.4 * high + 0.6 * low), (x - 0.6 * out, 0.0, low)]
    assembly.tube(path, 0.011, material, spans=4)


def _jug(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """An electric kettle on its base."""
    r, h = size
    dark, top = draw.dark, draw.size("mouth")
    base = [(0.0, 0.0), (1.04 * r, 0.0), (1.04 * r, 0.014), (0.9 * r, 0.022), (0.0, 0.022)]
    assembly.lathe(base, dark, sides=28)
    z, rim = 0.024, top * r
    wall = [(0.0, z), (r, z), (0.98 * r, z + 0.3 * h), (rim, 0.88 * h), (rim, 0.92 * h), (0.0, 0.92 * h)]
    assembly.lathe(wall, body, sides=28, crease=30.0)
    lid = [(0.0, 0.915 * h), (0.96 * rim, 0.915 * h), (0.8 * rim, 0.96 * h), (0.0, 0.97 * h)]
    assembly.lathe(lid, dark, sides=24, crease=50.0)
    assembly.lathe([(0.0, 0.96 * h), (0.014, 0.96 * h), (0.016, h), (0.0, h)], dark, sides=12)
    lip = [(0.9 * rim, -0.022), (0.9 * rim, 0.022)], [(1.42 * rim, -0.006), (1.42 * rim, 0.006)]
    (a, b), (c, d) = lip
    low = [(0.8 * rim, b[1]), (0.8 * rim, a[1]), (1.12 * rim, c[1]), (1.12 * rim, d[1])]
    high = [(0.8 * rim, b[1]), (0.8 * rim, a[1]), (c[0], c[1]), (d[0], d[1])]
    assembly.loft(low, high, 0.72 * h, 0.915 * h, body)
    pane_y = -0.93 * r
    assembly.box((0.014, 0.012, 0.34 * h), (0.0, pane_y, 0.45 * h), pane(draw), rounding=0.004, segments=1)
    _side_handle(assembly, -0.9 * rim, (0.22 * h, 0.86 * h), 0.062, dark)


def _cone(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """A cone for the stove with a bridge for its handle."""
    r, h = 1.2 * size[0], 0.62 * size[1]
    wall = [(0.0, 0.0), (0.97 * r, 0.0), (r, 0.008), (r, 0.1 * h), (0.34 * r, h), (0.0, h)]
    assembly.lathe(wall, body, sides=28, crease=30.0)
    assembly.ball(0.014, (0.0, 0.0, h + 0.01), draw.dark, sides=12, rings=8)
    spout = [(0.7 * r, 0.0, 0.45 * h), (1.02 * r, 0.0, 0.7 * h), (1.14 * r, 0.0, 0.86 * h)]
    assembly.tube(spout, [0.026, 0.017, 0.014], body)
    grip, top, half = draw.wood() if draw.chance("wooden") else draw.dark, 1.3 * h, 0.5 * r
    for side in (-1.0, 1.0):
        post = [(side * 0.66 * r, 0.0, 0.5 * h), (side * 0.62 * r, 0.0, 1.05 * h), (side * half, 0.0, 1.26 * h)]
        assembly.tube([*post, (side * 0.4 * r, 0.0, top)], 0.006, draw.steel, sides=7, spans=3)
    bow = [(-half, 0.0, 1.27 * h), (-0.25 * r, 0.0, top + 0.006), (0.25 * r, 0.0, top + 0.006), (half, 0.0, 1.27 * h)]
    assembly.tube(bow, [0.009, 0.012, 0.012, 0.009], grip)
