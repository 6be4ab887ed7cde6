"""The record of ``sim_*`` (and ``real_*``) samples: one fixed, typed struct, null where a category has none.

Lengths are metres, angles radians, pixels (u, v) from the centre of the top-left pixel; the world frame is
right-handed with Z up and the camera frame is OpenCV's (schema.md, "Conventions").
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final

from pydantic import Field

from .frozen import Frozen

LETTERS: Final = ascii_uppercase
"""What answers are made of: the first choice is A."""


class Landmark(Frozen):
    """An object that the item names."""

    id: int = Field(description="Instance id in the segmentation images.")
    object: str = Field(description="Unique object name in the scene, e.g. 'Mug|12'.")
    type: str = Field(description="AI2-THOR type name, e.g. 'Mug'.")
    name: str = Field(description="How the texts call it, e.g. 'the mug marked red'.")
    distance_before: float | None = Field(
        description="Distance to the mover before the move, metres, as 'measure' says; null where none is measured."
    )
    distance_after: float | None = Field(
        description="Distance to the mover after the move, metres, as 'measure' says; null where none is measured."
    )


class Motion(Frozen):
    """The hypothetical motion."""

    direction: str = Field(
        description="'left', 'right', 'away', 'toward' (the camera), or two joined by '+' for a motion off the axes."
    )
    distance: float = Field(description="Length of the displacement in metres, whole centimetres a component.")
    length_band: str = Field(description="Band of the length used for balance, e.g. '0.35-0.54'.")
    right: float = Field(description="Component along the camera's right on the floor, metres.")
    away: float = Field(description="Component away from the camera on the floor, metres.")
    world: list[float] = Field(description="Measured displacement (dx, dy, dz), world frame, metres.")
    camera: list[float] = Field(description="Measured displacement (dx, dy, dz), camera frame, metres.")


class Probe(Frozen):
    """A further motion that is asked about and not made."""

    direction: str = Field(description="As the motion's.")
    distance: float = Field(description="Length in metres, whole centimetres a component.")
    right: float = Field(description="Component along the camera's right on the floor, metres.")
    away: float = Field(description="Component away from the camera on the floor, metres.")


class Mark(Frozen):
    """A coloured dot drawn on the marked images."""

    id: int = Field(description="Instance id of the marked object.")
    object: str = Field(description="Object name in the scene.")
    colour: str = Field(description="Colour name used in the texts, e.g. 'red'.")
    rgb: list[int] = Field(description="sRGB of the dot, 0..255.")
    radius: float = Field(description="Radius of the coloured disc in pixels.")
    before: list[float] = Field(description="(u, v) of the dot on the before image.")
    after: list[float] = Field(description="(u, v) of the dot on the after image.")


class CameraRecord(Frozen):
    """The camera, the same before and after."""

    width: int = Field(description="Image width in pixels.")
    height: int = Field(description="Image height in pixels.")
    k: list[list[float]] = Field(description="Intrinsics, 3x3, pixels.")
    camera_from_world: list[list[float]] = Field(description="Extrinsics, 4x4, metres.")


class Region(Frozen):
    """One object's visible pixels in one image."""

    area: int = Field(description="Visible pixels.")
    bbox: list[float] = Field(description="(x, y, width, height) of the visible pixels.")
    size: list[int] = Field(description="COCO RLE size (height, width).")
    counts: str = Field(description="COCO compressed RLE counts, ASCII.")


class Segment(Frozen):
    """An instance id that occurs in a segmentation image."""

    id: int = Field(description="Instance id, 1..65535.")
    object: str = Field(description="Object name in the scene.")
    type: str = Field(description="AI2-THOR type name; structure is 'Wall', 'Floor', 'Ceiling', 'Door', 'Window'.")
    before: Region | None = Field(description="Pixels on the before image; null when it is not visible there.")
    after: Region | None = Field(description="Pixels on the after image; null when it is not visible there.")


