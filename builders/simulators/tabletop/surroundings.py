"""What stands round the things: the table, a board on it, a room with furniture along its walls, and the light."""

from __future__ import annotations

from collections.abc import Iterator

from flowbench.errors import unknown_name
from flowbench.rendering import Instance, Lighting, Material, Mesh, PointLight, join
from flowbench.rendering.placing import Vector, placed, rotation
from flowbench.rendering.shapes import box, cylinder, lathe
from flowbench.rendering.sweeps import picture, two_sided

from .scene import Surface, Surroundings

ID = 60000
"""Instance id of everything here while it is drawn."""
BACK_EDGE = -0.28
"""x of the table's edge behind the arm, metres."""
_FLOOR = -0.74
_CEILING = 1.9
_FRONT = 3.0
"""How far the room goes on before the arm, metres."""
_TOP = 0.035
_BOARD = 0.0008
"""A board is a mat: things on it stand no higher for the eye."""
TEXTURES = (
    *("plain", "wood", "veneer", "planks", "parquet", "tile", "plaster", "wallpaper", "marble", "concrete", "stucco"),
    *("granite", "terrazzo", "linen", "fabric", "metal", "leather", "paper", "fur", "carpet", "check", "stripes"),
    *("landscape", "seascape", "abstract", "flowers", "mountains", "botanical", "spines", "mosaic", "brick", "slabs"),
    "slate",
)
"""What materials of things and surroundings name."""


def material_of(surface: Surface, roughness: float = 0.55) -> Material:
    """As the rasterizer takes it; an unknown texture is a :class:`~flowbench.errors.UsageError`."""
    if surface.texture not in TEXTURES:
        raise unknown_name("texture", surface.texture, TEXTURES)
    return Material(surface.texture, surface.tint, roughness, 0.0, surface.scale)


def instances_of(round_about: Surroundings) -> Iterator[Instance]:
    """Everything that stands still, metres."""
    yield Instance(ID, join(list(_table(round_about))))
    room = [*_room(round_about)]
    yield Instance(ID, join(room), casts_shadow=False)
    yield Instance(ID, join(list(_furniture(round_about))), casts_shadow=False)


def lighting_of(round_about: Surroundings, scale: float) -> Lighting:
    """Key, fill, and what comes from all around, for a world in which a metre is ``scale`` units."""
    a = round_about.ambient
    x, y, z = (scale * value for value in round_about.fill)
    r, g, b = (scale * scale * value for value in round_about.fill_colour)
    return Lighting(
        key_direction=round_about.key,
        key_colour=round_about.key_colour,
        lamps=(PointLight((x, y, z), (r, g, b)),),
        ambient_up=(a, a, 1.02 * a),
        ambient_down=(0.66 * a, 0.65 * a, 0.63 * a),
        exposure=0.9,
    )


def _table(round_about: Surroundings) -> Iterator[Mesh]:
    """Top, mat, and legs."""
    x, y = round_about.table_size
    middle = BACK_EDGE + x / 2.0
    top = material_of(round_about.table, 0.45)
    yield box((x, y, _TOP), (middle, 0.0, -_TOP / 2.0), top, rounding=0.006, along=1)
    leg = Material("plain", (0.30, 0.30, 0.32), 0.4)
    for dx in (-1.0, 1.0):
        for dy in (-1.0, 1.0):
            at = (middle + dx * (x / 2.0 - 0.06), dy * (y / 2.0 - 0.06), (_FLOOR - _TOP) / 2.0)
            yield box((0.05, 0.05, -_FLOOR - _TOP), at, leg)


def mat_of(round_about: Surroundings) -> Instance | None:
    """The board under the things, which casts no shadow; None without."""
    if round_about.board is None:
        return None
    mat = box((0.56, 0.74, _BOARD), (0.52, 0.0, -_BOARD / 2.0 + 0.0002), material_of(round_about.board, 0.6))
    return Instance(ID, mat, casts_shadow=False)


def _room(round_about: Surroundings) -> Iterator[Mesh]:
    """Floor and three walls."""
    far = round_about.wall_distance
    wide = 2.0 * far + 1.0
    floor, wall = material_of(round_about.floor, 0.7), material_of(round_about.wall, 0.85)
    yield box((_FRONT + far, wide, 0.1), ((_FRONT - far) / 2.0, 0.0, _FLOOR - 0.05), floor)
    height = _CEILING - _FLOOR
    middle = (_CEILING + _FLOOR) / 2.0
    yield box((0.1, wide, height), (-far - 0.05, 0.0, middle), wall)
    for side in (-1.0, 1.0):
        yield box((_FRONT + far, 0.1, height), ((_FRONT - far) / 2.0, side * (wide / 2.0 + 0.05), middle), wall)


