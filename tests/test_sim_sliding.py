"""What a viewer believes of a motion: a clear way, firm ground; and what of an object is seen."""

from __future__ import annotations

import itertools
from typing import cast

import numpy as np
import pytest

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.scene import Arrangement, Shapes
from flowbench.builders.sim.silhouette import silhouette
from flowbench.builders.sim.sliding import LEAST_CARRIED, carried_share, refuse_way
from flowbench.builders.simulators.base import ObjectState, SceneObject, Simulator, Snapshot
from flowbench.geometry import Camera, ConvexParts, OrientedBox, Pose


def box(x: float, y: float, z: float, size: tuple[float, float, float]) -> np.ndarray:
    """Corners of a box standing at height z with its middle over (x, y)."""
    w, d, h = size
    corners = itertools.product((x - w / 2, x + w / 2), (y - d / 2, y + d / 2), (z, z + h))
    return np.array(list(corners))


class Still:
    """A simulator that holds things still where they were made."""

    def __init__(self, **parts: list[np.ndarray]) -> None:
        self.objects = [
            SceneObject(
                i, name, name, name, "room-1", True, True, True, False, tuple(p), OrientedBox.around(np.concatenate(p))
            )
            for i, (name, p) in enumerate(parts.items(), 1)
        ]

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(ObjectState(Pose((0.0, 0.0, 0.0)), None) for _ in self.objects))


def arrangement(**parts: list[np.ndarray]) -> Arrangement:
    simulator = Still(**parts)
    return Arrangement.of(cast(Simulator, simulator), Shapes(simulator.objects))


FLOOR = [box(0, 0, -0.1, (10, 10, 0.1))]


@pytest.mark.parametrize(
    ("obstacle", "blocked"),
    [
        ([box(0.5, 0.0, 0.0, (0.05, 1.0, 0.4))], True),  # a board across the way
        ([box(0.5, 0.5, 0.0, (0.05, 0.5, 0.4))], False),  # the same beside it
        ([box(0.5, 0.0, 0.32, (0.3, 1.0, 0.05))], False),  # a shelf above
        ([box(0.5, 0.0, 0.29, (0.3, 1.0, 0.05))], True),  # a lower one
        ([box(0.5, 0.0, 0.0, (0.3, 1.0, 0.003))], False),  # a mat it slides over
        ([box(-0.17, 0.0, 0.0, (0.05, 1.0, 0.4))], False),  # what it touched at first, behind it
        ([box(1.17, 0.0, 0.0, (0.05, 1.0, 0.4))], False),  # what it touches at the end
    ],
)
def test_a_way_leads_through_what_it_sweeps(obstacle: list[np.ndarray], blocked: bool) -> None:
    scene = arrangement(Floor=FLOOR, Mover=[box(0, 0, 0, (0.3, 0.3, 0.3))], Thing=obstacle)
    assert (refuse_way(scene, "Mover", (1.0, 0.0)) is not None) == blocked


def test_a_chair_passes_under_a_table_whose_top_alone_would_stop_it() -> None:
    seat = [box(0, 0, 0.0, (0.4, 0.4, 0.45))]
    legs = [box(x, y, 0, (0.05, 0.05, 0.7)) for x in (0.6, 1.8) for y in (-0.5, 0.5)]
    scene = arrangement(Floor=FLOOR, Chair=seat, Table=[box(1.2, 0, 0.7, (1.4, 1.2, 0.04)), *legs])
    assert refuse_way(scene, "Chair", (1.0, 0.0)) is None
    assert refuse_way(scene, "Chair", (1.0, 0.45)) == Reject("move: leads through something")


TABLE = ConvexParts.of([box(0, 0, 0.7, (1.0, 0.6, 0.04)), box(0, 0, 0.0, (0.1, 0.1, 0.7))])


@pytest.mark.parametrize(("x", "share"), [(0.0, 1.0), (0.39, 1.0), (0.45, 0.75), (0.5, 0.5), (0.55, 0.25), (0.7, 0.0)])
def test_what_hangs_over_an_edge_is_measured(x: float, share: float) -> None:
    mug = ConvexParts.of([box(x, 0.0, 0.74, (0.2, 0.2, 0.3))])
    assert carried_share(mug, TABLE) == pytest.approx(share, abs=0.04)
    assert (carried_share(mug, TABLE) >= LEAST_CARRIED) == (share == 1.0)


def test_two_boards_side_by_side_carry_together() -> None:
    boards = ConvexParts.of([box(-0.25, 0, 0, (0.5, 0.5, 0.1)), box(0.25, 0, 0, (0.5, 0.5, 0.1))])
    assert carried_share(ConvexParts.of([box(0, 0, 0.1, (0.3, 0.3, 0.2))]), boards) == 1.0


CAMERA = Camera.standing((0.0, 0.0, 1.0), 0.0, width=160, height=120)


def test_the_outline_of_a_near_face_has_its_area() -> None:
    face = ConvexParts.of([box(2.0 + 0.0005, 0.0, 0.75, (0.001, 0.5, 0.5))])
    outline = silhouette(face, CAMERA)
    assert outline is not None
    assert outline.area == pytest.approx(20 * 20, rel=0.08)  # 0.5 m at 2 m and 80 px
    assert outline.inside == outline.area


def test_the_frame_cuts_outlines_and_parts_are_not_counted_twice() -> None:
    half_out = box(2.0005, 2.0, 0.75, (0.001, 0.5, 0.5))
    outline = silhouette(ConvexParts.of([half_out, half_out]), CAMERA)
    assert outline is not None
    assert outline.inside / outline.area == pytest.approx(0.5, abs=0.06)
    whole_out = silhouette(ConvexParts.of([box(2.0005, 4.0, 0.75, (0.001, 0.5, 0.5))]), CAMERA)
    assert whole_out is not None
    assert whole_out.inside == 0.0


def test_what_reaches_behind_the_camera_has_no_outline() -> None:
    assert silhouette(ConvexParts.of([box(0.0, 0.0, 0.0, (4.0, 4.0, 0.1))]), CAMERA) is None
