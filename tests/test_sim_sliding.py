"""What a viewer believes of a motion: a clear way, firm ground; and what of an object is seen."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from support.still import arrangement, block, carried

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.silhouette import silhouette
from flowbench.builders.sim.sliding import LEAST_CARRIED, carried_share, refuse_overhang, refuse_way
from flowbench.geometry import Camera, ConvexParts

FLOOR = [block(0, 0, -0.1, (10, 10, 0.1))]


@pytest.mark.parametrize(
    ("obstacle", "blocked"),
    [
        ([block(0.5, 0.0, 0.0, (0.05, 1.0, 0.4))], True),  # a board across the way
        ([block(0.5, 0.5, 0.0, (0.05, 0.5, 0.4))], False),  # the same beside it
        ([block(0.5, 0.0, 0.32, (0.3, 1.0, 0.05))], False),  # a shelf above
        ([block(0.5, 0.0, 0.29, (0.3, 1.0, 0.05))], True),  # a lower one
        ([block(0.5, 0.0, 0.0, (0.3, 1.0, 0.003))], False),  # a mat it slides over
        ([block(-0.17, 0.0, 0.0, (0.05, 1.0, 0.4))], False),  # what it touched at first, behind it
        ([block(1.17, 0.0, 0.0, (0.05, 1.0, 0.4))], False),  # what it touches at the end
    ],
)
def test_a_way_leads_through_what_it_sweeps(obstacle: list[np.ndarray], blocked: bool) -> None:
    scene = arrangement(Floor=FLOOR, Mover=[block(0, 0, 0, (0.3, 0.3, 0.3))], Thing=obstacle)
    assert (refuse_way(scene, "Mover", (1.0, 0.0)) is not None) == blocked


def test_a_chair_passes_under_a_table_whose_top_alone_would_stop_it() -> None:
    seat = [block(0, 0, 0.0, (0.4, 0.4, 0.45))]
    legs = [block(x, y, 0, (0.05, 0.05, 0.7)) for x in (0.6, 1.8) for y in (-0.5, 0.5)]
    scene = arrangement(Floor=FLOOR, Chair=seat, Table=[block(1.2, 0, 0.7, (1.4, 1.2, 0.04)), *legs])
    assert refuse_way(scene, "Chair", (1.0, 0.0)) is None
    assert refuse_way(scene, "Chair", (1.0, 0.45)) == Reject("move: leads through something")


TABLE = ConvexParts.of([block(0, 0, 0.7, (1.0, 0.6, 0.04)), block(0, 0, 0.0, (0.1, 0.1, 0.7))])


@pytest.mark.parametrize(("x", "share"), [(0.0, 1.0), (0.39, 1.0), (0.45, 0.75), (0.5, 0.5), (0.55, 0.25), (0.7, 0.0)])
def test_what_hangs_over_an_edge_is_measured(x: float, share: float) -> None:
    mug = ConvexParts.of([block(x, 0.0, 0.74, (0.2, 0.2, 0.3))])
    assert carried_share(mug, TABLE) == pytest.approx(share, abs=0.04)
    assert (carried_share(mug, TABLE) >= LEAST_CARRIED) == (share == 1.0)


def test_two_boards_side_by_side_carry_together() -> None:
    boards = ConvexParts.of([block(-0.25, 0, 0, (0.5, 0.5, 0.1)), block(0.25, 0, 0, (0.5, 0.5, 0.1))])
    assert carried_share(ConvexParts.of([block(0, 0, 0.1, (0.3, 0.3, 0.2))]), boards) == 1.0


MUG = [block(0, 0, 0.74, (0.2, 0.2, 0.3))]


@pytest.mark.parametrize(("dx", "refused"), [(0.3, False), (0.39, False), (0.45, True), (0.7, True)])
def test_a_mover_does_not_end_over_an_edge(dx: float, refused: bool) -> None:
    table = [block(0, 0, 0.7, (1.0, 0.6, 0.04)), block(0, 0, 0.0, (0.1, 0.1, 0.7))]
    scene = carried(arrangement(Floor=FLOOR, Table=table, Mug=MUG), Mug="Table")
    expected = Reject("move: hangs over an edge") if refused else None
    assert refuse_overhang(scene, "Mug", (dx, 0.0)) == expected


def test_it_may_go_on_to_another_table_as_high() -> None:
    tables = {name: [block(x, 0, 0.7, (1.0, 0.6, 0.04))] for name, x in (("Table", 0.0), ("Desk", 1.0))}
    scene = carried(arrangement(Floor=FLOOR, Mug=MUG, **tables), Mug="Table")
    assert refuse_overhang(scene, "Mug", (0.5, 0.0)) is None
    assert refuse_overhang(scene, "Mug", (1.45, 0.0)) == Reject("move: hangs over an edge")


def test_what_the_building_carries_hangs_over_nothing() -> None:
    scene = carried(arrangement(Floor=FLOOR, Mug=[block(0, 0, 0.0, (0.2, 0.2, 0.3))]), Mug="Floor")
    floor = dataclasses.replace(scene.objects[0], structural=True)
    scene = dataclasses.replace(scene, objects=(floor, *scene.objects[1:]))
    assert refuse_overhang(scene, "Mug", (9.0, 0.0)) is None


CAMERA = Camera.standing((0.0, 0.0, 1.0), 0.0, width=160, height=120)


def test_the_outline_of_a_near_face_has_its_area() -> None:
    face = ConvexParts.of([block(2.0 + 0.0005, 0.0, 0.75, (0.001, 0.5, 0.5))])
    outline = silhouette(face, CAMERA)
    assert outline is not None
    assert outline.area == pytest.approx(20 * 20, rel=0.08)  # 0.5 m at 2 m and 80 px
    assert outline.inside == outline.area


def test_the_frame_cuts_outlines_and_parts_are_not_counted_twice() -> None:
    half_out = block(2.0005, 2.0, 0.75, (0.001, 0.5, 0.5))
    outline = silhouette(ConvexParts.of([half_out, half_out]), CAMERA)
    assert outline is not None
    assert outline.inside / outline.area == pytest.approx(0.5, abs=0.06)
    whole_out = silhouette(ConvexParts.of([block(2.0005, 4.0, 0.75, (0.001, 0.5, 0.5))]), CAMERA)
    assert whole_out is not None
    assert whole_out.inside == 0.0


def test_what_reaches_behind_the_camera_has_no_outline() -> None:
    assert silhouette(ConvexParts.of([block(0.0, 0.0, 0.0, (4.0, 4.0, 0.1))]), CAMERA) is None