def _furniture(round_about: Surroundings) -> Iterator[Mesh]:
    """Along the back wall and one side wall: a kitchen, shelves, or a sideboard with pictures."""
    far, style = round_about.wall_distance, round_about.style
    kinds = (_kitchen, _shelves, _sideboard)
    back = rotation("z", 1.5707963267948966, (-far, 0.0, 0.0))
    for mesh in kinds[style % 3](style // 3):
        yield placed(mesh, back)
    for side in (-1.0, 1.0):
        turn = rotation("z", 0.0 if side > 0.0 else 3.141592653589793, (0.4, side * (far + 0.5), 0.0))
        for mesh in kinds[(style // 7 + (side > 0.0)) % 3](style // 11):
            yield placed(mesh, turn)


_TINTS: tuple[Vector, ...] = ((0.86, 0.84, 0.79), (0.62, 0.70, 0.68), (0.55, 0.58, 0.64), (0.80, 0.66, 0.50))
_STEEL = Material("metal", (0.75, 0.76, 0.78), 0.3, 0.8, 3.0)


def _front(x0: float, x1: float, z0: float, z1: float, depth: float, paint: Material) -> Mesh:
    """A cupboard against the wall y = 0, standing out towards -y."""
    return box((x1 - x0, depth, z1 - z0), ((x0 + x1) / 2.0, -depth / 2.0, (z0 + z1) / 2.0), paint, rounding=0.004)


def _kitchen(style: int) -> Iterator[Mesh]:
    """A row of cupboards with a worktop, tiles above it, wall cupboards, and something on the worktop."""
    paint = Material("plain", _TINTS[style % 4], 0.4)
    dark = Material("plain", (0.25, 0.24, 0.23), 0.6)
    yield box((3.2, 0.01, 0.62), (0.0, -0.005, 0.45), Material("tile", (0.88, 0.90, 0.90), 0.25, 0.0, 2.4))
    yield box((3.2, 0.62, 0.04), (0.0, -0.31, 0.16), Material("granite", (0.62, 0.60, 0.58), 0.3, 0.0, 1.6))
    for i in range(6):
        x = -1.6 + 0.535 * i
        yield _front(x, x + 0.525, _FLOOR + 0.09, 0.03, 0.58, paint)
        yield _front(x, x + 0.525, 0.0, 0.135, 0.58, paint)
        yield box((0.14, 0.012, 0.012), (x + 0.26, -0.6, 0.09), _STEEL)
        yield _front(x, x + 0.525, 0.76, 1.45, 0.34, paint)
        yield box((0.012, 0.012, 0.14), (x + 0.46, -0.35, 0.86), _STEEL)
    yield box((3.2, 0.5, 0.09), (0.0, -0.25, _FLOOR + 0.045), dark)
    yield box((0.24, 0.17, 0.19), (-0.55 + 0.2 * (style % 5), -0.25, 0.275), _STEEL, rounding=0.03)
    pot = [(0.0, 0.0), (0.11, 0.0), (0.12, 0.13), (0.122, 0.14), (0.04, 0.17), (0.0, 0.175)]
    yield placed(lathe(pot, Material("plain", (0.55, 0.12, 0.1), 0.3)), rotation("z", 0.0, (0.5, -0.28, 0.18)))
    for k in range(3):
        jar = Material("plain", ((0.75, 0.68, 0.55), (0.42, 0.52, 0.38), (0.70, 0.45, 0.30))[k], 0.4)
        yield cylinder(0.05, 0.13 + 0.03 * k, jar, at=(-1.0 + 0.13 * k, -0.16, 0.18))


def _shelves(style: int) -> Iterator[Mesh]:
    """Open shelves with books and boxes."""
    wood = Material("wood", (0.82, 0.76, 0.70), 0.5, 0.0, 1.2)
    books = Material("spines", (1.0, 1.0, 1.0), 0.7, 0.0, 1.6)
    for level in range(4):
        z = _FLOOR + 0.1 + 0.42 * level
        yield box((2.2, 0.3, 0.03), (0.0, -0.15, z), wood)
        for k in range(4):
            x = -0.85 + 0.56 * k
            if (style + 3 * level + 5 * k) % 3:
                yield box((0.44, 0.2, 0.27), (x, -0.13, z + 0.15), books)
            else:
                tint = _TINTS[(style + level + k) % 4]
                yield box((0.3, 0.22, 0.2), (x, -0.14, z + 0.115), Material("plain", tint, 0.8), rounding=0.01)
    for x in (-1.1, 1.1):
        yield box((0.03, 0.3, 1.75), (x, -0.15, _FLOOR + 0.85), wood)


def _sideboard(style: int) -> Iterator[Mesh]:
    """A low sideboard, a vase on it, two pictures above."""
    wood = Material("veneer", (0.78, 0.66, 0.55), 0.4, 0.0, 1.2)
    yield box((1.8, 0.42, 0.5), (0.1, -0.21, _FLOOR + 0.4), wood, rounding=0.006)
    for k in range(3):
        yield box((0.56, 0.01, 0.42), (-0.5 + 0.6 * k, -0.425, _FLOOR + 0.4), wood, rounding=0.003)
    vase = [(0.0, 0.0), (0.06, 0.0), (0.1, 0.12), (0.05, 0.24), (0.06, 0.28), (0.0, 0.27)]
    glaze = Material("plain", _TINTS[style % 4], 0.2)
    yield placed(lathe(vase, glaze, crease=60.0), rotation("z", 0.0, (0.6, -0.2, _FLOOR + 0.65)))
    names = ("landscape", "seascape", "abstract", "flowers", "mountains", "botanical")
    for k, x in enumerate((-0.55, 0.35)):
        z = 0.45
        yield box((0.66, 0.03, 0.5), (x, -0.015, z), Material("plain", (0.16, 0.14, 0.12), 0.4))
        image = Material(names[(style + 2 * k) % 6], (0.92, 0.92, 0.92), 0.6)
        yield placed(two_sided(picture(0.6, 0.44, image)), rotation("z", 0.0, (x, -0.032, z)))
