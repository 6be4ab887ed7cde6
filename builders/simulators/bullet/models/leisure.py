"""Things to read, to cuddle and to wear."""

from __future__ import annotations

from math import sqrt

from flowbench.geometry import atan2, compose
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation, translation
from flowbench.rendering.shapes import circle, extrude, sphere

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .electronics import FLAT
from .hulls import ball_part, coarse_hull
from .palette import hsv
from .printing import letters, lines
from .resting import pressed, seated

Limb = tuple[float, Vector, Vector, Material]
"""An ellipsoid: radius, centre, scale, material."""


def book(draw: Draw) -> Model:
    """Closed and lying flat, a pile of some, or open."""
    assembly = Assembly("Book", tolerance=0.003)
    form = draw.shape("form")
    if form == "open":
        _open_book(assembly, draw)
        return assembly.model(0.5)
    z = 0.0
    for _ in range(draw.count("pile") if form in ("pile", "stack") else 1):
        turn = draw.between(-0.25, 0.25)
        z += _closed_book(assembly, draw, rotation("z", turn, (0.0, 0.0, z)))
    return assembly.model(0.7)


def _pages(draw: Draw) -> Material:
    return Material("paper", (0.97, 0.95, draw.size("page")), 0.9, 0.0, 8.0)


def _cover(draw: Draw, long: float) -> Material:
    return Material(draw.shape("binding"), draw.colour((0.25, 0.55), (0.5, 0.88)), 0.6, 0.0, 1.0 / long)


def _closed_book(assembly: Assembly, draw: Draw, at: Matrix) -> float:
    """A book on its back cover with a title on its front; gives its thickness."""
    width, thick = draw.size("width"), draw.size("thick")
    long, board = width * draw.size("ratio"), 0.003
    cover = _cover(draw, long)
    for level in (board / 2, thick - board / 2):
        assembly.box((width, long, board), (0.0, 0.0, level), cover, at=at, solid=False)
    assembly.box((board, long, thick), (-width / 2 + board / 2, 0.0, thick / 2), cover, at=at, solid=False)
    inner = (width - 0.01, long - 0.012, thick - 2 * board)
    assembly.box(inner, (-0.003, 0.0, thick / 2), _pages(draw), at=at, solid=False)
    assembly.block((width, long, thick), (0.0, 0.0, thick / 2), at=at)
    plate = compose(at, compose(translation(0.005, 0.0, thick + 0.0004), FLAT))
    assembly.picture(0.86 * width, 0.9 * long, Material("plain", cover.colour, 0.6), at=plate)
    ink = draw.white if draw.chance("light_title") else draw.dark
    title = compose(plate, translation(0.0, -0.0003, draw.size("title") * long))
    lines(assembly, draw, (0.7 * width, 0.2 * long), 2, ink, at=title)
    lower = compose(plate, translation(0.0, -0.0003, -0.36 * long))
    lines(assembly, draw, (0.4 * width, 0.05 * long), 1, ink, at=lower)
    if draw.chance("illustrated"):
        middle = compose(plate, translation(0.0, -0.0003, -0.1 * long))
        assembly.picture(0.6 * width, 0.3 * long, Material(draw.shape("pictures"), (1.0, 1.0, 1.0), 0.6), at=middle)
    return thick


def _open_book(assembly: Assembly, draw: Draw) -> None:
    """Two heaps of pages that fall off from the spine, printed, on an open cover."""
    width, thick = draw.size("width"), 0.6 * draw.size("thick")
    long, board = width * draw.size("ratio"), 0.003
    assembly.box((2 * width + 0.012, long, board), (0.0, 0.0, board / 2), _cover(draw, long))
    pages = _pages(draw)
    for side in (-1.0, 1.0):
        spine, edge = 0.55 * thick, 0.5 * thick
        profile = [(0.002, 0.0), (width - 0.004, 0.0), (width - 0.01, edge), (0.3 * width, thick), (0.002, spine)]
        outline = [(side * x, -z) for x, z in profile]
        # Extruded along y: FLAT turns the outline's y to -z, and its height to y.
        heap = extrude(outline if side < 0.0 else outline[::-1], -long / 2 + 0.006, long / 2 - 0.006, pages)
        at = compose(translation(0.0, 0.0, board), FLAT)
        assembly.add(heap, [coarse_hull(heap.vertices)], at=at)
        (x0, z0), (x1, z1) = (0.3 * width, thick), (width - 0.01, edge)
        above = translation(side * (x0 + x1) / 2, 0.0, board + (z0 + z1) / 2 + 0.0008)
        lean = rotation("y", side * atan2(z0 - z1, x1 - x0))
        frame = compose(above, compose(lean, FLAT))
        lines(assembly, draw, (0.54 * width, 0.84 * long), 12, draw.dark, at=frame, fill=0.34)


