"""``meta.txt`` of ``real_*`` samples: all that a recheck of the measured pair needs, as one typed JSON document.

Everything in it follows from the published pictures:

- ``seg_before.png16`` and ``seg_after.png16`` hold the masks that were measured, one id an object in both, the arm
  among them (id 1). Where the provider's masks overlapped, the one of fewer pixels kept the pixels; what follows was
  measured after that.
- ``depth_*.png16`` hold metric depth Z = z / g, the provider's z divided by the profile's factor, rounded to
  millimetres before anything was measured.
- A *sighting* is one object in one picture: ``pixel`` the median column and the median row of its mask (the mean of
  the middle two where their number is even), ``depth`` the median of Z over mask pixels with Z > 0, and
  ``position`` = ((u - cx) Z / fx, (v - cy) Z / fy, Z) by the record's K; ``bbox`` (x, y, width, height).
- With a plane (``plane_from_pixel``, 3x3) ``position`` = (p, q, 0), where (p, q, 1) ~ plane_from_pixel (u, v, 1) at
  u = x + (width - 1) / 2 and v = y + height - 1 - height / 4 of the bbox.
- ``radius`` = w Z / (2 fx) of the *before* sighting, w the width of its bbox in pixels, r = w z / (2 f g) of B.4. With
  a plane: half the distance of the images of (x - 0.5, v) and (x + width - 0.5, v).
- Distances: d_t(L) = max(0, |X_A(t) - X_L(before)| - r_A - r_L): landmarks are where they were before. With a plane
  |.| is over two components.
- Sizes compare as they are written here, rounded to six decimals of a metre and of a share.
"""

from __future__ import annotations

from typing import Final

from pydantic import Field

from .frozen import Frozen

REAL_META_FORMAT: Final = "flowbench-real/1"
ARM_ID: Final = 1
"""Instance id of the robot (arm and gripper) in the segmentation images; objects have ids from 2."""


class Sighting(Frozen):
    """One object in one picture."""

    pixel: list[float] = Field(description="(u, v) median of the mask, pixels.")
    depth: float = Field(description="Median metric depth Z over the mask, metres.")
    position: list[float] = Field(description="(x, y, z), camera frame of I0 or table plane, metres.")
    bbox: list[float] = Field(description="(x, y, width, height) of the mask, pixels.")
    area: int = Field(description="Mask pixels.")
    arm_share: float = Field(
        description="Share of the mask within 12 px (a dilation by a 25x25 square) of the arm's mask in that picture."
    )


class MatchEvidence(Frozen):
    """Why a before and an after mask are one object (B.2)."""

    kind: str = Field(description="'track' (endpoint within 60 px), 'unique' (one of its class), 'colour'.")
    correlation: float = Field(description="Pearson correlation of the HSV histograms, -1 to 1.")
    endpoint: float | None = Field(
        description="Pixels from the tracked endpoint of the before mask to the nearest pixel of the after mask; null "
        "without tracks on it."
    )


class MeasuredObject(Frozen):
    """An object of the pair."""

    id: int = Field(description="Instance id in both segmentation images.")
    object: str = Field(description="Name in the pair, e.g. 'mug|3'.")
    label: str = Field(description="Class label that the segmentation gave, e.g. 'mug'.")
    generic: bool = Field(description="Whether the label is one of the generic ones ('small object', ...).")
    score: float = Field(description="Score of the before mask, 0 to 1 (of the after mask where there is none).")
    role: str = Field(
        description="'mover', 'other_mover' (moved at least 3 cm and 8 px), 'landmark' (may be asked about), 'still' "
        "(moved under 2 cm, but is no landmark), 'between' (moved 2 to 3 cm or under 8 px), 'unmatched'."
    )
    excluded: str | None = Field(description="Of 'still': why it is no landmark; null else.")
    number: int | None = Field(description="Its badge; null of what is not marked.")
    before: Sighting | None = Field(description="In I0; null where it was not seen.")
    after: Sighting | None = Field(description="In I1; null where it was not seen.")
    match: MatchEvidence | None = Field(description="Null of what is unmatched.")
    radius: float | None = Field(description="Effective radius, metres; null where it was not seen before.")
    displacement: list[float] | None = Field(description="Position after less position before, metres; null unmatched.")
    distance_before: float | None = Field(description="d0 to the mover, metres; of landmarks, else null.")
    distance_after: float | None = Field(description="d1 to the mover, metres; of landmarks, else null.")
    arm_covered: float | None = Field(
        description="Share of its before mask that the arm's after mask covers; null where it was not seen before."
    )
    covered: float | None = Field(
        description="Share of its before mask that the mover's after mask covers; of landmarks, else null."
    )


