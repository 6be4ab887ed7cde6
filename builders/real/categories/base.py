"""What a question category is: it finds the questions a measured pair can answer clearly, and words them (B.4)."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from flowbench.builders.real.facts import Facts
from flowbench.builders.sim.items import YES_NO, Because

TEST_MARGIN, TEST_SHARE = 0.05, 0.25
"""Items to test on clear their boundary by so many metres, and this share of a threshold (B.6)."""
NEAREST = {"closer_to": 1, "closest_three": 3}
"""Categories whose choices are landmarks -> how many of these, the nearest, are right."""
DIRECTIONS = "(directions as seen from the camera)"
IN_THE_PICTURE = "(directions as seen from the camera; up and down are those of the picture)"
"""Where something goes up or down: strangers take "down" for "towards me along the table" otherwise."""


@dataclass(frozen=True)
class Draft:
    """A question that a pair answers.

    Attributes:
        category: its category's name.
        landmarks: indices of the things named beside the mover, in the order in which indices count.
        relation: which of several wordings, or None.
        threshold: metres, or None.
        before, answer: the answers before and after the move: an option's text, or the indices of the right
            landmarks joined by ``+``.
        margin: as the record's.
        options: texts of the choices where they are no landmarks; empty where they are.
        clear: whether it clears the margins of the test split.
        named: whether objects are called by name.
        may_be_named: whether they would be, if someone knew names of all of them.
    """

    category: str
    landmarks: tuple[int, ...]
    relation: str | None
    threshold: float | None
    before: str
    answer: str
    margin: float
    options: tuple[str, ...]
    clear: bool
    named: bool = False
    may_be_named: bool = False

    @property
    def flipped(self) -> bool:
        """Whether the move changes the answer."""
        return self.before != self.answer


@dataclass(frozen=True)
class Terms:
    """How a question calls things: the mover, and the landmarks in the draft's order."""

    mover: str
    landmarks: tuple[str, ...]
    direction: str = ""

    @property
    def listed(self) -> str:
        """``the object marked red, the object marked blue and the object marked green``."""
        *first, last = self.landmarks
        return f"{', '.join(first)} and {last}" if first else last


class Category(abc.ABC):
    """One question category. Subclasses are final and stateless."""

    name: ClassVar[str]
    profile_name: ClassVar[str]
    """What profiles call it."""
    label_version: ClassVar[int] = 1
    unit: ClassVar[Literal["m", "share"]] = "m"
    measures: ClassVar[bool] = False
    """Whether the question is about distances."""
    keeps_marks: ClassVar[bool] = False
    """Whether landmarks' marks stay at their pixels of the before picture, since landmarks may be hidden."""
    questions: ClassVar[Sequence[str]]
    """Phrasings; holes: a (mover), l (the landmark), listed, relation, t (whole centimetres)."""
    static_questions: ClassVar[Sequence[str]]

    @abc.abstractmethod
    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """Questions whose answer the move changes."""

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """Questions whose answer it does not change; none unless a category has some."""
        yield from ()

    @abc.abstractmethod
    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """The facts behind the answer, for the reasoning texts."""

    def phrasings(self, draft: Draft, static: bool) -> Sequence[str]:
        """The phrasings that fit a draft."""
        return self.static_questions if static else self.questions

    def fill(self, phrasing: str, draft: Draft, terms: Terms) -> str:
        """A phrasing with its holes filled."""
        return phrasing.format(
            a=terms.mover,
            l=terms.landmarks[0],
            listed=terms.listed,
            relation=draft.relation,
            t="" if draft.threshold is None else f"{round(100.0 * draft.threshold)} cm",
        )


def yes_no(is_so: bool) -> str:
    """``"yes"`` or ``"no"``."""
    return YES_NO[0] if is_so else YES_NO[1]


def cm(metres: float) -> str:
    """``"12.3 cm"``."""
    return f"{100.0 * metres:.1f} cm"


def parted(facts: Facts, moment: int, among: Sequence[int], nearest: int) -> float:
    """Metres, to six decimals, by which the next landmark is farther from the mover than the ``nearest`` ones."""
    order = ranked(facts, moment, among)
    inner, outer = (facts.gaps[order[place]] for place in (nearest - 1, nearest))
    return round(outer.after - inner.after if moment else outer.before - inner.before, 6)


def ranked(facts: Facts, moment: int, among: Sequence[int]) -> list[int]:
    """Landmarks by distance to the mover before (0) or after (1), nearest first."""
    gaps = facts.gaps
    return sorted(among, key=lambda k: (gaps[k].after if moment else gaps[k].before, facts.numbers[k]))
