"""What a question category is: a planner of motions, a reader of labels, and its wording.

The answer is always read from measurements after the move, never from the plan (sim.md, "Planning").
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flowbench.builders.simulators.base import SceneObject

if TYPE_CHECKING:  # the planner's view of things imports this module
    from ..motion import Move
    from ..presets import Preset
    from ..trial import Trial
    from ..view import Sight


YES_NO = ("yes", "no")
LEAST_MARGIN = 1e-4
"""A label this near to its band (metres or pixels) is on the edge and rejected: neither rounding nor the fifth decimal
of what is published may decide."""


@dataclass(frozen=True)
class Label:
    """A clear label.

    Attributes:
        answer: ``"yes"``/``"no"``, or the index of the right choice among those listed, as text.
        margin: how far it lies beyond the ambiguity band, > LEAST_MARGIN, in the category's unit.
    """

    answer: str
    margin: float


@dataclass(frozen=True)
class Reject:
    """No label, and why; reasons are counted and shown after every build."""

    reason: str


@dataclass(frozen=True)
class Item:
    """One question about one motion, labelled.

    Attributes:
        category: its category's name.
        mover: object id of what moves.
        move: the motion, whole centimetres.
        landmarks: object ids named beside the mover, in the order in which indices count.
        relation: which of several wordings is asked (``"left"``), or None.
        threshold: the distance asked about, metres, or None.
        before, answer: the answers before and after the move, as :class:`Label` gives them.
        margin: of the answer.
        cell: what the preset draws uniformly, e.g. ``"yes>no"`` (before and after) or ``"rank 3"``.
    """

    category: str
    mover: str
    move: Move
    landmarks: tuple[str, ...]
    relation: str | None
    threshold: float | None
    before: str
    answer: str
    margin: float
    cell: str


@dataclass(frozen=True)
class Question:
    """What is asked: category, objects by id, and parameters; labels are read for it."""

    mover: str
    landmarks: tuple[str, ...]
    relation: str | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class Because:
    """Sentences that lead to an answer, for the three reasoning texts (paper, "Annotating").

    Attributes:
        start: the situation before the move, as the before image shows it; no numbers.
        change: what the move does to it; no numbers.
        result: the situation after, as the after image shows it; no numbers.
        measured: before and after with the simulator's numbers.
    """

    start: str
    change: str
    result: str
    measured: str


class Category(abc.ABC):
    """One question category. Subclasses are final and stateless."""

    name: ClassVar[str]
    label_version: ClassVar[int]
    """Changes when the meaning of a label does."""
    unit: ClassVar[str]
    """Unit of the margin: ``"px"`` or ``"m"``."""
    measures_gaps: ClassVar[bool]
    """Whether the record states the gaps to the landmarks."""
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

    @abc.abstractmethod
    def options(self, item: Item, names: Sequence[str]) -> Sequence[str]:
        """Texts of the choices in the order of the answer's index; ``names`` are the landmarks'."""

    @abc.abstractmethod
    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """The facts behind the answer, for the reasoning texts; mover and landmarks as the question calls them."""

    def index(self, answer: str) -> int:
        """Position of an answer among :meth:`options`."""
        return YES_NO.index(answer) if answer in YES_NO else int(answer)


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
