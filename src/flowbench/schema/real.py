"""The record of ``real_*`` samples: that of ``sim_*`` with what recorded videos add (schema.md, "Columns").

Lengths are metres, pixels (u, v) from the centre of the top-left pixel. The world frame of a record is the camera
frame of I0 (x right, y down, z away from the camera), so ``camera.camera_from_world`` is the identity; Language-Table
and other profiles with a table plane measure on the plane instead, with x to the right, y down in the picture and z 0.

How inherited fields read here:

- ``threshold`` is metres as everywhere; the texts say whole centimetres.
- ``relation``: ``within`` or ``beyond`` (near_object, count_near), ``left`` or ``right`` (left_right), ``closer`` or
  ``farther`` (depth_order), null else. ``beyond`` asks for "more than T away", so its yes is the no of ``within``.
- ``measure`` is ``spheres`` where distances are asked about: d = max(0, |X_A - X_L| - r_A - r_L), B.4.
- ``mover`` and ``landmarks`` have the instance ids of the segmentation images; an object has one id in both. Landmarks
  are those that the question names: one of near_object, left_right, depth_order and occlusion, else in the order of
  the letters, or of the list for count_near.
- ``view_id`` names the image pair; a test split has one question a pair.
- ``probe`` is null; ``margin_unit`` is ``m``, or ``share`` for occlusion.
- ``before_answer`` and ``flipped`` are never null.
- the texts of ``motion_text``, ``question``, ``choices``, ``static_question``, and the names of objects are those of
  the colour-dot version; where ``named`` they call objects by name and need no mark. Both ``motion_text`` and
  ``static_question`` end in the scale sentence.
"""

from __future__ import annotations

from pydantic import Field

from .frozen import Frozen
from .sim import Motion, Provenance, RewriterNote, SimRecord


class RealMotion(Motion):
    """The measured move: what the text states of it, and all of it."""

    direction: str = Field(description="'left', 'right', 'up', 'down', or one of each joined by '+'; as stated.")
    distance: float = Field(description="Length of the stated components together, metres.")
    length_band: str = Field(description="Band of that length, metres: '0.05-0.10', '0.10-0.20', '0.20+'.")
    right: float = Field(description="Stated x component, metres, whole centimetres; 0 where it is under 2 cm.")
    down: float = Field(description="Stated y component, metres, whole centimetres; 0 where it is under 2 cm.")
    away: float = Field(description="The z component rounded to whole centimetres, metres; no text states it.")
    world: list[float] = Field(description="Measured displacement (dx, dy, dz), camera frame of I0, metres.")
    camera: list[float] = Field(description="The same as world.")


class OtherMove(Frozen):
    """Another object that moves; the motion text states its move as well."""

    id: int = Field(description="Instance id in the segmentation images.")
    object: str = Field(description="Object name in the pair.")
    type: str = Field(description="Class label, e.g. 'mug'.")
    name: str = Field(description="How the texts call it, e.g. 'the object marked blue'.")
    right: float = Field(description="Stated x component, metres, whole centimetres; 0 where it is under 2 cm.")
    down: float = Field(description="Stated y component, metres, whole centimetres; 0 where it is under 2 cm.")


class ScaleReference(Frozen):
    """The visible object whose size the texts state (B.3)."""

    id: int = Field(description="Instance id in the segmentation images.")
    object: str = Field(description="Object name in the pair.")
    type: str = Field(description="Class label, e.g. 'mug'.")
    name: str = Field(description="How the texts call it, e.g. 'the object marked green'.")
    width_cm: int = Field(
        description="Stated size, whole centimetres: max(w Z / fx, h Z / fy) of its before box, or the width of its "
        "box on the table plane."
    )
    pixels: float = Field(description="Longer side of its before box (the width on a table plane), pixels.")
    text: str = Field(description="The sentence, e.g. 'For scale, the mug measures 9 cm at its longest, as seen here.'")


class Badge(Frozen):
    """A red numbered badge on the badges images; they show every marked object of the pair."""

    number: int = Field(description="What it says, from 1; shuffled, so that the mover is any of them.")
    id: int = Field(description="Instance id of the marked object.")
    object: str = Field(description="Object name in the pair.")
    radius: float = Field(description="Radius of the badge in pixels.")
    before: list[float] = Field(description="(u, v) of its centre on the before image.")
    after: list[float] = Field(description="(u, v) of its centre on the after image.")


class BadgeTexts(Frozen):
    """The texts with objects called by their badges: 'object 3'."""

    motion_text: str = Field(description="As the record's, scale sentence included.")
    question: str = Field(description="As the record's.")
    choices: list[str] = Field(description="As the record's, in the same order: the letters are the same.")
    static_question: str = Field(description="As the record's, scale sentence included.")


class RealProvenance(Provenance):
    """Where the sample comes from; scene is the index in the pool, view the number of the pair in the episode, 0."""

    rewriter: RewriterNote | None = Field(
        description="Who was asked to name the objects from crops; null where nobody was. Where named is false, none "
        "of the names did."
    )
    dataset: str = Field(description="Name of the dataset as the build was told, or 'tabletop'.")
    profile: str = Field(description="Name of the profile whose constants were used, e.g. 'bridge_v2'.")
    task: str = Field(description="The recorded task text; '' where there is none.")
    episode: int = Field(description="Episode index in the dataset.")
    camera: str = Field(description="Key of the camera that was used.")
    frame_before: int = Field(description="Frame index of I0 in the episode.")
    frame_after: int = Field(description="Frame index of I1 in the episode.")
    perception: str = Field(description="Provider of masks, depth and tracks: 'exact', 'perturbed', 'files', ...")
    knobs: str = Field(description="JSON text of the provider's settings: knob -> value; '{}' without any.")


class RealRecord(SimRecord):
    """One question about a measured motion, with everything that can be said of it in text."""

    measure: str | None = Field(
        description="'spheres': d = max(0, |X_A - X_L| - r_A - r_L); null where no distance is asked about."
    )
    motion: RealMotion
    margin: float = Field(
        description="Distance of the label to its decision boundary, in margin_unit. near_object |d1 - T|; left_right "
        "|x_A1 - x_L|; closer_to d1 of the second nearest less d1 of the nearest listed; closest_three d1 of the "
        "fourth less d1 of the third listed; count_near the least |d1 - T| of the listed; depth_order |z_A1 - z_L|; "
        "occlusion 0.74 - a1/a0 where covered, a1/a0 - 1.35 where revealed."
    )
    provenance: RealProvenance
    named: bool = Field(description="Whether objects are called by name; then marks and badges are empty.")
    scale: ScaleReference
    others: list[OtherMove] = Field(description="Other moving objects, at most two; the motion text states them last.")
    badges: list[Badge] = Field(description="In order of their numbers; empty where named.")
    badge_texts: BadgeTexts | None = Field(description="The texts of the badges images; null where named.")
