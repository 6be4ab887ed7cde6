"""Dots on pictures and distances of colours."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowbench.marking import draw_marks, lab_distance, outer_radius, to_lab
from flowbench.marking.dots import DARK, WHITE
from flowbench.schema import Mark

RED = (230, 40, 40)


def mark(u: float, v: float, radius: float = 7.0, rgb: tuple[int, int, int] = RED) -> Mark:
    return Mark(id=1, object="Mug|1", colour="red", rgb=list(rgb), radius=radius, before=[u, v], after=[0.0, 0.0])


def grey(height: int = 60, width: int = 80) -> np.ndarray:
    return np.full((height, width, 3), 128, np.uint8)


def test_a_dot_has_disc_white_ring_dark_ring_and_leaves_the_rest_alone() -> None:
    image = grey()
    drawn = draw_marks(image, [mark(40.0, 30.0, radius=8.0)], "before")
    assert tuple(drawn[30, 40]) == RED
    assert tuple(drawn[30, 47]) == RED
    assert tuple(drawn[30, 49]) == WHITE
    distance = np.hypot(*(np.mgrid[:60, :80] - np.array([30, 40])[:, None, None]))
    assert (drawn[distance > outer_radius(8.0) + 0.75] == 128).all()
    assert np.abs(drawn[distance < outer_radius(8.0)].astype(int) - 128).max(axis=-1).min() > 0
    assert (image == 128).all(), "the picture given is not changed"
    assert drawn.min() < (128 + DARK[0]) // 2, "the dark ring is there"


def test_the_picture_after_has_the_dot_at_its_after_pixel() -> None:
    drawn = draw_marks(grey(), [mark(40.0, 30.0)], "after")
    assert tuple(drawn[0, 0]) == RED
    assert (drawn[20:, 20:] == 128).all()


@given(u=st.floats(15, 65), v=st.floats(15, 45), radius=st.floats(2, 8))
def test_a_dot_is_sub_pixel_exact(u: float, v: float, radius: float) -> None:
    """The weighted centre of what changed is the dot's centre, and its weight the disc's area."""
    black = np.zeros((60, 80, 3), np.uint8)
    weight = draw_marks(black, [mark(u, v, radius, (0, 255, 0))], "before")[..., 1] / 255.0
    weight -= draw_marks(black, [mark(u, v, radius, (0, 0, 0))], "before")[..., 1] / 255.0
    rows, columns = np.mgrid[:60, :80]
    assert weight.sum() == pytest.approx(np.pi * radius**2, rel=0.02)
    assert (weight * columns).sum() / weight.sum() == pytest.approx(u, abs=0.02)
    assert (weight * rows).sum() / weight.sum() == pytest.approx(v, abs=0.02)


@pytest.mark.parametrize(("u", "v"), [(-3.0, 5.0), (79.0, 59.0), (-500.0, 10.0), (40.0, 1e9)])
def test_dots_over_the_edge_are_cut_off(u: float, v: float) -> None:
    """The visible part is what a larger picture would show there."""
    wide = draw_marks(grey(100, 120), [mark(u + 20, v + 20)], "before")
    assert (draw_marks(grey(), [mark(u, v)], "before") == wide[20:80, 20:100]).all()


def test_the_first_mark_lies_on_top() -> None:
    both = [mark(40.0, 30.0), mark(42.0, 30.0, rgb=(0, 0, 255))]
    assert tuple(draw_marks(grey(), both, "before")[30, 41]) == RED


def test_marks_have_the_same_bytes_everywhere() -> None:
    ramp = np.arange(60 * 80 * 3, dtype=np.uint32).reshape(60, 80, 3).astype(np.uint8)
    drawn = draw_marks(ramp, [mark(20.3, 30.7, 5.5), mark(50.01, 10.49, 2.0, (40, 190, 70))], "before")
    assert hashlib.sha256(drawn.tobytes()).hexdigest().startswith("c2f624d27ed22ec9")


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 255, 255), (100.0, 0.0, 0.0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((119, 119, 119), (50.03, 0.0, 0.0)),
    ],
)
def test_lab_has_its_published_values(rgb: tuple[int, int, int], lab: tuple[float, float, float]) -> None:
    assert np.abs(to_lab(np.array(rgb, np.uint8)) - lab).max() < 0.1


def test_lab_distance_is_euclidean() -> None:
    a, b = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), np.array([2.0, 4.0, 5.0])
    assert lab_distance(a, b)[0] == 3.0
