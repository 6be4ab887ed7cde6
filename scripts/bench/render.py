"""How fast the rasterizer is: medians of passes, compile seconds, and PyBullet's TinyRenderer beside it.

Usage: python scripts/bench/render.py [--repeats N] [--scene N]
"""

from __future__ import annotations

import argparse
import copy
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from unittest import mock

import numpy as np
import pybullet
from numba.core import event

from flowbench import _jit
from flowbench.builders.simulators.bullet import house
from flowbench.builders.simulators.bullet.simulator import BulletSimulator, _instance
from flowbench.geometry import Camera, quaternion_of
from flowbench.rendering import Instance, Lighting, Material, Mesh, Renderer
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box, cylinder, sphere
from flowbench.rendering.warming import warm
from flowbench.seeding import generator

POOL = "homes_train"
VIEWS = 12
SIZES = ((800, 600), (480, 320))
PASSES = {
    "ids + depth": {"ids": True, "depth": True},
    "full": {"rgb": True},
    "all": {"rgb": True, "ids": True, "depth": True},
}

View = tuple[tuple[float, float, float], float, float]
"""Eye, yaw, pitch."""


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


def load_home(simulator: BulletSimulator, scene: int, rooms: int | None) -> list[View]:
    """Load a home of seed 0, with another number of rooms if asked for; returns random views of it."""
    with mock.patch.object(house, "draw_plan", partial(house.draw_plan, rooms=rooms)):
        simulator.load(0, POOL, scene)
    positions = simulator.reachable_positions()
    rng = generator(0, "bench", scene)
    views = []
    for k in range(VIEWS):
        x, y, z = positions[int(rng.integers(len(positions)))].tolist()
        views.append(((x, y, z), float(rng.uniform(-3.1, 3.1)), 0.3 * (k % 2)))
    return views


def cameras_of(views: Sequence[View], width: int, height: int) -> list[Camera]:
    """The views at a size."""
    return [Camera.standing(eye, yaw, pitch, width=width, height=height) for eye, yaw, pitch in views]


def undivided(simulator: BulletSimulator) -> Renderer:
    """A renderer of the same scene that draws rooms that cannot be seen, too."""
    other = copy.copy(simulator._renderer)
    other.load([_instance(body) for body in simulator._house.bodies], simulator._house.lighting)
    return other


def megabytes(*holders: object) -> float:
    """Of the arrays that objects hold."""
    arrays = [value for holder in holders for value in vars(holder).values() if isinstance(value, np.ndarray)]
    return sum(array.nbytes for array in arrays) / 1e6


def bench_home(simulator: BulletSimulator, scene: int, rooms: int | None, repeats: int) -> None:
    """A furnished home: every pass at both sizes, what culling rooms saves, and moving with a new picture."""
    views = load_home(simulator, scene, rooms)
    renderer, all_rooms = simulator._renderer, undivided(simulator)
    faces, objects = len(renderer._scene.faces), len(simulator.objects)
    print(f"home {scene}: {len(simulator.rooms)} rooms, {objects} objects, {faces} triangles, {_jit.threads()} threads")
    for width, height in SIZES:
        cameras = cameras_of(views, width, height)
        for name, passes in PASSES.items():
            times = medians(lambda camera, passes=passes: renderer.render(camera, **passes), cameras, repeats)
            report(f"{name}, {width}x{height}", times)
            if name == "all":
                continue
            drawn = medians(lambda camera, passes=passes: all_rooms.render(camera, **passes), cameras, repeats)
            report("  with all rooms drawn", drawn)
            print(
                f"    culled takes {times[0] / drawn[0]:.2f} of the elapsed, {times[1] / drawn[1]:.2f} of the CPU time"
            )
    mover = next(item for item in simulator.objects if item.moveable)
    pose = simulator.state(mover.object_id).pose

    def move_and_draw(camera: Camera) -> None:
        renderer.move(mover.instance_id, pose.moved(0.1, 0.0).matrix)
        renderer.render(camera, rgb=True)
        renderer.move(mover.instance_id, pose.matrix)

    report(f"move, then full, {width}x{height}", medians(move_and_draw, cameras, repeats))
    parts = {"scene": renderer._scene, "triangles": renderer._triangles, "shadow map": renderer._shadow}
    print("  memory: " + ", ".join(f"{name} {megabytes(part):.1f} MB" for name, part in parts.items()))


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


def bench_tiny(title: str, ours: Renderer, instances: Sequence[Instance], cameras: Sequence[Camera]) -> None:
    """One scene in our rasterizer and in TinyRenderer, both with shadows, ids and depth; ours with its light, too."""
    our_times = medians(lambda camera: ours.render(camera, **PASSES["all"]), cameras, 3)
    client = pybullet.connect(pybullet.DIRECT)
    for instance in instances:
        mesh, pose = instance.mesh, instance.world_from_object
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH,
            vertices=mesh.vertices.tolist(),
            indices=mesh.faces.ravel().tolist(),
            normals=mesh.normals.tolist(),
            rgbaColor=(*mesh.materials[0].colour, 1.0),
            physicsClientId=client,
        )
        place = pose[:3, 3].tolist(), quaternion_of(pose)
        pybullet.createMultiBody(0, -1, shape, *place, physicsClientId=client)

    def tiny(camera: Camera) -> None:
        forward = camera.world_from_camera[:3, 2]
        view = pybullet.computeViewMatrix(camera.eye.tolist(), (camera.eye + forward).tolist(), (0, 0, 1))
        lens = pybullet.computeProjectionMatrixFOV(73.74, camera.width / camera.height, 0.02, 30.0)
        pybullet.getCameraImage(
            *(camera.width, camera.height, view, lens),
            shadow=1,
            renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=client,
        )

    tiny_times = medians(tiny, cameras, 1)
    pybullet.disconnect(client)
    print(f"{title}, {cameras[0].width}x{cameras[0].height}, all passes")
    report("ours", our_times)
    report("TinyRenderer with shadows", tiny_times)
    print(f"  ratio of CPU time {tiny_times[1] / our_times[1]:.1f}, of elapsed {tiny_times[0] / our_times[0]:.1f}")


def bench_both_tiny(simulator: BulletSimulator, scene: int) -> None:
    """Ours beside TinyRenderer: a furnished home, and 100 primitives."""
    cameras = cameras_of(load_home(simulator, scene, None), *SIZES[0])
    instances = [_instance(body) for body in simulator._house.bodies]
    bench_tiny(f"home {scene}", simulator._renderer, instances, cameras)
    ours = Renderer({"plain": np.full((1, 1, 3), 255, dtype=np.uint8)})
    ours.load(primitives(), Lighting())
    cameras = [Camera.standing((0.0, 0.0, 1.6), 0.8 * k, 0.3) for k in range(4)]
    bench_tiny("100 primitives", ours, primitives(), cameras)


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
        simulator = BulletSimulator()
        bench_home(simulator, options.scene, None, options.repeats)
        bench_home(simulator, options.scene, 8, options.repeats)
        bench_both_tiny(simulator, options.scene)
        simulator.close()
        bench_compiling()


if __name__ == "__main__":
    main()