class Reasoning(Frozen):
    """Three reasoning texts that end in the answer (paper, 'Annotating')."""

    gt: str = Field(description="From the simulator's metadata, with its numbers.")
    after: str = Field(description="In terms of what the after image shows; no metadata numbers.")
    before: str = Field(description="In terms of the before image and the motion; no metadata numbers.")


class RewriterNote(Frozen):
    """The language model that reworded texts; labels, choices, names and numbers never pass through it."""

    endpoint: str = Field(description="Base URL of the endpoint, without user info.")
    model: str = Field(description="The model's name there.")
    prompt: str = Field(description="Version of what it was asked.")
    cache_sha256: str = Field(
        description="sha256 of its answer in the builder's cache: with that file the same seed gives the same bytes."
    )


class Provenance(Frozen):
    """Where the sample comes from; enough to build it again."""

    builder_version: str = Field(description="Version of the package that built it.")
    label_version: int = Field(description="Version of the category's label definition.")
    seed: int = Field(description="Release seed.")
    pool: str = Field(description="Scene pool, e.g. 'homes_train'.")
    scene: int = Field(description="Scene index in the pool.")
    view: int = Field(description="View index in the scene.")
    preset: str = Field(description="'balanced' or 'paper'.")
    simulator: str = Field(description="Simulator name.")
    simulator_version: str = Field(description="Simulator and physics engine version.")
    rewriter: RewriterNote | None = Field(
        description="Who reworded motion, questions and reasoning; null where they are as the rules wrote them."
    )


class SimRecord(Frozen):
    """One counterfactual question with everything that can be said of it in text."""

    id: str = Field(description="Unique in the config; the key of the sample in its shard; no dots.")
    category: str = Field(description="Question category, e.g. 'left_right'.")
    scene_id: str = Field(description="Unique scene name, e.g. 'homes_train-000007'.")
    view_id: str = Field(description="Unique view name, e.g. 'homes_train-000007-v03'.")
    source: str = Field(description="Simulator or video source, e.g. 'bullet'.")
    motion_text: str = Field(description="The hypothetical motion in words.")
    question: str = Field(description="The question about the scene after the motion, without the choices.")
    choices: list[str] = Field(description="Answer choices in letter order: A is the first.")
    answer: str = Field(description="Letter or letters of the right choice, e.g. 'B' or 'ABD'.")
    answer_text: str = Field(description="The right choice in words; several are joined by '; '.")
    static_question: str = Field(description="The same question asked on the after image, without a motion.")
    before_answer: str | None = Field(
        description="The answer before the move, same letters; null where no choice fits or it is ambiguous."
    )
    flipped: bool | None = Field(description="Whether the move changes the answer; null without a before-answer.")
    relation: str | None = Field(
        description="What is asked where a category has several wordings ('left', 'right', 'within'); else null."
    )
    threshold: float | None = Field(description="The distance named in the question, metres; null without one.")
    measure: str | None = Field(
        description="What the distances lie between: 'nearest' (surface points), 'centres' (of the oriented boxes), or "
        "'boxes' (axis-aligned in the world); null where no distance is asked about.",
    )
    mover: Landmark = Field(description="The object that moves; its distances are null.")
    landmarks: list[Landmark] = Field(description="The other objects named, in the order of the choices if they are.")
    motion: Motion
    probe: Probe | None = Field(description="The further motion that 'feasibility' asks about; else null.")
    margin: float = Field(
        description="How far the label lies beyond the category's ambiguity band, in margin_unit; > 0."
    )
    margin_unit: str = Field(description="'px', 'm', or 'share' (of pixels).")
    marks: list[Mark] = Field(description="The dots on the marked images; the mover's is the first.")
    camera: CameraRecord
    segments: list[Segment] = Field(description="Every instance id that occurs in either segmentation image.")
    reasoning: Reasoning
    provenance: Provenance
