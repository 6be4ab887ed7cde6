"""Ids and depth against an independent ray caster (Embree): furnished homes, near things, large and small faces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.homes import POOLS, home, renderer
from support.shots import WHITE, mesh_of, rays

from flowbench.geometry import Camera, transform
from flowbench.rendering import Instance, Lighting, Renderer
from flowbench.rendering.rasterizing import NEAR

pytest.importorskip("embreex", reason="embreex, of the dev extra, is not installed: no independent ray caster")
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

Float = NDArray[np.float64]
QVGA = {"width": 320, "height": 240}


def cast(instances: list[Instance], camera: Camera) -> tuple[NDArray[np.uint16], Float]:
    """Ids and planar depth at pixel centres, (H, W) each, 0 where nothing is hit.

    Embree sees both sides of a face, so it gets those that face the eye. It knows float32 only, so it gets them
    relative to the eye and says which face a ray meets first; where it meets its plane is worked out in float64.
    """
    corners = [transform(i.world_from_object, i.mesh.vertices)[i.mesh.faces] - camera.eye for i in instances]
    faces = np.concatenate([np.empty((0, 3, 3)), *corners])
    owners = np.repeat([i.instance_id for i in instances], [len(i.mesh.faces) for i in instances])
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    front = np.einsum("fk,fk->f", normals, faces[:, 0]) < 0.0
    scene = EmbreeScene()
    TriangleMesh(scene, faces[front].astype(np.float32))
    directions = rays(camera).reshape(-1, 3)  # a metre of planar depth long
    hits = scene.run((NEAR * directions).astype(np.float32), directions.astype(np.float32), output=True)
    struck = hits["primID"] >= 0
    met = np.flatnonzero(front)[np.where(struck, hits["primID"], 0)]
    over, under = (np.einsum("fk,fk->f", normals[met], vectors) for vectors in (faces[met, 0], directions))
    depth = np.where(struck, over / under, 0.0).reshape(camera.height, -1)
    ids = np.where(struck, owners[met], 0).astype(np.uint16).reshape(camera.height, -1)
    return ids, depth


def _around(image: NDArray[Any]) -> NDArray[Any]:
    """(9, H, W): every pixel's neighbours row by row, itself in the middle; what is linear runs on past the border."""
    height, width = image.shape
    padded = np.pad(image, 1, mode="reflect", reflect_type="odd")
    return np.stack([padded[dy : dy + height, dx : dx + width] for dy in range(3) for dx in range(3)])


def away_from_edges(ids: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Pixels whose eight neighbours show the same id."""
    return np.all(_around(ids.astype(np.int64)) == ids, axis=0)


def smooth(depth: Float) -> NDArray[np.bool_]:
    """Pixels over which 1/z, linear on a plane, neither jumps nor bends by a thousandth: no edge inside an object."""
    inverse = _around(1.0 / np.maximum(depth, 1e-6))
    bends = np.abs(inverse[:4] + inverse[:4:-1] - 2.0 * inverse[4])
    return np.all(bends <= 0.001 * inverse[4], axis=0)


def compare(ours: Renderer, instances: list[Instance], camera: Camera) -> tuple[int, int]:
    """Assert that depths agree wherever ids do; how many ids away from edges there are, and how many disagree."""
    frame = ours.render(camera, depth=True, ids=True)
    assert frame.ids is not None
    assert frame.depth is not None
    ids, depth = cast(instances, camera)
    inner = away_from_edges(ids)
    agree = inner & (frame.ids == ids)
    sure = agree & smooth(depth)
    assert sure.sum() >= 0.75 * agree.sum()
    assert (np.abs(frame.depth - depth) <= 1e-4 * depth)[sure].all(), camera.camera_from_world
    return int(inner.sum()), int((inner & ~agree).sum())


def check_home(pool: str, scene: int, cameras: int, rooms: int | None = None, **size: int) -> None:
    """Views from where one can stand, and as many from anywhere: inside and close to furniture, too."""
    place = home(pool, scene, rooms)
    ours = renderer(place)
    rng = np.random.Generator(np.random.PCG64(scene))
    views = [place.camera(rng, **size) for _ in range(cameras)]
    for _ in range(cameras):
        x, y, _ = place.positions[int(rng.integers(len(place.positions)))] + rng.uniform(-0.6, 0.6, 3)
        eye = float(x), float(y), float(rng.uniform(0.1, 1.8))
        views.append(Camera.standing(eye, float(rng.uniform(-3.1, 3.1)), float(rng.uniform(-0.7, 0.9)), **size))
    counts = np.array([compare(ours, place.instances, camera) for camera in views])
    assert counts[:, 0].min() > 0
    assert (counts[:, 1] <= 0.001 * counts[:, 0]).all(), counts


def test_a_furnished_home() -> None:
    check_home("homes_train", 0, 3, 4, **QVGA)


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("scene", [0, 1, 2])
def test_furnished_homes(pool: str, scene: int) -> None:
    check_home(pool, scene, 10, **QVGA)
    check_home(pool, scene, 1, width=800, height=600)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    reach=st.sampled_from([0.01, 0.2, 2.0, 30.0]),
    distance=st.sampled_from([0.03, 0.5, 4.0]),
    yaw=st.floats(-3.1, 3.1),
)
def test_large_and_small_faces_near_and_far(seed: int, reach: float, distance: float, yaw: float) -> None:
    """Faces of a centimetre to 60 metres at 3 cm to 4 m around the eye; many are cut by the near plane."""
    rng = np.random.Generator(np.random.PCG64(seed))
    camera = Camera.standing((0.0, 0.0, 0.0), yaw, **QVGA)
    instances = []
    for k in range(12):
        middle = np.array([math.cos(yaw), math.sin(yaw), 0.0]) * distance + rng.uniform(-0.5, 0.5, 3) * distance
        corners = middle + rng.uniform(-reach, reach, (3, 3))
        instances.append(Instance(1 + k, mesh_of(corners.tolist(), [[0, 1, 2], [0, 2, 1]])))
    ours = Renderer(WHITE)
    ours.load(instances, Lighting())
    inner, wrong = compare(ours, instances, camera)
    assert wrong <= 0.001 * inner
