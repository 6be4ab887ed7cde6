"""How long a tabletop episode takes, part by part: draw and simulate, film, encode, write; and pairs without video.

Usage: python scripts/bench/tabletop.py [--episodes N] [--seed N]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from flowbench.builders.simulators.tabletop.drawing import draw
from flowbench.builders.simulators.tabletop.pairs import pair_of
from flowbench.builders.simulators.tabletop.panda import panda
from flowbench.builders.simulators.tabletop.recording import record_scene
from flowbench.builders.simulators.tabletop.scene import FPS, POOL, SETUPS, Setup
from flowbench.encoding.video import encode_video
from flowbench.rendering.warming import warm

Result = TypeVar("Result")
Spent = tuple[float, float]


def timed(action: Callable[[], Result]) -> tuple[Result, Spent]:
    """A result, and its seconds elapsed and of CPU time."""
    begin = time.perf_counter(), time.process_time()
    result = action()
    return result, (time.perf_counter() - begin[0], time.process_time() - begin[1])


def report(title: str, spent: list[Spent]) -> None:
    """A line: medians and the worst."""
    elapsed, busy = np.array(spent).T
    medians = f"{np.median(elapsed):6.2f} s elapsed, {np.median(busy):6.2f} s CPU"
    print(f"  {title:34s} {medians}, worst {busy.max():6.2f} s CPU")


def bench(seed: int, episodes: int, setup: Setup) -> None:
    """Print medians over episodes, and why draws were not kept."""
    parts: dict[str, list[Spent]] = {name: [] for name in ("draw, simulate", "film", "encode", "ids", "tracks")}
    whole: list[Spent] = []
    pairs: list[Spent] = []
    rejects: Counter[str] = Counter()
    frames = []
    for index in range(episodes):
        truth, spent = timed(lambda index=index: draw(seed, POOL, index, setup, rejects))
        parts["draw, simulate"].append(spent)
        last = len(truth) - 1
        pictures, spent = timed(lambda truth=truth: np.stack([truth.rgb(frame) for frame in range(len(truth))]))
        parts["film"].append(spent)
        parts["encode"].append(timed(lambda pictures=pictures: encode_video(pictures, FPS))[1])
        parts["ids"].append(timed(lambda truth=truth: truth.instance_ids(3))[1])
        parts["tracks"].append(timed(lambda truth=truth, last=last: truth.tracks(0, last))[1])
        pairs.append(timed(lambda index=index: pair_of(seed, POOL, index, setup))[1])
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "one"
            whole.append(timed(lambda index=index, root=root: record_scene(root, seed, POOL, index, setup))[1])
        frames.append(len(truth))
    print(f"{setup}: {episodes} episodes of {min(frames)} to {max(frames)} frames, {np.mean(frames):.0f} on average")
    for name, all_spent in parts.items():
        report(name, all_spent)
    report("a pair without a video", pairs)
    report("an episode, drawn to written", whole)
    print(f"  {sum(rejects.values()) / episodes:.1f} draws not kept an episode: {dict(rejects.most_common(6))}")


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warm()
    panda()
    draw(given.seed, POOL, 0, "bridge").rgb(0)
    for setup in SETUPS:
        bench(given.seed, given.episodes, setup)


if __name__ == "__main__":
    main()
