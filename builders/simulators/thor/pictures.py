"""From Unity's frames to ours: whole, of the size asked for, depth in metres, every pixel with the id of what it shows.

The colours of the instance image decide what is seen, not the metadata's ``visible`` (ai2thor#1199, #1120), and its
alpha is not looked at: pixels whose alpha is 0 are missing in the client's masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera
from flowbench.rendering import Frame

from ..base import SceneError
from .structure import Building

NOTHING = 0.999
"""Share of the far plane from which a depth means that nothing is there."""
EXACT = 0.0015
"""Least relative error of depth that tells of a wrong unit or of ai2thor#1301."""


def read_frame(
    event: Any, camera: Camera, names: Mapping[str, int], building: Building, scale: float, far: float
) -> Frame:
    """All passes of an event.

    Args:
        event: the client's, just rendered.
        camera: what it was rendered from.
        names: Unity's present object ids -> our instance ids.
        building: takes the pixels of no listed object.
        scale: metres a unit of depth.
        far: distance of the far plane, metres.

    Raises:
        SceneError: a frame is missing, of another size, or holds what is no depth.
    """
    ids, metres = read_ids(event, camera, names, scale, far)
    open_ = (ids == 0) & (metres > 0.0)
    rows, columns = np.nonzero(open_)
    if len(rows):
        pixels = np.column_stack([columns, rows]).astype(np.float64)
        points = camera.unproject(pixels, metres[open_].astype(np.float64))
        ids[open_] = building.nearest(points)
    return Frame(np.array(whole(event.frame, "picture", camera), dtype=np.uint8, order="C"), metres, ids)


def read_ids(
    event: Any, camera: Camera, names: Mapping[str, int], scale: float, far: float
) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
    """Instance ids of listed objects, 0 for all else, and depth in metres, 0 for nothing; arguments as above."""
    depth = whole(event.depth_frame, "depth", camera)
    metres = np.array(depth, dtype=np.float32, order="C") * np.float32(scale)
    if not np.isfinite(metres).all() or float(metres.min()) < 0.0:
        raise SceneError("depth unreadable", "AI2-THOR sent a depth that is no distance (NaN, infinite or negative).")
    metres[metres >= NOTHING * far] = 0.0
    colours = whole(event.instance_segmentation_frame, "instance segmentation", camera)
    ids = _numbered(colours, _codes(event.metadata.get("colors"), names))
    ids[metres == 0.0] = 0
    return ids, metres


def whole(frame: Any, what: str, camera: Camera) -> Any:
    """A frame of the client's, if it is there and of the camera's size; a SceneError if not."""
    if frame is None:
        raise SceneError("frame missing", f"AI2-THOR sent no {what}, which was asked for at its start.")
    height, width = frame.shape[:2]
    if (width, height) != (camera.width, camera.height):
        raise SceneError(
            "frame of another size",
            f"AI2-THOR sent a {what} of {width}x{height} pixels, expected {camera.width}x{camera.height}.",
        )
    return frame


def _codes(colors: object, names: Mapping[str, int]) -> Mapping[int, int]:
    """Colour (r << 16 | g << 8 | b) -> instance id, of what is listed."""
    if not isinstance(colors, list):
        raise SceneError("no colours", "AI2-THOR's metadata has no 'colors', so masks cannot be told apart.")
    found: dict[int, int] = {}
    for entry in colors:
        name, colour = (entry.get("name"), entry.get("color")) if isinstance(entry, Mapping) else (None, None)
        if not isinstance(name, str) or name not in names:
            continue
        if not isinstance(colour, list) or len(colour) != 3 or not all(type(c) is int and 0 <= c < 256 for c in colour):
            raise SceneError("no colours", f"AI2-THOR gives {name[:60]} the colour {str(colour)[:40]}.")
        found[colour[0] << 16 | colour[1] << 8 | colour[2]] = names[name]
    return found


def _numbered(colours: NDArray[np.uint8], codes: Mapping[int, int]) -> NDArray[np.uint16]:
    """(H, W) instance ids of an (H, W, 3) image of colours; 0 for colours of nothing listed."""
    red, green, blue = (colours[..., k].astype(np.uint32) for k in range(3))
    seen = red << 16 | green << 8 | blue
    known = np.array([*sorted(codes), 1 << 24], dtype=np.uint32)
    numbers = np.array([*(codes[code] for code in sorted(codes)), 0], dtype=np.uint16)
    at = np.searchsorted(known, seen)
    return np.where(known[at] == seen, numbers[at], np.uint16(0)).astype(np.uint16)


def floor_ratio(depth: NDArray[np.float32], camera: Camera) -> float | None:
    """Depth of the floor as it is told against what it must be; None where too little floor can be in sight.

    Whatever stands on the floor is nearer than the floor behind it, so among pixels that look down the floor's are
    those of the greatest ratio.

    Args:
        depth: (H, W) as it was sent.
        camera: looks down, at a level floor at height 0.
    """
    rows, columns = (grid.ravel().astype(np.float64) for grid in np.mgrid[: camera.height, : camera.width])
    ahead = camera.unproject(np.column_stack([columns, rows]), np.ones(len(rows))) - camera.eye
    down = -ahead[:, 2]
    looks = down > 0.4
    if np.count_nonzero(looks) < 0.25 * len(looks):
        return None
    expected = float(camera.eye[2]) / down[looks]
    ratios = np.sort(np.asarray(depth, dtype=np.float64).ravel()[looks] / expected)
    return float(ratios[int(0.9 * len(ratios))])


def depth_scale(ratio: float, near: float, far: float) -> float:
    """What depths are multiplied with to be metres, from what the floor's depth is too large by.

    Raises:
        SceneError: it is neither right nor off by the one factor that is known (ai2thor#1301).
    """
    for known in (1.0, far / (far - near), (far - near) / far):
        if abs(ratio / known - 1.0) < EXACT:
            return 1.0 / known
    raise SceneError(
        "depth unreadable",
        f"AI2-THOR's depth of the floor is {ratio:.4g} times what it must be in metres: the build sends another "
        "format than its metadata states.",
    )
