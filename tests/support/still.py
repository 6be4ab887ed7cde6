"""Homes that stand still: what a builder sees of hand-made boxes, without a simulator."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sim.measuring import mask_facts
from flowbench.builders.sim.scene import Arrangement, Shapes
from flowbench.builders.sim.view import Sight
from flowbench.builders.simulators.base import ObjectState, SceneObject, Snapshot
from flowbench.geometry import Camera, OrientedBox, Pose
from flowbench.validation.recompute import Evidence

Corners = NDArray[np.float64]


def block(x: float, y: float, z: float, size: tuple[float, float, float]) -> Corners:
    """Corners (8, 3) of a box standing at height z with its middle over (x, y)."""
    w, d, h = size
    return np.array(list(itertools.product((x - w / 2, x + w / 2), (y - d / 2, y + d / 2), (z, z + h))))


def arrangement(**parts: Sequence[Corners]) -> Arrangement:
    """Things by name, each of its parts in the world frame."""
    objects = tuple(
        SceneObject(i, name, name, name.lower(), "room-1", True, True, True, False, tuple(p), _box(p))
        for i, (name, p) in enumerate(parts.items(), 1)
    )
    states = tuple(ObjectState(Pose((0.0, 0.0, 0.0)), None) for _ in objects)
    return Arrangement(objects, Snapshot(states), Shapes(objects))


def carried(scene: Arrangement, **supporters: str) -> Arrangement:
    """The same where each of these things is carried by another; all the others hang."""
    states = (
        ObjectState(state.pose, supporters.get(o.object_id))
        for o, state in zip(scene.objects, scene.snapshot.states, strict=True)
    )
    return replace(scene, snapshot=Snapshot(tuple(states)))


def sight_of(scene: Arrangement, camera: Camera, ids: NDArray[np.uint16], depth: NDArray[np.float32]) -> Sight:
    """A moment with painted pictures."""
    return Sight(camera, scene, ids, depth, mask_facts(ids))


def sights_of(evidence: Evidence) -> tuple[Sight, Sight]:
    """Both moments of a hand-made sample as a builder sees them."""
    meta = evidence.meta
    objects = tuple(
        SceneObject(
            each.id,
            each.object,
            each.type,
            each.type.lower(),
            each.room,
            False,
            not each.structural,
            False,
            each.structural,
            tuple(np.array(part) for part in each.parts),
            OrientedBox(np.array(each.box.frame), np.array(each.box.half)),
        )
        for each in meta.objects
    )
    camera = Camera(meta.camera.width, meta.camera.height, meta.camera.focal, meta.camera.matrix)
    shapes = Shapes(objects)
    before, after = (
        Snapshot(tuple(ObjectState(Pose(s.position, s.quaternion), s.supporter) for s in states))
        for states in zip(*((each.before, each.after) for each in meta.objects), strict=True)
    )
    return (
        sight_of(Arrangement(objects, before, shapes), camera, evidence.seg_before, evidence.depth_before),
        sight_of(Arrangement(objects, after, shapes), camera, evidence.seg_after, evidence.depth_after),
    )


def _box(parts: Sequence[Corners]) -> OrientedBox:
    return OrientedBox.around(np.concatenate(parts))
