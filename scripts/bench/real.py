"""How fast recorded pairs are measured and asked about, without perception, and what becomes of them.

Usage: python scripts/bench/real.py [--episodes N] [--first N] [--seed N]

Times are of CPU, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from flowbench.builders.real.asking import ask
from flowbench.builders.real.drawn import DrawnTabletop
from flowbench.builders.real.measuring.measure import measure, perceive
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.recordings import TABLETOP
from flowbench.builders.sim.items import Reject

Result = TypeVar("Result")


def timed(action: Callable[[], Result]) -> tuple[Result, float]:
    """A result and its seconds of CPU."""
    began = time.process_time()
    return action(), time.process_time() - began


def main() -> None:
    """Measure episodes and print medians, rejects and questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    spent: dict[str, list[float]] = {"perceive": [], "measure": [], "ask": []}
    rejects: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for scene in range(options.first, options.first + options.episodes):
        shot = DrawnTabletop().shot(options.seed, TABLETOP, scene)
        if isinstance(shot, Reject):
            rejects[shot.reason] += 1
            continue
        percepts, seconds = timed(lambda shot=shot: perceive(shot.perception, shot.pair))  # type: ignore[misc]
        spent["perceive"].append(seconds)
        found, seconds = timed(lambda: measure(shot.pair, percepts, shot.optics))  # noqa: B023
        spent["measure"].append(seconds)
        if isinstance(found, Reject):
            rejects[found.reason] += 1
            continue
        asked, seconds = timed(lambda: ask(found, preset_named("balanced")))  # noqa: B023
        spent["ask"].append(seconds)
        if isinstance(asked, Reject):
            rejects[asked.reason] += 1
            continue
        questions.update(f"{draft.category}{'' if draft.flipped else ', unchanged'}" for draft in asked[1])
    for name, seconds_each in spent.items():
        print(f"  {name:10s} {1e3 * float(np.median(seconds_each)):8.1f} ms, worst {1e3 * max(seconds_each):8.1f} ms")
    both = float(np.median(spent["measure"])) + float(np.median(spent["ask"]))
    print(f"  measured and asked about: {1.0 / both:.1f} episodes a second and core, without perception")
    print(f"  rejects: {dict(rejects)}")
    print(f"  questions: {dict(sorted(questions.items()))}")


if __name__ == "__main__":
    main()
