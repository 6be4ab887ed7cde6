"""``closer_to``: after the move, which of four landmarks is nearest to the mover?

The winner's rank *before* the move is the cell, drawn uniformly from 1 to 4: "it was nearest before" and "it was
farthest before" say nothing (sim.md, "What balanced promises"). The three others are the free choice that realises it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..distances import TERMS
from ..generic import generic_moves
from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..listing import refuse_list
from ..move import Move
from ..naming import enumeration
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from .base import Category

BAND = 0.05
"""Metres by which the runner-up must be farther than the nearest (sim.md, "Categories")."""
CHOICES = 4
CLEAR = 0.15
CLEAR_SHARE = 0.35
"""The runner-up is farther by so many metres, and so much of the winner's gap: what a viewer can tell apart."""
FARTHEST_WINNER = 1.5
"""Metres beyond which the nearest is not near at all."""
NEIGHBOURS = 9
"""Landmarks considered: the nearest after the move; farther ones make poor distractors."""
FRACTIONS = (0.45, 0.55, 0.60, 0.50, 0.65, 0.40)
"""How far past the midpoint of two landmarks the mover is sent (paper A.2, sim.md)."""
PAIRS_A_MOVER = 2
LEAST_CENTRE_GAP = 0.30


def label(gaps: Sequence[float]) -> Label | Reject:
    """Read the nearest landmark off the distances to the mover, metres.

    Returns:
        the index of the nearest as text, with its margin in metres.
    """
    order = sorted(range(len(gaps)), key=lambda index: gaps[index])
    margin = gaps[order[1]] - gaps[order[0]] - BAND
    if margin <= LEAST_MARGIN:
        return Reject("closer_to: runner-up too close")
    return Label(str(order[0]), margin)