def newspaper(draw: Draw) -> Model:
    """Folded sheets with a headline, columns of print and a photograph."""
    assembly = Assembly("Newspaper", tolerance=0.003)
    width, form = draw.size("width"), draw.shape("form")
    long, tone, thick = width * draw.size("ratio"), draw.size("tone"), draw.size("thick")
    paper = Material("paper", (tone, 0.985 * tone, 0.93 * tone), 0.95, 0.0, 3.0)
    for k in (0, 1):
        shift = (0.003 - 0.004 * k, -0.004 + 0.002 * k, 0.0005 + 0.001 * k)
        assembly.box((width - 0.008, long, 0.001), shift, paper, solid=False)
    # The fold on the left is round; from there the pages lie on each other down to the loose edge.
    low, fold = 0.004, 0.46 * width
    side = [(0.497, 0.2), (0.5, 0.55), (0.492, 0.85), (0.46, 1.0)]
    profile = [(width / 2, 0.0), (-0.47 * width, 0.0), *((-x * width, z * thick) for x, z in side), (width / 2, low)]
    sheaf = extrude([(x, -z) for x, z in profile], -long / 2, long / 2, paper)
    assembly.add(sheaf, [coarse_hull(sheaf.vertices)], at=FLAT)
    lean = rotation("y", atan2(thick - low, width / 2 + fold))
    middle = translation(width / 4 - fold / 2, 0.0, (thick + low) / 2 + 0.0006)
    front = compose(middle, compose(lean, compose(translation(fold / 2 - width / 4, 0.0, 0.0), FLAT)))
    ink, grey = draw.dark, Material("plain", (0.45, 0.45, 0.45 + 0.1 * tone), 0.9)
    head = 0.07 * long if form == "broadsheet" else 0.13 * long
    top = 0.46 * long
    title = compose(front, translation(0.0, 0.0, top - head / 2))
    letters(assembly, draw.shape("title"), (0.8 * width, head), ink, at=title)
    rule = compose(front, translation(0.0, 0.0, top - 1.35 * head))
    assembly.picture(0.9 * width, 0.0025, ink, at=rule)
    bottom, edge = -0.46 * long, top - 1.7 * head
    photo = Material(draw.shape("pictures"), (0.8 * tone, 0.8 * tone, 0.8 * tone), 0.9)
    columns = 4 if form == "broadsheet" else 2
    step = 0.92 * width / columns
    tall = 0.42 * (edge - bottom)
    for column in range(columns):
        x = -0.46 * width + step * (column + 0.5)
        under = column < 2
        high = (edge - bottom) - (tall if under else 0.0)
        at = compose(front, translation(x, 0.0, bottom + high / 2))
        lines(assembly, draw, (0.86 * step, high), max(4, int(high / 0.012)), grey, at=at, fill=0.4)
    at = compose(front, translation(-0.46 * width + step, 0.0, edge - 0.46 * tall))
    assembly.picture(1.86 * step, 0.88 * tall, photo, at=at)
    return assembly.model(0.3)


