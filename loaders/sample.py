"""What a decoded sample is."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from flowbench.schema import SimRecord

Image = NDArray[np.uint8]
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
