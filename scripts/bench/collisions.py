"""How fast collision scenes are drawn, simulated and filmed, how many draws are rejected, and how they look.

Usage: python scripts/bench/collisions.py [--scenes N] [--seed N] [--sheet FILE.png]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench import _jit
from flowbench.builders.simulators.collisions.drawing import draw
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.filming import Studio
from flowbench.collisions.oracle import FRAMES
from flowbench.rendering.warming import warm

SHEET_FRAMES = (0, 40, 64, 88, 127)
SHEET_SCENES = 8
SHEET_SCALE = 0.5

Result = TypeVar("Result")


def timed(action: Callable[[], Result]) -> tuple[Result, float, float]:
    """A result, and its milliseconds elapsed and of CPU time."""
    begin = time.perf_counter(), time.process_time()
    result = action()
    return result, 1e3 * (time.perf_counter() - begin[0]), 1e3 * (time.process_time() - begin[1])


def report(title: str, spent: list[tuple[float, float]]) -> None:
    """A line: medians and the worst."""
    elapsed, busy = np.array(spent).T
    medians = f"{np.median(elapsed):8.1f} ms elapsed, {np.median(busy):8.1f} ms CPU"
    print(f"  {title:38s} {medians}, worst {elapsed.max():8.1f} ms")


def bench(seed: int, scenes: int) -> None:
    """Print medians over scenes, and what was rejected."""
    warm()
    studio = Studio()
    spent: dict[str, list[tuple[float, float]]] = {
        name: [] for name in ("drawn with all redraws", "one run", "filmed, ids too", "oracle from these ids")
    }
    rejects: Counter[str] = Counter()
    collisions, bodies = [], []
    for scene in range(scenes):
        drawn, *first = timed(lambda scene=scene: draw(seed, scene))
        setup, run = drawn.setup, drawn.run
        _, *second = timed(lambda setup=setup: simulate(setup))
        (_, ids), *third = timed(lambda setup=setup, run=run: studio.film(setup, run))
        _, *fourth = timed(lambda setup=setup, run=run, ids=ids: studio.oracle(setup, run, ids))
        for name, times in zip(spent, (first, second, third, fourth), strict=True):
            spent[name].append((times[0], times[1]))
        rejects.update(drawn.rejects)
        collisions.append(len(run.collisions))
        bodies.append(len(setup.bodies))
    print(f"{scenes} scenes of seed {seed}, {FRAMES} frames, {_jit.threads()} threads")
    for name, times in spent.items():
        report(name, times)
    print(f"  bodies {np.mean(bodies):.1f}, collisions {np.mean(collisions):.1f} a scene")
    print(f"  scenes with so many collisions: {dict(sorted(Counter(collisions).items()))}")
    print(f"  {sum(rejects.values()) / scenes:.2f} rejects a scene kept")
    for reason, count in rejects.most_common():
        print(f"    {count / scenes:6.2f}  {reason}")


def sheet(seed: int) -> NDArray[np.uint8]:
    """Frames (across) of scenes (down), uint8 sRGB."""
    studio = Studio()
    rows = []
    for scene in range(SHEET_SCENES):
        drawn = draw(seed, scene)
        pictures, _ = studio.film(drawn.setup, drawn.run, SHEET_FRAMES)
        rows.append(np.hstack(list(pictures)))
    whole = np.vstack(rows)
    return np.asarray(cv2.resize(whole, None, fx=SHEET_SCALE, fy=SHEET_SCALE, interpolation=cv2.INTER_AREA))


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sheet", type=Path, help="write a contact sheet of some scenes instead of measuring")
    chosen = parser.parse_args()
    if chosen.sheet is None:
        bench(chosen.seed, chosen.scenes)
    else:
        cv2.imwrite(str(chosen.sheet), sheet(chosen.seed)[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(f"{chosen.sheet}: {chosen.sheet.stat().st_size} bytes")


if __name__ == "__main__":
    main()
