"""What the corpus's own structure tells of targets: blind rules of retrieval, which see ids and no pictures.

A rule knows the run of a query's target and picks among that run's corpus frames after the cut; with c of them a guess
is right once in c times, and what a rule cannot tell apart it shares. Chance is the mean over the queries. The target
of builder 1 is the last frame by definition: that is told beside the rules and held against nothing, and builder 2,
which asks by the time as well, is judged without it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..shortcuts import Score
from .opened import FrameName, frame_name

LAST: Final = "last of its run"
BY_DEFINITION: Final = 1
"""The builder whose target is the last frame."""
Run = tuple[int, str]
Pick = Callable[["Searched"], Sequence[float]]
"""Of every choice a number; the largest are picked."""


@dataclass(frozen=True)
class Searched:
    """One query.

    Attributes:
        category: as in its record; of those by the time also the builder.
        builder: 1 to 6; 0 of a counterfactual query.
        held: frames of the target's run in the corpus, ascending.
        choices: those after the cut.
        target: its frame.
        erased: frames of which the corpus also has the picture with the removed body erased.
    """

    category: str
    builder: int
    held: tuple[int, ...]
    choices: tuple[int, ...]
    target: int
    erased: frozenset[int]


def run_of(name: FrameName) -> Run:
    """Which run a frame is one of."""
    return name.scene, name.variant


def runs_in(frames: Iterator[str] | Sequence[str]) -> dict[Run, tuple[int, ...]]:
    """Run -> its frames in the corpus, ascending."""
    found: dict[Run, list[int]] = defaultdict(list)
    for text in frames:
        name = frame_name(text)
        if name is not None:
            found[run_of(name)].append(name.frame)
    return {run: tuple(sorted(own)) for run, own in found.items()}


def searched_of(
    category: str, builder: int, target: str, last: int, runs: Mapping[Run, tuple[int, ...]]
) -> Searched | None:
    """A query as blind rules see it; None where its target is not in the corpus."""
    name = frame_name(target)
    held = () if name is None else runs.get(run_of(name), ())
    choices = tuple(frame for frame in held if frame > last)
    if name is None or name.frame not in choices:
        return None
    erased = runs.get((name.scene, f"erased-{name.body}"), ()) if name.variant.startswith("without") else ()
    named = f"{category}, builder {builder}" if category == "time" else category
    return Searched(named, builder, held, choices, name.frame, frozenset(erased))


def _alone(each: Searched) -> list[float]:
    """How far the nearest other frame of the run is."""
    return [float(min((abs(c - other) for other in each.held if other != c), default=math.inf)) for c in each.choices]


def _centre(each: Searched) -> list[float]:
    """How near the middle of the run's frames it is."""
    middle = (each.held[0] + each.held[-1]) / 2.0
    return [-abs(choice - middle) for choice in each.choices]


def _grid(each: Searched) -> list[float]:
    """How evenly the others lie about it: the sum of all ways is least."""
    return [-abs(float(sum(other - choice for other in each.held))) for choice in each.choices]


def _first(each: Searched) -> list[float]:
    return [-float(choice) for choice in each.choices]


def _last(each: Searched) -> list[float]:
    return [float(choice) for choice in each.choices]


def _erased(each: Searched) -> list[float]:
    return [float(choice in each.erased) for choice in each.choices]


RULES: Final[Mapping[str, Pick]] = {
    "most alone in its run": _alone,
    "least alone in its run": lambda each: [-way for way in _alone(each)],
    "middle of its run": _centre,
    "centre of its run's frames": _grid,
    "first of its run": _first,
    LAST: _last,
    "beside an erased frame": _erased,
}


def scores(queries: Sequence[Searched]) -> Iterator[Score]:
    """Every rule in every category; of builder 1 how often the last frame is right, which cannot be too often."""
    by_category: dict[str, list[Searched]] = defaultdict(list)
    for each in queries:
        if len(each.choices) > 1:
            by_category[each.category].append(each)
    for category, own in sorted(by_category.items()):
        if own[0].builder == BY_DEFINITION:
            hits = round(math.fsum(_worth(each, _last(each)) for each in own))
            yield Score(category, f"{LAST}, by definition", len(own), hits, 1.0)
            continue
        chance = math.fsum(1.0 / len(each.choices) for each in own) / len(own)
        for rule, pick in RULES.items():
            hits = round(math.fsum(_worth(each, pick(each)) for each in own))
            yield Score(category, rule, len(own), hits, chance)


def _worth(each: Searched, values: Sequence[float]) -> float:
    picked = [choice for choice, value in zip(each.choices, values, strict=True) if value == max(values)]
    return 1.0 / len(picked) if each.target in picked else 0.0
