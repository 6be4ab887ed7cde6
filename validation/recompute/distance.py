"""The gap between two objects, measured a second way.

Builders measure gaps with GJK. Here the same quantity is the norm of the shortest vector of the Minkowski
difference, found by Wolfe's algorithm (P. Wolfe, "Finding the nearest point in a polytope", 1976) in plain
numpy, and each result carries its own proof: two points of the hulls that far apart (the distance is at most
that) and a pair of parallel planes between the hulls (the distance is at least that). A gap is returned only
when both numbers agree, so trusting it needs no trust in the algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vertices = NDArray[np.float64]

PROVEN = 1e-6
"""Upper and lower bound of a gap agree to this many metres, or there is no result; labels need 1e-4."""
_TARGET = 1e-11
"""The search stops when the bounds are this close (metres)."""
_MAX_STEPS = 200


@dataclass(frozen=True)
class Bounds:
    """What is proven about a distance, metres: ``lower`` by separating planes, ``upper`` by two points."""

    lower: float
    upper: float


def union_gap(a: Sequence[Vertices], b: Sequence[Vertices]) -> float:
    """Least distance in metres between two unions of convex parts in one frame; 0 where they touch or overlap.

    Pairs of parts are tried by ascending distance of their axis-aligned boxes, which bounds theirs from
    below; the rest is skipped as soon as the bound exceeds what has been found.

    Args:
        a, b: at least one part each, (n, 3) float64 vertices.

    Raises:
        ValueError: a union without parts.
        ArithmeticError: the bounds of a distance could not be brought together.
    """
    if not a or not b:
        raise ValueError("a gap needs at least one convex part on either side")
    reach = _box_gaps(a, b)
    least = math.inf
    for flat in np.argsort(reach, axis=None, kind="stable"):
        i, j = divmod(int(flat), len(b))
        if reach[i, j] >= least:
            break
        bounds = hull_bounds(a[i], b[j], least)
        if bounds.lower >= least:
            continue
        if bounds.upper - bounds.lower > PROVEN:
            raise ArithmeticError(f"a gap between {bounds.lower} and {bounds.upper} m could not be narrowed down")
        least = min(least, bounds.upper)
    return least


def hull_bounds(a: Vertices, b: Vertices, limit: float = math.inf) -> Bounds:
    """Bounds on the distance between the hulls of (n, 3) and (m, 3) vertices.

    The corral of Wolfe's algorithm is a list of up to four differences of vertices that are affinely
    independent; ``nearest`` is the point of its hull closest to the origin.

    Args:
        a, b: float64.
        limit: the search also stops, with the bounds still apart, once the lower one has reached this.
    """
    corral = np.array([a[0] - b[0]])
    weights = np.ones(1)
    nearest = corral[0]
    lower = 0.0
    for _ in range(_MAX_STEPS):
        length = math.sqrt(float(nearest @ nearest))
        if length <= _TARGET:
            return Bounds(0.0, length)
        direction = nearest / length
        support = a[np.argmin(a @ direction)] - b[np.argmax(b @ direction)]
        lower = max(lower, float(support @ direction))
        if length - lower <= _TARGET or lower >= limit:
            break
        grown, shares = _shrink_to_nearest(np.vstack([corral, support]), np.append(weights, 0.0))
        closer = shares @ grown
        if float(closer @ closer) >= length * length:  # only rounding is left; the bounds say how good it is
            break
        corral, weights, nearest = grown, shares, closer
    return Bounds(lower, math.sqrt(float(nearest @ nearest)))


def _shrink_to_nearest(corral: Vertices, weights: Vertices) -> tuple[Vertices, Vertices]:
    """Wolfe's minor cycle: drop corners until the nearest point of the corral's affine hull lies inside it.

    Args:
        corral: (k, 3) points.
        weights: (k,) convex weights of the current point.
    """
    while True:
        affine = _affine_weights(corral)
        if (affine > 0.0).all():
            return corral, affine
        outside = affine <= 0.0
        steps = weights[outside] / np.maximum(weights[outside] - affine[outside], np.finfo(np.float64).tiny)
        weights = weights + min(1.0, float(steps.min())) * (affine - weights)
        weights[np.flatnonzero(outside)[np.argmin(steps)]] = 0.0
        kept = weights > 0.0
        corral, weights = corral[kept], weights[kept] / weights[kept].sum()


def _affine_weights(corral: Vertices) -> Vertices:
    """Weights (k,) that sum to 1 of the point nearest to the origin in the affine hull of (k, 3) points."""
    if len(corral) == 1:
        return np.ones(1)
    edges = (corral[1:] - corral[0]).T
    shares = np.linalg.lstsq(edges, -corral[0], rcond=None)[0]
    return np.concatenate([[1.0 - shares.sum()], shares])


def _box_gaps(a: Sequence[Vertices], b: Sequence[Vertices]) -> NDArray[np.float64]:
    """(len(a), len(b)) distances between the axis-aligned boxes of the parts, metres."""
    low_a, high_a = np.array([part.min(axis=0) for part in a]), np.array([part.max(axis=0) for part in a])
    low_b, high_b = np.array([part.min(axis=0) for part in b]), np.array([part.max(axis=0) for part in b])
    apart = np.maximum(low_a[:, None] - high_b[None], low_b[None] - high_a[:, None])
    squares: Vertices = np.square(np.maximum(apart, 0.0)).sum(axis=2)
    return np.sqrt(squares)
