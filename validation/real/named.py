"""What the texts of a record name: the mover, landmarks, other movers, and the scale reference."""

from __future__ import annotations

from flowbench.schema import Landmark, RealRecord
from flowbench.schema.real import OtherMove, ScaleReference

Named = Landmark | OtherMove | ScaleReference


def named_things(record: RealRecord) -> list[Named]:
    """The mover first; what plays two parts stands twice."""
    return [record.mover, *record.landmarks, *record.others, record.scale]


def named_ids(record: RealRecord) -> list[int]:
    """Their instance ids, each once, the mover's first."""
    return list(dict.fromkeys(each.id for each in named_things(record)))