def teddy_bear(draw: Draw) -> Model:
    """Sitting, facing the front."""
    assembly = Assembly("TeddyBear", tolerance=0.004)
    s, head, leg = draw.size("scale"), draw.size("head"), draw.size("leg")
    coat = hsv(draw.size("hue"), draw.size("strength"), draw.between(0.6, 0.92))
    fur = Material("fur", coat, 0.98, 0.0, 5.0)
    light = Material("fur", (0.96, 0.9, draw.size("pale")), 0.98, 0.0, 5.0)
    dress = draw.shape("dress")
    cloth = Material(draw.palette.plain_fabric, draw.colour((0.35, 0.6), (0.6, 0.85)), 0.9, 0.0, 5.0)
    trunk = cloth if dress == "shirt" else fur
    up = 0.235 + 0.5 * (head - 1.0) * 0.144
    solid: list[Limb] = [
        (0.085, (0.0, 0.0, 0.095), (1.0, 0.85, 1.15), trunk),
        (0.072 * head, (0.0, -0.01, up), (1.05, 0.95, 0.95), fur),
        (0.034 * head, (0.0, -0.01 - 0.056 * head, up - 0.015), (1.05, 0.75, 0.85), light),
    ]
    details: list[Limb] = [(0.012 * head, (0.0, -0.01 - 0.077 * head, up - 0.003), (1.2, 0.7, 0.8), draw.dark)]
    if dress != "shirt":
        details.append((0.06, (0.0, -0.028, 0.1), (1.0, 0.85, 1.2), light))
    spread = 0.02 * (leg - 1.0)
    for x in (-1.0, 1.0):
        paw = -0.1 - 0.05 * (leg - 1.0)
        solid.append((0.042, (x * (0.062 + spread), paw, 0.042), (0.95, 1.7 * leg, 1.0), fur))
        solid.append((0.036, (x * 0.08, -0.03, 0.142), (0.9, 1.1, 1.6), trunk))
        solid.append((0.028 * head, (x * 0.058 * head, 0.0, up + 0.06 * head), (1.0, 0.6, 1.0), fur))
        if dress == "shirt":
            solid.append((0.026, (x * 0.088, -0.046, 0.09), (0.95, 1.0, 1.0), fur))
        details.append(
            (0.009 * head, (x * 0.028 * head, -0.01 - 0.057 * head, up + 0.023 * head), (1.0, 0.7, 1.0), draw.dark)
        )
        sole = paw - 0.042 * 1.7 * leg + 0.0074
        details.append((0.024, (x * (0.062 + spread), sole, 0.045), (0.85, 0.35, 0.95), light))
        details.append((0.017 * head, (x * 0.058 * head, -0.012, up + 0.06 * head), (1.0, 0.5, 1.0), light))
        if dress == "bow":
            solid.append((0.026, (x * 0.026, -0.075, 0.172), (1.0, 0.45, 0.7), cloth))
    # It sits on flattened legs.
    floor = 0.0025 * s
    for pieces, collides in ((solid, True), (details, False)):
        sides, rings = (12, 8) if collides else (8, 6)
        for r, (x, y, z), scale, material in pieces:
            centre = (x * s, y * s, z * s)
            limb = sphere(r * s, material, at=centre, scale=scale, sides=sides, rings=rings)
            assembly.add(pressed(limb, floor), [seated(ball_part(r * s, centre, scale), floor)] if collides else [])
    return assembly.model(0.5)


def boots(draw: Draw) -> Model:
    """A pair: laced ankle boots, or tall rubber boots."""
    assembly = Assembly("Boots", tolerance=0.004)
    form, high, long = draw.shape("form"), draw.size("height"), draw.size("length")
    upper = Material("leather", draw.colour((0.25, 0.48), (0.42, 0.66)), draw.size("gloss"), 0.0, 6.0)
    if form == "laced" and draw.chance("brown"):
        upper = Material("leather", (0.55, 0.38, draw.size("tan")), 0.5, 0.0, 6.0)
    for side in (-1.0, 1.0):
        _boot(assembly, draw, (side * 0.065, long, high), upper, laced=form == "laced")
    return assembly.model(1.2)


def _boot(assembly: Assembly, draw: Draw, size: tuple[float, float, float], upper: Material, *, laced: bool) -> None:
    """One boot about x, its toe to the front; size: (x, length, height)."""
    x, long, high = size
    # Between an ellipse and its box, nearer to the ellipse at the toe, narrower at the heel.
    outline = []
    for c, r in circle(16):
        out = 1.0 / sqrt(sqrt(c * c * c * c + r * r * r * r))
        out = out if r > 0.0 else 0.55 + 0.45 * out
        outline.append((x + 0.0425 * out * c * (1.0 - 0.1 * max(0.0, r)), long * (0.475 * out * r - 0.01)))
    assembly.loft(outline, outline, 0.0, 0.017, draw.dark)
    assembly.ball(0.05, (x, -0.465 * long + 0.05, 0.042), upper, scale=(0.9, 1.15, 0.75), sides=14, rings=8)
    foot = [(x, -0.34 * long, 0.046), (x, 0.0, 0.062), (x, 0.27 * long, 0.062)]
    assembly.tube(foot, [0.038, 0.044, 0.046], upper, sides=14, spans=2)
    wide = 0.05 if laced else 0.058
    at = (x, 0.27 * long, 0.0)
    shaft = [
        (0.0, 0.02),
        (0.045, 0.02),
        (0.046, 0.06),
        (0.044, 0.11),
        (wide, high),
        (wide - 0.006, high),
        (wide - 0.012, high - 0.03),
    ]
    assembly.lathe([*shaft, (0.0, high - 0.03)], upper, sides=20, crease=60.0, at=at)
    trim = [(wide - 0.001, high - 0.016), (wide + 0.002, high - 0.016), (wide + 0.002, high), (wide - 0.001, high)]
    assembly.lathe(trim, draw.dark, sides=20, at=at, solid=False)
    if laced:
        for k in range(5):
            level = 0.075 + (high - 0.1) * k / 4
            front = at[1] - 0.0465
            assembly.tube(
                [(x - 0.02, front, level), (x + 0.02, front, level + 0.006)], 0.003, draw.white, sides=5, spans=0
            )
