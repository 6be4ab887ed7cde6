"""``closest_three``: which three of six listed objects are nearest to the mover after the move?

What the three were *before* the move (which of the ranks 1 to 6) is the cell, one of twenty, all asked about alike;
the three others are the free choice that realises it. The paper's options, the two sets of three padded by what is near
after the move, leak where the motion ends (sim.md, "What balanced promises").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..distances import TERMS
from ..generic import generic_moves
from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..listing import listable, refuse_list
from ..move import Move
from ..naming import enumeration
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from .base import Category

BAND = 0.05
"""Metres by which the fourth must be farther than the third (sim.md, "Categories")."""
CLEAR = 0.12
CLEAR_SHARE = 0.25
"""The fourth is farther by so many metres, and so much of the third's gap: what a viewer can tell apart."""
LISTED = 6
PICKED = 3
DRAWS = 120
"""Lists tried a trial."""
NEIGHBOURS = 12
"""Landmarks considered: the nearest after the move; farther ones make poor distractors."""
MOVES_A_MOVER = 3

Gaps = Mapping[str, tuple[float, float]]
"""Landmark -> its distance to the mover before and after, metres."""


def label(gaps: Sequence[float]) -> Label | Reject:
    """Read the three nearest off the distances to the mover, metres.

    Returns:
        their indices joined by ``+``, with the margin in metres.
    """
    order = sorted(range(len(gaps)), key=lambda index: gaps[index])
    margin = gaps[order[PICKED]] - gaps[order[PICKED - 1]] - BAND
    if margin <= LEAST_MARGIN:
        return Reject("closest_three: the fourth too close")
    return Label("+".join(str(index) for index in sorted(order[:PICKED])), margin)


@final
class ClosestThree(Category):
    """See the module."""

    name = "closest_three"
    label_version = 1
    unit = "m"
    measures_gaps = True
    choices = LISTED
    picked = PICKED
    lists_landmarks = True
    questions: ClassVar[Sequence[str]] = (
        "After this move, which three of these will be closest to {mover}, measured between {points}?",
        "Measured between {points}, which three of these does {mover} end up closest to?",
        "Once it has moved, which three of the listed objects have the smallest {gap}s to {mover}?",
        "Which three of these objects will then be nearest to {mover}, taking the {points} of both?",
        "Which three of the following would lie closest to {mover} after the move, going by the {apart} between "
        "{points}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Which three of these are closest to {mover}, measured between {points}?",
        "Measured between {points}, which three of these is {mover} closest to?",
        "Which three of the listed objects have the smallest {gap}s to {mover}?",
        "Which three of these objects are nearest to {mover}, taking the {points} of both?",
        "Which three of the following lie closest to {mover}, going by the {apart} between {points}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Generic moves (paper A.2): the cells come from the free choice of the list."""
        return generic_moves(preset, rng, MOVES_A_MOVER)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """One list for every cell that random lists of the landmarks around realise, or the paper's one list."""
        gaps = trial.distances(trial.preset.measure_of(self.name))
        near = sorted(gaps, key=lambda name: (gaps[name][1], name))
        if len(near) < LISTED:
            yield Reject("closest_three: fewer than six landmarks")
        elif trial.preset.lists_nearby:
            yield self._nearby(trial, near, gaps)
        else:
            yield from self._drawn(trial, near[:NEIGHBOURS], gaps, rng)

    def _drawn(
        self, trial: Trial, near: Sequence[str], gaps: Gaps, rng: np.random.Generator
    ) -> Iterator[Item | Reject]:
        """One list for every cell that random lists realise."""
        found: set[str] = set()
        for _ in range(DRAWS):
            chosen = [near[index] for index in rng.permutation(len(near))[:LISTED].tolist()]
            clear = all(_clear([gaps[name][moment] for name in chosen]) for moment in (0, 1))
            item = self._item(trial, chosen, gaps) if clear and refuse_list(trial, chosen) is None else None
            if isinstance(item, Item) and item.cell not in found:
                found.add(item.cell)
                yield item
        if not found:
            yield Reject("closest_three: no list is clear")

    def _nearby(self, trial: Trial, near: Sequence[str], gaps: Gaps) -> Item | Reject:
        """The three nearest before and the three nearest after, then the next nearest after (paper A.2)."""
        near = listable(trial, near)
        first = sorted(near, key=lambda name: (gaps[name][0], name))[:PICKED]
        options = list(dict.fromkeys([*near[:PICKED], *first, *near]))[:LISTED]
        if len(options) < LISTED:
            return Reject("closest_three: fewer than six landmarks")
        return self._item(trial, options, gaps)

    def _item(self, trial: Trial, chosen: Sequence[str], gaps: Gaps) -> Item | Reject:
        measure = trial.preset.measure_of(self.name)
        question = Question(trial.mover.object_id, tuple(sorted(chosen)), measure=measure)
        labels = self.labels(trial.before, trial.after, question)
        if isinstance(labels, Reject):
            return labels
        before, after = labels
        ranks = sorted(question.landmarks, key=lambda name: (gaps[name][0], name))
        were = sorted(ranks.index(question.landmarks[pick]) + 1 for pick in self.picks(after.answer))
        return Item.of(self.name, trial.move, question, before, after, "ranks " + "".join(str(rank) for rank in were))

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Measure the distances."""
        return label(self.distances(sight, question))

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """The nearest three, before and after."""
        assert item.before is not None
        first, last = ([names[pick] for pick in self.picks(answer)] for answer in (item.before, item.answer))
        gaps, terms = self.distances(after, item.question), TERMS[item.measure]
        listed = enumeration([f"{gap:.2f} m to {name}" for gap, name in sorted(zip(gaps, names, strict=True))])
        came, went = ([name for name in a if name not in b] for a, b in ((last, first), (first, last)))
        change = (
            f"brings it nearer to {enumeration(came)} than to {enumeration(went)}" if came else "does not change that"
        )
        return Because(
            start=f"the three listed objects nearest to {mover} are {enumeration(first)}",
            change=f"moving {mover} {item.move.way} {change}",
            result=f"the three listed objects nearest to {mover} are {enumeration(last)}",
            measured=f"after the move the {terms.apart}s between {terms.points} are {listed}",
        )


def _clear(gaps: Sequence[float]) -> bool:
    """Whether a viewer can tell the third from the fourth."""
    third, fourth = sorted(gaps)[PICKED - 1 : PICKED + 1]
    return fourth > third + max(CLEAR, CLEAR_SHARE * third)
