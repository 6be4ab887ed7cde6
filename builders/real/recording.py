"""The record of a question (:mod:`flowbench.schema.real`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flowbench._version import __version__
from flowbench.builders.sim.language import Wording
from flowbench.schema import LETTERS, CameraRecord, Landmark, Mark, Reasoning, Region, RewriterNote, Segment
from flowbench.schema.real import (
    Badge,
    BadgeTexts,
    OtherMove,
    RealMotion,
    RealProvenance,
    RealRecord,
    ScaleReference,
)
from flowbench.schema.real_meta import ARM_ID

from .categories import CATEGORIES, Draft
from .facts import Facts
from .marks import thing_name
from .measuring.measure import Measured
from .wording import Names, right_options, scale_text

ARM_TYPE = "robot arm"
IDENTITY = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]


@dataclass(frozen=True)
class Origin:
    """What the provenance says besides the pair; ``rewriter`` was asked to name the objects of a question."""

    preset: str
    simulator: str
    simulator_version: str
    perception: str
    knobs: str
    rewriter: RewriterNote | None = None


@dataclass(frozen=True)
class Shown:
    """What was drawn and said: dots, badges, and the texts that go with each."""

    names: Names
    wording: Wording
    marks: Sequence[Mark]
    badges: Sequence[Badge]
    badge_wording: Wording | None


def make_record(
    key: str,
    facts: Facts,
    draft: Draft,
    shown: Shown,
    reasoning: Reasoning,
    regions: tuple[Mapping[int, Region], Mapping[int, Region]],
    origin: Origin,
) -> RealRecord:
    """Put a record together.

    Args:
        key: of the sample.
        facts, draft: what is asked of which pair.
        shown: what was drawn and said.
        reasoning: its texts.
        regions: every visible id's pixels before and after.
        origin: for the provenance.
    """
    measured, wording = facts.measured, shown.wording
    pair = measured.pair
    letters = wording.letters(right_options(draft, draft.answer))
    before_letters = wording.letters(right_options(draft, draft.before))
    height, width = pair.shape
    return RealRecord(
        id=key,
        category=draft.category,
        scene_id=pair.scene_name,
        view_id=pair.name,
        source=pair.dataset,
        motion_text=wording.motion,
        question=wording.question,
        choices=list(wording.choices),
        answer=letters,
        answer_text="; ".join(wording.choices[LETTERS.index(letter)] for letter in letters),
        static_question=wording.static_question,
        before_answer=before_letters,
        flipped=before_letters != letters,
        relation=draft.relation,
        threshold=draft.threshold,
        measure="spheres" if CATEGORIES[draft.category].measures else None,
        mover=_landmark(facts, measured.roles.mover, shown.names, told=False),
        landmarks=_landmarks(facts, draft, shown),
        motion=_motion(facts),
        probe=None,
        margin=draft.margin,
        margin_unit=CATEGORIES[draft.category].unit,
        marks=list(shown.marks),
        camera=CameraRecord(width=width, height=height, k=measured.optics.k.tolist(), camera_from_world=IDENTITY),
        segments=_segments(measured, *regions),
        reasoning=reasoning,
        provenance=_provenance(facts, draft, origin),
        named=draft.named,
        scale=_scale(facts, shown.names),
        others=[_other(facts, k, shown.names) for k in sorted(facts.others)],
        badges=list(shown.badges),
        badge_texts=None if shown.badge_wording is None else _texts(shown.badge_wording),
    )


def _landmarks(facts: Facts, draft: Draft, shown: Shown) -> list[Landmark]:
    """In letter order where the choices are landmarks."""
    told = CATEGORIES[draft.category].measures
    order = range(len(draft.landmarks)) if draft.options else shown.wording.order
    return [_landmark(facts, draft.landmarks[index], shown.names, told) for index in order]


def _landmark(facts: Facts, k: int, names: Names, told: bool) -> Landmark:
    gap = facts.gaps[k] if told else None
    return Landmark(
        id=facts.measured.thing_id(k),
        object=thing_name(facts.measured, k),
        type=facts.thing(k).label,
        name=names[k],
        distance_before=None if gap is None else gap.before,
        distance_after=None if gap is None else gap.after,
    )


def _motion(facts: Facts) -> RealMotion:
    stated, moved = facts.measured.stated, list(facts.mover.moved)
    return RealMotion(
        direction=stated.direction,
        distance=stated.metres,
        length_band=stated.band,
        right=stated.right_cm / 100.0,
        down=stated.down_cm / 100.0,
        away=stated.away_cm / 100.0,
        world=moved,
        camera=moved,
    )


def _other(facts: Facts, k: int, names: Names) -> OtherMove:
    stated = facts.others[k]
    return OtherMove(
        id=facts.measured.thing_id(k),
        object=thing_name(facts.measured, k),
        type=facts.thing(k).label,
        name=names[k],
        right=stated.right_cm / 100.0,
        down=stated.down_cm / 100.0,
    )


def _scale(facts: Facts, names: Names) -> ScaleReference:
    k = facts.scale.thing
    return ScaleReference(
        id=facts.measured.thing_id(k),
        object=thing_name(facts.measured, k),
        type=facts.thing(k).label,
        name=names[k],
        width_cm=facts.scale.width_cm,
        pixels=facts.scale.pixels,
        text=scale_text(facts, names),
    )


def _texts(wording: Wording) -> BadgeTexts:
    return BadgeTexts(
        motion_text=wording.motion,
        question=wording.question,
        choices=list(wording.choices),
        static_question=wording.static_question,
    )


def _segments(measured: Measured, before: Mapping[int, Region], after: Mapping[int, Region]) -> list[Segment]:
    """Every id that either segmentation image shows."""
    known = {ARM_ID: ("robot|1", ARM_TYPE)}
    for k, thing in enumerate(measured.things):
        known[measured.thing_id(k)] = thing_name(measured, k), thing.label
    for moment, strays in enumerate(measured.strays):
        for k, stray in enumerate(strays):
            number = measured.stray_id(moment, k)
            known[number] = f"{stray.label}|{number}", stray.label
    return [
        Segment(id=number, object=name, type=kind, before=before.get(number), after=after.get(number))
        for number, (name, kind) in known.items()
        if number in before or number in after
    ]


def _provenance(facts: Facts, draft: Draft, origin: Origin) -> RealProvenance:
    pair = facts.measured.pair
    shots = pair.shots
    return RealProvenance(
        builder_version=__version__,
        label_version=CATEGORIES[draft.category].label_version,
        seed=pair.seed,
        pool=pair.pool,
        scene=pair.scene,
        view=0,
        preset=origin.preset,
        simulator=origin.simulator,
        simulator_version=origin.simulator_version,
        rewriter=origin.rewriter,
        dataset=pair.dataset,
        profile=facts.profile.name,
        task=pair.task,
        episode=shots.episode.index,
        camera=shots.episode.camera,
        frame_before=shots.before_index,
        frame_after=shots.after_index,
        perception=origin.perception,
        knobs=origin.knobs,
    )
