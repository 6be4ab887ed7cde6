"""Frames, cameras, boxes and convex sets: arithmetic that gives the same bits on every CPU.

World: right-handed, Z up, metres. Camera: OpenCV (x right, y down, z forward). Transforms are named
``target_from_source``. Nothing here calls BLAS, LAPACK, ``einsum`` or a vectorised transcendental
function (schema.md, "Same bytes").
"""

from .boxes import OrientedBox, aabb_of
from .camera import Camera
from .convex import ConvexParts, convex_distance, surface_distance
from .frames import Pose, compose, invert, quaternion_of, rotate, rotation_angle, transform
from .polygons import distance_to_edges, point_in_polygon, points_in_polygon, polygon_area
from .trig import atan2, cos, sin, sin_cos

__all__ = [
    "Camera",
    "ConvexParts",
    "OrientedBox",
    "Pose",
    "aabb_of",
    "atan2",
    "compose",
    "convex_distance",
    "cos",
    "distance_to_edges",
    "invert",
    "point_in_polygon",
    "points_in_polygon",
    "polygon_area",
    "quaternion_of",
    "rotate",
    "rotation_angle",
    "sin",
    "sin_cos",
    "surface_distance",
    "transform",
]