class Certification(Frozen):
    """What tracks say of the mover (B.2, "Tracking certification"), and what sizes say (B.3, "Scale consistency")."""

    track: list[float] = Field(description="Median displacement (du, dv) of the tracks on the before mask, pixels.")
    tracked: float = Field(description="Share of the before mask's pixels that were still tracked at the end.")
    image: list[float] = Field(description="Displacement (du, dv) of the median pixel, pixels.")
    ratio: float = Field(description="|track| / |image|, in [0.7, 1.5].")
    scale_ratio: float | None = Field(
        description="Pixels a centimetre of the reference (scale.pixels / scale.width_cm) over those of the move "
        "(|image| / the stated length in cm), in [2/3, 3/2]; null where the move is under 5 cm or 5 px."
    )


class ProfileRules(Frozen):
    """The constants that profiles differ in, as used."""

    scale_factor: float = Field(description="g: metric depth is the provider's divided by it (B.3); 1 with a plane.")
    plane: bool = Field(description="Whether positions lie on a table plane.")
    margin: float = Field(description="m, metres: 0.03, or 0.06 of room-scale scenes (B.4).")
    travel: float = Field(description="Farthest that a match may travel, metres (B.2).")
    near_thresholds: list[float] = Field(description="T of near_object, metres.")
    count_thresholds: list[float] = Field(description="T of count_near, metres.")
    unchanged_thresholds: list[float] = Field(description="T of near_object where nothing changes, metres.")
    after_margin: float = Field(description="|d1 - T| is at least this and 0.15 T, metres.")
    before_margin: float = Field(
        description="|d0 - T| is at least this, and what ranks or sides before the move rest on, metres."
    )
    count_margin: float = Field(description="|d1 - T| of every listed landmark is at least this, metres.")
    count_share: float = Field(description="... and at least this share of T; 0 where only count_margin holds.")
    landmark_pixels: int = Field(description="Least area of a landmark in I0, pixels.")
    depth_order: bool = Field(description="Whether depth_order is asked.")


class TrueGap(Frozen):
    """What the simulator knows of a landmark and the mover; of the embedded source only."""

    id: int = Field(description="Instance id of the landmark.")
    before: float = Field(description="Distance of the closest surface points to the mover before, metres.")
    after: float = Field(description="The same after.")


class RealMeta(Frozen):
    """The document."""

    format: str = Field(description="'flowbench-real/1'.")
    pair: str = Field(description="The record's view_id.")
    profile: str = Field(description="The profile's name.")
    rules: ProfileRules
    k: list[list[float]] = Field(description="Intrinsics of the published pictures, 3x3, pixels.")
    size: list[int] = Field(description="(width, height), pixels.")
    plane_from_pixel: list[list[float]] | None = Field(description="3x3, metres from pixels; null without a plane.")
    plane_points: list[list[float]] | None = Field(
        default=None,
        description="What the plane was fitted to: (u, v, x, y), where the end effector was seen, pixels, and "
        "recorded, metres in the robot's frame; null without a plane, or where the camera's recorded pose gives it.",
    )
    objects: list[MeasuredObject] = Field(description="By id; every id of the segmentation images but the arm's.")
    certification: Certification
    truth: list[TrueGap] | None = Field(description="Of the embedded source; null of recorded ones.")
