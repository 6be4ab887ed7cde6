"""Nearest landmarks by radii are tested on only where the seen surfaces agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.measured import Flat, measured

from flowbench.builders.real.asking import ask
from flowbench.builders.real.categories import Draft
from flowbench.builders.real.measuring.measure import Measured
from flowbench.builders.real.measuring.surfaces import seen_gaps
from flowbench.builders.real.presets import preset_named
from flowbench.builders.sim.items import Reject

MUG = Flat("mug", 150, 300, end=(300, 380, 1.0))
BOWL = Flat("bowl", 60, 100)
PLATE = Flat("plate", 270, 300, width=122, height=20)
"""Wide and flat: by its radius 1.4 cm from where the mug ends, in truth 10 cm above it."""
CAN = Flat("can", 400, 240, width=24, height=200)
"""Narrow and tall: by its radius 10.7 cm from there, in truth 7 cm beside it."""


def pair(*things: Flat) -> Measured:
    """What is measured of the mug and some landmarks."""
    found = measured([MUG, *things])
    assert not isinstance(found, Reject)
    return found


def nearest(found: Measured) -> Draft:
    """What is asked about its nearest landmark."""
    asked = ask(found, preset_named("balanced"))
    assert not isinstance(asked, Reject)
    (draft,) = (each for each in asked[1] if each.category == "closer_to")
    return draft


def gaps_of(found: Measured) -> dict[str, float]:
    """Label -> gap."""
    return {found.things[k].label: gap for k, gap in seen_gaps(found).items()}


def test_gaps_are_those_between_what_is_seen_without_rims() -> None:
    gaps = gaps_of(pair(PLATE, CAN, BOWL))
    assert gaps["can"] == pytest.approx((400 - 360 + 4) / 610, abs=8e-3)
    assert gaps["plate"] == pytest.approx((380 - 319 + 4) / 610, abs=8e-3)
    deep = gaps_of(pair(PLATE, replace(CAN, depth=1.05), BOWL))
    assert deep["can"] > gaps["can"] + 0.01
    assert deep["plate"] == gaps["plate"]


def test_what_radii_and_surfaces_see_otherwise_is_not_tested_on() -> None:
    found = pair(PLATE, CAN, BOWL)
    draft = nearest(found)
    assert found.things[draft.landmarks[int(draft.answer)]].label == "plate"
    assert draft.margin > 0.05
    assert not draft.clear
    assert nearest(pair(PLATE, replace(CAN, left=560), BOWL)).clear


def test_where_a_landmark_shows_no_depth_nobody_doubts() -> None:
    found = pair(PLATE, CAN, BOWL)
    (can,) = (k for k in found.landmarks if found.things[k].label == "can")
    found.millimetres[0][found.layers[0].mask(found.things[can].masks[0])] = 0
    assert sorted(gaps_of(found)) == ["bowl", "plate"]
    assert nearest(found).clear
