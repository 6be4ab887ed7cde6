"""ProcTHOR houses in the embedded engine: objects where and as large as the file and the assets' table say."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.thor_houses import Drawing, loose, thing, three_rooms

from flowbench.builders.simulators.base import SceneError
from flowbench.builders.simulators.bullet.house import Body, House
from flowbench.builders.simulators.bullet.physics import World
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.builders.simulators.bullet.styles import POOL_STYLES, style_of_pool
from flowbench.builders.simulators.procthor.assets import OPENINGS, assets, stand_ins
from flowbench.builders.simulators.procthor.building import Imported, build_imported
from flowbench.builders.simulators.procthor.fitting import fitted
from flowbench.builders.simulators.procthor.reading import FileHouse
from flowbench.builders.simulators.procthor.schema import HouseError, parse_house
from flowbench.geometry import Camera, transform

POOL = "homes_train"


def imported(raw: Any, pool: str = POOL) -> Imported:
    """A house of a file, built and let go of."""
    world = World()
    try:
        source = FileHouse("house 0 of drawn.json", 0, "0" * 64, raw, parse_house(raw))
        return build_imported(source, 0, pool, 0, style_of_pool(pool), world)
    finally:
        world.close()


@pytest.fixture(scope="module")
def three() -> Imported:
    """The house of three rooms."""
    return imported(three_rooms())


@pytest.fixture(scope="module")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BulletSimulator]:
    """The engine with a file of two houses: a broken one, and the one of three rooms."""
    path = tmp_path_factory.mktemp("houses") / "two.jsonl"
    path.write_text("{}\n" + json.dumps(three_rooms()) + "\n", "utf-8")
    made = BulletSimulator(houses=str(path))
    yield made
    made.close()


def room(*things: Any) -> Any:
    """A room of 4 x 4 m with a front door, and things in it."""
    drawing = Drawing({1: ("LivingRoom", (0.0, 0.0, 4.0, 4.0))}, objects=list(things))
    drawing.door("Doorway_4", 1, None, (4.0, 2.0), openness=0.0)
    return drawing.house()


def furniture(house: House) -> dict[str, list[Body]]:
    """The objects by type."""
    found: dict[str, list[Body]] = {}
    for body in house.bodies:
        if body.kind is not None:
            found.setdefault(body.object_type, []).append(body)
    return found


def extents(body: Body) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(2, 3) lower and upper corner of its mesh in the world."""
    points = transform(body.pose.matrix, body.mesh.vertices)
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize("pool", POOL_STYLES)
@pytest.mark.parametrize(("turn", "across"), [(0.0, 0), (90.0, 1), (180.0, 0), (270.0, 1)])
def test_boxes_lie_where_the_file_says(pool: str, turn: float, across: int) -> None:
    sofa = thing("Sofa_223_3", 2.0, 1.9, turn)
    body = furniture(imported(room(sofa), pool).house)["Sofa"][0]
    width, depth, height = assets()["Sofa_223_3"].size
    half = np.array([width, depth] if across == 0 else [depth, width]) / 2
    expected = [[2.0 - half[0], 1.9 - half[1], 0.0], [2.0 + half[0], 1.9 + half[1], height]]
    assert np.allclose(extents(body), expected, atol=0.01)


def test_fronts_face_where_unitys_do() -> None:
    body = furniture(imported(room(thing("TV_Stand_212_1", 0.3, 2.0, 90.0))).house)["TVStand"][0]
    front = body.pose.matrix[:3, :3] @ np.array([0.0, -1.0, 0.0])
    assert np.allclose(front, [1.0, 0.0, 0.0], atol=1e-6)


@pytest.mark.parametrize("style", POOL_STYLES.values())
def test_every_type_fills_its_box(style: str) -> None:
    first = {asset.object_type: asset for asset in reversed(list(assets().values()))}
    for name, asset in first.items():
        if name in OPENINGS:
            continue
        model = fitted(asset, stand_ins()[name], 0, POOL, 0, style)
        low, high = model.mesh.bounds
        assert np.allclose(high - low, asset.size, atol=1e-6), name
        assert low[2] == pytest.approx(0.0, abs=1e-9)
        parts = np.concatenate(model.parts)
        assert np.abs(parts.min(axis=0) - low).max() < 0.03, name
        assert np.abs(parts.max(axis=0) - high).max() < 0.03, name


def test_counters_have_arms_where_ai2_thor_has_them() -> None:
    corner = furniture(imported(room(thing("Countertop_L_8x6", 2.0, 2.0))).house)["CounterTop"][0]
    solid = [transform(corner.pose.matrix, part) for part in corner.parts]

    def covered(x: float, y: float) -> bool:
        return any(
            (p.min(axis=0)[:2] < (x, y)).all() and (p.max(axis=0)[:2] > (x, y)).all() and p[:, 2].max() > 0.8
            for p in solid
        )

    # 2.44 x 1.83 m about (2, 2): the back at low y, an arm at high x, nothing in front of the back's other end.
    assert covered(1.2, 1.3)
    assert covered(2.9, 2.6)
    assert not covered(1.2, 2.5)


def test_flags_are_ai2_thors_and_labels_ours(three: Imported) -> None:
    found = furniture(three.house)
    flags = {
        name: (body.kind.pickupable, body.kind.moveable, body.kind.receptacle)
        for name, (body, *_) in found.items()
        if body.kind
    }
    assert flags["Mug"] == (True, False, True)
    assert flags["Chair"] == (False, True, True)
    assert flags["Fridge"] == (False, False, True)
    assert flags["Painting"] == (False, False, False)
    assert found["Pencil"][0].kind is not None
    assert found["Pencil"][0].kind.label == "pencil"


