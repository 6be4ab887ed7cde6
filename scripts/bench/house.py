"""How fast homes are: seed to ready, moves with settling, and memory over many homes (medians).

Usage: python scripts/bench/house.py [--houses N] [--memory-houses N]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import Counter
from pathlib import Path

from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.builders.simulators.bullet.simulator import BulletSimulator

POOL = "homes_train"
STEPS = ((0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2))


def resident() -> float:
    """Resident memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def loads(simulator: Simulator, houses: int) -> list[float]:
    """Seconds of each load; the first, which compiles and reads caches, is left out."""
    simulator.load(0, POOL, houses)
    seconds = []
    for scene in range(houses):
        start = time.perf_counter()
        simulator.load(0, POOL, scene)
        seconds.append(time.perf_counter() - start)
    return seconds


def movers(simulator: Simulator) -> list[SceneObject]:
    """Objects that carry nothing and stand on something."""
    carriers = {simulator.state(item.object_id).supporter for item in simulator.objects}
    return [
        item
        for item in simulator.objects
        if (item.moveable or item.pickupable) and item.parts and item.object_id not in carriers
    ]


def moves(simulator: Simulator, houses: int) -> tuple[dict[str, list[float]], Counter[str]]:
    """Milliseconds of 20 cm moves by kind, and how often each outcome came."""
    times: dict[str, list[float]] = {"floor, settled": [], "on furniture, settled": [], "refused": []}
    outcomes: Counter[str] = Counter()
    for scene in range(houses):
        simulator.load(0, POOL, scene)
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
    return times, outcomes


def growth(simulator: Simulator, houses: int) -> float:
    """MB that the process grows by over many loads, after ten to warm up."""
    for scene in range(10):
        simulator.load(1, POOL, scene)
    gc.collect()
    start = resident()
    for scene in range(houses):
        simulator.load(2, POOL, scene)
    simulator.load(1, POOL, 9)
    gc.collect()
    return resident() - start


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--houses", type=int, default=20)
    parser.add_argument("--memory-houses", type=int, default=300)
    options = parser.parse_args()
    simulator = BulletSimulator()
    seconds = loads(simulator, options.houses)
    print(f"seed to ready: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s")
    times, outcomes = moves(simulator, max(2, options.houses // 4))
    for kind, values in times.items():
        print(f"teleport ({kind}): median {statistics.median(values):.1f} ms, worst {max(values):.1f} ms")
    print("outcomes: " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))
    if options.memory_houses:
        print(f"memory over {options.memory_houses} homes: {growth(simulator, options.memory_houses):+.1f} MB")


if __name__ == "__main__":
    main()
