"""The held-out style shares nothing with the training style (sim.md, "Scenes"): what sim_test measures rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from flowbench.builders.simulators.bullet.catalogue import CATALOGUE
from flowbench.builders.simulators.bullet.finishes import Finish
from flowbench.builders.simulators.bullet.models.palette import palette
from flowbench.builders.simulators.bullet.styles import Style, style_of_pool, styles
from flowbench.seeding import generator

TRAIN, TEST = style_of_pool("homes_train"), style_of_pool("homes_test")
SHARED = {"plain"}
"""Textures that show nothing but their colour."""


def overlap(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def is_range(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(number, float) for number in value)


def is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def test_each_pool_has_its_own_style() -> None:
    assert TRAIN.name == "train"
    assert TEST.name == "test"
    assert set(styles()) == {"train", "test"}


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_models_share_no_range_and_no_shape(name: str) -> None:
    row = CATALOGUE[name].shapes
    assert row, f"{name} has no row of sizes and shapes"
    held_out = 0
    for parameter, values in row.items():
        assert set(values) == {"train", "test"}, parameter
        train, test = values["train"], values["test"]
        assert type(train) is type(test), parameter
        if is_words(train):
            assert not set(train) & set(test), f"{parameter}: both styles have {set(train) & set(test)}"
            held_out += 1
        elif is_range(train):
            assert train[0] <= train[1], parameter
            assert test[0] <= test[1], parameter
            assert not overlap(tuple(train), tuple(test)), f"{parameter}: {train} and {test} overlap"
            held_out += 1
    assert held_out >= 2, f"{name} differs too little between the styles"


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_models_share_no_texture(name: str) -> None:
    def looks(style: Style) -> set[tuple[str, tuple[float, ...]]]:
        models = [CATALOGUE[name].make(generator(seed, "styles", 0, name), style.name) for seed in range(8)]
        return {(m.texture, m.colour) for model in models for m in model.mesh.materials}

    assert not looks(TRAIN) & looks(TEST) or name in NATURAL


NATURAL: set[str] = set()
"""Rows with a material that is the same wherever the thing is, such as soil."""


def finishes(style: Style) -> Iterator[Finish]:
    table = style.finishes
    for rooms in (table.walls, table.accents, table.floors):
        for row in rooms.values():
            yield from row
    yield from (*table.trims, *table.ceilings, *table.doors)


def test_finishes_and_palettes_share_no_texture_and_no_colour() -> None:
    a, b = set(finishes(TRAIN)), set(finishes(TEST))
    assert not {f.texture for f in a} & {f.texture for f in b} - SHARED
    assert not {c for f in a for c in f.colours} & {c for f in b for c in f.colours}
    p, q = palette("train"), palette("test")
    assert not {p.wood, p.metal, p.plain_fabric, *p.fabrics} & {q.wood, q.metal, q.plain_fabric, *q.fabrics}
    assert not {texture for texture, _ in p.stones} & {texture for texture, _ in q.stones}
    assert not {*p.woods, *p.lacquers, p.steel, p.dark, p.white, p.porcelain} & {
        *(*q.woods, *q.lacquers),
        *(q.steel, q.dark, q.white, q.porcelain),
    }
    assert not any(overlap(x, y) for x in p.hues for y in q.hues)


def test_proportions_share_no_range() -> None:
    a, b = TRAIN.proportions, TEST.proportions
    for name in ("height", "door_width", "window_width", "window_sill", "window_head", "aspect"):
        assert not overlap(getattr(a, name), getattr(b, name)), name
    assert a.door_height != b.door_height


def test_lights_share_no_range() -> None:
    a, b = TRAIN.light, TEST.light
    for name in ("key_slope", "key_strength", "key_warmth", "ambient", "exposure", "lamp_power"):
        assert not overlap(getattr(a, name), getattr(b, name)), name
    assert not set(a.lamp_colours) & set(b.lamp_colours)
    assert not set(a.skies) & set(b.skies)
