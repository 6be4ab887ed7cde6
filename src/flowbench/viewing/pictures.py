"""Pictures as ``data:`` URIs: decoded, coloured and encoded again, so that no byte of a release reaches a page."""

from __future__ import annotations

import base64
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_LOSSLESS: Final = 101
_PHOTO: Final = 92


def photo_uri(image: Image) -> str:
    """A ``data:`` URI of a picture with many colours, (H, W, 3) uint8: small, with no loss an eye would notice."""
    return _webp_uri(image, _PHOTO)


def diagram_uri(image: Image) -> str:
    """A ``data:`` URI of a picture with flat colours, (H, W, 3) uint8: exact."""
    return _webp_uri(image, _LOSSLESS)


def _webp_uri(image: Image, quality: int) -> str:
    done, data = cv2.imencode(".webp", np.ascontiguousarray(image[..., ::-1]), [cv2.IMWRITE_WEBP_QUALITY, quality])
    if not done:
        raise ValueError(f"OpenCV could not write an image of shape {image.shape} as WebP")
    return "data:image/webp;base64," + base64.b64encode(data.tobytes()).decode("ascii")
