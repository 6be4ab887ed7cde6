"""What a formula says of one state, and of both."""

from __future__ import annotations

from dataclasses import dataclass

EDGE = 1e-9
"""A value within this of the edge of its band, in its own unit, is on the edge and thus ambiguous: the margin
of a label is positive, and rounding must not decide."""


@dataclass(frozen=True)
class Recomputed:
    """What the evidence says.

    Attributes:
        answer: letters of the answer after the motion; None where it is ambiguous.
        before_answer: letters of the answer before; None where it is ambiguous.
        flipped: whether they differ; None if either is missing.
        margin: how far the answer lies beyond its band (negative: inside), in ``margin_unit``; None if unmeasurable.
        margin_unit: ``"px"``, ``"m"`` or ``"share"``.
        ambiguous: whether the sample should have been rejected.
        reason: why, else None.
        gaps: per landmark (before, after) metres; None in categories that measure none.
        blockers: (before, after) ids of what a probe meets first, none where its way is free; None without a probe.
    """

    answer: str | None
    before_answer: str | None
    flipped: bool | None
    margin: float | None
    margin_unit: str
    ambiguous: bool
    reason: str | None
    gaps: tuple[tuple[float, float], ...] | None
    blockers: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def of(
        cls,
        before: Verdict,
        after: Verdict,
        margin_unit: str,
        gaps: tuple[tuple[float, float], ...] | None = None,
    ) -> Recomputed:
        """Join the verdicts on the two states: the band applies to both, but only the second can reject."""
        answer, before_answer = after.settled, before.settled
        return cls(
            answer=answer,
            before_answer=before_answer,
            flipped=None if answer is None or before_answer is None else answer != before_answer,
            margin=after.margin,
            margin_unit=margin_unit,
            ambiguous=answer is None,
            reason=after.reason if answer is None else None,
            gaps=gaps,
        )


@dataclass(frozen=True)
class Verdict:
    """One state judged by a category's formula.

    Attributes:
        letter: the answer that the formula gives, ambiguous or not; None where there is nothing to judge.
        margin: distance beyond the band; None without a letter.
        reason: what makes it ambiguous if the margin is not positive.
    """

    letter: str | None
    margin: float | None
    reason: str

    @property
    def settled(self) -> str | None:
        """The letter if the margin is positive by more than rounding."""
        return self.letter if self.margin is not None and self.margin > EDGE else None
