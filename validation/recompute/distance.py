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
_FLAT = 1e-7
"""An edge that rises over those before it by no more than this share of its length spans nothing new."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """What is proven about a distance, metres: ``lower`` by separating planes, ``upper`` by two points.

    ``normal`` is, where ``lower`` is positive, the separating planes' unit normal (3,), from the second to the first.
    """

    lower: float
    upper: float
    normal: Vertices


def union_gap(a: Sequence[Vertices], b: Sequence[Vertices], limit: float = math.inf) -> float:
    """Least distance in metres between two unions of convex parts in one frame; 0 where they touch or overlap.

    Pairs of parts are tried by ascending distance of their axis-aligned boxes, which bounds theirs from
    below; the rest is skipped as soon as the bound exceeds what has been found.

    Args:
        a, b: at least one part each, (n, 3) float64 vertices.
        limit: what lies no nearer is told as this much; "nearer than r" is cheapest asked with ``limit=r``.

    Raises:
        ValueError: a union without parts.
        ArithmeticError: the bounds of a distance could not be brought together.
    """
    if not a or not b:
        raise ValueError("a gap needs at least one convex part on either side")
    reach = _box_gaps(a, b)
    least = limit
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
    corral = (a[0] - b[0])[None]
    weights = np.ones(1)
    nearest = corral[0]
    lower, normal = 0.0, nearest
    for _ in range(_MAX_STEPS):
        length = math.sqrt(float(nearest @ nearest))
        if length <= _TARGET:
            return Bounds(0.0, length, normal)
        direction = nearest / length
        support = a[(a @ direction).argmin()] - b[(b @ direction).argmax()]
        reach = float(support @ direction)
        if reach > lower:
            lower, normal = reach, direction
        if length - lower <= _TARGET or lower >= limit:
            break
        grown, shares = _shrink_to_nearest(np.concatenate([corral, support[None]]), np.append(weights, 0.0))
        closer = shares @ grown
        if float(closer @ closer) >= length * length:  # only rounding is left; the bounds say how good it is
            break
        corral, weights, nearest = grown, shares, closer
    return Bounds(lower, math.sqrt(float(nearest @ nearest)), normal)


def first_contact(a: Sequence[Vertices], b: Sequence[Vertices], step: Vertices) -> float:
    """The part of a straight way, 0 to 1, that a union of convex parts can go before it touches another; 1 if all.

    Each plane that separates two parts tells how far the first may go at least; from there the next is found
    (G. van den Bergen, "Ray casting against general convex objects", 2004).

    Args:
        a, b: at least one part each, (n, 3) float64 vertices, metres.
        step: (3,) float64, the whole way, metres.

    Raises:
        ValueError: a union without parts.
        ArithmeticError: a contact could not be narrowed down.
    """
    if not a or not b:
        raise ValueError("a contact needs at least one convex part on either side")
    swept = [np.concatenate([part, part + step]) for part in a]
    free = 1.0
    for i, j in np.argwhere(_box_gaps(swept, b) <= PROVEN):
        free = min(free, _pair_contact(a[i], b[j], step, free))
    return free


def _pair_contact(a: Vertices, b: Vertices, step: Vertices, most: float) -> float:
    """The part of the way, at most ``most``, that the hull of (n, 3) vertices can go before it touches another's."""
    gone = 0.0
    for _ in range(_MAX_STEPS):
        bounds = hull_bounds(a + gone * step, b)
        if bounds.lower <= PROVEN:
            return gone
        approach = -float(step @ bounds.normal)
        if approach * (most - gone) <= bounds.lower:
            return most
        gone += bounds.lower / approach
    raise ArithmeticError(f"a contact after {gone} of a way could not be narrowed down")


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
    edges = corral[1:] - corral[0]
    shares = _shares(edges.tolist(), (-corral[0]).tolist())
    if shares is None:
        shares = np.linalg.lstsq(edges.T, -corral[0], rcond=None)[0].tolist()
    return np.array([1.0 - sum(shares), *shares])


def _shares(edges: Sequence[Sequence[float]], target: Sequence[float]) -> list[float] | None:
    """Multiples of up to three edges that sum to what is nearest to a target, by Gram and Schmidt.

    None where the edges lie in a line or plane up to rounding. Plain numbers: numpy's calls cost more than these sums.
    """
    axes: list[list[float]] = []
    upper: list[list[float]] = []
    for edge in edges:
        rest, along = list(edge), []
        for axis in axes:
            share = _dot(axis, rest)
            along.append(share)
            rest = [r - share * x for r, x in zip(rest, axis, strict=True)]
        length = math.sqrt(_dot(rest, rest))
        if length <= _FLAT * math.sqrt(_dot(edge, edge)):
            return None
        axes.append([r / length for r in rest])
        upper.append([*along, length])
    shares = [_dot(axis, target) for axis in axes]
    for i in reversed(range(len(edges))):
        shares[i] = (shares[i] - sum(upper[j][i] * shares[j] for j in range(i + 1, len(edges)))) / upper[i][i]
    return shares


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _box_gaps(a: Sequence[Vertices], b: Sequence[Vertices]) -> NDArray[np.float64]:
    """(len(a), len(b)) distances between the axis-aligned boxes of the parts, metres."""
    (low_a, high_a), (low_b, high_b) = _boxes(a), _boxes(b)
    apart = np.maximum(low_a[:, None] - high_b[None], low_b[None] - high_a[:, None])
    squares: Vertices = np.square(np.maximum(apart, 0.0)).sum(axis=2)
    return np.sqrt(squares)


def _boxes(parts: Sequence[Vertices]) -> tuple[Vertices, Vertices]:
    """Lower and upper corners of the parts' axis-aligned boxes, (k, 3) float64 each."""
    starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
    vertices = np.concatenate(parts)
    return np.minimum.reduceat(vertices, starts), np.maximum.reduceat(vertices, starts)
