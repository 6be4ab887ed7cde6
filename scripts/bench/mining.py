#!/usr/bin/env python3
"""How fast pairs are mined from recorded episodes, and how much of it is decoding.

python scripts/bench/mining.py [--episodes 40] [--dataset DIR --profile bridge_v2]

Without a dataset it writes its own, 60 frames an episode, in both codecs and two sizes. One core. The columns after the
pairs: episodes a second; milliseconds an episode of tables, decoding and the rest; episodes a second of the rest alone.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.lerobot.writing import Codec, RecordedEpisode, write_dataset
from flowbench.builders.sources.mining import FramePair, mine
from flowbench.builders.sources.profiles import Profile, profile_named
from flowbench.builders.sources.recorded import Episode, Picture, RecordedDataset

CAMERA, FRAMES, FPS = "observation.images.front", 60, 10


class Timed(RecordedDataset):
    """A dataset that adds up the seconds that its frames take."""

    def __init__(self, dataset: RecordedDataset) -> None:
        self.root, self._dataset = dataset.root, dataset
        self.decoding = self.tables = 0.0

    @property
    def episodes(self) -> list[int]:
        """Those of the dataset."""
        return list(self._dataset.episodes)

    def episode(self, index: int) -> Episode:
        """That of the dataset."""
        start = time.perf_counter()
        try:
            return self._dataset.episode(index)
        finally:
            self.tables += time.perf_counter() - start

    def frames(self, episode: Episode, indices: list[int]) -> list[Picture]:  # type: ignore[override]
        """Those of the dataset."""
        start = time.perf_counter()
        try:
            return self._dataset.frames(episode, indices)
        finally:
            self.decoding += time.perf_counter() - start


def episodes(count: int, width: int, height: int) -> Iterator[RecordedEpisode]:
    """Episodes whose pictures change about as much as a robot's do."""
    for number in range(count):
        rng = np.random.default_rng(number)
        coarse = rng.integers(0, 256, (height // 8, width // 8, 3), dtype=np.uint8)
        table = cv2.GaussianBlur(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), (0, 0), 3)
        pictures = []
        for frame in range(FRAMES):
            picture = table.copy()
            place = (width // 8 + frame * width // 120, height // 3)
            cv2.rectangle(picture, place, (place[0] + width // 6, place[1] + height // 4), (200, 40, 40), -1)
            pictures.append(picture)
        still = np.zeros((FRAMES, 3)), np.ones(FRAMES)
        yield RecordedEpisode("push the block", {CAMERA: pictures}, *still)


def measure(root: Path, profile: Profile) -> tuple[int, int, float, float, float]:
    """Episodes, pairs, and seconds of tables, decoding and the rest."""
    dataset = Timed(open_dataset(root, profile))
    start = time.perf_counter()
    results = list(mine(dataset, profile))
    whole = time.perf_counter() - start
    pairs = sum(isinstance(result, FramePair) for result in results)
    return len(results), pairs, dataset.tables, dataset.decoding, whole - dataset.tables - dataset.decoding


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--profile", default="tabletop")
    arguments = parser.parse_args()
    os.environ.setdefault("SVT_LOG", "0")
    cv2.setNumThreads(1)
    table = Table("dataset", "episodes", "pairs", "a second", "tables", "decoding", "rest", "rest only")
    with tempfile.TemporaryDirectory() as folder:
        chosen = [(arguments.dataset, profile_named(arguments.profile))] if arguments.dataset else []
        cases: list[tuple[Codec, int, int]] = [("h264", 640, 480), ("av1", 640, 480), ("av1", 256, 256)]
        for codec, width, height in [] if chosen else cases:
            root = Path(folder) / f"{codec} {width}x{height}"
            write_dataset(root, episodes(arguments.episodes, width, height), FPS, codec=codec)
            chosen.append((root, profile_named("tabletop")))
        for root, profile in chosen:
            total, pairs, *seconds = measure(root, profile)
            each = [f"{1000 * part / total:.1f} ms" for part in seconds]
            beyond = f"{total / max(seconds[2], 1e-9):,.0f}"
            table.add_row(root.name, str(total), str(pairs), f"{total / sum(seconds):.1f}", *each, beyond)
    Console().print(table)


if __name__ == "__main__":
    main()