@final
class CloserTo(Category):
    """See the module."""

    name = "closer_to"
    label_version = 1
    unit = "m"
    measures_gaps = True
    choices = CHOICES
    lists_landmarks = True
    questions: ClassVar[Sequence[str]] = (
        "After this move, which of these will {mover} be closest to, measured between {points}?",
        "Measured between {points}, to which of these does {mover} end up closest?",
        "Once it has moved, which of the listed objects has the smallest {gap} to {mover}?",
        "Which of these objects will then be nearest to {mover}, taking the {points} of both?",
        "Which of the following would lie closest to {mover} after the move, going by the {apart} between {points}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Which of these is {mover} closest to, measured between {points}?",
        "Measured between {points}, to which of these is {mover} closest?",
        "Which of the listed objects has the smallest {gap} to {mover}?",
        "Which of these objects is nearest to {mover}, taking the {points} of both?",
        "Which of the following lies closest to {mover}, going by the {apart} between {points}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Past the midpoint between the nearest landmark and another, off the axes if need be; then generic ones."""
        others = [item for item in sight.nameable if item.object_id != mover.object_id]
        if len(others) >= CHOICES:
            measure = preset.measure_of(self.name)
            gaps = {o.object_id: sight.arrangement.distance(mover.object_id, o.object_id, measure) for o in others}
            others.sort(key=lambda item: (gaps[item.object_id], item.instance_id))
            nearest = others[0]
            rest = [o for o in others[1:NEIGHBOURS] if gaps[o.object_id] - gaps[nearest.object_id] >= preset.lead]
            for position in rng.permutation(len(rest))[:PAIRS_A_MOVER].tolist():
                yield from _past_midpoint(sight, mover, nearest, rest[position], preset, rng)
        yield from generic_moves(preset, rng, 1)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """One question for every winner and every rank that winner can have had before the move."""
        preset = trial.preset
        gaps = trial.distances(preset.measure_of(self.name))
        near = sorted(gaps, key=lambda name: (gaps[name][1], name))[:NEIGHBOURS]
        if len(near) < CHOICES:
            yield Reject("closer_to: fewer than four landmarks")
            return
        for winner in near:
            before, after = gaps[winner]
            if preset.for_the_eye and after > FARTHEST_WINNER:
                break
            clear = max(CLEAR, CLEAR_SHARE * after) if preset.for_the_eye else BAND
            beaten = [name for name in near if gaps[name][1] > after + clear]
            nearer = [name for name in beaten if gaps[name][0] < before and _leads(trial, name, winner, gaps)]
            farther = [name for name in beaten if gaps[name][0] > before]
            for rank in range(1, CHOICES + 1):
                asked = preset.asks(self.name, f"rank {rank}")
                if asked and len(nearer) >= rank - 1 and len(farther) >= CHOICES - rank:
                    chosen = _draw(nearer, rank - 1, rng) + _draw(farther, CHOICES - rank, rng)
                    yield self._item(trial, (winner, *chosen), rank)

    def _item(self, trial: Trial, landmarks: tuple[str, ...], rank: int) -> Item | Reject:
        against = refuse_list(trial, landmarks)
        if against is not None:
            return Reject(f"closer_to: {against}")
        measure = trial.preset.measure_of(self.name)
        question = Question(trial.mover.object_id, tuple(sorted(landmarks)), measure=measure)
        labels = self.labels(trial.before, trial.after, question)
        if isinstance(labels, Reject):
            return labels
        return Item.of(self.name, trial.move, question, *labels, f"rank {rank}")

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Measure the distances."""
        return label(self.distances(sight, question))

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """Nearest before, nearest after."""
        assert item.before is not None
        first, last = names[int(item.before)], names[int(item.answer)]
        gaps, terms = self.distances(after, item.question), TERMS[item.measure]
        listed = enumeration([f"{gap:.2f} m to {name}" for gap, name in sorted(zip(gaps, names, strict=True))])
        change = "does not change that" if first == last else f"takes it closer to {last} than to {first}"
        return Because(
            start=f"the listed object nearest to {mover} is {first}",
            change=f"moving {mover} {item.move.way} {change}",
            result=f"the listed object nearest to {mover} is {last}",
            measured=f"after the move the {terms.apart}s between {terms.points} are {listed}",
        )


def _leads(trial: Trial, nearest: str, winner: str, gaps: Mapping[str, tuple[float, float]]) -> bool:
    """Whether one was nearer than the later winner by the preset's lead, and stands well apart from it (paper A.2)."""
    if trial.preset.lead == 0.0:
        return True
    apart = trial.before.arrangement.distance(nearest, winner, "centres")
    return gaps[winner][0] - gaps[nearest][0] > trial.preset.lead and apart > LEAST_CENTRE_GAP


def _draw(names: Sequence[str], count: int, rng: np.random.Generator) -> tuple[str, ...]:
    """So many of the names, uniformly."""
    return tuple(names[index] for index in rng.permutation(len(names))[:count].tolist())


def _past_midpoint(
    sight: Sight,
    mover: SceneObject,
    nearest: SceneObject,
    other: SceneObject,
    preset: Preset,
    rng: np.random.Generator,
) -> Iterator[Move]:
    """The motion to a' = m + fraction (c - b) / 2 on the floor, cut to the longest length asked about."""
    a, b, c = (sight.arrangement.centre(item.object_id) for item in (mover, nearest, other))
    apart_x, apart_y = float(c[0] - b[0]), float(c[1] - b[1])
    if apart_x * apart_x + apart_y * apart_y < LEAST_CENTRE_GAP * LEAST_CENTRE_GAP:
        return
    fraction = FRACTIONS[int(rng.integers(len(FRACTIONS)))]
    dx = float(b[0] + c[0]) / 2.0 + fraction * apart_x / 2.0 - float(a[0])
    dy = float(b[1] + c[1]) / 2.0 + fraction * apart_y / 2.0 - float(a[1])
    move = Move.across(sight.camera, dx, dy)
    longest = preset.length_bands[-1][1]
    if move.length > longest:
        shortest, longest = preset.length_bands[int(rng.integers(len(preset.length_bands)))]
        move = move.scaled(float(rng.uniform(shortest, longest)) / move.length)
    if move.length >= preset.length_bands[0][0]:
        yield move
