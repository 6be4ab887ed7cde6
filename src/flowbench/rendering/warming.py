"""A tiny scene that makes use of every kernel, so that all are compiled or loaded."""

from __future__ import annotations

import numpy as np

from ..geometry import Camera
from .flow import forward_flow
from .mesh import Instance, Lighting, PointLight
from .renderer import Renderer
from .shapes import box


def use_every_kernel() -> None:
    """Draw a box, move it, draw it again, and take the flow."""
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
