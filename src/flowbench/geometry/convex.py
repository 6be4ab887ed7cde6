"""Distances between convex sets given by their vertices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vertices = NDArray[np.float64]


def convex_distance(a: Vertices, b: Vertices) -> float:
    """Least distance in metres between the hulls of (n, 3) and (m, 3) vertices; 0 where they overlap."""
    raise NotImplementedError


def surface_distance(parts_a: Sequence[Vertices], parts_b: Sequence[Vertices]) -> float:
    """Least distance in metres between two unions of convex parts (same frame); 0 where they overlap."""
    raise NotImplementedError
