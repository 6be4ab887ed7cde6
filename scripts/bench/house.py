"""How fast and how full homes are: seed to ready, moves with settling, objects, memory, and that no two are alike.

Usage: python scripts/bench/house.py [--houses N] [--memory-houses N] [--plans N]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import statistics
import time
from collections import Counter
from pathlib import Path

from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.builders.simulators.bullet.styles import style_of_pool

POOLS = ("homes_train", "homes_test")
STEPS = ((0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2))


def resident() -> float:
    """Resident memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def spread(values: list[int]) -> str:
    """Least, median and most."""
    return f"{min(values)} to {max(values)}, median {statistics.median(values):.0f}"


def loads(simulator: Simulator, pool: str, houses: int) -> None:
    """Print the seconds of each load and what it brought; the first, which reads caches, is left out."""
    simulator.load(0, pool, houses)
    seconds, objects, rooms = [], [], []
    for scene in range(houses):
        start = time.perf_counter()
        simulator.load(0, pool, scene)
        seconds.append(time.perf_counter() - start)
        objects.append(sum(not item.structural for item in simulator.objects))
        rooms.append(len(simulator.rooms))
    print(f"seed to ready: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s")
    print(f"objects a home: {spread(objects)}; rooms: {spread(rooms)}")


def movers(simulator: Simulator) -> list[SceneObject]:
    """Objects that carry nothing and stand on something."""
    carriers = {simulator.state(item.object_id).supporter for item in simulator.objects}
    return [
        item
        for item in simulator.objects
        if (item.moveable or item.pickupable) and item.parts and item.object_id not in carriers
    ]


def moves(simulator: Simulator, pool: str, houses: int) -> None:
    """Print the milliseconds of 20 cm moves by kind, and how often each outcome came."""
    times: dict[str, list[float]] = {"floor, settled": [], "on furniture, settled": [], "refused": []}
    outcomes: Counter[str] = Counter()
    for scene in range(houses):
        simulator.load(0, pool, scene)
        before = simulator.snapshot()
        for item in movers(simulator):
            state = simulator.state(item.object_id)
            x, y, z = state.pose.position
            on_floor = (state.supporter or "").startswith("Floor")
            for dx, dy in STEPS:
                start = time.perf_counter()
                result = simulator.teleport(item.object_id, (x + dx, y + dy, z), settle=True)
                spent = (time.perf_counter() - start) * 1e3
                kind = "refused" if not result.ok else "floor, settled" if on_floor else "on furniture, settled"
                times[kind].append(spent)
                outcomes[result.reason or "ok"] += 1
                simulator.restore(before)
    for kind, values in times.items():
        print(f"teleport ({kind}): median {statistics.median(values):.1f} ms, worst {max(values):.1f} ms")
    print("outcomes: " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))


def growth(simulator: Simulator, houses: int) -> float:
    """MB that the process grows by over many loads of either pool, after ten to warm up."""
    for scene in range(10):
        simulator.load(1, POOLS[scene % 2], scene)
    gc.collect()
    start = resident()
    for scene in range(houses):
        simulator.load(2, POOLS[scene % 2], scene)
    simulator.load(1, POOLS[1], 9)
    gc.collect()
    return resident() - start


def different(pool: str, plans: int) -> int:
    """How many of the first plans of a pool differ in rooms, walls, openings or height."""
    style = style_of_pool(pool)
    seen = set()
    for scene in range(plans):
        plan = draw_plan(0, pool, scene, style)
        drawn = ([(room.uses, room.bounds, room.notch) for room in plan.rooms], plan.openings, plan.height)
        seen.add(hashlib.sha256(repr(drawn).encode()).digest())
    return len(seen)


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--houses", type=int, default=20, help="homes of each pool to build and move things in")
    parser.add_argument("--memory-houses", type=int, default=300, help="homes to watch the memory over; 0: none")
    parser.add_argument("--plans", type=int, default=10_000, help="plans of each pool to compare; 0: none")
    options = parser.parse_args()
    if options.houses < 1 or min(options.memory_houses, options.plans) < 0:
        parser.error("--houses is at least 1, --memory-houses and --plans at least 0.")
    simulator = BulletSimulator()
    for pool in POOLS:
        print(f"--- {pool}")
        loads(simulator, pool, options.houses)
        moves(simulator, pool, max(2, options.houses // 4))
        if options.plans:
            print(f"different plans: {different(pool, options.plans)} of {options.plans}")
    if options.memory_houses:
        print(f"memory over {options.memory_houses} homes: {growth(simulator, options.memory_houses):+.1f} MB")


if __name__ == "__main__":
    main()
