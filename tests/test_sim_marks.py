"""Marks: colours that stand out, dots that stay on their objects and clear of each other; CIELAB."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import evidence
from support.still import sight_of, sights_of

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.marks import LEAST_CONTRAST, PALETTE, Place, choose_marks, overlap, place_all
from flowbench.builders.sim.measuring import Spot
from flowbench.builders.sim.spots import CLEARANCE
from flowbench.builders.sim.view import Sight
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


# --- dots of things that may be hidden


def hiding(shift: int) -> tuple[Sight, Sight]:
    """A mover that goes ``shift`` px to the right, 2 m away (200 px are a metre), perhaps before a board at 2.5 m."""
    case = {
        "input": {
            "size": (800, 600),
            "eye": [0.0, 0.0, 0.0],
            "poses": [{"position": [-1.0 + dx / 200.0, 2.0, 0.0]} for dx in (0, shift)],
            "mover": {"parts": [{"half": [0.5, 0.1, 0.5], "centre": [0.0, 0.0, 0.0]}]},
            "landmark": {"parts": [{"half": [0.3, 0.1, 0.3], "centre": [0.0, 0.0, 0.0]}], "position": [0.6, 2.5, 0.0]},
            **{
                when: [
                    {"object": "landmark", "rects": [[475, 250, 575, 350]], "depth": 2.5},
                    {"object": "mover", "rects": [[u, 200, u + 200, 400]], "depth": 2.0},
                ]
                for when, u in (("before", 100), ("after", 100 + shift))
            },
        }
    }
    return sights_of(evidence("occlusion", case))


NAMED = ("Box|7", "Sofa|11")


def test_a_hidden_thing_s_dot_stays_where_it_was_and_the_mover_s_keeps_clear_of_it() -> None:
    before, after = hiding(330)
    assert after.mask("Sofa|11") is None
    assert isinstance(place_all(before, after, NAMED), Reject)
    places = place_all(before, after, NAMED, kept=True)
    assert not isinstance(places, Reject)
    mover, board = places
    assert board.before == board.after
    assert (board.before.u, board.before.v) == pytest.approx((524.5, 299.5), abs=1.0)
    assert mover.after.u == pytest.approx(mover.before.u + 330, abs=1)
    for ours, theirs in ((mover.before, board.before), (mover.after, board.after)):
        assert np.hypot(ours.u - theirs.u, ours.v - theirs.v) >= CLEARANCE


def test_a_dot_that_is_kept_does_not_tell_whether_it_is_hidden() -> None:
    """Seen or not after the move, a thing's dot is the same."""
    hit, miss = (place_all(*hiding(shift), NAMED, kept=True) for shift in (330, 50))
    assert not isinstance(hit, Reject)
    assert not isinstance(miss, Reject)
    assert hit[1] == miss[1]


def test_without_room_beside_the_kept_dot_there_is_no_mark() -> None:
    """After the move only what lies around the hidden thing's dot is seen of the mover."""
    before, after = hiding(330)
    after.ids[after.ids == 7] = 1
    after.ids[285:315, 510:540] = 7
    crowded = sight_of(after.arrangement, after.camera, after.ids, after.depth)
    assert place_all(before, crowded, NAMED, kept=True) == Reject("mark: no room for a dot")
