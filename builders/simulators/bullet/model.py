"""A parametric object model: what it looks like, what it collides as, what can stand on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering import Mesh

Part = NDArray[np.float64]


@dataclass(frozen=True)
class Surface:
    """A flat rectangle on which small objects may stand, in the model's frame, metres.

    Attributes:
        x0, y0, x1, y1: its edges.
        z: its height.
        clearance: free height above it (large when open above).
    """

    x0: float
    y0: float
    x1: float
    y1: float
    z: float
    clearance: float = 10.0


@dataclass(frozen=True, eq=False)
class Model:
    """One drawn variant of an object type.

    The object frame: origin in the middle of the footprint, on the plane it stands on (wall pieces: at the
    middle of the back face, z at their lower edge); +Z up; the front faces -Y, the back (+Y) goes to a wall.

    Attributes:
        object_type: AI2-THOR's type name, e.g. ``"DiningTable"``.
        mesh: the visible surface, triangles.
        parts: convex collision parts, each (n, 3) float64 vertices; together they follow the visible surface
            closely (within about 1 cm for furniture, 5 mm for small things), since distances in labels are
            measured between them and a person judges them by the mesh. Keep the vertices of a part few (<= 32).
        surfaces: where small objects may stand.
        mass: kilograms.
    """

    object_type: str
    mesh: Mesh
    parts: tuple[Part, ...]
    surfaces: tuple[Surface, ...] = ()
    mass: float = 1.0
