"""Depth as a picture: near is bright, far is dark, no depth is grey. Pictures made here are for people only."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

NO_DEPTH: Final = (128, 128, 128)
_MAP: Final = cv2.COLORMAP_MAGMA


def depth_range(*images: NDArray[np.uint16]) -> tuple[int, int]:
    """(nearest, farthest) depth over all images in millimetres; (0, 0) where no pixel has depth."""
    known = [image[image > 0] for image in images if (image > 0).any()]
    if not known:
        return 0, 0
    return min(int(depth.min()) for depth in known), max(int(depth.max()) for depth in known)


def depth_to_rgb(depth: NDArray[np.uint16], near: int, far: int) -> Image:
    """A depth image in perceptually even colours.

    Args:
        depth: (H, W) uint16, millimetres; 0 = no depth, drawn grey.
        near, far: the range in millimetres that the colours span; depths beyond it get the end's colour.

    Returns:
        (H, W, 3) uint8 sRGB.
    """
    span = max(far - near, 1)
    level = np.clip((far - depth.astype(np.float64)) / span, 0.0, 1.0)
    image = _colours(level)
    image[depth == 0] = NO_DEPTH
    return image


def depth_scale(width: int, height: int) -> Image:
    """The legend: (height, width, 3) uint8, nearest on the left, farthest on the right."""
    level = np.linspace(1.0, 0.0, width)
    return _colours(np.broadcast_to(level, (height, width)))


def _colours(level: NDArray[np.float64]) -> Image:
    """Levels 0 (far) to 1 (near) through the colour map; its near-black end is left out."""
    codes = np.round(20.0 + 230.0 * level).astype(np.uint8)
    bgr = cv2.applyColorMap(np.ascontiguousarray(codes), _MAP)
    return np.ascontiguousarray(bgr[..., ::-1]).astype(np.uint8)
