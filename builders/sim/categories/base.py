"""What a question category is: a planner of motions, a reader of labels, and its wording.

The answer is always read from measurements after the move, never from the plan (sim.md, "Planning").
"""

from __future__ import annotations

import abc
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
    lists_landmarks: ClassVar[bool] = False
    """Whether the choices are the landmarks; otherwise they are yes and no."""
    questions: ClassVar[Sequence[str]]
    """Phrasings of the question; holes: mover, a, b, c, d (landmarks), relation, threshold."""
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

    def options(self, names: Sequence[str]) -> Sequence[str]:
        """Texts of the choices in the order of the answer's index; ``names`` are the landmarks'."""
        return names if self.lists_landmarks else YES_NO

    @abc.abstractmethod
    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """The facts behind the answer, for the reasoning texts; mover and landmarks as the question calls them."""

    def index(self, answer: str) -> int:
        """Position of an answer among :meth:`options`."""
        return int(answer) if self.lists_landmarks else YES_NO.index(answer)

    def outcome(self, item: Item) -> str:
        """What is kept even and a blind reader would guess: yes or no, or what the winner was before the move."""
        return item.cell if self.lists_landmarks else item.answer


def both(category: Category, trial: Trial, question: Question) -> tuple[Label, Label] | Reject:
    """Labels before and after a trial's motion, or why one of them is not clear."""
    before = category.read(trial.before, question)
    if isinstance(before, Reject):
        return Reject(f"{before.reason} before the move")
    after = category.read(trial.after, question)
    return after if isinstance(after, Reject) else (before, after)


def yes_no_cell(before: Label, after: Label) -> str:
    """The cell of a yes/no item: ``"yes>no"``."""
    return f"{before.answer}>{after.answer}"
