"""A sample as published: the evidence, and the record that makes claims about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from flowbench.errors import ReleaseError
from flowbench.schema import SimRecord, record_from_json

from ..decoding import shared_depth, shared_ids
from .common import Evidence, Question
from .formulas import RECOMPUTE
from .meta import shared_meta
from .verdict import Recomputed

_MOMENTS = ("before", "after")


@dataclass(frozen=True, eq=False)
class PublishedSample(Evidence):
    """A sample of a shard: the evidence, and the record that makes claims about it."""

    record: SimRecord

    @classmethod
    def from_members(cls, members: Mapping[str, bytes]) -> PublishedSample:
        """Decode what a recheck needs of the raw members, column name -> bytes.

        Raises:
            ReleaseError: a column is missing, or its content is not what the column says.
        """
        columns = ("json", "meta.txt", *(f"{kind}_{moment}.png16" for kind in ("seg", "depth") for moment in _MOMENTS))
        missing = [name for name in columns if name not in members]
        if missing:
            raise ReleaseError(f"the sample lacks {', '.join(missing)}: fetch or build the shard again")
        record = record_from_json(SimRecord, members["json"], "the record")
        seg_before, seg_after = (shared_ids(members[f"seg_{m}.png16"], f"seg_{m}.png16") for m in _MOMENTS)
        depth_before, depth_after = (shared_depth(members[f"depth_{m}.png16"], f"depth_{m}.png16") for m in _MOMENTS)
        return cls(
            question=Question.of(record),
            seg_before=seg_before,
            seg_after=seg_after,
            depth_before=depth_before,
            depth_after=depth_after,
            meta=shared_meta(members["meta.txt"]),
            record=record,
        )

    @cached_property
    def truth(self) -> Recomputed:
        """What the evidence says, by the formula of the category.

        Raises:
            ReleaseError: there is no formula for the category, or the question is malformed.
            ArithmeticError: a distance could not be narrowed down.
        """
        formula = RECOMPUTE.get(self.question.category)
        if formula is None:
            known = ", ".join(RECOMPUTE)
            raise ReleaseError(f"there is no formula for {self.question.category}, expected one of {known}: update")
        return formula(self)
