"""``near_object``: after the move, is the mover within a distance of a landmark?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..distances import TERMS
from ..generic import generic_moves
from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..move import Move
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from .base import Category, yes_no_cell

BAND = 0.05
"""Metres on either side of the threshold inside which nothing is asked (sim.md, "Categories")."""
CLEAR = 0.10
CLEAR_SHARE = 0.20
"""The gap differs from the threshold by so many metres, and so much of it: what a viewer can tell apart."""
LEAST_CHANGE = 0.05
"""Metres by which the move changes the gap at least: otherwise it is beside the point."""
REACH = 0.75
"""Metres from the threshold beyond which the question is too easy to be worth asking."""
MOVES_A_MOVER = 3


def label(gap: float, threshold: float) -> Label | Reject:
    """Read the answer off the distance of the two, metres; the margin is in metres."""
    margin = abs(gap - threshold) - BAND
    if margin <= LEAST_MARGIN:
        return Reject("near_object: too close to the threshold")
    return Label("yes" if gap < threshold else "no", margin)


@final
class NearObject(Category):
    """See the module."""

    name = "near_object"
    label_version = 1
    unit = "m"
    measures_gaps = True
    choices = 2
    questions: ClassVar[Sequence[str]] = (
        "After this move, will {mover} be within {threshold} m of {a}, measured between their {points}?",
        "Measured between their {points}, does {mover} end up within {threshold} m of {a}?",
        "Once it has moved, is the {apart} between the {points} of {mover} and {a} less than {threshold} m?",
        "Will {mover} then be closer than {threshold} m to {a}, taking the {points} of both?",
        "After moving, would {mover} be less than {threshold} m from {a}, going by the {apart} between their {points}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Is {mover} within {threshold} m of {a}, measured between their {points}?",
        "Measured between their {points}, is {mover} within {threshold} m of {a}?",
        "Is the {apart} between the {points} of {mover} and {a} less than {threshold} m?",
        "Is {mover} closer than {threshold} m to {a}, taking the {points} of both?",
        "Is {mover} less than {threshold} m from {a}, going by the {apart} between their {points}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Generic moves (paper A.2): the cells come from the free choice of landmark and threshold."""
        return generic_moves(preset, rng, MOVES_A_MOVER)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """Every landmark with every threshold that is neither ambiguous nor trivial (paper A.2, near sets)."""
        preset = trial.preset
        measure = preset.measure_of(self.name)
        for landmark, gaps in trial.distances(measure).items():
            if preset.for_the_eye and abs(gaps[1] - gaps[0]) < LEAST_CHANGE:
                yield Reject("near_object: move beside the point")
                continue
            for threshold in preset.thresholds:
                if preset.for_the_eye and any(abs(gap - threshold) > REACH for gap in gaps):
                    continue
                clear = max(CLEAR, CLEAR_SHARE * threshold)
                if preset.for_the_eye and any(abs(gap - threshold) < clear for gap in gaps):
                    yield Reject("near_object: hard to see")
                    continue
                question = Question(trial.mover.object_id, (landmark,), "within", threshold, measure=measure)
                labels = self.labels(trial.before, trial.after, question)
                if isinstance(labels, Reject):
                    yield labels
                elif preset.asks(self.name, cell := yes_no_cell(*labels)):
                    yield Item.of(self.name, trial.move, question, *labels, cell)

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Measure the distance."""
        if question.threshold is None:
            return Reject("near_object: no threshold")
        return label(self.distances(sight, question)[0], question.threshold)

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """Nearer or farther than the stated distance, before and after."""
        assert item.before is not None
        place = names[0]
        terms = TERMS[item.measure]
        gaps = [self.distances(sight, item.question)[0] for sight in (before, after)]
        inside = {"yes": "within the stated distance of", "no": "farther than the stated distance from"}
        changes = {
            ("no", "yes"): f"brings it within that distance of {place}",
            ("yes", "no"): f"takes it farther than that from {place}",
            ("yes", "yes"): f"brings it even nearer to {place}"
            if gaps[1] < gaps[0]
            else f"takes it farther from {place}, but not beyond that distance",
            ("no", "no"): f"brings it nearer to {place}, but not within that distance"
            if gaps[1] < gaps[0]
            else f"takes it even farther from {place}",
        }
        return Because(
            start=f"{mover} is {inside[item.before]} {place}",
            change=f"moving {mover} {item.move.way} {changes[item.before, item.answer]}",
            result=f"{mover} is {inside[item.answer]} {place}",
            measured=f"the {terms.apart} between the {terms.points} of {mover} and {place} goes from {gaps[0]:.2f} m "
            f"to {gaps[1]:.2f} m, and the distance asked about is {item.threshold:.2f} m",
        )
