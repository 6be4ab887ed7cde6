"""Table planes of recorded pairs: places that the robot recorded agree with where they are seen, or not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from flowbench.validation.real.measuring import Camera
from flowbench.validation.real.plane import check_points

FOCAL, HEIGHT = 610.0, 0.22
CAMERA = Camera(
    FOCAL, FOCAL, 320.0, 240.0, ((HEIGHT, 0.0, -320.0 * HEIGHT), (0.0, 0.0, -FOCAL * HEIGHT), (0.0, 1.0, -240.0))
)


def points(count: int = 40, wrong: int = 0, turn: float = 0.4, *, mirrored: bool = False) -> list[list[float]]:
    """Correspondences of a robot whose frame is turned and shifted; some of them are a decimetre off."""
    rng = np.random.default_rng(3)
    made = []
    for number in range(count):
        u, v = float(rng.uniform(100, 540)), float(rng.uniform(300, 450))
        x, y, _ = CAMERA.on_plane(u, v)
        y = -y if mirrored else y
        place = [math.cos(turn) * x - math.sin(turn) * y + 0.3, math.sin(turn) * x + math.cos(turn) * y - 0.1]
        made.append([u, v, place[0] + (0.1 if number < wrong else 0.0), place[1]])
    return made


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("wrong", [0, 12])
def test_a_turned_and_shifted_robot_agrees(wrong: int, mirrored: bool) -> None:
    assert list(check_points(CAMERA, points(wrong=wrong, mirrored=mirrored))) == []


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(points(29), id="too few"),
        pytest.param([each[:3] for each in points()], id="three numbers"),
        pytest.param([[u, v, 1.3 * x, 1.3 * y] for u, v, x, y in points()], id="another scale"),
        pytest.param([[v, u, x, y] for u, v, x, y in points()], id="axes exchanged"),
    ],
)
def test_what_does_not_agree_is_told(given: list[list[float]]) -> None:
    assert [each.rule for each in check_points(CAMERA, given)] == ["correspondences of the plane"]
