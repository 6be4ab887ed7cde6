"""Compiling all kernels at once, by drawing a tiny scene that makes use of every one."""

from __future__ import annotations

import time

import numpy as np

from .._jit import has_numba
from ..geometry import Camera, convex_distance
from .flow import forward_flow
from .mesh import Instance, Lighting, PointLight
from .renderer import Renderer
from .shapes import box


def warm() -> float:
    """Compile every kernel, or load it from the cache, once; returns the seconds it took (0 without numba).

    One process does this before workers start, so that they do not all compile at the same time.
    """
    if not has_numba():
        return 0.0
    begin = time.perf_counter()
    use_every_kernel()
    return time.perf_counter() - begin


def use_every_kernel() -> None:
    """Measure a distance; draw a box, move it, draw it again, and take the flow."""
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    convex_distance(corners, corners + 2.0)
    renderer = Renderer({"plain": np.full((1, 1, 3), 255, dtype=np.uint8)})
    lamp = PointLight((0.0, 0.0, 3.0), (1.0, 1.0, 1.0))
    renderer.load([Instance(1, box((1.0, 1.0, 1.0)))], Lighting(lamps=(lamp,)))
    camera = Camera.standing((-3.0, 0.0, 0.0), 0.0, width=32, height=24)
    moved = np.eye(4)
    moved[0, 3] = 0.1
    before = renderer.render(camera, rgb=True, depth=True, ids=True)
    renderer.move(1, moved)
    renderer.render(camera, rgb=True)
    assert before.depth is not None
    assert before.ids is not None
    forward_flow(before.depth, before.ids, camera, {1: moved})
