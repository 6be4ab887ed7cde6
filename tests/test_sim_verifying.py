"""An engine whose parts are approximate has the last word on feasibility."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from flowbench.builders.sim.items import Item
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.verifying import AGAINST, refuse_against_engine
from flowbench.geometry import Camera

CAMERA = Camera.standing((0.0, 0.0, 1.5), 0.0)
"""Looks along x: away is x, right is -y."""


def item(probe: Move | None) -> Item:
    return Item("feasibility", "Mug|1", Move(20, 0), (), None, None, "no", "yes", 0.1, "no>yes", probe)


@pytest.mark.parametrize(
    ("free", "answer", "refused"),
    [
        (True, "yes", False),
        (True, "no", True),
        (False, "yes", True),
        (False, "no", False),
        (None, "yes", False),
        (None, "no", False),
        (False, None, False),
    ],
)
def test_answers_that_the_engine_contradicts_are_refused(free: bool | None, answer: str | None, refused: bool) -> None:
    asked: list[Any] = []
    engine: Any = SimpleNamespace(way_is_free=lambda name, way: (asked.append((name, way)), free)[1])
    found = refuse_against_engine(engine, item(Move(30, 10)), answer, CAMERA)
    assert found == (AGAINST if refused else None)
    if answer is not None:
        ((name, way),) = asked
        assert name == "Mug|1"
        assert way == pytest.approx((0.1, -0.3, 0.0), abs=1e-9)


def test_other_categories_are_not_asked_about() -> None:
    assert refuse_against_engine(SimpleNamespace(), item(None), "yes", CAMERA) is None  # type: ignore[arg-type]
