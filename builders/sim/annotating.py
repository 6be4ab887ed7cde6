"""Annotating: everything that is published of an outcome (paper, "Annotating"; schema.md, "Columns")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flowbench._version import __version__
from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.encoding import (
    FlowRangeError,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_instances,
    encode_rgb,
)
from flowbench.geometry import rotate
from flowbench.marking import draw_marks
from flowbench.rendering import forward_flow
from flowbench.schema import (
    CameraRecord,
    Landmark,
    Mark,
    Motion,
    Provenance,
    Region,
    Segment,
    SimRecord,
)

from .categories import CATEGORIES
from .items import Reject
from .language import Wording, object_names, put_into_words
from .marks import choose_marks, place_all
from .metadata import camera_record, describe
from .planning import Streams
from .querying import Outcome, Shot
from .reasoning import reason


@dataclass(frozen=True)
class Origin:
    """What the provenance says of a sample besides its place in the scene."""

    seed: int
    pool: str
    preset: str


@dataclass(frozen=True)
class Sample:
    """One published sample: its record and its members by column name (``json`` excluded)."""

    record: SimRecord
    members: Mapping[str, bytes]


class EncodedShot:
    """A moment's pictures, encoded once however many samples show it."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot

    @cached_property
    def members(self) -> tuple[bytes, bytes, bytes]:
        """Clean RGB, depth and ids as PNG."""
        frame = self.shot.frame
        assert frame.rgb is not None
        assert frame.depth is not None
        assert frame.ids is not None
        return encode_rgb(frame.rgb), encode_depth(frame.depth), encode_ids(frame.ids)

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        """Every visible id's pixels."""
        return encode_instances(self.shot.sight.ids)


def scene_name(pool: str, scene: int) -> str:
    """``homes_train-000007``."""
    return f"{pool}-{scene:06d}"


def view_name(pool: str, scene: int, view: int) -> str:
    """``homes_train-000007-v03``."""
    return f"{scene_name(pool, scene)}-v{view:02d}"


def sample_name(pool: str, scene: int, view: int, category: str) -> str:
    """``homes_train-000007-v03-left_right``: the sample's id and its key in the shard."""
    return f"{view_name(pool, scene, view)}-{category}"


def annotate(
    simulator: Simulator,
    outcome: Outcome,
    before: EncodedShot,
    right_position: int,
    origin: Origin,
    streams: Streams,
) -> Sample | Reject:
    """Turn an outcome into a published sample.

    Args:
        simulator: for its scene's facts; it is not moved.
        outcome: the carried-out item.
        before: the before moment, whose encodings samples of a view share.
        right_position: letter position of the right choice.
        origin: for the provenance.
        streams: explicit generators by stage.
    """
    candidate, item = outcome.candidate, outcome.candidate.item
    category = CATEGORIES[item.category]
    sights = before.shot.sight, outcome.after.sight
    after = EncodedShot(outcome.after)
    marks = _marks(outcome, streams("marks", item.category))
    if isinstance(marks, Reject):
        return marks
    flow = _flow(outcome)
    if isinstance(flow, Reject):
        return flow
    names = object_names(marks, *sights)
    wording = put_into_words(category, item, names, right_position, streams("wording", item.category))
    landmark_names = [names[name] for name in item.landmarks]
    because = category.because(item, *sights, names[item.mover], landmark_names)
    letter = wording.letter(category.index(item.answer))
    before_letter = wording.letter(category.index(item.before))
    record = SimRecord(
        id=sample_name(origin.pool, candidate.scene, candidate.view, item.category),
        category=item.category,
        scene_id=scene_name(origin.pool, candidate.scene),
        view_id=view_name(origin.pool, candidate.scene, candidate.view),
        source=simulator.name,
        motion_text=wording.motion,
        question=wording.question,
        choices=list(wording.choices),
        answer=letter,
        answer_text=wording.choices[right_position],
        static_question=wording.static_question,
        before_answer=before_letter,
        flipped=before_letter != letter,
        relation=item.relation,
        threshold=item.threshold,
        mover=_mover(outcome, wording),
        landmarks=_landmarks(outcome, wording),
        motion=_motion(outcome),
        margin=round(item.margin, 6),
        margin_unit=category.unit,
        marks=marks,
        camera=CameraRecord(**camera_record(sights[0].camera)),
        segments=_segments(sights[0].arrangement.objects, before.regions, after.regions),
        reasoning=reason(because, wording.motion, letter, streams("reasoning", item.category)),
        provenance=Provenance(
            builder_version=__version__,
            label_version=category.label_version,
            seed=origin.seed,
            pool=origin.pool,
            scene=candidate.scene,
            view=candidate.view,
            preset=origin.preset,
            simulator=simulator.name,
            simulator_version=simulator.version,
        ),
    )
    scene_id = record.scene_id
    meta = describe(simulator, scene_id, sights[0].camera, sights[0].arrangement, sights[1].arrangement)
    return Sample(record, _members(before, after, marks, flow, meta))


def _marks(outcome: Outcome, rng: np.random.Generator) -> list[Mark] | Reject:
    """Dots for the mover and every landmark."""
    item = outcome.candidate.item
    places = place_all(outcome.before.sight, outcome.after.sight, (item.mover, *item.landmarks))
    if isinstance(places, Reject):
        return places
    rgb_before, rgb_after = outcome.before.frame.rgb, outcome.after.frame.rgb
    assert rgb_before is not None
    assert rgb_after is not None
    return choose_marks(places, rgb_before, rgb_after, rng)


def _flow(outcome: Outcome) -> bytes | Reject:
    """Exact forward flow from float32 depth and the poses of everything that moved, encoded."""
    before, after = outcome.before.sight.arrangement, outcome.after.sight.arrangement
    motions = {
        item.instance_id: before.pose(item.object_id).relative(after.pose(item.object_id))
        for item in before.objects
        if before.pose(item.object_id) != after.pose(item.object_id)
    }
    depth = outcome.before.frame.depth
    assert depth is not None
    try:
        return encode_flow(*forward_flow(depth, outcome.before.sight.ids, outcome.before.sight.camera, motions))
    except FlowRangeError:
        return Reject("flow: longer than the encoding holds")


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
        gaps = [round(moment.gap(item.mover, name), 6) if category.measures_gaps else None for moment in moments]
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


def _members(
    before: EncodedShot, after: EncodedShot, marks: Sequence[Mark], flow: bytes, meta: str
) -> Mapping[str, bytes]:
    """The sample's files by column name."""
    rgb_before, rgb_after = before.shot.frame.rgb, after.shot.frame.rgb
    assert rgb_before is not None
    assert rgb_after is not None
    clean_before, depth_before, seg_before = before.members
    clean_after, depth_after, seg_after = after.members
    return {
        "before.png": clean_before,
        "after.png": clean_after,
        "before_marked.png": encode_rgb(draw_marks(rgb_before, marks, "before")),
        "after_marked.png": encode_rgb(draw_marks(rgb_after, marks, "after")),
        "depth_before.png16": depth_before,
        "depth_after.png16": depth_after,
        "seg_before.png16": seg_before,
        "seg_after.png16": seg_after,
        "flow.png16": flow,
        "meta.txt": meta.encode(),
    }
