"""The renderer as a whole: passes, moves, memory, the golden picture, the same bytes, bad input."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.cpu_variation import VARIATIONS, assert_same_under_cpu_variation
from support.shots import WHITE, checks, drawn, eye, room

from flowbench.geometry import Pose
from flowbench.rendering import Frame, Instance, Lighting, Material, Renderer
from flowbench.rendering.colour import encoding_table, linear_from_srgb, srgb_from_linear
from flowbench.rendering.mipmaps import pack_textures
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box

GOLDEN = Path(__file__).parent / "golden" / "room.png"


def digest(frame: Frame) -> str:
    parts = [part.tobytes() for part in (frame.rgb, frame.depth, frame.ids) if part is not None]
    assert len(parts) == 3
    return hashlib.sha256(b"".join(parts)).hexdigest()


@pytest.mark.parametrize("size", [(64, 48), (1280, 960), (333, 250)])
def test_sizes(size: tuple[int, int]) -> None:
    instances, lighting = room()
    small, other = eye(), eye(width=size[0], height=size[1])
    frame = drawn(instances, other, lighting)
    assert frame.rgb is not None
    assert frame.depth is not None
    assert frame.rgb.shape == (size[1], size[0], 3)
    assert frame.depth.shape == (size[1], size[0])
    shares = [(drawn(instances, camera, lighting).ids == 1).mean() for camera in (small, other)]
    assert shares[0] == pytest.approx(shares[1], rel=0.02)
    assert np.abs(frame.rgb.mean(axis=(0, 1)) - drawn(instances, small, lighting).rgb.mean(axis=(0, 1))).max() < 5.0


def test_only_what_is_asked_for_is_made() -> None:
    renderer = Renderer(checks())
    renderer.load(*room())
    everything = renderer.render(eye(), rgb=True, depth=True, ids=True)
    for name in ("rgb", "depth", "ids"):
        frame = renderer.render(eye(), **{name: True})
        for other in ("rgb", "depth", "ids"):
            part = getattr(frame, other)
            assert (part is not None) == (other == name)
            assert part is None or (part == getattr(everything, other)).all()


def test_moving_equals_a_fresh_load() -> None:
    instances, lighting = room()
    moved = Renderer(checks())
    moved.load(instances, lighting)
    moved.render(eye(), rgb=True)
    rng = np.random.Generator(np.random.PCG64(5))
    for step in range(8):
        instance_id = int(rng.choice([300, 301, 65535]))
        reach = 9.0 if step == 4 else 1.0  # far out of the shadow map once
        pose = Pose.upright(*rng.uniform(-reach, reach, 2), rng.uniform(0.0, 1.0), rng.uniform(-3.0, 3.0)).matrix
        moved.move(instance_id, pose)
        instances = [
            dataclasses.replace(i, world_from_object=pose) if i.instance_id == instance_id else i for i in instances
        ]
        if step % 2:
            continue  # several moves between two pictures
        frame = moved.render(eye(), rgb=True, depth=True, ids=True)
        assert digest(frame) == digest(drawn(instances, eye(), lighting))


def test_a_picture_does_not_depend_on_what_was_drawn_before() -> None:
    instances, lighting = room()
    renderer = Renderer(checks())
    renderer.load(instances, lighting)
    first = digest(renderer.render(eye(), rgb=True, depth=True, ids=True))
    renderer.render(eye(2.0, 0.1, width=200, height=90), rgb=True)
    renderer.load(instances[:3], Lighting())
    renderer.render(eye(), ids=True)
    renderer.load(instances, lighting)
    assert digest(renderer.render(eye(), rgb=True, depth=True, ids=True)) == first


def test_moving_an_unknown_instance_is_refused() -> None:
    renderer = Renderer(checks())
    renderer.load(*room())
    with pytest.raises(KeyError, match="77"):
        renderer.move(77, np.eye(4))


def test_loading_again_and_again_keeps_no_memory() -> None:
    renderer = Renderer(checks())
    instances, lighting = room()

    def once() -> None:
        renderer.load(instances, lighting)
        renderer.move(301, translation(0.0, 0.0, 0.3))
        renderer.render(eye(), rgb=True, depth=True, ids=True)

    once()
    tracemalloc.start()
    try:
        once()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(15):
            once()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 50_000


def test_golden_picture() -> None:
    instances, lighting = room()
    frame = drawn(instances, eye(), lighting)
    assert frame.rgb is not None
    if os.environ.get("FLOWBENCH_WRITE_GOLDEN"):
        cv2.imwrite(str(GOLDEN), frame.rgb[..., ::-1])
    golden = cv2.imread(str(GOLDEN))[..., ::-1].astype(int)
    difference = np.abs(frame.rgb.astype(int) - golden).max(axis=-1)
    assert difference.mean() < 0.5
    assert (difference > 8).mean() < 0.002


SAME = """
    import hashlib, sys
    sys.path.insert(0, "tests")
    from support.shots import drawn, eye, room
    from flowbench.geometry import Pose, compose
    from flowbench.rendering import Renderer, forward_flow
    from support.shots import checks

    digest = hashlib.sha256()
    renderer = Renderer(checks())
    renderer.load(*room())
    motion = Pose((0.2, -0.1, 0.05), (0.0, 0.0, 0.6, 0.8)).matrix
    for yaw, size in ((0.5, (160, 120)), (0.9, (101, 75))):
        camera = eye(yaw, width=size[0], height=size[1])
        frame = renderer.render(camera, rgb=True, depth=True, ids=True)
        flow, valid = forward_flow(frame.depth, frame.ids, camera, {301: motion})
        for part in (frame.rgb, frame.depth, frame.ids, flow, valid):
            digest.update(part.tobytes())
        renderer.move(301, Pose((0.3, -0.5, 0.25)).matrix)
    print(digest.hexdigest())
