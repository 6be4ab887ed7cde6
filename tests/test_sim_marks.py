"""Marks: colours that stand out, dots that stay on their objects and clear of each other; CIELAB."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.marks import LEAST_CONTRAST, PALETTE, Place, choose_marks, overlap
from flowbench.builders.sim.measuring import Spot
from flowbench.marking import lab_distance, to_lab

COLOURS = dict(PALETTE)


def place_at(u: int, v: int, number: int = 1) -> Place:
    spot = Spot(u, v, 9.0)
    return Place(f"Box|{number}", number, spot, spot, 6.0)


def plain(rgb: tuple[int, int, int]) -> np.ndarray:
    return np.full((60, 80, 3), rgb, dtype=np.uint8)


@given(st.lists(st.integers(0, 255), min_size=3, max_size=3))
def test_lab_is_opencv_s(rgb: list[int]) -> None:
    ours = to_lab(np.array(rgb, dtype=np.uint8))
    theirs = cv2.cvtColor(np.float32([[rgb]]) / 255.0, cv2.COLOR_RGB2LAB)[0, 0]
    assert np.abs(ours - theirs).max() < 0.6  # OpenCV's own tables are coarse


def test_lab_of_white_and_black() -> None:
    assert to_lab(np.array([[255, 255, 255], [0, 0, 0]], dtype=np.uint8)).round(1).tolist() == pytest.approx(
        np.array([[100.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), abs=0.2
    )


def test_the_palette_s_colours_differ() -> None:
    lab = to_lab(np.array(list(COLOURS.values()), dtype=np.uint8))
    apart = lab_distance(lab[:, None], lab[None])
    assert apart[~np.eye(len(lab), dtype=bool)].min() > 25.0


@pytest.mark.parametrize("under", [*COLOURS.values(), (128, 128, 128), (250, 250, 250), (10, 10, 10)])
def test_a_mark_never_has_the_colour_of_what_lies_under_it(under: tuple[int, int, int]) -> None:
    for seed in range(6):
        marks = choose_marks([place_at(40, 30)], plain(under), plain(under), np.random.default_rng(seed))
        assert not isinstance(marks, Reject)
        lab = to_lab(np.array([under, marks[0].rgb], dtype=np.uint8))
        assert lab_distance(lab[0], lab[1]) >= LEAST_CONTRAST


def test_both_pictures_count() -> None:
    red, blue = COLOURS["red"], COLOURS["blue"]
    for seed in range(6):
        marks = choose_marks([place_at(40, 30)], plain(red), plain(blue), np.random.default_rng(seed))
        assert not isinstance(marks, Reject)
        assert marks[0].colour not in ("red", "blue")


def test_every_object_gets_a_colour_of_its_own_and_any_may_be_the_mover_s() -> None:
    places = [place_at(10 + 25 * (i % 3), 15 + 30 * (i // 3), i + 1) for i in range(5)]
    grey = plain((120, 120, 120))
    movers = set()
    for seed in range(40):
        marks = choose_marks(places, grey, grey, np.random.default_rng(seed))
        assert not isinstance(marks, Reject)
        assert len({mark.colour for mark in marks}) == 5
        movers.add(marks[0].colour)
    assert len(movers) >= 5


def test_dots_that_would_touch_in_either_picture_are_seen() -> None:
    assert overlap(place_at(40, 30, 1), place_at(52, 30, 2))
    assert not overlap(place_at(40, 30, 1), place_at(60, 30, 2))
    moved = Place("Box|2", 2, Spot(70, 30, 9.0), Spot(45, 30, 9.0), 6.0)
    assert overlap(place_at(40, 30, 1), moved)


def test_when_no_colour_stands_out_it_says_so() -> None:
    gaudy = np.random.default_rng(1).permutation(np.tile(list(COLOURS.values()), (600, 1))).reshape(60, 80, 3)
    image = gaudy.astype(np.uint8)
    assert choose_marks([place_at(40, 30)], image, image, np.random.default_rng(0)) == Reject(
        "mark: no colour stands out"
    )
