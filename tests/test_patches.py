"""Light alone changes where nothing moves: shadows pass, what is painted over does not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from flowbench.validation.pixels.patches import check_patches

HEIGHT, WIDTH = 150, 200
NOTHING = np.zeros((HEIGHT, WIDTH), np.bool_)

Image = NDArray[np.uint8]


def wood() -> Image:
    """A brown texture that is nowhere plain."""
    grain = np.random.default_rng(1).integers(-25, 26, (HEIGHT, WIDTH, 1))
    return (np.array([150, 110, 70]) + grain).clip(0, 255).astype(np.uint8)


def shaded(image: Image, by: tuple[float, float, float]) -> Image:
    """The left half in a shadow, a factor a channel."""
    dark = image.copy()
    dark[:, : WIDTH // 2] = (image[:, : WIDTH // 2] * np.array(by)).astype(np.uint8)
    return dark


def painted(image: Image, colour: tuple[int, int, int], side: int = 30) -> Image:
    spoilt = image.copy()
    spoilt[40 : 40 + side, 60 : 60 + side] = colour
    return spoilt


@pytest.mark.parametrize("by", [(0.5, 0.5, 0.5), (0.75, 0.8, 0.9), (0.3, 0.33, 0.4), (1.4, 1.35, 1.3)])
def test_shadows_and_light_pass(by: tuple[float, float, float]) -> None:
    assert not list(check_patches(wood(), shaded(wood(), by), NOTHING))


def test_equal_pictures_pass() -> None:
    assert not list(check_patches(wood(), wood(), NOTHING))


@pytest.mark.parametrize("colour", [(255, 0, 0), (0, 160, 255), (20, 20, 20), (230, 230, 230)])
@pytest.mark.parametrize("first", [True, False])
def test_a_painted_square_is_told(colour: tuple[int, int, int], first: bool) -> None:
    pair = painted(wood(), colour), shaded(wood(), (0.6, 0.6, 0.6))
    found = list(check_patches(*(pair if first else pair[::-1]), NOTHING))
    assert {each.rule for each in found} == {"still patch"}


def test_where_it_is_painted_is_told() -> None:
    (first, *_) = check_patches(painted(wood(), (255, 0, 0)), wood(), NOTHING)
    assert first.found.startswith("900 still px from row 40 and column 60 on")


def test_what_moves_may_look_otherwise() -> None:
    moved = NOTHING.copy()
    moved[40:70, 60:90] = True
    assert not list(check_patches(painted(wood(), (255, 0, 0)), wood(), moved))


def test_a_few_pixels_pass() -> None:
    assert not list(check_patches(painted(wood(), (255, 0, 0), side=3), wood(), NOTHING))


def test_moved_pixels_all_over_pass() -> None:
    assert not list(check_patches(painted(wood(), (255, 0, 0)), wood(), ~NOTHING))
