"""Depth lies where the metadata puts each object.

A pixel's depth is a point on its ray; moved into the frame of the object that the id image names, it has to lie in
that object's oriented box. Millimetres of depth move it by under 1 mm; what is drawn stands off the collision parts,
which the box is made of, by no more than the tolerances.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..recompute.meta import CameraMeta, HomeMeta, ObjectMeta, StateMeta
from ..recompute.rules import Finding

OFF_THINGS: Final = 0.02
"""Metres by which what is drawn of a thing may stand off its box: handles, cloths, rounded edges, 1.2 cm at most."""
OFF_STRUCTURE: Final = 0.08
"""The same of the building: skirting boards, frames and sills stand up to 6 cm off their wall."""
NEAREST, FARTHEST = 0.1, 40.0
"""Metres between which a home's depths lie; luminance in the place of depth does not."""
MOST_CORRELATED: Final = 0.98
"""Between depth and luminance: more is the picture itself."""
_COLUMNS: Final = 200
"""Every object is looked at on a grid of about so many columns, the named ones at every pixel."""

Depth = NDArray[np.float32]
Ids = NDArray[np.uint16]


def check_range(moment: str, depth: Depth, ids: Ids, gray: NDArray[np.uint8]) -> Iterator[Finding]:
    """Depths are those of a home in metres, known exactly where an object is seen, and no picture.

    Args:
        moment: ``before`` or ``after``.
        depth: (H, W) float32 metres.
        ids: (H, W) uint16.
        gray: (H, W) uint8 luminance of the clean picture.
    """
    none = depth == 0.0
    odd = np.count_nonzero(none != (ids == 0))
    if odd:
        yield Finding("depth where ids are", f"{odd} px {moment} with only one of both", "both or neither")
    known = depth[~none] if none.any() else depth
    low, high = float(known.min(initial=np.inf)), float(known.max(initial=0.0))
    if not NEAREST <= low <= high <= FARTHEST:
        yield Finding("depth range", f"{low:.3f} to {high:.3f} m {moment}", f"{NEAREST:g} to {FARTHEST:g} m")
    near, bright = (each[::4, ::4].astype(np.float64).ravel() for each in (depth, gray))
    if near.std() > 0.0 and bright.std() > 0.0:
        alike = abs(float(np.corrcoef(near, bright)[0, 1]))
        if alike > MOST_CORRELATED:
            yield Finding("depth is a picture", f"correlation {alike:.3f} {moment}", f"at most {MOST_CORRELATED:g}")


def check_places(moment: str, depth: Depth, ids: Ids, meta: HomeMeta, named: frozenset[int]) -> Iterator[Finding]:
    """Every object is where its pose says; one finding for the one that is farthest off.

    Args:
        moment: ``before`` or ``after``.
        depth: (H, W) float32 metres.
        ids: (H, W) uint16.
        meta: the scene's state.
        named: the ids that the question names.
    """
    off = {}
    for thing, points in _points(depth, ids, meta, named):
        state = thing.before if moment == "before" else thing.after
        allowed = OFF_STRUCTURE if thing.structural else OFF_THINGS
        off[thing.object] = outside_box(points, meta.camera, thing, state) - allowed
    if off and max(off.values()) > 0.0:
        worst = max(off, key=lambda name: off[name])
        count = sum(each > 0.0 for each in off.values())
        found = f"{worst} is seen {moment} {off[worst]:.3f} m off where it may be ({count} objects are off)"
        yield Finding("depth and poses", found, "depth within the box of the object that the id names")


def outside_box(points: NDArray[np.float64], camera: CameraMeta, thing: ObjectMeta, state: StateMeta) -> float:
    """How far the farthest of (n, 3) camera points lies outside a thing's oriented box, metres; 0 or less if none."""
    camera_from_box = camera.matrix @ state.world_from_object @ np.array(thing.box.frame)
    rotation, origin = camera_from_box[:3, :3], camera_from_box[:3, 3]
    beyond = np.abs((points - origin) @ rotation) - thing.box.half
    return float(beyond.max())


def in_camera(camera: CameraMeta, flat: NDArray[np.intp], depth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) of pixels in the camera frame, metres.

    Args:
        camera: of the image.
        flat: (n,) indices of pixels, row by row.
        depth: (n,) their planar depth, metres.
    """
    v, u = np.divmod(flat, camera.width)
    points = np.empty((flat.size, 3))
    for axis, (pixel, centre) in enumerate(zip((u, v), camera.centre.tolist(), strict=True)):
        points[:, axis] = (pixel - centre) / camera.focal * depth
    points[:, 2] = depth
    return points


def _points(
    depth: Depth, ids: Ids, meta: HomeMeta, named: frozenset[int]
) -> Iterator[tuple[ObjectMeta, NDArray[np.float64]]]:
    """Each object with the points of its pixels in the camera frame."""
    step = max(1, ids.shape[1] // _COLUMNS)
    grid = (np.arange(0, ids.shape[0], step)[:, None] * ids.shape[1] + np.arange(0, ids.shape[1], step)).ravel()
    flat_ids, flat_depth = ids.ravel(), depth.ravel()
    every = np.zeros(flat_ids.shape, np.bool_)
    for each in named:
        every |= flat_ids == each
    pixels = np.concatenate([grid[~every[grid]], np.flatnonzero(every)])
    pixels = pixels[flat_depth[pixels] > 0.0]
    if not pixels.size:
        return
    pixels = pixels[np.argsort(flat_ids[pixels], kind="stable")]
    owners, firsts = np.unique(flat_ids[pixels], return_index=True)
    points = in_camera(meta.camera, pixels, flat_depth[pixels].astype(np.float64))
    known = {each.id: each for each in meta.objects}
    for owner, of_owner in zip(owners.tolist(), np.split(points, firsts[1:]), strict=True):
        if owner in known:
            yield known[owner], of_owner
