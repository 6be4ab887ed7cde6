"""Scenes that an engine loses are done again, then skipped and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.retrying import TRIES, resumed, tried
from flowbench.builders.simulators.base import SceneError


@pytest.mark.parametrize("losses", range(TRIES + 2))
def test_a_scene_is_tried_so_often(losses: int, capsys: pytest.CaptureFixture[str]) -> None:
    left = [SceneError("engine lost", "Unity ended.")] * losses

    def make() -> str:
        if left:
            raise left.pop()
        return "made"

    made = tried(7, make)
    told = capsys.readouterr().err.splitlines()
    assert made == ("made" if losses < TRIES else Reject("scene: engine lost"))
    assert len(told) == min(losses, TRIES)
    assert all(line.startswith("scene 7: Unity ended. it is ") for line in told)
    assert (told[-1:] or [""])[0].endswith("skipped") == (losses >= TRIES)


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        ([], ["a1", "b1", "c1", "d1"]),
        ([1], ["a1", "b2", "c2", "d2"]),
        ([0, 2], ["a2", "b2", "c3", "d3"]),
        ([3, 3, 3], ["a1", "b1", "c1", "scene: gone"]),
        ([1, 2, 2], ["a1", "b2", "scene: gone", "scene: gone"]),
    ],
)
def test_rows_that_are_done_are_not_done_again(losses: list[int], expected: list[str]) -> None:
    left = list(losses)
    tries = 0

    def make(rows: Sequence[str]) -> Iterator[str]:
        nonlocal tries
        tries += 1
        this, lost_at = tries, left.pop(0) if left else None
        for row in rows:
            if lost_at is not None and "abcd".index(row) >= lost_at:
                raise SceneError("gone", "It is gone.")
            yield f"{row}{this}"

    assert list(resumed(0, "abcd", make)) == expected


def test_other_errors_are_not_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        tried(0, lambda: 1 // 0)
