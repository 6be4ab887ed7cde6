"""``count_near``: how many of six listed objects are within a distance of the mover after the move?

Both counts, before and after, are one of 2 to 5, and each of the sixteen cells is asked about alike: which six are
listed is the free choice that realises a cell (sim.md, "What balanced promises").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..distances import TERMS
from ..generic import generic_moves
from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..listing import listable, refuse_list
from ..move import Move
from ..naming import being, enumeration
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from .base import Category

BAND = 0.05
"""Metres from the threshold within which no listed object may lie (sim.md, "Categories")."""
CLEAR = 0.08
CLEAR_SHARE = 0.15
"""We keep so many metres and so much of the threshold: what a viewer can tell apart."""
LISTED = 6
COUNTS = (2, 3, 4, 5)
NUMBERS = ("two", "three", "four", "five", "six")
MOVES_A_MOVER = 3
FARTHEST = 1.5
"""Metres beyond the threshold from which an object makes a poor distractor."""


def label(gaps: Sequence[float], threshold: float) -> Label | Reject:
    """Count the distances below the threshold, metres; the margin is that of the one nearest to it, metres."""
    margin = min(abs(gap - threshold) for gap in gaps) - BAND
    if margin <= LEAST_MARGIN:
        return Reject("count_near: an object too close to the threshold")
    count = len([gap for gap in gaps if gap < threshold])
    if count not in COUNTS:
        return Reject("count_near: the count is no choice")
    return Label(str(count), margin)


@final
class CountNear(Category):
    """See the module."""

    name = "count_near"
    label_version = 1
    unit = "m"
    measures_gaps = True
    choices = len(COUNTS)
    questions: ClassVar[Sequence[str]] = (
        "After this move, how many of these will be within {threshold} m of {mover}, measured between {points}: "
        "{listed}?",
        "How many of these does {mover} end up within {threshold} m of, measured between {points}: {listed}?",
        "Once it has moved, how many of the following lie less than {threshold} m from {mover}, taking the {points} of "
        "both: {listed}?",
        "Take {listed}: measured between {points}, how many of them will then be closer than {threshold} m to {mover}?",
        "Of {listed}, how many would be within {threshold} m of {mover} after the move, going by the {apart} between "
        "{points}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "How many of these are within {threshold} m of {mover}, measured between {points}: {listed}?",
        "How many of these is {mover} within {threshold} m of, measured between {points}: {listed}?",
        "How many of the following lie less than {threshold} m from {mover}, taking the {points} of both: {listed}?",
        "Take {listed}: measured between {points}, how many of them are closer than {threshold} m to {mover}?",
        "Of {listed}, how many are within {threshold} m of {mover}, going by the {apart} between {points}?",
    )

    def options(self, names: Sequence[str]) -> Sequence[str]:
        """The four counts."""
        return [str(count) for count in COUNTS]

    def picks(self, answer: str) -> tuple[int, ...]:
        """The count's position."""
        return (COUNTS.index(int(answer)),)

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Generic moves (paper A.2): the cells come from the free choice of threshold and list."""
        return generic_moves(preset, rng, MOVES_A_MOVER)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """For every threshold, one list for every cell that the landmarks around can realise, or the paper's list."""
        gaps = trial.distances(trial.preset.measure_of(self.name))
        if trial.preset.lists_nearby:
            gaps = {name: gaps[name] for name in listable(trial, sorted(gaps, key=lambda name: (gaps[name][1], name)))}
        if len(gaps) < LISTED:
            yield Reject("count_near: fewer than six landmarks")
            return
        for threshold in trial.preset.thresholds:
            if trial.preset.lists_nearby:
                yield self._item(trial, list(gaps)[:LISTED], threshold)
                continue
            groups = _grouped(gaps, threshold)
            for before in COUNTS:
                for after in COUNTS:
                    chosen = _draw(groups, before, after, rng)
                    if chosen is not None:
                        yield self._item(trial, chosen, threshold)

    def _item(self, trial: Trial, chosen: Sequence[str], threshold: float) -> Item | Reject:
        against = refuse_list(trial, chosen)
        if against is not None:
            return Reject(f"count_near: {against}")
        measure = trial.preset.measure_of(self.name)
        question = Question(trial.mover.object_id, tuple(sorted(chosen)), "within", threshold, measure=measure)
        labels = self.labels(trial.before, trial.after, question)
        if isinstance(labels, Reject):
            return labels
        before, after = labels
        assert before is not None
        return Item.of(self.name, trial.move, question, before, after, f"{before.answer}>{after.answer}")

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Measure the distances."""
        if question.threshold is None:
            return Reject("count_near: no threshold")
        return label(self.distances(sight, question), question.threshold)

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """Which of the listed are near, before and after."""
        assert item.threshold is not None
        near, gaps, terms = [], [], TERMS[item.measure]
        for sight in (before, after):
            gaps = self.distances(sight, item.question)
            near.append([name for gap, name in zip(gaps, names, strict=True) if gap < item.threshold])
        listed = enumeration([f"{gap:.2f} m to {name}" for gap, name in sorted(zip(gaps, names, strict=True))])
        came, went = ([name for name in near[a] if name not in near[b]] for a, b in ((1, 0), (0, 1)))
        changes = [f"brings it within that distance of {enumeration(came)}"] if came else []
        changes += [f"takes it farther than that from {enumeration(went)}"] if went else []
        return Because(
            start=f"{_counted(near[0])} within the stated distance of {mover}",
            change=f"moving {mover} {item.move.way} {' and '.join(changes) or 'does not change that'}",
            result=f"{_counted(near[1])} within the stated distance of {mover}",
            measured=f"after the move the {terms.apart}s between {terms.points} are {listed}, and the distance "
            f"asked about is {item.threshold:.2f} m",
        )


def _counted(names: Sequence[str]) -> str:
    """``the mug, the box and the chair, three in all, are``."""
    few = len(names) < 2
    return being(names) if few else f"{enumeration(names)}, {NUMBERS[len(names) - 2]} in all, are"


def _grouped(gaps: dict[str, tuple[float, float]], threshold: float) -> dict[tuple[bool, bool], list[str]]:
    """Landmarks by whether they are near before and after; those not clearly either are left out, and far ones."""
    groups: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (True, False) for b in (True, False)}
    clear = max(CLEAR, CLEAR_SHARE * threshold)
    for name, pair in sorted(gaps.items()):
        if all(abs(gap - threshold) >= clear for gap in pair) and min(pair) < threshold + FARTHEST:
            groups[pair[0] < threshold, pair[1] < threshold].append(name)
    return groups


def _draw(
    groups: dict[tuple[bool, bool], list[str]], before: int, after: int, rng: np.random.Generator
) -> tuple[str, ...] | None:
    """Six landmarks of which so many are near before and after; None where the groups do not hold them."""
    sizes = {key: len(names) for key, names in groups.items()}
    ways = []
    for stay in range(min(before, after) + 1):
        need = {
            (True, True): stay,
            (True, False): before - stay,
            (False, True): after - stay,
            (False, False): LISTED - before - after + stay,
        }
        if all(0 <= count <= sizes[key] for key, count in need.items()):
            ways.append(need)
    if not ways:
        return None
    need = ways[int(rng.integers(len(ways)))]
    return tuple(
        groups[key][index] for key, count in need.items() for index in rng.permutation(sizes[key])[:count].tolist()
    )
