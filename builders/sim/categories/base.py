"""What a question category is: a planner of motions, a reader of labels, and its wording.

The answer is always read from measurements after the move, never from the plan (sim.md, "Planning").
"""

from __future__ import annotations

import abc
import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..items import YES_NO, Because, Item, Label, Question, Reject
from ..move import Move
from ..presets import Preset
from ..trial import Trial
from ..view import Sight


class Category(abc.ABC):
    """One question category. Subclasses are final and stateless."""

    name: ClassVar[str]
    label_version: ClassVar[int]
    """Changes when the meaning of a label does."""
    unit: ClassVar[str]
    """Unit of the margin: ``"px"`` or ``"m"``."""
    measures_gaps: ClassVar[bool]
    """Whether the record states the gaps to the landmarks."""
    choices: ClassVar[int]
    """Number of choices."""
    picked: ClassVar[int] = 1
    """How many of them are right."""
    keeps_dots: ClassVar[bool] = False
    """Whether the landmarks' dots stay at their pixels of the before picture, since the landmarks may be hidden."""
    lists_landmarks: ClassVar[bool] = False
    """Whether the choices are the landmarks; otherwise they are yes and no, or :meth:`options` says."""
    questions: ClassVar[Sequence[str]]
    """Phrasings of the question; holes: mover, a (the first landmark), listed, relation, threshold, probe, and the
    :class:`Terms` of the measure: points, apart, gap."""
    static_questions: ClassVar[Sequence[str]]
    """The same about the after image alone (mode 2A)."""

    @abc.abstractmethod
    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Motions of one mover that may realise this category's cells, best first."""

    @abc.abstractmethod
    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """Every question this trial can answer clearly, and rejects for those it cannot."""

    @abc.abstractmethod
    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """The label at one moment; used before and after the move, in the propose and in the write pass."""

    def labels(self, before: Sight, after: Sight, question: Question) -> tuple[Label | None, Label] | Reject:
        """Labels of both moments, or why one of them is not clear; None where nothing is asked of the first."""
        was = self.read(before, question)
        if isinstance(was, Reject):
            return Reject(f"{was.reason} before the move")
        now = self.read(after, question)
        return now if isinstance(now, Reject) else (was, now)

    def options(self, names: Sequence[str]) -> Sequence[str]:
        """Texts of the choices in the order of the answer's index; ``names`` are the landmarks'."""
        return names if self.lists_landmarks else YES_NO

    @abc.abstractmethod
    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """The facts behind the answer, for the reasoning texts; mover and landmarks as the question calls them."""

    @staticmethod
    def distances(sight: Sight, question: Question) -> list[float]:
        """Metres from the mover to each landmark at one moment, as the question measures."""
        return [sight.arrangement.distance(question.mover, name, question.measure) for name in question.landmarks]

    def picks(self, answer: str) -> tuple[int, ...]:
        """Positions of an answer among :meth:`options`, ascending."""
        if self.lists_landmarks:
            return tuple(sorted(int(index) for index in answer.split("+")))
        return (YES_NO.index(answer),)

    def outcome(self, item: Item) -> str:
        """What is kept even and a blind reader would guess: yes or no, or what the winners were before the move."""
        return item.cell if self.lists_landmarks else item.answer

    def known_before(self, item: Item) -> str:
        """The before-answer as a blind table could use it: nothing where the outcome is told relative to it anyway."""
        return "" if self.lists_landmarks or item.before is None else item.before

    @classmethod
    def letterings(cls) -> int:
        """How many different letters (or sets of letters) the right choices can have."""
        return math.comb(cls.choices, cls.picked)


def yes_no_cell(before: Label | None, after: Label) -> str:
    """The cell of an item: ``"yes>no"``, or the answer alone where nothing is asked of the first moment."""
    return after.answer if before is None else f"{before.answer}>{after.answer}"
