"""Frames, cameras, boxes and convex sets: arithmetic that gives the same bits on every CPU.

World: right-handed, Z up, metres. Camera: OpenCV (x right, y down, z forward). Transforms are named
``target_from_source``. Nothing here calls BLAS, LAPACK, ``einsum`` or a vectorised transcendental
function (schema.md, "Same bytes").
"""

from .boxes import OrientedBox, aabb_of
from .camera import Camera
from .convex import ConvexParts, convex_distance, surface_distance
from .frames import Pose, compose, invert, rotate, transform
from .trig import cos, sin, sin_cos

__all__ = [
    "Camera",
    "ConvexParts",
    "OrientedBox",
    "Pose",
    "aabb_of",
    "compose",
    "convex_distance",
    "cos",
    "invert",
    "rotate",
    "sin",
    "sin_cos",
    "surface_distance",
    "transform",
]