def test_things_stand_on_what_they_are_children_of(three: Imported) -> None:
    by_id = {body.instance_id: body for body in three.house.bodies}
    supporters = {
        body.object_type: by_id[body.supporter].object_type for body in three.house.bodies if body.supporter is not None
    }
    assert supporters["Toaster"] == supporters["Pot"] == supporters["Bread"] == "CounterTop"
    assert supporters["Laptop"] == "Desk"
    assert supporters["Television"] == "TVStand"
    assert supporters["TeddyBear"] == "Bed"
    assert supporters["Chair"] == supporters["Bed"] == "Floor"


def test_what_is_not_in_the_home_is_counted(three: Imported) -> None:
    drawn = three_rooms()["objects"]
    total = sum(1 + len(entry.get("children", ())) for entry in drawn)
    assert len(three.facts["assets"]) + sum(three.facts["left_out"].values()) == total
    assert sum(three.facts["left_out"].values()) <= 3  # the apple in the closed fridge among them
    assert three.facts["left_out"] == dict(three.house.left_out)
    assert three.facts["stand_ins"] == {"Pencil": "rod"}


def test_facts_say_where_the_house_comes_from(three: Imported) -> None:
    assert (three.facts["file_sha256"], three.facts["index"]) == ("0" * 64, 0)
    assert {"object": "Fridge|1", "asset": "Fridge_5", "kinematic": True, "openness": None} in three.facts["assets"]
    json.dumps(three.facts, allow_nan=False)


def test_the_same_house_is_built_twice_alike(three: Imported) -> None:
    again = imported(three_rooms())
    assert [body.pose for body in again.house.bodies] == [body.pose for body in three.house.bodies]
    assert all(
        np.array_equal(a.mesh.vertices, b.mesh.vertices)
        for a, b in zip(again.house.bodies, three.house.bodies, strict=True)
    )
    assert again.house.lighting == three.house.lighting


def test_nothing_movable_goes_through_anything(simulator: BulletSimulator) -> None:
    simulator.load(0, POOL, 1)
    carriers = {simulator.state(item.object_id).supporter for item in simulator.objects}
    for item in simulator.objects:
        if (item.pickupable or item.moveable) and item.object_id not in carriers:
            place = simulator.state(item.object_id).pose.position
            assert simulator.teleport(item.object_id, place, settle=True).ok, item.object_id


def test_assets_nobody_knows_are_left_out_with_their_names() -> None:
    strange = thing("Mug_2", 1.0, 1.0) | {"assetId": "2c21f18251184d5091f7f03b429834ba"}
    result = imported(room(strange, thing("Sofa_223_3", 2.0, 2.0, on=[loose("pillow_26", 2.0, 2.15, 0.5)])))
    assert result.facts["unknown_assets"] == {"2c21f18251184d5091f7f03b429834ba": 1}
    assert set(furniture(result.house)) == {"Sofa", "Pillow"}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (thing("Box_1", 9.0, 1.0), "object: it lies outside all rooms"),
        (thing("Chair_205_2", 1.0, 1.0, low=2.2), "object: it reaches above the ceiling"),
    ],
)
def test_objects_out_of_place_are_left_out(entry: Any, said: str) -> None:
    assert dict(imported(room(entry)).house.left_out) == {said: 1}


@pytest.mark.parametrize("tilt", [0.0, 90.0])
def test_objects_below_the_floor_break_a_house(tilt: float) -> None:
    entry = thing("Box_1", 1.0, 1.0, low=-0.6)
    entry["rotation"]["x"] = tilt
    with pytest.raises(HouseError, match=r"^house 0 of drawn\.json has Box\S+ below the floor: it is left out\.$"):
        imported(room(entry))


def test_light_is_the_files(three: Imported) -> None:
    lamps = [lamp for lamp in three.house.lighting.lamps if lamp.direction is None]
    assert sorted({lamp.position for lamp in lamps}) == [(2.0, 2.0, 2.5), (3.5, 6.25, 2.5), (6.75, 2.0, 2.5)]
    dark = copy.deepcopy(three_rooms())
    dark["proceduralParameters"]["lights"] = []
    assert len(imported(dark).house.lighting.lamps) == len(three.house.lighting.lamps)


def test_light_brighter_than_can_be_shown_is_as_bright_as_can_be() -> None:
    white, brighter = three_rooms(), three_rooms()
    for house, shade in ((white, 1.0), (brighter, 2.5)):
        house["proceduralParameters"]["lights"][1]["rgb"] = {"r": shade, "g": 0.5, "b": 0.0}
    assert parse_house(brighter) == parse_house(white)


def test_a_broken_house_is_a_scene_that_cannot_be_had(simulator: BulletSimulator) -> None:
    with pytest.raises(SceneError, match=r"^house 0 of two\.jsonl lacks .*: it is left out\.$") as caught:
        simulator.load(0, POOL, 0)
    assert caught.value.final
    simulator.load(0, POOL, 1)
    assert len(simulator.rooms) == 3
    assert simulator.metadata()["house"]["index"] == 1


@pytest.mark.parametrize("pool", POOL_STYLES)
def test_houses_are_closed_to_the_eye(simulator: BulletSimulator, pool: str) -> None:
    simulator.load(0, pool, 1)
    for x, y in ((2.0, 2.2), (6.0, 2.5), (3.0, 5.5)):
        for yaw in range(8):
            camera = Camera.standing((x, y, 1.5), yaw * math.pi / 4, 0.2, width=160, height=120)
            simulator.set_camera(camera)
            ids = simulator.observe(ids=True).ids
            assert ids is not None
            assert (ids > 0).all()
