"""Convex sets to try distances on."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from flowbench.geometry import Pose, rotate

Float = NDArray[np.float64]
KINDS = ("cloud", "box", "lattice", "flat", "segment", "point", "ball", "repeated", "sliver", "needle")


def any_rotation(rng: np.random.Generator) -> Float:
    """A random rotation, as a (4, 4) matrix."""
    q = rng.normal(size=4)
    q /= np.sqrt((q * q).sum())
    return Pose((0.0, 0.0, 0.0), tuple(q.tolist())).matrix


def box_vertices(low: Float, high: Float) -> Float:
    """The corners (8, 3) of an axis-aligned box."""
    return np.array(
        [[(low, high)[x][0], (low, high)[y][1], (low, high)[z][2]] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    )


def make_hull(kind: str, rng: np.random.Generator) -> Float:
    """Vertices (n, 3) of one of ``KINDS``, 1 mm to 3 m in size, randomly turned unless a lattice."""
    count = int(rng.integers(1, 33))
    size = 10.0 ** rng.uniform(-3.0, 0.5)
    points = rng.uniform(-1.0, 1.0, (count, 3))
    if kind == "box":
        points = box_vertices(-np.ones(3), np.ones(3)) * rng.uniform(0.01, 1.0, 3)
    elif kind == "lattice":
        return np.asarray(np.round(points * 2.0) * size / 2.0)
    elif kind == "flat":
        points[:, 2] = 0.0
    elif kind == "segment":
        points[:, 1:] = 0.0
    elif kind == "point":
        points = points[:1]
    elif kind == "ball":
        points = points / np.sqrt((points * points).sum(axis=1, keepdims=True))
    elif kind == "repeated":
        points = np.repeat(points, 3, axis=0)
    elif kind == "sliver":
        points = points * np.array([1.0, 1.0, 1e-7])
    elif kind == "needle":
        points = points * np.array([1.0, 1e-4, 1e-4])
    return rotate(any_rotation(rng), points * size)


@st.composite
def hulls(draw: st.DrawFn) -> Float:
    """Vertices of a random hull of any kind, around the origin."""
    return make_hull(draw(st.sampled_from(KINDS)), np.random.default_rng(draw(st.integers(0, 2**32 - 1))))


@st.composite
def offsets(draw: st.DrawFn) -> Float:
    """(3,) displacements from far (10 m) over nearly touching (1 nm) to none."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    reach = 10.0 ** draw(st.floats(-9.0, 1.0))
    return rng.uniform(-1.0, 1.0, 3) * reach * draw(st.sampled_from([0.0, 1.0, 1.0, 1.0]))
