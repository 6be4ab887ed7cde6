"""Our finishes for AI2-THOR's materials (``materials.toml``): by what the name says, in the style of the home."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

from flowbench.rendering import Material
from flowbench.seeding import generator

from ..bullet.finishes import Finish
from ..bullet.styles import Style
from .schema import Surface


@dataclasses.dataclass(frozen=True)
class Painter:
    """The materials of one house; a name means the same look all over it."""

    style: Style
    seed: int
    pool: str
    scene: int

    def floor(self, name: str, room_type: str) -> Material:
        """A floor's."""
        finishes = self.style.finishes.floors
        return self._drawn("floors", name, _all(finishes), finishes[room_type])

    def wall(self, surface: Surface, room_type: str) -> Material:
        """A wall's; where the file gives a colour, paint of that colour."""
        walls, accents = self.style.finishes.walls, self.style.finishes.accents
        known = [*_all(walls), *_all(accents)]
        material = self._drawn("walls", surface.name, known, walls[room_type])
        colour = surface.color
        if colour is None or material.texture not in _table()["walls"]["paint"]["textures"]:
            return material
        return dataclasses.replace(material, colour=(colour.r, colour.g, colour.b))

    def _drawn(self, part: str, name: str, known: Iterable[Finish], usual: tuple[Finish, ...]) -> Material:
        """One of the name's group: of the usual finishes of such rooms if there are some, else of all."""
        group = next((row for row in _table()[part].values() if any(w in name.lower() for w in row["words"])), None)
        textures = group["textures"] if group is not None else ()
        fitting = [f for f in usual if f.texture in textures] or [f for f in known if f.texture in textures]
        rng = generator(self.seed, self.pool, self.scene, "material", part, name)
        among = fitting or list(usual)
        return among[int(rng.integers(len(among)))].draw(rng)


def _all(finishes: Mapping[str, tuple[Finish, ...]]) -> list[Finish]:
    """Every finish of any room, once, in the table's order."""
    return list(dict.fromkeys(finish for row in finishes.values() for finish in row))


@functools.cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("materials.toml").read_text(encoding="utf-8"))
