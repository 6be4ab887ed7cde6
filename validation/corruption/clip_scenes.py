"""Corruptions of collision scenes and of what is told of them: runs, set-ups, rationales."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .base import Corruption
from .clip_editing import question, reasoned, row
from .clip_items import recolour
from .editing import Change, Record, described, recorded

NANOMETRE: Final = 1e-9


def _run(name: str, change: Callable[[Any], None]) -> Change:
    """Something of the true run's list ``name`` is changed."""
    return described(lambda meta, record: change(meta["factual"][name]))


def _later(collisions: list[Record]) -> None:
    collisions[-1]["frame"] -= 3


def _dropped(collisions: list[Record]) -> None:
    del collisions[-1]


def _harder(collisions: list[Record]) -> None:
    collisions[0]["impulse"] += NANOMETRE


def _pushed(by: float) -> Change:
    """A body lies elsewhere in the last observed frame of the true run; its centre in the picture is as it was."""

    def apply(meta: Record, record: Record) -> None:
        meta["factual"]["poses"][record["prefix"]["last"]][0][0] += by

    return described(apply)


def _faster(velocities: list[Any]) -> None:
    velocities[100][0][0] += NANOMETRE


def _seen(meta: Record, record: Record) -> None:
    counts = meta["factual"]["visible"][record["prefix"]["last"]]
    body = int(np.argmax(counts))
    counts[body] -= 1


def _late(meta: Record, record: Record) -> None:
    """Every body is said to be hardly seen before the last three frames of the observation."""
    for frame in range(record["prefix"]["last"] - 2):
        meta["factual"]["visible"][frame] = [min(count, 49) for count in meta["factual"]["visible"][frame]]


def _covered(meta: Record, record: Record) -> None:
    """Half of what is seen of every body is said to be covered in the first half of the observation."""
    first, last = record["prefix"]["first"], record["prefix"]["last"]
    for frame in range(first, (first + last) // 2):
        meta["factual"]["whole"][frame] = [2 * count + 2 for count in meta["factual"]["whole"][frame]]


def _window(record: Mapping[str, Any]) -> bool:
    return question(record) and record["category"] == "window"


def _setup(change: Callable[[Record], None]) -> Change:
    return described(lambda meta, record: change(meta["setup"]))


def _start(setup: Record) -> None:
    setup["starts"][0]["place"][0] += 0.01


def _camera(setup: Record) -> None:
    setup["view"]["eye"][0] += 0.01


def _light(setup: Record) -> None:
    setup["light"]["ambient"] *= 0.9


def _rationale(change: Callable[[str], str]) -> Change:
    def apply(record: Record) -> None:
        record["rationale"] = change(record["rationale"])

    return recorded(apply)


def _stranger(text: str) -> str:
    """A body that no scene has twice is named for another."""
    return re.sub(r"the \w+ (metal|rubber) (cube|sphere|cylinder)", "the brown rubber cylinder", text)


def _otherwise(text: str) -> str:
    return text.replace("Prediction.", "Foreseen.")


RUNS: tuple[Corruption, ...] = (
    row(
        "earlier collision",
        "the last collision is three frames earlier",
        "simulation",
        _run("collisions", _later),
        question,
    ),
    row("collision left out", "the last collision is not listed", "simulation", _run("collisions", _dropped), question),
    row("impulse", "an impulse is 1e-9 N s larger", "simulation", _run("collisions", _harder), question),
    row(
        "body elsewhere", "a body lies 5 cm elsewhere at the cut", "simulation geometry labels", _pushed(0.05), question
    ),
    row(
        "body a nanometre off",
        "a body lies a nanometre elsewhere at the cut",
        "simulation",
        _pushed(NANOMETRE),
        question,
    ),
    row("velocity", "a velocity is 1e-9 m/s larger", "simulation", _run("velocities", _faster), question),
    row("covered bodies", "bodies are said to be half covered at first", "geometry", described(_covered), _window),
    row(
        "movers seen late",
        "no body is seen before the last three frames",
        "geometry labels",
        described(_late),
        question,
    ),
    row("visible pixels", "a body shows a pixel less", "geometry", described(_seen), question),
    row("start of a body", "a body starts a centimetre elsewhere", "simulation", _setup(_start), question),
    row("camera of a scene", "the eye is a centimetre elsewhere", "geometry labels", _setup(_camera), question),
    row("light of a scene", "the light from all around is a tenth less", "geometry", _setup(_light), question),
    row("colour of a body", "a body has another colour", "geometry", _setup(recolour), question),
)


WORDS: tuple[Corruption, ...] = (
    row(
        "digit in a rationale",
        "a rationale counts",
        "text",
        _rationale(lambda text: text.replace(" is ", " is 3 times ", 1)),
        reasoned,
    ),
    row(
        "frame in a rationale",
        "a rationale speaks of frames",
        "text",
        _rationale(lambda text: text + " It takes a few frames."),
        reasoned,
    ),
    row(
        "letter in a rationale",
        "a rationale names a candidate",
        "text",
        _rationale(lambda text: text + " So the answer is B."),
        reasoned,
    ),
    row(
        "coordinates in a rationale",
        "a rationale has coordinates",
        "text",
        _rationale(lambda text: text + " It lies at (left, low)."),
        reasoned,
    ),
    row(
        "short rationale",
        "a rationale is cut short",
        "text",
        _rationale(lambda text: " ".join(text.split()[:60]) + "."),
        reasoned,
    ),
    row(
        "rationale left out",
        "a sample has no rationale",
        "text",
        recorded(lambda record: record.update(rationale=None)),
        reasoned,
    ),
    row("parts of a rationale", "a rationale has no prediction", "text", _rationale(_otherwise), reasoned),
    row("strange body", "a rationale tells of bodies that are not there", "text", _rationale(_stranger), reasoned),
    row(
        "hole in a query",
        "a query holds {seconds}",
        "text",
        recorded(lambda record: record.update(query=record["query"] + " {seconds}?")),
        question,
    ),
)
