"""What a recheck reads of a sample, and what it says.

``Evidence`` is all that a category's formula sees: the question and what is published of the scene. The
record's own numbers (distances, margin, areas) are only in :class:`~.published.PublishedSample`, which
:func:`~.check.check` compares with the result; a formula cannot use them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.schema import LETTERS, SimRecord

from .measures import measured
from .meta import HomeMeta, ObjectMeta

FULL_WIDTH = 800
"""Pixel counts in sim.md are meant for pictures this wide; others are scaled to it."""


@dataclass(frozen=True)
class Question:
    """What identifies the question; nothing here was measured.

    Attributes:
        category, preset, relation, threshold, measure: as in the record.
        probe: (right, away) metres of the further motion asked about, or None.
        texts: the question and the static question.
        choices: in letter order.
        mover: instance id.
        landmarks: instance ids, in the order of the choices where they are the choices.
        landmark_names: how the texts call them.
    """

    category: str
    preset: str
    relation: str | None
    threshold: float | None
    texts: tuple[str, str]
    choices: tuple[str, ...]
    mover: int
    landmarks: tuple[int, ...]
    landmark_names: tuple[str, ...]
    probe: tuple[float, float] | None = None
    measure: str | None = None

    @classmethod
    def of(cls, record: SimRecord) -> Question:
        """The question of a record."""
        return cls(
            category=record.category,
            preset=record.provenance.preset,
            relation=record.relation,
            threshold=record.threshold,
            texts=(record.question, record.static_question),
            choices=tuple(record.choices),
            mover=record.mover.id,
            landmarks=tuple(each.id for each in record.landmarks),
            landmark_names=tuple(each.name for each in record.landmarks),
            probe=None if record.probe is None else (record.probe.right, record.probe.away),
            measure=record.measure,
        )

    @property
    def named(self) -> tuple[int, ...]:
        """Instance ids of the mover and the landmarks."""
        return (self.mover, *self.landmarks)

    def only_landmark(self) -> int:
        """The landmark of a question about one; ReleaseError if there is not exactly one."""
        if len(self.landmarks) != 1:
            raise ReleaseError(f"{self.category} names {len(self.landmarks)} landmarks, expected 1: build it again")
        return self.landmarks[0]

    def letter(self, truth: bool) -> str:
        """The letter of "yes" or "no"; ReleaseError if these are not the two choices."""
        plain = [choice.strip().rstrip(".").casefold() for choice in self.choices]
        if sorted(plain) != ["no", "yes"]:
            raise ReleaseError(f"{self.category} has choices {list(self.choices)}, expected yes and no: build it again")
        return LETTERS[plain.index("yes" if truth else "no")]

    def require_landmarks_as_choices(self, count: int) -> None:
        """So many choices, which name the landmarks in their order.

        Raises:
            ReleaseError: they are others.
        """
        named = [name.casefold() for name in self.landmark_names]
        offered = [choice.strip().rstrip(".").casefold() for choice in self.choices]
        if len(named) != count or len(set(named)) != count or offered != named:
            raise ReleaseError(
                f"{self.category} offers {list(self.choices)}, expected the names of its {count} landmarks in their "
                "order: build it again"
            )

    def stated_threshold(self) -> float:
        """The threshold, positive and stated in both texts.

        Raises:
            ReleaseError: there is none, or a text states another.
        """
        if self.threshold is None or self.threshold <= 0.0:
            raise ReleaseError(f"{self.category} has the threshold {self.threshold}, expected a length: build it again")
        if any(self.threshold not in stated for stated in self.numbers()):
            raise ReleaseError(f"a {self.category} question does not state its {self.threshold} m: build it again")
        return self.threshold

    def numbers(self) -> tuple[frozenset[float], frozenset[float]]:
        """The numbers stated in the question and in the static question."""
        first, second = (frozenset(float(n) for n in re.findall(r"\d+(?:\.\d+)?", text)) for text in self.texts)
        return first, second


@dataclass(frozen=True)
class Outline:
    """An object's visible pixels in one frame.

    Attributes:
        area: pixels.
        x, y, width, height: their bounding box, pixels.
        u: image column of their centroid (pixel centres).
    """

    area: int
    x: int
    y: int
    width: int
    height: int
    u: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """The published facts that a label follows from.

    Attributes:
        question: what is asked.
        seg_before, seg_after: (H, W) uint16 instance ids.
        depth_before, depth_after: (H, W) float32 planar depth, metres, 0 = none.
        meta: the simulator's state before and after.
    """

    question: Question
    seg_before: NDArray[np.uint16]
    seg_after: NDArray[np.uint16]
    depth_before: NDArray[np.float32]
    depth_after: NDArray[np.float32]
    meta: HomeMeta

    def __post_init__(self) -> None:
        """Refuse images of another size than the camera's."""
        size = (self.meta.camera.height, self.meta.camera.width)
        for name in ("seg_before", "seg_after", "depth_before", "depth_after"):
            shape = getattr(self, name).shape
            if shape != size:
                raise ReleaseError(f"{name} has the shape {shape}, expected {size} (height, width): build it again")

    @property
    def scale(self) -> float:
        """Image width relative to the 800 pixels that pixel counts are given for."""
        return self.meta.camera.width / FULL_WIDTH

    @cached_property
    def outlines_before(self) -> Mapping[int, Outline]:
        """The named objects that are visible before."""
        return _outlines(self.seg_before, self.question.named)

    @cached_property
    def outlines_after(self) -> Mapping[int, Outline]:
        """The named objects that are visible after."""
        return _outlines(self.seg_after, self.question.named)

    @cached_property
    def gaps(self) -> tuple[tuple[float, float], ...]:
        """Per landmark its distance to the mover before and after, as the question measures, metres.

        Where the record names no measure it is that between nearest points.
        """
        mover, measure = self.meta.find(self.question.mover), self.question.measure or "nearest"
        marks = [self.meta.find(each) for each in self.question.landmarks]
        return tuple(
            (
                measured(measure, (mover, mover.before), (mark, mark.before)),
                measured(measure, (mover, mover.after), (mark, mark.after)),
            )
            for mark in marks
        )

    def with_parts(self, instance_id: int) -> ObjectMeta:
        """The object with this instance id, which has a shape.

        Raises:
            ReleaseError: there is none, or it has no convex parts.
        """
        found = self.meta.find(instance_id)
        if not found.parts:
            raise ReleaseError(f"{found.object} has no convex parts to measure a distance to: build the sample again")
        return found


def _outlines(ids: NDArray[np.uint16], named: tuple[int, ...]) -> dict[int, Outline]:
    found = {}
    for each in named:
        v, u = np.divmod(np.flatnonzero(ids == each), ids.shape[1])
        if u.size:
            x, y = int(u.min()), int(v.min())
            width, height = int(u.max()) - x + 1, int(v.max()) - y + 1
            found[each] = Outline(u.size, x, y, width, height, int(u.sum()) / u.size)
    return found
