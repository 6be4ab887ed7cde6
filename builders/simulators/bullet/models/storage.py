"""Furniture that holds things: dressers, shelving units, cabinets, television stands."""

from __future__ import annotations

import numpy as np

from flowbench.rendering import Material

from ..model import Model
from .assembly import Assembly
from .fittings import Fronts, doors, drawers, feet
from .palette import between, chance, colour, metal, stone, timber


def dresser(rng: np.random.Generator, style: str) -> Model:
    """A chest of drawers on feet."""
    width, depth, height = between(rng, 0.75, 1.3), between(rng, 0.42, 0.5), between(rng, 0.72, 1.05)
    rows = 3 if height < 0.85 else 4
    return _case("Dresser", rng, style, (width, depth, height), drawer_rows=rows, columns=2 if width > 0.95 else 1)


def cabinet(rng: np.random.Generator, style: str) -> Model:
    """A sideboard with doors."""
    width, depth, height = between(rng, 0.7, 1.3), between(rng, 0.38, 0.46), between(rng, 0.75, 0.95)
    return _case("Cabinet", rng, style, (width, depth, height), door_count=2 if width < 1.05 else 4)


def _case(
    kind: str,
    rng: np.random.Generator,
    style: str,
    size: tuple[float, float, float],
    *,
    drawer_rows: int = 0,
    columns: int = 1,
    door_count: int = 0,
) -> Model:
    assembly = Assembly(kind)
    width, depth, height = size
    body = timber(rng, style, 0.45)
    face = body if chance(rng, 0.6) else timber(rng, style, 0.6)
    grip, foot = metal(rng, style), between(rng, 0.06, 0.14)
    top = stone(rng, style) if chance(rng, 0.15) else body
    inner = height - foot - 0.025
    assembly.box((width - 0.01, depth - 0.02, inner), (0.0, 0.005, foot + inner / 2), body)
    assembly.box((width + 0.02, depth, 0.025), (0.0, 0.0, height - 0.0125), top, rounding=0.006)
    assembly.surface(-width / 2 + 0.02, -depth / 2 + 0.02, width / 2 - 0.02, depth / 2 - 0.02, height)
    feet(assembly, (width - 0.1, depth - 0.1), foot + 0.01, between(rng, 0.04, 0.055), body)
    fronts = Fronts(-width / 2 + 0.02, width / 2 - 0.02, foot + 0.015, height - 0.035, -depth / 2 + 0.015)
    if drawer_rows:
        drawers(assembly, fronts, drawer_rows, face, grip, columns=columns)
    else:
        doors(assembly, fronts, door_count, face, grip)
    return assembly.model(20.0 + 20.0 * width)


def tv_stand(rng: np.random.Generator, style: str) -> Model:
    """A low board with an open middle between two doors."""
    assembly = Assembly("TVStand")
    width, depth, height = between(rng, 1.1, 1.7), between(rng, 0.36, 0.44), between(rng, 0.42, 0.58)
    body, face, grip = timber(rng, style, 0.4), timber(rng, style, 0.6), metal(rng, style)
    foot, board = between(rng, 0.05, 0.12), 0.022
    assembly.box((width, depth, board), (0.0, 0.0, height - board / 2), body, rounding=0.005, segments=1)
    assembly.surface(-width / 2 + 0.02, -depth / 2 + 0.02, width / 2 - 0.02, depth / 2 - 0.02, height)
    side = width * between(rng, 0.26, 0.32)
    inner = height - foot - board
    for sign in (-1.0, 1.0):
        x = sign * (width - side) / 2
        assembly.box((side, depth - 0.03, inner), (x, 0.01, foot + inner / 2), body)
        fronts = Fronts(
            x - side / 2 + 0.005, x + side / 2 - 0.005, foot + 0.008, height - board - 0.008, -depth / 2 + 0.025
        )
        doors(assembly, fronts, 1, face, grip)
    span = width - 2 * side
    assembly.box((span, depth - 0.03, board), (0.0, 0.01, foot + board / 2), body)
    assembly.box((span, 0.012, inner), (0.0, depth / 2 - 0.012, foot + inner / 2), body)
    gap = inner - board
    assembly.surface(-span / 2 + 0.02, -depth / 2 + 0.04, span / 2 - 0.02, depth / 2 - 0.03, foot + board, gap)
    feet(assembly, (width - 0.12, depth - 0.1), foot + 0.01, 0.045, body)
    return assembly.model(26.0)


def shelving_unit(rng: np.random.Generator, style: str) -> Model:
    """Open shelves, partly filled with books; each board keeps a free end."""
    assembly = Assembly("ShelvingUnit")
    width, depth = between(rng, 0.65, 1.05), between(rng, 0.28, 0.34)
    count = int(rng.integers(3, 6))
    pitch = between(rng, 0.33, 0.39)
    board, low = 0.024, 0.06
    height = low + count * pitch + board / 2
    body = timber(rng, style, 0.4)
    uprights = metal(rng, style) if chance(rng, 0.25) else body
    for x in (-1.0, 1.0):
        assembly.box((board, depth, height), (x * (width - board) / 2, 0.0, height / 2), uprights)
    inner = width - 2 * board
    if chance(rng, 0.7):
        assembly.box((inner, 0.01, height - low), (0.0, depth / 2 - 0.006, (height + low) / 2), body)
    for level in range(count + 1):
        z = low + level * pitch
        assembly.box((inner, depth - 0.012, board), (0.0, -0.004, z), body)
        top = z + board / 2
        if level == count:
            assembly.surface(-width / 2 + 0.03, -depth / 2 + 0.02, width / 2 - 0.03, depth / 2 - 0.03, top)
        else:
            _books(assembly, rng, style, (inner, depth, pitch - board), top)
    return assembly.model(22.0 + 4.0 * count)


def _books(
    assembly: Assembly, rng: np.random.Generator, style: str, space: tuple[float, float, float], floor: float
) -> None:
    """A row of books from one end of a board; what is left of it is a surface."""
    inner, depth, gap = space
    filled = inner * between(rng, 0.35, 0.75) if chance(rng, 0.85) else 0.0
    from_left = chance(rng, 0.5)
    x, tallest, deepest = 0.0, 0.0, 0.0
    while filled - x > 0.045:
        thick, tall, deep = between(rng, 0.02, 0.045), gap * between(rng, 0.6, 0.88), between(rng, 0.17, 0.22)
        cover = Material("books", colour(rng, style, (0.25, 0.75), (0.45, 0.9)), 0.7, 0.0, 1.0 / tall)
        middle = (x + thick / 2 - inner / 2) * (1.0 if from_left else -1.0)
        size = (thick - 0.002, deep, tall)
        assembly.box(size, (middle, 0.02 - (depth - deep) / 2, floor + tall / 2), cover, solid=False)
        x, tallest, deepest = x + thick, max(tallest, tall), max(deepest, deep)
    edge = x - inner / 2
    if x > 0.0:
        middle = (edge - inner / 2) / 2 * (1.0 if from_left else -1.0)
        assembly.block((x, deepest, tallest), (middle, 0.02 - (depth - deepest) / 2, floor + tallest / 2))
    low, high = edge + 0.02, inner / 2 - 0.02
    if high - low > 0.08:
        x0, x1 = (low, high) if from_left else (-high, -low)
        assembly.surface(x0, -depth / 2 + 0.02, x1, depth / 2 - 0.03, floor, gap)
