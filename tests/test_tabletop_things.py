"""What stands on tables: true sizes, parts that follow what is seen, recipes that make the same again."""

from __future__ import annotations

import numpy as np
import pytest

from flowbench.builders.simulators.tabletop import catalogue
from flowbench.builders.simulators.tabletop.catalogue import colours, directions, draw_thing, kinds, model_of
from flowbench.builders.simulators.tabletop.scene import Recipe, TableObject
from flowbench.errors import UsageError
from flowbench.geometry import ConvexParts
from flowbench.seeding import generator

TRUE_SIZES = {
    # kind: (least, most) of height or length, metres, as one finds them in a kitchen
    "can": (2, 0.115, 0.125),
    "mug": (2, 0.085, 0.105),
    "cup": (2, 0.085, 0.10),
    "apple": (0, 0.07, 0.085),
    "orange": (0, 0.065, 0.08),
    "lemon": (0, 0.07, 0.1),
    "bottle": (2, 0.18, 0.22),
    "carton": (2, 0.15, 0.2),
    "banana": (0, 0.15, 0.2),
    "ball": (0, 0.0654, 0.0686),
    "plate": (0, 0.155, 0.19),
    "cube": (0, 0.035, 0.045),
}


def variant(kind: str, number: int = 0) -> TableObject:
    return draw_thing(generator(0, "test_things", number, kind), kinds()[kind])


def test_there_are_many_kinds_of_either_sort() -> None:
    toys = [kind for kind in kinds().values() if kind.toy]
    assert len(toys) >= 6
    assert len(kinds()) - len(toys) >= 16
    assert all(set(kind.colours) <= set(colours()) for kind in kinds().values())


@pytest.mark.parametrize("kind", TRUE_SIZES)
def test_things_are_as_large_as_they_are(kind: str) -> None:
    axis, low, high = TRUE_SIZES[kind]
    assert all(low <= variant(kind, n).size[axis] <= high for n in range(8))


@pytest.mark.parametrize("kind", kinds())
def test_parts_follow_what_is_seen(kind: str) -> None:
    thing = variant(kind)
    low, high = model_of(thing.recipe).mesh.bounds
    parts = ConvexParts.of([np.array(part) for part in thing.parts])
    assert high - low == pytest.approx(thing.size, abs=2e-5)
    assert float(low[2]) == pytest.approx(0.0, abs=1e-5)
    assert float(parts.vertices[:, 2].min()) == pytest.approx(0.0, abs=1.1e-5)
    below = parts.boxes[0].min(axis=0) - low
    beyond = parts.boxes[1].max(axis=0) - high
    leaf = 0.02 if kind == "apple" else 0.002
    assert np.abs(below).max() < 0.002
    assert np.abs(beyond).max() < leaf


def test_a_recipe_makes_the_same_thing_again() -> None:
    thing = variant("mug")
    again = Recipe.model_validate_json(thing.recipe.model_dump_json())
    catalogue._model.cache_clear()
    first = model_of(again).mesh
    catalogue._model.cache_clear()
    assert np.array_equal(first.vertices, model_of(thing.recipe).mesh.vertices)
    assert variant("mug") == thing


def test_a_name_says_the_colour_where_there_is_a_choice() -> None:
    assert variant("mug").name == f"{variant('mug').colour} mug"
    assert variant("banana").name == "banana"
    assert variant("banana").colour == ""


def test_an_unknown_kind_is_told_in_a_sentence() -> None:
    recipe = variant("mug").recipe.model_copy(update={"kind": "mugg"})
    with pytest.raises(UsageError, match="mugg"):
        model_of(recipe)


@pytest.mark.parametrize(("way", "count"), [("any", 24), ("none", 0), ("x", 2), ("faces", 4), ("sides", 5)])
def test_directions(way: str, count: int) -> None:
    assert len(directions(way, 5)) == count
