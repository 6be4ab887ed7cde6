"""Moves are measured as defined: positions, matches, roles, certification, scale (paper, B.2 and B.3)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.measured import Flat, K, measured, scene

from flowbench.builders.real.measuring.certifying import Tracked, certify, scale_ratio
from flowbench.builders.real.measuring.landmarks import choose, gap
from flowbench.builders.real.measuring.likeness import correlation, histogram
from flowbench.builders.real.measuring.masks import part
from flowbench.builders.real.measuring.measure import Measured
from flowbench.builders.real.measuring.plane import apply, arm_foot, fit_plane, plane_of_camera
from flowbench.builders.real.measuring.sighting import Optics, dilated, pixels_of, sight
from flowbench.builders.real.measuring.stated import Stated
from flowbench.builders.real.perception.base import Mask
from flowbench.builders.sim.items import Reject


def good(found: Measured | Reject) -> Measured:
    assert isinstance(found, Measured), found
    return found


def reason(found: Measured | Reject) -> str:
    assert isinstance(found, Reject)
    return found.reason


def changed(which: str, **changes: object) -> list[Flat]:
    """The scene with one thing changed."""
    return [replace(each, **changes) if each.label == which else each for each in scene()]  # type: ignore[arg-type]


def test_positions_radii_and_the_move_are_those_of_the_pinhole() -> None:
    found = good(measured(scene()))
    assert found.mover.label == "mug"
    assert found.mover.before.pixel == [450.0, 250.0]
    assert found.mover.before.position == pytest.approx([130 / 610, 10 / 610, 1.0], abs=1e-6)
    assert found.mover.radius == pytest.approx(0.05)
    assert found.stated == Stated(-28, 0, 0)
    assert found.image == [-170.0, 0.0]
    assert found.ratio == 1.0
    assert sorted(found.things[k].label for k in found.landmarks) == ["bowl", "box", "can", "jar", "plate"]


def test_depth_is_divided_by_the_profile_s_factor() -> None:
    found = good(measured(scene(), scale=2.0, travel_limit=0.9))
    assert found.mover.before.depth == 0.5
    assert found.mover.radius == pytest.approx(0.025)
    assert found.stated.right_cm == -14


def test_depth_decides_in_whole_millimetres() -> None:
    found = good(measured(changed("box", depth=1.00049)))
    box = next(each for each in found.things if each.label == "box")
    assert box.before.depth == 1.0


def test_a_sighting_takes_medians_and_refuses_what_has_no_depth() -> None:
    mask = np.zeros((20, 30), dtype=np.bool_)
    mask[4:8, 10:15] = True
    depth = np.full(mask.shape, 1000, dtype=np.uint16)
    depth[4:6, 10:15] = 0
    nowhere = np.zeros_like(mask)
    found = sight(mask, depth, nowhere, Optics(K))
    assert found is not None
    assert (found.pixel, found.bbox, found.area) == ([12.0, 5.5], [10.0, 4.0, 5.0, 4.0], 20)
    depth[6, 10:15] = 0
    assert sight(mask, depth, nowhere, Optics(K)) is None
    assert sight(nowhere, depth, nowhere, Optics(K)) is None


@pytest.mark.parametrize(
    ("millimetres", "plane"),
    [
        (40, None),
        (25_000, None),
        (1000, [[0.001, 0.0, 0.0], [0.0, 0.001, 0.0], [0.0, 0.0, 0.0]]),
        (1000, [[0.001, 0.0, 0.0], [0.0, 0.001, 0.0], [0.0, 1e-6, -9.0e-6]]),
    ],
)
def test_nothing_is_measured_that_stands_on_no_table(millimetres: int, plane: list[list[float]] | None) -> None:
    mask = np.zeros((20, 30), dtype=np.bool_)
    mask[4:12, 10:15] = True
    optics = Optics(K, None if plane is None else np.array(plane))
    assert sight(mask, np.full(mask.shape, millimetres, dtype=np.uint16), np.zeros_like(mask), optics) is None


def test_pixels_come_as_from_nonzero() -> None:
    mask = np.random.default_rng(0).random((37, 53)) < 0.3
    for ours, numpys in zip(pixels_of(mask), np.nonzero(mask), strict=True):
        assert np.array_equal(ours, numpys)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.lists(st.floats(-1, 1), min_size=3, max_size=3))
def test_a_gap_is_never_negative_and_the_same_both_ways(a: list[float], b: list[float]) -> None:
    assert gap(a, b, 0.1) == gap(b, a, 0.1) >= 0.0
    assert gap(a, b, 0.0) == pytest.approx(float(np.sqrt(((np.array(a) - b) ** 2).sum())), abs=1e-6)


@pytest.mark.parametrize(
    ("things", "task", "expected"),
    [
        (scene(mug=(440, 220, 1.0)), "", "mover: its stated move is short"),
        (scene(mug=(424, 220, 1.0)), "", "mover: nothing moved"),
        (scene(mug=(200, 220, 1.0)), "", "mover: nothing moved"),
        (scene(), "flip the mug", "mover: the task is to turn something"),
        (scene(), "rotating the mug", "mover: the task is to turn something"),
        (scene(), "move the hammer", "mover: the task names nothing that is seen"),
        (scene(), "move the box", "mover: the task's object did not move"),
        (changed("mug", width=160, height=40), "", "mover: is elongated"),
        (changed("mug", width=28, height=34), "", "mover: is small"),
        (changed("mug", track=(-60.0, 0.0)), "", "tracks: the mover's are too short or too long"),
        (changed("mug", track=(-130.0, 100.0)), "", "tracks: the mover's go another way"),
        ([*scene(), Flat("robot arm", 240, 150, 90, 160, depth=1.2)], "", "mover: is still held"),
        (
            scene(box=(330, 400, 1.0), can=(120, 120, 1.0), jar=(60, 400, 1.0)),
            "move the mug",
            "mover: many other things moved",
        ),
    ],
)
def test_moves_that_are_not_asked_about(things: list[Flat], task: str, expected: str) -> None:
    assert reason(measured(things, task)) == expected


def test_a_colour_before_a_noun_is_no_fruit() -> None:
    things = [*scene(), Flat("orange", 220, 120)]
    assert good(measured(things, "put the orange mug beside the box")).mover.label == "mug"


def test_another_mover_is_told_and_no_landmark() -> None:
    found = good(measured(scene(can=(120, 280, 1.0))))
    assert [found.things[k].label for k in found.roles.others] == ["can"]
    assert "can" not in [found.things[k].label for k in found.landmarks]


@pytest.mark.parametrize(
    ("things", "label", "why"),
    [
        (changed("box", label="drawer"), "drawer", "a surface or fixture"),
        (changed("box", width=30, height=30), "box", "small"),
        ([*scene(), Flat("plate", 200, 20, 120, 41, 0.9, end=(300, 330, 0.9))], "box", "mostly hidden afterwards"),
        ([*scene()[:4], Flat("jar", 110, 135, depth=1.5)], "jar", "apart mainly in depth"),
        ([*scene(), Flat("robot arm", 60, 300, 30, 200, depth=1.3)], "jar", "moves with the arm"),
        (changed("box", label="cutting board"), "cutting board", "a surface or fixture"),
        (changed("box", track=(6.0, 6.0)), "box", "its tracks go elsewhere"),
    ],
)
def test_still_things_that_are_no_landmarks(things: list[Flat], label: str, why: str) -> None:
    found = good(measured(things))
    index = next(k for k, each in enumerate(found.things) if each.label == label)
    assert found.excluded[index] == why


def test_a_smaller_thing_with_a_wide_box_is_no_landmark_before_the_middle_of_another() -> None:
    found = good(measured(scene()))
    can, jar = (next(k for k in found.landmarks if found.things[k].label == label) for label in ("can", "jar"))
    for depth, expected in ((0.9, "before the middle of another"), (1.1, None)):
        ring = found.things[jar].before.model_copy(
            update={"bbox": [60.0, 230.0, 100.0, 161.0], "depth": depth, "area": 3000}
        )
        things = [replace(each, before=ring) if k == jar else each for k, each in enumerate(found.things)]
        none = dict.fromkeys(range(len(things)), 0.0)
        roles = found.roles
        chosen, excluded = choose(things, roles.mover, roles.others, roles.still, none, none, 1000, found.optics)
        assert can in chosen
        assert excluded.get(jar) == expected


def test_at_most_six_landmarks_larger_ones_first() -> None:
    more = [Flat(f"thing {n}", 10 + 70 * n, 20, 50, 50) for n in range(4)]
    found = good(measured([*scene(), *more]))
    assert len(found.landmarks) == 6
    assert {found.things[k].label for k in found.landmarks} >= {"box", "can", "bowl", "jar", "plate"}
    assert list(found.excluded.values()) == ["six larger ones are marked"] * 3


def test_overlapping_masks_are_parted_and_doubles_dropped() -> None:
    def mask(label: str, rows: slice, columns: slice, score: float, kind: str = "common") -> Mask:
        pixels = np.zeros((200, 300), dtype=np.bool_)
        pixels[rows, columns] = True
        return Mask(label, kind, score, pixels)  # type: ignore[arg-type]

    layer = part(
        [
            mask("plate", slice(20, 70), slice(20, 70), 0.9),
            mask("dish", slice(20, 70), slice(20, 69), 0.5),
            mask("small object", slice(21, 71), slice(20, 70), 0.95, "generic"),
            mask("lemon", slice(60, 80), slice(60, 80), 0.8),
            mask("faint", slice(100, 130), slice(100, 130), 0.3),
            mask("asked", slice(100, 130), slice(150, 180), 0.3, "task"),
            mask("tiny", slice(0, 10), slice(0, 10), 0.9),
            mask("huge", slice(0, 200), slice(100, 300), 0.9),
        ]
    )
    assert [each.label for each in layer.masks] == ["plate", "asked", "lemon"]
    assert layer.areas == (2500 - 100, 900, 400)


def test_a_histogram_tells_hues_apart_and_not_shades() -> None:
    red, dark, blue = (
        np.full((20, 20, 3), colour, np.uint8) for colour in ((200, 30, 30), (150, 22, 22), (30, 30, 200))
    )
    everywhere = np.ones((20, 20), dtype=np.bool_)
    one, other, third = (histogram(each, everywhere) for each in (red, dark, blue))
    assert one.sum() == 400
    assert correlation(one, other) == 1.0
    assert correlation(one, third) < 0.1
    assert correlation(one, np.zeros_like(one)) == 0.0


def test_unlike_things_of_one_name_do_not_match() -> None:
    blue = [replace(each, label="mug") if each.label == "can" else each for each in scene()]
    assert good(measured(blue)).mover.label == "mug"


def test_two_alike_without_tracks_are_left_unmatched() -> None:
    twins = [Flat("can", 100, 100, end=(150, 100, 1.0)), Flat("can", 300, 100, end=(350, 100, 1.0))]
    lost = [replace(each, track=(1000.0, 1000.0)) for each in twins]
    found = good(measured([*scene(can=(120, 220, 1.0))[:2], *scene()[3:], *lost]))
    assert [stray.label for stray in found.strays[0]] == ["can", "can"]


@pytest.mark.parametrize(
    ("reference", "expected"), [((61.0, 10), 1.0), ((61.0, 7), 1.428571), ((61.0, 6), None), ((61.0, 16), None)]
)
def test_scales_agree_within_half(reference: tuple[float, int], expected: float | None) -> None:
    found = scale_ratio(*reference, 61.0, 10.0)
    assert (None if isinstance(found, Reject) else found) == expected
    assert scale_ratio(*reference, 4.0, 10.0) is None


@settings(max_examples=60)
@given(st.floats(-80, 80), st.floats(0.2, 2.0))
def test_certification_follows_angle_and_ratio(degrees: float, ratio: float) -> None:
    angle = np.radians(degrees)
    track = (100.0 * ratio * float(np.cos(angle)), 100.0 * ratio * float(np.sin(angle)))
    expected = 0.7 <= ratio <= 1.5 and abs(degrees) < 30.0
    if min(abs(ratio - 0.7), abs(ratio - 1.5), abs(abs(degrees) - 30.0)) > 1e-3:
        assert isinstance(certify(Tracked(track, 1.0), [100.0, 0.0], 10, 0), float) == expected


def test_a_plane_is_found_among_places_that_are_wrong() -> None:
    rng = np.random.default_rng(5)
    truth = [[900.0, 40.0, 320.0], [-30.0, 500.0, 300.0], [0.05, 0.4, 1.0]]
    places = [(float(x), float(y)) for x, y in rng.uniform(-0.25, 0.25, (60, 2))]
    pixels = [apply(truth, *place) for place in places]
    pixels = [(u + 60.0, v - 90.0) if k % 6 == 0 else (u, v) for k, (u, v) in enumerate(pixels)]
    plane = fit_plane(pixels, places, (319.5, 239.5), np.random.default_rng(1))
    assert isinstance(plane, np.ndarray)
    for one, other in ((3, 8), (10, 40), (21, 33)):
        seen = [apply(plane.tolist(), *pixels[k]) for k in (one, other)]
        apart = np.subtract(*seen), np.subtract(places[one], places[other])
        assert np.sqrt((apart[0] ** 2).sum()) == pytest.approx(np.sqrt((apart[1] ** 2).sum()), abs=1e-4)
    origin, right, down = (apply(plane.tolist(), u, v) for u, v in ((319.5, 239.5), (320.5, 239.5), (319.5, 240.5)))
    assert origin == pytest.approx((0.0, 0.0), abs=1e-9)
    assert right[0] > 0.0 == pytest.approx(right[1], abs=1e-9)
    assert down[1] > 0.0


def test_a_plane_follows_from_a_recorded_pose() -> None:
    """A camera half a metre above the table that looks straight down, its right along the robot's -y."""
    pose = np.array([[0.0, -1.0, 0.0, 0.1], [-1.0, 0.0, 0.0, 0.4], [0.0, 0.0, -1.0, 0.5]])
    plane = plane_of_camera(K, pose, (320.0, 240.0))
    assert isinstance(plane, np.ndarray)
    assert apply(plane.tolist(), 320.0, 240.0) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert apply(plane.tolist(), 320.0 + 61.0, 240.0 - 122.0) == pytest.approx((0.05, -0.10), abs=1e-9)
    flat = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.5]])
    assert isinstance(plane_of_camera(K, flat, (320.0, 240.0)), Reject)


