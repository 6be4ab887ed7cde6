"""Every JSON case through planning and through the independent recheck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.plays import Play

from flowbench.builders.dynapix.presets import preset_named
from flowbench.builders.dynapix.selection import event, time, window
from flowbench.builders.dynapix.selection.slots import Attempt, Slot
from flowbench.builders.dynapix.selection.subtypes import EVENT, TIME, WINDOW
from flowbench.validation.dynapix import events, times
from flowbench.validation.dynapix.facts import ItemFacts

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "dynapix.json").read_text("utf-8"))
EVERY = [pytest.param(case, id=case["name"]) for case in CASES]


def planned(case: dict[str, Any]) -> Attempt:
    """What planning makes of the moment asked about."""
    ask, oracle = case["ask"], Play.read(case).oracle()
    preset, name = preset_named(case.get("preset", "balanced")), ask["subtype"]
    rng = np.random.default_rng(0)
    if ask["family"] == "event":
        subtype = next(each for each in EVENT if each.name == name)
        return event.judge(oracle, preset, subtype, oracle.collisions[ask["hit"]], ask["cut"], ask["target"])
    if ask["family"] == "time":
        first = ask["cut"] - preset.second + 1
        return time.slot_at(oracle, preset, next(each for each in TIME if each.name == name), first, rng)
    cell = next(each for each in WINDOW if each.name == name)
    if window.group_of(oracle, ask["first"], ask["cut"], cell.horizon) != cell.group:
        return window.NO_SUCH_GROUP
    return window.slot_at(oracle, preset, cell, ask["first"], ask["cut"], rng)


def stated(case: dict[str, Any]) -> ItemFacts:
    """The item as a release would state it; candidates at the least steps, the target second."""
    ask, preset = case["ask"], case.get("preset", "balanced")
    target, cut = ask["target"], ask["cut"]
    observed = {"event": 20, "time": times.SECOND[preset], "window": 0}[ask["family"]]
    step = times.least_step(target - cut)
    frames = [target + number * step for number in (-1, 0, 1, 2)]
    future = ask["subtype"].startswith("future")
    query = "right after the next collision" if future else f"{(target - cut) / 25:.2f} seconds after the video ends"
    if ask["subtype"] == "future-match-5":  # two frames apart, a wrong candidate is right after the collision, too
        query = f"Which image shows the scene {(target - cut - 5) / 25:.2f} seconds after the next collision?"
    return ItemFacts(
        preset=preset,
        family=ask["family"],
        subtype=ask["subtype"],
        query=query,
        first=ask.get("first", cut - observed + 1),
        last=cut,
        target=target,
        candidates=tuple(("factual", frame) for frame in frames),
        letter="B",
    )


@pytest.mark.parametrize("case", EVERY)
def test_planning_decides_the_case(case: dict[str, Any]) -> None:
    found, expected = planned(case), case["expect"]
    if "reject" in expected:
        assert found == expected["reject"]
        return
    assert isinstance(found, Slot)
    ask = case["ask"]
    assert (found.first, found.cut, found.target) == (expected["first"], ask["cut"], ask["target"])
    assert list(found.focus) == expected["focus"]


@pytest.mark.parametrize("case", EVERY)
def test_the_recheck_decides_the_case(case: dict[str, Any]) -> None:
    facts, item, expected = Play.read(case).facts(), stated(case), case["expect"]
    findings = [*times.check_times(item), *events.check_events(item, facts)]
    if "reject" in expected:
        assert expected["finding"] in {finding.rule for finding in findings}
        return
    assert findings == []
    objects = events.focus(item, facts)
    assert objects is not None
    assert sorted(objects) == expected["focus"]


@pytest.mark.parametrize("case", [each for each in EVERY if "group" in each.values[0]["expect"]])  # type: ignore[index]
def test_both_sides_name_the_group(case: dict[str, Any]) -> None:
    play, ask = Play.read(case), case["ask"]
    moment = ask["first"], ask["cut"], ask["target"] - ask["cut"]
    assert window.group_of(play.oracle(), *moment) == events.group(play.facts(), *moment) == case["expect"]["group"]


def test_the_cases_hold_rejects_edges_every_family_and_group() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) >= 20
    assert sum("reject" in case["expect"] for case in CASES) >= 6
    assert sum("edge" in case["name"] for case in CASES) >= 3
    assert {case["ask"]["family"] for case in CASES} == {"event", "time", "window"}
    assert {case["expect"].get("group") for case in CASES} >= {"G1", "G2", "G3", "G4"}
