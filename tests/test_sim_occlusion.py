"""Hiding: what is in full view, what a motion is predicted to cover, where it must lead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.still import arrangement, block, sight_of

from flowbench.builders.sim.categories.occlusion import (
    CLEAR,
    HIDES,
    MOST_HIDDEN_BEFORE,
    Occlusion,
    hidden_share,
    label,
    predicted_cover,
)
from flowbench.builders.sim.items import Label, Question, Reject
from flowbench.builders.sim.view import Sight
from flowbench.geometry import Camera

CAMERA = Camera.standing((0.0, 0.0, 0.5), math.pi / 2.0, width=160, height=120)
"""Looks along +y with a focal length of 80 px, half a metre above the floor."""
BOARD = [block(0.0, 2.001, 0.0, (1.0, 0.002, 1.0))]
"""Its face is 2 m away: 40 x 40 px in the middle of the picture."""
COLUMNS, ROWS = slice(60, 100), slice(40, 80)
QUESTION = Question("Mover", ("Board",))


def sight(*covers: tuple[slice, slice, int, float], y: float = 1.5, x: float = -1.0, board: bool = True) -> Sight:
    """The board, rectangles (rows, columns, id, depth) over it, and a mover somewhere (ids 1 and 2)."""
    scene = arrangement(Mover=[block(x, y, 0.4, (0.4, 0.2, 0.2))], Board=BOARD)
    ids = np.full((120, 160), 9, dtype=np.uint16)
    depth = np.full(ids.shape, 5.0, dtype=np.float32)
    if board:
        ids[ROWS, COLUMNS], depth[ROWS, COLUMNS] = 2, 2.0
    for rows, columns, instance_id, metres in covers:
        ids[rows, columns], depth[rows, columns] = instance_id, metres
    return sight_of(scene, CAMERA, ids, depth)


# --- label


@given(st.integers(1, 4000), st.floats(0.0, 1.2))
def test_a_label_keeps_clear_of_the_band(before: int, left: float) -> None:
    after = round(before * left)
    hidden = 1.0 - after / before
    found = label(before, after)
    if isinstance(found, Reject):
        assert CLEAR - 1e-4 <= hidden <= HIDES + 1e-4
    else:
        assert found.answer == ("yes" if hidden > 0.2 else "no")
        assert found.margin == pytest.approx(hidden - HIDES if hidden > 0.2 else CLEAR - hidden)
        assert found.margin > 1e-4


def test_nothing_is_asked_of_one_moment() -> None:
    assert Occlusion().read(sight(), QUESTION) == Reject("occlusion: needs both moments")


# --- in full view


def columns(first: int, last: int) -> slice:
    return slice(first, last + 1)


@pytest.mark.parametrize(
    ("cover", "share"),
    [
        ((ROWS, columns(20, 40), 9, 1.0), 0.0),  # beside it
        ((ROWS, columns(70, 79), 9, 1.0), 10 / 39),
        ((ROWS, columns(70, 79), 1, 1.0), 10 / 39),  # the mover itself
        ((ROWS, columns(70, 79), 9, 2.5), 0.0),  # seen through it
        ((ROWS, columns(60, 60), 9, 1.0), 0.0),  # its rim
        ((ROWS, columns(60, 61), 9, 1.0), 1 / 39),
        ((ROWS, COLUMNS, 9, 1.0), 1.0),  # nothing of it is seen
    ],
)
def test_how_much_of_an_outline_is_hidden(cover: tuple[slice, slice, int, float], share: float) -> None:
    assert hidden_share(sight(cover), "Board") == pytest.approx(share, abs=0.01)


def test_what_has_no_outline_counts_as_hidden() -> None:
    behind = arrangement(Mover=[block(0, 1, 0, (0.2, 0.2, 0.2))], Board=[block(0, 0, 0, (1.0, 1.0, 1.0))])
    seen = sight()
    assert hidden_share(sight_of(behind, CAMERA, seen.ids, seen.depth), "Board") == 1.0


@pytest.mark.parametrize(("last", "asked"), [(61, True), (62, False)])
def test_a_thing_covered_before_is_not_asked_about(last: int, asked: bool) -> None:
    """One column of 39 is less than 0.04, two are more."""
    post = (ROWS, columns(60, last), 9, 1.0)
    assert (hidden_share(sight(post), "Board") <= MOST_HIDDEN_BEFORE) == asked
    hiding = sight(post, (ROWS, columns(70, 95), 1, 1.5))
    found = Occlusion().labels(sight(post), hiding, QUESTION)
    assert isinstance(found, Reject) != asked
    if not asked:
        assert found == Reject("occlusion: not in full view before")


def test_pixels_decide_not_plans() -> None:
    half = sight((ROWS, columns(60, 79), 1, 1.5))
    assert Occlusion().labels(sight(), half, QUESTION) == (None, Label("yes", pytest.approx(0.15)))
    gone = sight(board=False)
    assert Occlusion().labels(sight(), gone, QUESTION) == (None, Label("yes", pytest.approx(0.65)))
    assert Occlusion().labels(sight(), sight(), QUESTION) == (None, Label("no", pytest.approx(0.02)))
    assert Occlusion().labels(gone, half, QUESTION) == Reject("occlusion: not in full view before")


# --- predictions


@pytest.mark.parametrize(
    ("dx", "dy", "share"),
    [
        (1.0, 0.0, 22.86 * 11.43 / 1600),  # its face at 1.4 m is 80 * 0.4 / 1.4 px wide
        (1.0, -0.7, 40 * 22.86 / 1600),  # at 0.7 m it is wider than the board
        (1.5, 0.0, 5.0 * 11.43 / 1600),  # its far face, at 1.6 m, reaches to 5 px within the board's edge
        (2.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
    ],
)
def test_what_a_motion_would_cover(dx: float, dy: float, share: float) -> None:
    before = sight()
    mover, board = before.arrangement.objects
    assert predicted_cover(before, mover, board, (dx, dy)) == pytest.approx(share, rel=0.15, abs=0.01)


def test_a_mover_behind_the_camera_covers_nothing() -> None:
    before = sight()
    mover, board = before.arrangement.objects
    assert predicted_cover(before, mover, board, (0.0, -3.0)) == 0.0
