"""The record of an outcome: everything that can be said of it in text (schema.md, "Columns")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flowbench._version import __version__
from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.geometry import rotate
from flowbench.schema import (
    LETTERS,
    CameraRecord,
    Landmark,
    Mark,
    Motion,
    Probe,
    Provenance,
    Reasoning,
    Region,
    RewriterNote,
    Segment,
    SimRecord,
)

from .categories import CATEGORIES
from .language import Wording
from .metadata import camera_record
from .move import Move
from .querying import Outcome


@dataclass(frozen=True)
class Origin:
    """What the provenance says of a sample besides its place in the scene."""

    seed: int
    pool: str
    preset: str
    rewriter: RewriterNote | None = None


def scene_name(pool: str, scene: int) -> str:
    """``homes_train-000007``."""
    return f"{pool}-{scene:06d}"


def view_name(pool: str, scene: int, view: int) -> str:
    """``homes_train-000007-v03``."""
    return f"{scene_name(pool, scene)}-v{view:02d}"


def sample_name(pool: str, scene: int, view: int, category: str) -> str:
    """``homes_train-000007-v03-left_right``: the sample's id and its key in the shard."""
    return f"{view_name(pool, scene, view)}-{category}"


def make_record(
    simulator: Simulator,
    outcome: Outcome,
    wording: Wording,
    marks: Sequence[Mark],
    reasoning: Reasoning,
    regions: tuple[Mapping[int, Region], Mapping[int, Region]],
    origin: Origin,
) -> SimRecord:
    """Put a record together.

    Args:
        simulator: where the outcome comes from.
        outcome: the carried-out item.
        wording, marks, reasoning: what was said and drawn.
        regions: every visible id's pixels before and after.
        origin: for the provenance.
    """
    candidate, item = outcome.candidate, outcome.candidate.item
    category = CATEGORIES[item.category]
    picks = category.picks(item.answer)
    letters = wording.letters(picks)
    before_letters = None if item.before is None else wording.letters(category.picks(item.before))
    arrangement = outcome.before.sight.arrangement
    return SimRecord(
        id=sample_name(origin.pool, candidate.scene, candidate.view, item.category),
        category=item.category,
        scene_id=scene_name(origin.pool, candidate.scene),
        view_id=view_name(origin.pool, candidate.scene, candidate.view),
        source=simulator.name,
        motion_text=wording.motion,
        question=wording.question,
        choices=list(wording.choices),
        answer=letters,
        answer_text="; ".join(wording.choices[LETTERS.index(letter)] for letter in letters),
        static_question=wording.static_question,
        before_answer=before_letters,
        flipped=None if before_letters is None else before_letters != letters,
        relation=item.relation,
        threshold=item.threshold,
        measure=item.measure if category.measures_gaps else None,
        mover=_mover(outcome, wording),
        landmarks=_landmarks(outcome, wording),
        motion=_motion(outcome),
        probe=_probe(item.probe),
        margin=round(item.margin, 6),
        margin_unit=category.unit,
        marks=list(marks),
        camera=CameraRecord(**camera_record(outcome.before.sight.camera)),
        segments=_segments(arrangement.objects, *regions),
        reasoning=reasoning,
        provenance=_provenance(simulator, outcome, origin),
    )


def _provenance(simulator: Simulator, outcome: Outcome, origin: Origin) -> Provenance:
    candidate = outcome.candidate
    return Provenance(
        builder_version=__version__,
        label_version=CATEGORIES[candidate.item.category].label_version,
        seed=origin.seed,
        pool=origin.pool,
        scene=candidate.scene,
        view=candidate.view,
        preset=origin.preset,
        simulator=simulator.name,
        simulator_version=simulator.version,
        rewriter=origin.rewriter,
    )


def _mover(outcome: Outcome, wording: Wording) -> Landmark:
    item = outcome.candidate.item
    mover = outcome.before.sight.arrangement.object(item.mover)
    return Landmark(
        id=mover.instance_id,
        object=mover.object_id,
        type=mover.object_type,
        name=wording.names[item.mover],
        distance_before=None,
        distance_after=None,
    )


def _landmarks(outcome: Outcome, wording: Wording) -> list[Landmark]:
    """The landmarks; in the order of the choices where these are the landmarks."""
    item = outcome.candidate.item
    category = CATEGORIES[item.category]
    moments = outcome.before.sight.arrangement, outcome.after.sight.arrangement
    order = wording.order if category.lists_landmarks else range(len(item.landmarks))
    found = []
    for name in (item.landmarks[index] for index in order):
        landmark = moments[0].object(name)
        gaps = [
            round(moment.distance(item.mover, name, item.measure), 6) if category.measures_gaps else None
            for moment in moments
        ]
        found.append(
            Landmark(
                id=landmark.instance_id,
                object=name,
                type=landmark.object_type,
                name=wording.names[name],
                distance_before=gaps[0],
                distance_after=gaps[1],
            )
        )
    return found


def _motion(outcome: Outcome) -> Motion:
    """The motion as planned in whole centimetres and as measured."""
    item = outcome.candidate.item
    start, end = (
        np.array(shot.sight.arrangement.pose(item.mover).position) for shot in (outcome.before, outcome.after)
    )
    world = end - start
    camera = rotate(outcome.before.sight.camera.camera_from_world, world)
    return Motion(
        direction=item.move.direction,
        distance=round(item.move.length, 6),
        length_band=outcome.candidate.band,
        right=item.move.right_cm / 100.0,
        away=item.move.away_cm / 100.0,
        world=[round(value, 5) + 0.0 for value in world.tolist()],
        camera=[round(value, 5) + 0.0 for value in camera.tolist()],
    )


def _probe(probe: Move | None) -> Probe | None:
    """The further motion asked about."""
    if probe is None:
        return None
    return Probe(
        direction=probe.direction,
        distance=round(probe.length, 6),
        right=probe.right_cm / 100.0,
        away=probe.away_cm / 100.0,
    )


def _segments(
    objects: Sequence[SceneObject], before: Mapping[int, Region], after: Mapping[int, Region]
) -> list[Segment]:
    """Every id that either segmentation image shows."""
    return [
        Segment(
            id=item.instance_id,
            object=item.object_id,
            type=item.object_type,
            before=before.get(item.instance_id),
            after=after.get(item.instance_id),
        )
        for item in objects
        if item.instance_id in before or item.instance_id in after
    ]
