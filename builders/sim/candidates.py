"""Candidates: labelled items as they travel from the propose pass through the select pass to the write pass."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

import polars as pl

from .categories import CATEGORIES
from .items import Item
from .move import Move, length_band
from .presets import Preset
from .view import ViewPose


@dataclass(frozen=True)
class Candidate:
    """An item with where it was found and what it is balanced over.

    Attributes:
        scene, view: indices; the view's pose is carried along so that the write pass need not search again.
        pose: the view.
        ordinal: number of the candidate in its slot (scene x view x category).
        item: the labelled question.
        mover_type: the mover's object type.
        band: length band of the motion.
    """

    scene: int
    view: int
    pose: ViewPose
    ordinal: int
    item: Item
    mover_type: str
    band: str

    @classmethod
    def of(
        cls, scene: int, view: int, pose: ViewPose, ordinal: int, item: Item, mover_type: str, preset: Preset
    ) -> Candidate:
        """Join an item to its place."""
        return cls(scene, view, pose, ordinal, item, mover_type, length_band(item.move.length, preset.length_bands))

    @property
    def lists(self) -> bool:
        """Whether the choices are objects."""
        return CATEGORIES[self.item.category].lists_landmarks


SCHEMA: Mapping[str, pl.DataType] = {
    "scene": pl.Int64(),
    "view": pl.Int64(),
    "category": pl.String(),
    "ordinal": pl.Int64(),
    "cell": pl.String(),
    "answer": pl.String(),
    "direction": pl.String(),
    "band": pl.String(),
    "relation": pl.String(),
    "threshold": pl.Float64(),
    "before": pl.String(),
    "flipped": pl.Boolean(),
    "probe": pl.String(),
    "probe_band": pl.String(),
    "mover_type": pl.String(),
    "landmark_type": pl.String(),
    "options": pl.List(pl.String()),
    "winners": pl.List(pl.Int64()),
    "payload": pl.String(),
}
"""Columns of the candidate table; ``payload`` is the whole candidate as JSON."""


def to_table(candidates: Iterable[Candidate]) -> pl.DataFrame:
    """The candidate table of one block."""
    rows = [
        {
            "scene": c.scene,
            "view": c.view,
            "category": c.item.category,
            "ordinal": c.ordinal,
            "cell": c.item.cell,
            "answer": CATEGORIES[c.item.category].outcome(c.item),
            "direction": c.item.move.direction,
            "band": c.band,
            "relation": c.item.relation,
            "threshold": c.item.threshold,
            "before": CATEGORIES[c.item.category].known_before(c.item),
            "flipped": None if c.item.before is None else c.item.before != c.item.answer,
            "probe": "" if c.item.probe is None else f"{c.item.probe.direction} {c.item.probe.length:.1f}",
            "probe_band": "" if c.item.probe is None else f"{c.item.probe.length:.1f}",
            "mover_type": c.mover_type,
            "landmark_type": c.item.landmarks[0].partition("|")[0] if len(c.item.landmarks) == 1 else "",
            "options": [name.partition("|")[0] for name in c.item.landmarks] if c.lists else [],
            "winners": list(CATEGORIES[c.item.category].picks(c.item.answer)) if c.lists else [],
            "payload": json.dumps(asdict(c), sort_keys=True),
        }
        for c in candidates
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def from_payload(payload: str) -> Candidate:
    """The candidate back from its JSON."""
    raw = json.loads(payload)
    item = raw["item"]
    item["move"] = Move(**item["move"])
    item["probe"] = None if item["probe"] is None else Move(**item["probe"])
    item["landmarks"] = tuple(item["landmarks"])
    raw["item"] = Item(**item)
    pose = raw["pose"]
    pose["position"] = tuple(pose["position"])
    raw["pose"] = ViewPose(**pose)
    return Candidate(**raw)
