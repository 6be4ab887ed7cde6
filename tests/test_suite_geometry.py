"""The geometry suite passes what is published and tells of every pixel that the state of the scene denies."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.loose import MOMENTS, Break, Loose, broken, loose_sample, loose_samples
from support.published import MOVER, home, thing
from support.published import box as corners_of

from flowbench.encoding import encode_rgb
from flowbench.errors import ReleaseError
from flowbench.geometry import Camera, Pose
from flowbench.validation.pixels.flow import moved_by
from flowbench.validation.pixels.placing import in_camera, outside_box
from flowbench.validation.recompute import HomeMeta
from flowbench.validation.suites.geometry import Geometry


def pixels(column: str, change: Callable[[Any], Any]) -> Break:
    """Replace the pixels of a column."""
    return lambda loose: loose.replace(column, change(loose.image(column)))


def both(*breaks: Break) -> Break:
    def spoil(loose: Loose) -> None:
        for each in breaks:
            each(loose)

    return spoil


def turned(array: Any) -> Any:
    return array[:, ::-1].copy()


def flow(change: Callable[[Any, Any], tuple[Any, Any]]) -> Break:
    return pixels("flow.png16", lambda pair: change(*pair))


def shift_mover(pose: str, metres: float) -> Break:
    """Displace the mover in the metadata, towards world +x."""
    return lambda loose: loose.thing(loose.mover)[pose]["position"].__setitem__(
        0, loose.thing(loose.mover)[pose]["position"][0] + metres
    )


def shift_mask(loose: Loose) -> None:
    """Both lists and image: only depth and picture can tell."""
    ids = loose.image("seg_before.png16")
    mask = ids == loose.mover
    ids[mask] = 1
    ids[np.roll(mask, 6, axis=1)] = loose.mover
    loose.list_segments()


def swap_ids(loose: Loose) -> None:
    for moment in MOMENTS:
        ids = loose.image(f"seg_{moment}.png16")
        one, other = sorted(each["id"] for each in loose.record["landmarks"])[0], loose.mover
        first, second = ids == one, ids == other
        ids[first], ids[second] = other, one


def picture_as_depth(loose: Loose) -> None:
    gray = loose.image("before.png").mean(axis=-1).astype(np.float32)
    loose.replace("depth_before.png16", 1.0 + gray / 50.0)


def everything_turned(loose: Loose) -> None:
    loose.replace("after.png", turned(loose.image("after.png")))


def swap(*columns: str) -> Break:
    def spoil(loose: Loose) -> None:
        for column in columns:
            one, other = (column.format(moment) for moment in MOMENTS)
            loose.members[one], loose.members[other] = loose.members[other], loose.members[one]

    return spoil


def copy_before(loose: Loose) -> None:
    loose.members["after.png"] = loose.members["before.png"]


def tilt_camera(loose: Loose) -> None:
    """Eleven degrees more to the left, in the record and in the metadata."""
    turn = np.eye(4)
    turn[0, 0] = turn[2, 2] = math.cos(0.2)
    turn[0, 2], turn[2, 0] = math.sin(0.2), -math.sin(0.2)
    matrix = (turn @ np.array(loose.meta["camera"]["camera_from_world"])).tolist()
    for facts in (loose.meta, loose.record):
        facts["camera"]["camera_from_world"] = matrix


def roll_camera(loose: Loose) -> None:
    turn = np.eye(4)
    turn[:2, :2] = [[math.cos(0.1), -math.sin(0.1)], [math.sin(0.1), math.cos(0.1)]]
    matrix = (turn @ np.array(loose.meta["camera"]["camera_from_world"])).tolist()
    loose.meta["camera"]["camera_from_world"] = loose.record["camera"]["camera_from_world"] = matrix


def set_focal(loose: Loose) -> None:
    for facts in (loose.meta, loose.record):
        facts["camera"]["k"][0][0] = facts["camera"]["k"][1][1] = 100.0


def strange_id(loose: Loose) -> None:
    ids = loose.image("seg_after.png16")
    ids[3, 3:7] = 60_000


def lose_mover(loose: Loose) -> None:
    ids = loose.image("seg_after.png16")
    ids[ids == loose.mover] = 1


def stay(loose: Loose) -> None:
    """The after state is the before state: nothing was moved at all."""
    facts = loose.thing(loose.mover)
    facts["after"]["position"] = facts["before"]["position"]
    loose.meta["moved"] = []


def move_another(loose: Loose) -> None:
    """A thing that nobody moved, elsewhere in the after images."""
    for column in ("seg_after.png16", "depth_after.png16"):
        image = loose.image(column)
        image[20:30, 20:30] = image[60:70, 60:70]


def paint_after(loose: Loose) -> None:
    """Another light over half of the picture."""
    picture = loose.image("after.png")
    picture[:, :80] = 255 - picture[:, :80]


def scaled(share: float) -> Break:
    return flow(lambda uv, valid: (uv * share, valid))


def set_one_flow(loose: Loose) -> None:
    uv, _ = loose.image("flow.png16")
    still = np.argwhere(loose.image("seg_before.png16") != loose.mover)[0]
    uv[still[0], still[1]] = (0.0, 1.0 / 64.0)


def invalidate_one(loose: Loose) -> None:
    loose.image("flow.png16")[1][5, 5] = False


def halve(column: str) -> Break:
    return pixels(column, lambda image: np.ascontiguousarray(image[::2, ::2]))


def mirrored(loose: Loose) -> list[list[float]]:
    return (np.diag([-1.0, 1.0, 1.0, 1.0]) @ np.array(loose.meta["camera"]["camera_from_world"])).tolist()


def after_as_before(loose: Loose) -> None:
    loose.members["seg_after.png16"] = loose.members["seg_before.png16"]


def a_large_mover(release: Path) -> Loose:
    """The sample whose mover has the most pixels and one landmark."""
    return max(
        loose_samples(release)["left_right"],
        key=lambda loose: np.count_nonzero(loose.image("seg_before.png16") == loose.mover),
    )


BREAKS: list[tuple[str, Break, str]] = [
    ("camera of the record", lambda loose: loose.record["camera"].update(width=161), "camera"),
    (
        "camera pose of the record",
        lambda loose: loose.record["camera"]["camera_from_world"][0].__setitem__(3, 9.0),
        "camera",
    ),
    ("camera turned", tilt_camera, "depth and poses"),
    ("camera rolled", roll_camera, "camera pose"),
    ("camera mirrored", lambda loose: loose.meta["camera"].update(camera_from_world=mirrored(loose)), "camera pose"),
    ("another focal length", set_focal, "camera intrinsics"),
    ("mover elsewhere before", shift_mover("before", 0.3), "depth and poses"),
    ("mover elsewhere after", shift_mover("after", 0.3), "depth and poses"),
    ("mover elsewhere after, flow", shift_mover("after", 0.3), "flow of the moved"),
    ("mask shifted", shift_mask, "depth and poses"),
    ("ids swapped", swap_ids, "depth and poses"),
    ("depth is luminance", picture_as_depth, "depth is a picture"),
    ("depth is luminance, and lies elsewhere", picture_as_depth, "depth and poses"),
    ("depth in centimetres", pixels("depth_after.png16", lambda depth: depth / 10.0), "depth and poses"),
    ("depth in tenths of millimetres", pixels("depth_after.png16", lambda depth: depth * 6.0), "depth and poses"),
    ("depth scaled by 1.05", pixels("depth_before.png16", lambda depth: depth * np.float32(1.05)), "depth and poses"),
    (
        "depth with a hole",
        lambda loose: loose.image("depth_after.png16").__setitem__((4, 4), 0.0),
        "depth where ids are",
    ),
    ("no depth at all", pixels("depth_before.png16", np.zeros_like), "depth range"),
    ("depth of the sky", pixels("depth_before.png16", lambda depth: np.full_like(depth, 60.0)), "depth range"),
    ("depths swapped", swap("depth_{}.png16"), "depth and poses"),
    ("ids of moments swapped", swap("seg_{}.png16"), "depth and poses"),
    ("depth mirrored", pixels("depth_after.png16", turned), "depth and poses"),
    ("ids mirrored", pixels("seg_after.png16", turned), "edges and outlines"),
    ("picture mirrored", everything_turned, "edges and outlines"),
    ("picture mirrored, stillness", everything_turned, "still picture"),
    ("picture upside down", pixels("before.png", lambda image: image[::-1].copy()), "edges and outlines"),
    ("picture shifted", pixels("after.png", lambda image: np.roll(image, 4, axis=1)), "edges and outlines"),
    ("pictures swapped", swap("{}.png"), "mover in the pictures"),
    ("after is before", copy_before, "mover in the pictures"),
    ("picture of other light", paint_after, "still picture"),
    ("an id of nothing", strange_id, "ids in the metadata"),
    ("mover not seen after", lose_mover, "mover seen"),
    ("nothing moved", stay, "mover displaced"),
    ("mover in the same pixels", after_as_before, "mover displaced"),
    ("something else moved", move_another, "still ids"),
    ("something else moved, in depth", move_another, "still depth"),
    ("flow turned", scaled(-1.0), "flow of the moved"),
    ("flow scaled by 1.02", scaled(1.02), "flow of the moved"),
    ("flow of nothing", scaled(0.0), "flow of the moved"),
    ("flow's components swapped", flow(lambda uv, valid: (uv[..., ::-1].copy(), valid)), "flow of the moved"),
    ("flow of a still pixel", set_one_flow, "flow of still pixels"),
    ("flow mirrored", flow(lambda uv, valid: (turned(uv), valid)), "flow of still pixels"),
    ("a pixel invalid", invalidate_one, "flow validity"),
    (
        "flow of half the size",
        flow(lambda uv, valid: (uv[::2, ::2].copy(), valid[::2, ::2].copy())),
        "size of an image",
    ),
    ("picture of half the size", halve("before.png"), "size of an image"),
]


def test_what_is_published_passes(release: Path) -> None:
    samples = [each for some in loose_samples(release).values() for each in some]
    assert len(samples) >= 20
    assert {each.key: broken(Geometry(), each) for each in samples} == {each.key: set() for each in samples}


@pytest.mark.parametrize(("name", "spoil", "rule"), BREAKS, ids=[name for name, _, _ in BREAKS])
def test_every_break_is_told(release: Path, name: str, spoil: Break, rule: str) -> None:
    loose = a_large_mover(release)
    spoil(loose)
    assert rule in broken(Geometry(), loose)


def test_an_image_that_is_none_is_a_release_error(release: Path) -> None:
    loose = loose_sample(release)
    loose.members["depth_before.png16"] = encode_rgb(loose.image("before.png"))
    with pytest.raises(ReleaseError, match="expected 16-bit gray"):
        broken(Geometry(), loose)


CAMERA = Camera.standing((0.0, -3.0, 0.0), math.pi / 2.0, width=160, height=120)
"""At 3 m from the origin, looking along +y: 80 px of focal length, the origin at (79.5, 59.5)."""


def facts(start: Pose, end: Pose) -> HomeMeta:
    cube = [corners_of((0.1, 0.2, 0.3))]
    return HomeMeta.model_validate(home(CAMERA, thing(MOVER, "Box", cube, start, end), []))


def test_flow_by_hand() -> None:
    """0.6 m to the right at 3 m are 80 * 0.6 / 3 = 16 px; 1 m away brings a point at x = 0.75 m from 20 to 15 px."""
    pixel = np.array([59 * 160 + 79]), np.array([59 * 160 + 99])
    aside = facts(Pose((0.0, 0.0, 0.0)), Pose((0.6, 0.0, 0.0)))
    away = facts(Pose((0.0, 0.0, 0.0)), Pose((0.0, 1.0, 0.0)))
    sideways = moved_by(pixel[0], np.array([3.0]), aside.find(MOVER), aside.camera)
    assert sideways == pytest.approx(np.array([[16.0, 0.0]]), abs=1e-9)
    receding = moved_by(pixel[1], np.array([3.0]), away.find(MOVER), away.camera)
    assert receding == pytest.approx(np.array([[19.5 * 3.0 / 4.0 - 19.5, 0.5 - 0.5 * 3.0 / 4.0]]), abs=1e-9)


def test_flow_of_a_turn_by_hand() -> None:
    """A quarter turn about the vertical brings a point 0.75 m to the right to 0.75 m behind: 2.25 m become 3.75 m."""
    turned_home = facts(Pose((0.0, 0.0, 0.0)), Pose.upright(0.0, 0.0, 0.0, math.pi / 2.0))
    flow_there = moved_by(np.array([59 * 160 + 99]), np.array([3.0]), turned_home.find(MOVER), turned_home.camera)
    x, z = 19.5 * 3.0 / 80.0, 3.0 + 19.5 * 3.0 / 80.0
    assert flow_there == pytest.approx(np.array([[80.0 * (0.0 - x / 3.0), 0.5 - 0.5 * 3.0 / z]]), abs=1e-5)


def test_places_by_hand() -> None:
    """The cube's front is 0.2 m nearer than its centre at 3 m; what lies beside or behind it is outside."""
    meta = facts(Pose((0.0, 0.0, 0.0)), Pose((0.6, 0.0, 0.0)))
    middle = np.array([59 * 160 + 79])
    for depth, expected in ((2.8, 0.0), (2.7, 0.1), (3.2, 0.0), (3.5, 0.3)):
        points = in_camera(meta.camera, middle, np.array([depth]))
        mover = meta.find(MOVER)
        assert outside_box(points, meta.camera, mover, mover.before) == pytest.approx(expected, abs=1e-6)
        assert outside_box(points, meta.camera, mover, mover.after) > 0.45
