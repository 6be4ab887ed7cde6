"""``meta.txt``: everything measured of a pair, for whoever measures again (:mod:`flowbench.schema.real_meta`)."""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.builders.sources.profiles import Profile
from flowbench.schema.real_meta import (
    REAL_META_FORMAT,
    Certification,
    MeasuredObject,
    ProfileRules,
    RealMeta,
    TrueGap,
)

from .facts import UNCHANGED_THRESHOLDS, Facts
from .marks import thing_name
from .measuring.measure import Measured, Stray


def describe(facts: Facts, truth: Sequence[TrueGap] | None) -> RealMeta:
    """The document of a pair; ``truth`` is what the simulator knows, None where nobody does."""
    measured = facts.measured
    optics = measured.optics
    height, width = measured.pair.shape
    return RealMeta(
        format=REAL_META_FORMAT,
        pair=measured.pair.name,
        profile=facts.profile.name,
        rules=rules_of(facts.profile),
        k=optics.k.tolist(),
        size=[width, height],
        plane_from_pixel=None if optics.plane_from_pixel is None else optics.plane_from_pixel.tolist(),
        plane_points=[list(each) for each in optics.plane_points] or None,
        objects=[
            *(_thing(facts, k) for k in range(len(measured.things))),
            *(_stray(measured, 0, k, stray) for k, stray in enumerate(measured.strays[0])),
            *(_stray(measured, 1, k, stray) for k, stray in enumerate(measured.strays[1])),
        ],
        certification=Certification(
            track=list(measured.track.way),
            tracked=measured.track.share,
            image=measured.image,
            ratio=measured.ratio,
            scale_ratio=facts.scale.ratio,
        ),
        truth=None if truth is None else list(truth),
    )


def rules_of(profile: Profile) -> ProfileRules:
    """The constants of a profile as they were used."""
    return ProfileRules(
        scale_factor=profile.scale,
        plane=profile.plane,
        margin=profile.margin,
        travel=profile.travel_limit,
        near_thresholds=list(profile.thresholds),
        count_thresholds=list(profile.count_thresholds),
        unchanged_thresholds=list(UNCHANGED_THRESHOLDS),
        after_margin=profile.threshold_margin.floor,
        before_margin=profile.before_margin,
        count_margin=profile.count_margin.floor,
        count_share=profile.count_margin.share,
        landmark_pixels=profile.least_landmark_px,
        depth_order="depth_order" in profile.categories,
    )


def role_of(measured: Measured, k: int) -> str:
    """What a thing is in the pair."""
    if k == measured.roles.mover:
        return "mover"
    if k in measured.roles.others:
        return "other_mover"
    if k in measured.landmarks:
        return "landmark"
    return "still" if k in measured.roles.still else "between"


def _thing(facts: Facts, k: int) -> MeasuredObject:
    measured = facts.measured
    thing = measured.things[k]
    gap = facts.gaps.get(k)
    return MeasuredObject(
        id=measured.thing_id(k),
        object=thing_name(measured, k),
        label=thing.label,
        generic=thing.generic,
        score=round(thing.score, 6),
        role=role_of(measured, k),
        excluded=measured.excluded.get(k),
        number=facts.numbers.get(k),
        before=thing.before,
        after=thing.after,
        match=thing.evidence,
        radius=thing.radius,
        displacement=list(thing.moved),
        distance_before=None if gap is None else gap.before,
        distance_after=None if gap is None else gap.after,
        arm_covered=measured.arm_covered[k],
        covered=measured.covered.get(k),
    )


def _stray(measured: Measured, moment: int, k: int, stray: Stray) -> MeasuredObject:
    number = measured.stray_id(moment, k)
    return MeasuredObject(
        id=number,
        object=f"{stray.label}|{number}",
        label=stray.label,
        generic=stray.generic,
        score=round(stray.score, 6),
        role="unmatched",
        excluded=None,
        number=None,
        before=None if moment else stray.sighting,
        after=stray.sighting if moment else None,
        match=None,
        radius=None if moment else measured.optics.radius(stray.sighting),
        displacement=None,
        distance_before=None,
        distance_after=None,
        arm_covered=None if moment else measured.covered_by_arm(stray.mask),
        covered=None,
    )
