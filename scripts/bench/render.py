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
FEW, MANY = 4, 8
"""Rooms of the homes."""
TINY_ROUNDS = 7
SIZES = ((800, 600), (480, 320))
PASSES = {
    "ids + depth": {"ids": True, "depth": True},
    "full": {"rgb": True},
    "all": {"rgb": True, "ids": True, "depth": True},
}

View = tuple[tuple[float, float, float], float, float]
"""Eye, yaw, pitch."""
Times = tuple[float, float]
"""Elapsed, and of CPU time; milliseconds."""


def side_by_side(
    actions: Sequence[Callable[[Camera], object]], cameras: Sequence[Camera], repeats: int
) -> tuple[list[Times], Times]:
    """Time actions in turn, camera by camera, so that other work on the machine disturbs all alike.

    Returns:
        times: of each action, its medians.
        ratios: the medians of the last action's time over the first one's.
    """
    for camera in cameras:
        for action in actions:
            action(camera)
    spent = np.empty((repeats * len(cameras), len(actions), 2))
    for run in range(len(spent)):
        for k, action in enumerate(actions):
            begin = time.perf_counter(), time.process_time()
            action(cameras[run % len(cameras)])
            spent[run, k] = time.perf_counter() - begin[0], time.process_time() - begin[1]
    times = [(float(elapsed), float(busy)) for elapsed, busy in 1e3 * np.median(spent, axis=0)]
    elapsed, busy = np.median(spent[:, -1] / spent[:, 0], axis=0).tolist()
    return times, (elapsed, busy)


def in_rounds(actions: Sequence[Callable[[Camera], object]], cameras: Sequence[Camera], rounds: int) -> list[Times]:
    """Median milliseconds (elapsed, CPU) of each action, which draws all views in a row as a build does, in turn."""
    spent = np.empty((rounds, len(actions), len(cameras), 2))
    for turn in range(rounds):
        for k, action in enumerate(actions):
            action(cameras[0])
            for v, camera in enumerate(cameras):
                begin = time.perf_counter(), time.process_time()
                action(camera)
                spent[turn, k, v] = time.perf_counter() - begin[0], time.process_time() - begin[1]
    medians = 1e3 * np.median(spent, axis=(0, 2))
    return [(float(elapsed), float(busy)) for elapsed, busy in medians]


def report(title: str, times: Times) -> None:
    """One line of the table."""
    print(f"  {title:30s} {times[0]:7.1f} ms elapsed {times[1]:7.1f} ms CPU")


def load_home(simulator: BulletSimulator, scene: int, rooms: int) -> list[View]:
    """Load a home of seed 0 with a number of rooms; returns random views of it."""
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


def bench_home(simulator: BulletSimulator, scene: int, rooms: int, repeats: int) -> None:
    """A furnished home: every pass at both sizes, what culling rooms saves, and moving with a new picture."""
    views = load_home(simulator, scene, rooms)
    renderer, all_rooms = simulator._renderer, undivided(simulator)
    faces, objects = len(renderer._scene.faces), len(simulator.objects)
    print(f"home {scene}: {len(simulator.rooms)} rooms, {objects} objects, {faces} triangles, {_jit.threads()} threads")
    for width, height in SIZES:
        cameras = cameras_of(views, width, height)
        for name, passes in PASSES.items():
            actions = [lambda camera, r=r, passes=passes: r.render(camera, **passes) for r in (renderer, all_rooms)]
            (times, drawn), ratios = side_by_side(actions, cameras, repeats)
            report(f"{name}, {width}x{height}", times)
            report("  all rooms drawn", drawn)
            print(f"    {ratios[0]:.2f} times as long, {ratios[1]:.2f} times the CPU time")
    mover = next(item for item in simulator.objects if item.moveable)
    pose = simulator.state(mover.object_id).pose

    def move_and_draw(camera: Camera) -> None:
        renderer.move(mover.instance_id, pose.moved(0.1, 0.0).matrix)
        renderer.render(camera, rgb=True)
        renderer.move(mover.instance_id, pose.matrix)

    report(f"move, then full, {width}x{height}", side_by_side([move_and_draw], cameras, repeats)[0][0])
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

    actions = [lambda camera: ours.render(camera, **PASSES["all"]), tiny]
    our_times, tiny_times = in_rounds(actions, cameras, TINY_ROUNDS)
    ratios = [tiny / our for tiny, our in zip(tiny_times, our_times, strict=True)]
    pybullet.disconnect(client)
    print(f"{title}, {cameras[0].width}x{cameras[0].height}, all passes")
    report("ours", our_times)
    report("TinyRenderer with shadows", tiny_times)
    print(f"    {ratios[0]:.1f} times as long, {ratios[1]:.1f} times the CPU time")


def bench_both_tiny(simulator: BulletSimulator, scene: int) -> None:
    """Ours beside TinyRenderer: a furnished home, and 100 primitives."""
    cameras = cameras_of(load_home(simulator, scene, FEW), *SIZES[0])
    instances = [_instance(body) for body in simulator._house.bodies]
    bench_tiny(f"home {scene} of {FEW} rooms", simulator._renderer, instances, cameras)
    ours = Renderer({"plain": np.full((1, 1, 3), 255, dtype=np.uint8)})
    ours.load(primitives(), Lighting())
    cameras = [Camera.standing((0.0, 0.0, 1.6), 0.8 * k, 0.3) for k in range(8)]
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
    parser.add_argument("--repeats", type=int, default=3, help="rounds over all views (default 3)")
    parser.add_argument("--scene", type=int, default=0, help="which home (default 0)")
    parser.add_argument("--compile", action="store_true", help="only compile, and say how long each module took")
    parser.add_argument("--load", action="store_true", help="only load the kernels, and say how long it took")
    options = parser.parse_args()
    if min(options.repeats, options.scene + 1) < 1:
        parser.error("--repeats is at least 1 and --scene at least 0.")
    if options.compile:
        print_compile_seconds()
    elif options.load:
        print(f"  {'all kernels':36s} {warm():5.1f} s")
    else:
        simulator = BulletSimulator()
        for rooms in (FEW, MANY):
            bench_home(simulator, options.scene, rooms, options.repeats)
        bench_both_tiny(simulator, options.scene)
        simulator.close()
        bench_compiling()


if __name__ == "__main__":
    main()
