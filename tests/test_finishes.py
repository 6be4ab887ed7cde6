"""Finishes of homes: what the tables name exists, and boards, tiles and bricks have their true sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from flowbench.builders.simulators.bullet.finishes import Finish, finishes_of
from flowbench.builders.simulators.bullet.models.palette import palettes
from flowbench.builders.simulators.bullet.tables import read_table
from flowbench.rendering.textures import MATERIALS

TABLE = read_table("finishes.toml")
STYLES = tuple(TABLE)
ROOMS = {"living_room", "kitchen", "bedroom", "bathroom", "office", "hallway"}
PARTS = {
    "tile": (2, 0.15, 0.40),
    "slabs": (2, 0.30, 0.60),
    "brick": (4, 0.19, 0.25),
    "planks": (8, 0.10, 0.20),
    "panelling": (8, 0.08, 0.15),
    "mosaic": (7, 0.03, 0.15),
    "parquet": (14, 0.06, 0.08),
    "sisal": (12, 0.02, 0.08),
}
"""Texture: parts along u in one repeat; the least and the greatest width of such a part, metres."""


def finishes(style: str) -> Iterator[tuple[str, Finish]]:
    table = finishes_of(TABLE[style])
    for name, rooms in (("walls", table.walls), ("accents", table.accents), ("floors", table.floors)):
        assert set(rooms) == ROOMS, name
        for row in rooms.values():
            yield from ((name, finish) for finish in row)
    for name, row in (("trims", table.trims), ("ceilings", table.ceilings), ("doors", table.doors)):
        yield from ((name, finish) for finish in row)


@pytest.mark.parametrize("style", STYLES)
def test_every_texture_of_the_tables_is_a_material(style: str) -> None:
    palette = palettes()[style]
    named = {finish.texture for _, finish in finishes(style)}
    named |= {
        palette.wood,
        palette.metal,
        palette.plain_fabric,
        *palette.fabrics,
        *(name for name, _ in palette.stones),
    }
    assert named <= set(MATERIALS)


@pytest.mark.parametrize("style", STYLES)
def test_parts_have_their_true_size(style: str) -> None:
    seen = set()
    for _, finish in finishes(style):
        if finish.texture in PARTS:
            count, least, most = PARTS[finish.texture]
            assert least <= 1.0 / (finish.scale * count) <= most, finish.texture
            seen.add(finish.texture)
    assert len(seen) >= 4


@pytest.mark.parametrize("style", STYLES)
def test_no_surface_is_so_dark_that_things_are_lost(style: str) -> None:
    for name, finish in finishes(style):
        for colour in finish.colours:
            red, green, blue = colour
            assert 0.2126 * red + 0.7152 * green + 0.0722 * blue > {"walls": 0.6, "ceilings": 0.85}.get(name, 0.3)
            assert all(0.0 <= part <= 1.0 for part in colour)
        assert 0.0 < finish.roughness <= 1.0


@pytest.mark.parametrize("style", STYLES)
def test_every_finish_is_used(style: str) -> None:
    """A finish that no room names would never be seen."""
    used = {(f.texture, f.colours) for _, f in finishes(style)}
    for name, row in TABLE[style]["finishes"].items():
        assert (row["texture"], tuple(tuple(c) for c in row["colours"])) in used, name


def test_a_finish_draws_each_of_its_colours() -> None:
    finish = Finish("tile", ((0.9, 0.8, 0.7), (0.5, 0.6, 0.7)), 0.4, 1.5)
    rng = np.random.Generator(np.random.PCG64(0))
    materials = [finish.draw(rng) for _ in range(20)]
    assert {m.colour for m in materials} == set(finish.colours)
    assert {(m.texture, m.roughness, m.metallic, m.scale) for m in materials} == {("tile", 0.4, 0.0, 1.5)}
