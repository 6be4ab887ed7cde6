"""How fast the rasterizer is: medians of passes, compile seconds, and PyBullet's TinyRenderer beside it.

Usage: python scripts/bench/render.py [--repeats N] [--scene N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pybullet
from numba.core import event

from flowbench import _jit
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.geometry import Camera
from flowbench.rendering import Instance, Lighting, Material, Mesh, Renderer
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box, cylinder, sphere
from flowbench.rendering.warming import warm
from flowbench.seeding import generator

SIZES = ((800, 600), (480, 320))
PASSES = {
    "ids + depth": {"ids": True, "depth": True},
    "full": {"rgb": True},
    "all": {"rgb": True, "ids": True, "depth": True},
}


def medians(action: Callable[[Camera], object], cameras: Sequence[Camera], repeats: int) -> tuple[float, float]:
    """Median milliseconds of an action over cameras, elapsed and of CPU time, after one round to warm up."""
    for camera in cameras:
        action(camera)
    elapsed, busy = [], []
    for _ in range(repeats):
        for camera in cameras:
            begin = time.perf_counter(), time.process_time()
            action(camera)
            elapsed.append(time.perf_counter() - begin[0])
            busy.append(time.process_time() - begin[1])
    return 1e3 * float(np.median(elapsed)), 1e3 * float(np.median(busy))


def report(title: str, times: tuple[float, float]) -> None:
    """One line of the table."""
    print(f"  {title:30s} {times[0]:7.1f} ms elapsed {times[1]:7.1f} ms CPU")


def bench_home(scene: int, repeats: int) -> None:
    """A furnished home: every pass at both sizes, a move, and moving with a new picture."""
    simulator = BulletSimulator()
    simulator.load(0, "homes_train", scene)
    faces = sum(len(body.mesh.faces) for body in simulator._house.bodies)
    positions = simulator.reachable_positions()
    rng = generator(0, "bench", scene)
    views = [(positions[int(rng.integers(len(positions)))], float(rng.uniform(-3.1, 3.1))) for _ in range(12)]
    print(f"home {scene}: {len(simulator.objects)} objects, {faces} triangles, {_jit.threads()} threads")
    renderer = simulator._renderer
    for width, height in SIZES:
        cameras = [
            Camera.standing((float(p[0]), float(p[1]), float(p[2])), yaw, 0.3 * (k % 2), width=width, height=height)
            for k, (p, yaw) in enumerate(views)
        ]
        for name, passes in PASSES.items():
            times = medians(lambda camera, passes=passes: renderer.render(camera, **passes), cameras, repeats)
            report(f"{name}, {width}x{height}", times)
    mover = next(item for item in simulator.objects if item.moveable)
    pose = simulator.state(mover.object_id).pose

    def move_and_draw(camera: Camera) -> None:
        renderer.move(mover.instance_id, pose.moved(0.1, 0.0).matrix)
        renderer.render(camera, rgb=True)
        renderer.move(mover.instance_id, pose.matrix)

    report(f"move, then full, {width}x{height}", medians(move_and_draw, cameras, repeats))
    simulator.close()


def primitives() -> list[Instance]:
    """About 100 boxes, cylinders and spheres on a floor."""
    rng = generator(0, "bench", 0, "primitives")
    makers: list[Callable[[Material], Mesh]] = [
        lambda m: box((0.3, 0.2, 0.4), material=m),
        lambda m: cylinder(0.12, 0.4, m),
        lambda m: sphere(0.18, m),
    ]
    instances = [Instance(1, box((12.0, 12.0, 0.1), (0.0, 0.0, -0.05)))]
    for k in range(99):
        material = Material(colour=tuple(float(c) for c in rng.uniform(0.2, 0.9, 3)))
        place = translation(float(rng.uniform(-5, 5)), float(rng.uniform(-5, 5)), 0.2)
        instances.append(Instance(k + 2, makers[k % 3](material), place))
    return instances


def bench_tiny(repeats: int) -> None:
    """The same primitives in our rasterizer and in TinyRenderer, both with shadows, ids and depth."""
    instances = primitives()
    cameras = [Camera.standing((0.0, 0.0, 1.6), 0.8 * k, 0.3) for k in range(4)]
    ours = Renderer({"plain": np.full((1, 1, 3), 255, dtype=np.uint8)})
    ours.load(instances, Lighting())
    our_times = medians(lambda camera: ours.render(camera, **PASSES["all"]), cameras, repeats)
    client = pybullet.connect(pybullet.DIRECT)
    for instance in instances:
        mesh = instance.mesh
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH,
            vertices=mesh.vertices.tolist(),
            indices=mesh.faces.ravel().tolist(),
            normals=mesh.normals.tolist(),
            rgbaColor=(*mesh.materials[0].colour, 1.0),
        )
        pybullet.createMultiBody(0, -1, shape, instance.world_from_object[:3, 3].tolist())

    def tiny(camera: Camera) -> None:
        forward = camera.world_from_camera[:3, 2]
        view = pybullet.computeViewMatrix(camera.eye.tolist(), (camera.eye + forward).tolist(), (0, 0, 1))
        lens = pybullet.computeProjectionMatrixFOV(73.74, camera.width / camera.height, 0.02, 30.0)
        pybullet.getCameraImage(camera.width, camera.height, view, lens, shadow=1, renderer=pybullet.ER_TINY_RENDERER)

    tiny_times = medians(tiny, cameras, 1)
    pybullet.disconnect(client)
    print("100 primitives, 800x600, all passes")
    report("ours", our_times)
    report("TinyRenderer with shadows", tiny_times)
    print(f"  ratio of CPU time {tiny_times[1] / our_times[1]:.1f}, of elapsed {tiny_times[0] / our_times[0]:.1f}")


def print_compile_seconds() -> None:
    """Compile every kernel and say how long each module took, callees in other modules not counted."""
    spent: dict[str, float] = defaultdict(float)
    stack: list[tuple[str, float]] = []
    with event.install_recorder("numba:compile") as recorder:
        warm()
    for moment, entry in recorder.buffer:
        if stack:
            module, since = stack[-1]
            spent[module] += moment - since
            stack[-1] = (module, moment)
        if entry.is_start:
            stack.append((entry.data["dispatcher"].py_func.__module__, moment))
        else:
            stack.pop()
            if stack:
                stack[-1] = (stack[-1][0], moment)
    for module, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {module:36s} {seconds:5.1f} s")
    print(f"  {'all kernels':36s} {sum(spent.values()):5.1f} s")


def bench_compiling() -> None:
    """Time a first run in a fresh process with an empty cache, and a second one with a full cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for title, option in (("compiling, empty cache:", "--compile"), ("loading, full cache:", "--load")):
            print(title, flush=True)
            subprocess.run([sys.executable, __file__, option], env=environment, check=True)


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scene", type=int, default=0)
    parser.add_argument("--compile", action="store_true", help="only compile, and say how long each module took")
    parser.add_argument("--load", action="store_true", help="only load the kernels, and say how long it took")
    options = parser.parse_args()
    if options.compile:
        print_compile_seconds()
    elif options.load:
        print(f"  {'all kernels':36s} {warm():5.1f} s")
    else:
        bench_home(options.scene, options.repeats)
        bench_tiny(options.repeats)
        bench_compiling()


if __name__ == "__main__":
    main()