"""
ROOT = Path(__file__).parent.parent
QUICK = tuple(name for name in VARIATIONS if not name.startswith("kernels"))


@pytest.mark.slow
def test_same_bytes_over_processes_threads_and_numpy_paths() -> None:
    assert_same_under_cpu_variation(SAME, QUICK, cwd=ROOT)


@pytest.mark.slow
def test_same_bytes_with_kernels_for_any_cpu() -> None:
    assert_same_under_cpu_variation(SAME, ("kernels for any x86-64",), cwd=ROOT)


def test_the_srgb_curve() -> None:
    x = np.linspace(0.0, 1.0, 2001)
    exact = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    assert np.abs(linear_from_srgb(x) - exact).max() < 1e-12
    assert np.abs(srgb_from_linear(linear_from_srgb(x)) - x).max() < 1e-9
    table = encoding_table()
    assert table[0] == 0
    assert table[-1] == 255
    assert (np.diff(table.astype(int)) >= 0).all()


def test_mip_levels_keep_the_mean_light() -> None:
    rng = np.random.Generator(np.random.PCG64(3))
    image = rng.integers(0, 256, (32, 32, 3)).astype(np.uint8)
    packed = pack_textures({"noise": image, "flat": np.full((8, 8, 3), 77, dtype=np.uint8)})
    assert packed.counts.tolist() == [6, 1]
    assert packed.sizes.tolist() == [32, 1]
    last = (packed.texels[packed.starts[0, 5]].astype(np.float64) / 255.0) ** 2
    assert last == pytest.approx(linear_from_srgb(image / 255.0).mean(axis=(0, 1)), abs=4e-3)


@pytest.mark.parametrize("shape", [(4, 4), (4, 8, 3), (12, 12, 3), (0, 0, 3), (8192, 8192, 3)])
def test_odd_textures_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="'odd'"):
        Renderer({"odd": np.broadcast_to(np.uint8(0), shape)})


def test_unknown_textures_and_impossible_ids_are_refused() -> None:
    renderer = Renderer(WHITE)
    with pytest.raises(ValueError, match="'velvet'"):
        renderer.load([Instance(1, box((1.0, 1.0, 1.0), material=Material("velvet")))], Lighting())
    for instance_id in (0, -1, 65536):
        with pytest.raises(ValueError, match=str(instance_id)):
            renderer.load([Instance(instance_id, box((1.0, 1.0, 1.0)))], Lighting())
    with pytest.raises(ValueError, match="direction"):
        renderer.load([], Lighting(key_direction=(0.0, 0.0, 0.0)))
