"""What the stages pass on: questions, labels, rejects, items, and the facts behind an answer."""

from __future__ import annotations

from dataclasses import dataclass

from .distances import Measure
from .move import Move

YES_NO = ("yes", "no")
LEAST_MARGIN = 1e-4
"""A label this near to its band (metres or pixels) is on the edge and rejected: neither rounding nor the fifth decimal
of what is published may decide."""


@dataclass(frozen=True)
class Reject:
    """No label, and why; reasons are counted and shown after every build."""

    reason: str


@dataclass(frozen=True)
class Label:
    """A clear label.

    Attributes:
        answer: ``"yes"``/``"no"``, a count, or the indices of the right choices among those listed, joined by ``+``.
        margin: how far it lies beyond the ambiguity band, > LEAST_MARGIN, in the category's unit.
    """

    answer: str
    margin: float


@dataclass(frozen=True)
class Question:
    """What is asked: objects by id, and parameters; labels are read for it."""

    mover: str
    landmarks: tuple[str, ...]
    relation: str | None = None
    threshold: float | None = None
    probe: Move | None = None
    measure: Measure = "nearest"


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
        before, answer: the answers before and after the move, as :class:`Label` gives them; before is None where a
            category asks nothing of that moment.
        margin: of the answer.
        cell: what the preset draws uniformly, e.g. ``"yes>no"`` (before and after) or ``"rank 3"``.
        probe: the further motion asked about, or None.
        measure: how distances are measured, where they are asked about.
    """

    category: str
    mover: str
    move: Move
    landmarks: tuple[str, ...]
    relation: str | None
    threshold: float | None
    before: str | None
    answer: str
    margin: float
    cell: str
    probe: Move | None = None
    measure: Measure = "nearest"

    @property
    def question(self) -> Question:
        """What is asked of either moment."""
        return Question(self.mover, self.landmarks, self.relation, self.threshold, self.probe, self.measure)

    @classmethod
    def of(cls, category: str, move: Move, question: Question, before: Label | None, after: Label, cell: str) -> Item:
        """Join a question to the labels of both moments."""
        return cls(
            category,
            question.mover,
            move,
            question.landmarks,
            question.relation,
            question.threshold,
            None if before is None else before.answer,
            after.answer,
            after.margin,
            cell,
            question.probe,
            question.measure,
        )


@dataclass(frozen=True)
class Because:
    """Clauses that lead to an answer, for the three reasoning texts (paper, "Annotating").

    Each has its subject first, begins with a small letter and ends without a full stop.

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
