"""What a decoded sample is."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from flowbench.schema import RealRecord, SimRecord
from flowbench.schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

Image = NDArray[np.uint8]
Images = NDArray[np.uint8]
Depth = NDArray[np.float32]
Ids = NDArray[np.int32]


class SimSample(TypedDict, total=False):
    """A sample of ``sim_*`` as arrays and a typed record; it holds what was asked for, and always ``key``.

    A plain dict at run time: what loops, collators and ``to_tuple`` of other libraries take.
    """

    key: str
    """Unique in the config."""
    record: SimRecord
    """Question, answer, marks, camera, masks, provenance."""
    before: Image
    """(H, W, 3) uint8 sRGB before the motion."""
    after: Image
    """(H, W, 3) uint8 sRGB after the motion."""
    before_marked: Image
    """The before image with the marks: the model's input in 1A and 1B."""
    after_marked: Image
    """The after image with the marks: the model's input in 2A."""
    depth_before: Depth
    """(H, W) float32 planar z-depth, metres; 0 = none."""
    depth_after: Depth
    """The same of the after image."""
    ids_before: Ids
    """(H, W) int32 instance ids, resolved by ``record.segments``; 0 = none."""
    ids_after: Ids
    """The same of the after image."""
    flow: NDArray[np.float32]
    """(H, W, 2) float32 (u, v) from before to after, pixels; 0 where not valid."""
    valid: NDArray[np.bool_]
    """(H, W) where ``flow`` is defined."""
    meta: dict[str, Any]
    """The simulator's full state before and after, as plain values."""


class RealSample(TypedDict, total=False):
    """A sample of ``real_*`` as arrays and a typed record; it holds what was asked for, and always ``key``."""

    key: str
    """Unique in the config."""
    record: RealRecord
    """Question, answer, marks, badges, scale reference, masks, provenance."""
    before: Image
    """(H, W, 3) uint8 sRGB before the motion."""
    after: Image
    """(H, W, 3) uint8 sRGB after the motion."""
    before_marked: Image
    """The before image with coloured dots: the model's input in 1A and 1B."""
    after_marked: Image
    """The after image with coloured dots: the model's input in 2A."""
    before_badges: Image
    """The before image with numbered badges, which goes with ``record.badge_texts``."""
    after_badges: Image
    """The after image with numbered badges."""
    depth_before: Depth
    """(H, W) float32 planar z-depth, metres; 0 = none."""
    depth_after: Depth
    """The same of the after image."""
    ids_before: Ids
    """(H, W) int32 instance ids, resolved by ``record.segments``; 0 = none."""
    ids_after: Ids
    """The same of the after image."""
    flow: NDArray[np.float32]
    """(H, W, 2) float32 (u, v) from before to after, pixels; 0 where not valid."""
    valid: NDArray[np.bool_]
    """(H, W) where ``flow`` is defined."""
    meta: dict[str, Any]
    """What was measured of the pair, as plain values."""


class SelectionSample(TypedDict, total=False):
    """A sample of ``selection_*``: it holds what was asked for, and always ``key``; a plain dict at run time."""

    key: str
    """Unique in the config."""
    record: SelectionRecord
    """Query, answer, what each candidate is, rationale."""
    candidates: Images
    """(4, 320, 480, 3) uint8 sRGB: A, B, C, D."""
    video: Images | None
    """(n, 320, 480, 3) uint8 sRGB: the observed frames as the video shows them; None where nothing is shown."""
    meta: dict[str, Any]
    """The scene's set-up and the truth of every run that the sample shows, as plain values."""


class RetrievalSample(TypedDict, total=False):
    """A query of ``retrieval_train`` or ``retrieval_test``; a plain dict at run time."""

    key: str
    """Unique in the config."""
    record: RetrievalRecord
    """Query, which corpus frame is meant, which look like it, the intervention."""
    video: Images | None
    """(n, 320, 480, 3) uint8 sRGB: the observed frames."""
    target: Image
    """(320, 480, 3) uint8 sRGB: the frame to be found; only ``retrieval_train`` has it."""
    negatives: Images
    """(4, 320, 480, 3) uint8 sRGB: frames that look like it; only ``retrieval_train`` has them."""
    meta: dict[str, Any]
    """The scene's set-up and the truth of its runs, as plain values."""


class CorpusSample(TypedDict, total=False):
    """A frame of ``retrieval_corpus``; a plain dict at run time."""

    key: str
    """Unique in the config."""
    record: CorpusRecord
    """What queries call the frame, and where it comes from."""
    frame: Image
    """(320, 480, 3) uint8 sRGB."""
    meta: dict[str, Any]
    """The scene's set-up and the bodies' poses in this frame, as plain values."""
