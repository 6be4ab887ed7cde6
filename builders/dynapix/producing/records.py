"""The records of items, queries and corpus frames (schema.md, "Columns of the other configs")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flowbench._version import __version__
from flowbench.builders.dynapix.items import CorpusFrame, Place, RetrievalQuery, SelectionItem, frame_id
from flowbench.builders.dynapix.scenes import POOL
from flowbench.collisions.oracle import FPS
from flowbench.schema import LETTERS, RewriterNote
from flowbench.schema.dynapix import (
    Candidate,
    CorpusRecord,
    Intervention,
    Prefix,
    RetrievalRecord,
    SceneProvenance,
    SelectionProvenance,
    SelectionRecord,
)

LABEL_VERSION = 1
"""Of what selection and retrieval ask, and of how the answers are found."""
DECIMALS = 6
"""Of margins in pixels."""


@dataclass(frozen=True)
class Origin:
    """What the provenance says besides the scene; and frames a second."""

    seed: int
    preset: str
    simulator: str
    simulator_version: str
    pool: str = POOL
    fps: int = FPS

    def of(self, scene: int) -> SceneProvenance:
        """The provenance of a sample of a scene."""
        return SceneProvenance(
            builder_version=__version__,
            label_version=LABEL_VERSION,
            seed=self.seed,
            pool=self.pool,
            scene=scene,
            preset=self.preset,
            simulator=self.simulator,
            simulator_version=self.simulator_version,
        )


def scene_name(scene: int, pool: str = POOL) -> str:
    """``collisions-000007``."""
    return f"{pool}-{scene:06d}"


def selection_record(
    key: str, item: SelectionItem, origin: Origin, rewriter: RewriterNote | None = None
) -> SelectionRecord:
    """The record of a finished item; ``rewriter`` wrote its rationale, where it is not the rules'."""
    return SelectionRecord(
        id=key,
        category=item.family,
        subtype=item.subtype,
        scene_id=scene_name(item.scene, origin.pool),
        source=origin.simulator,
        query=item.query,
        choices=list(LETTERS[: len(item.candidates)]),
        answer=item.letter,
        prefix=Prefix(first=item.first, last=item.cut, fps=origin.fps, shown=list(item.shown)),
        target_frame=item.target,
        horizon=item.horizon,
        rank=item.rank,
        candidates=[
            Candidate(letter=letter, variant=place.variant, frame=place.frame, kind=kind)
            for letter, place, kind in zip(LETTERS, item.candidates, item.kinds, strict=False)
        ],
        margin=round(item.margin, DECIMALS),
        margin_unit="px",
        anchor=item.anchor,
        control=item.control,
        pair=item.pair,
        rationale=item.rationale or None,
        provenance=SelectionProvenance(**origin.of(item.scene).model_dump(), rewriter=rewriter),
    )


def retrieval_record(
    key: str, query: RetrievalQuery, removed: int | None, negatives: Sequence[Place], origin: Origin
) -> RetrievalRecord:
    """The record of a query.

    Args:
        key: of the sample.
        query: what is asked.
        removed: index of the body that a counterfactual query takes away.
        negatives: those of the query's that are given.
        origin: for the provenance.
    """
    taken = None if query.removed is None or removed is None else Intervention(removed=query.removed, body=removed)
    return RetrievalRecord(
        id=key,
        category=query.anchor,
        builder=query.builder,
        scene_id=scene_name(query.scene),
        source=origin.simulator,
        query=query.query,
        prefix=Prefix(first=query.first, last=query.cut, fps=FPS, shown=list(range(query.first, query.cut + 1))),
        target_frame_id=frame_id(query.scene, query.target),
        target_frame=query.target.frame,
        horizon=query.horizon,
        negatives=[frame_id(query.scene, place) for place in negatives],
        intervention=taken,
        margin=round(query.margin, DECIMALS),
        margin_unit="px",
        provenance=origin.of(query.scene),
    )


def corpus_record(frame: CorpusFrame, origin: Origin) -> CorpusRecord:
    """The record of a corpus frame; its key is its id."""
    return CorpusRecord(
        id=frame.frame_id,
        category="frame",
        frame_id=frame.frame_id,
        scene_id=scene_name(frame.scene),
        source=origin.simulator,
        variant=frame.place.variant,
        frame_index=frame.place.frame,
        provenance=origin.of(frame.scene),
    )