@pytest.mark.parametrize(("count", "spread"), [(29, 1.0), (60, 0.0)])
def test_no_plane_is_made_up(count: int, spread: float) -> None:
    places = [(0.01 * k * spread, 0.003 * k * k * spread) for k in range(count)]
    assert isinstance(fit_plane(places, places, (0.0, 0.0), np.random.default_rng(0)), Reject)


def test_on_a_plane_things_stand_at_their_foot() -> None:
    plane = np.array([[0.001, 0.0, -0.32], [0.0, 0.001, -0.24], [0.0, 0.0, 1.0]])
    found = good(measured(scene(), optics=Optics(K, plane), plane=True))
    assert found.mover.before.position == pytest.approx([0.001 * 450 - 0.32, 0.001 * (280 - 61 / 4) - 0.24, 0.0])
    assert found.mover.radius == pytest.approx(0.0305)
    assert found.stated == Stated(-17, 0, 0)


def test_the_arm_s_foot_and_its_reach() -> None:
    arm = np.zeros((100, 100), dtype=np.bool_)
    arm[10:50, 40:61] = True
    assert arm_foot(arm) == (50.0, 49.0)
    assert arm_foot(np.zeros_like(arm)) is None
    near = dilated(arm)
    assert near[61, 50]
    assert not near[62, 50]
