"""How fast and how lean the loaders are, beside a loop written by hand; prints the table of docs/benchmarks.md.

usage: python scripts/bench/loading.py --release DIR [--samples 40] [--rounds 7] [--memory 2000]

Rounds are interleaved, and what is measured is processor time: the wall clock would measure what else the machine does.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import statistics
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import datasets
import numpy as np

import flowbench
from flowbench.release import iter_samples, shard_files

CONFIG, SPLIT = "sim_train", "train"
FEW = ["before_marked", "depth_before", "flow", "record"]
"""What a trainer of flow and answers reads; the other case is everything."""
Loop = Callable[[], Iterable[Any]]


def main() -> None:
    """Print rates, ratios to the loop written by hand or to plain ``datasets``, and memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--release", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=40, help="a round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--memory", type=int, default=2000, help="samples to run through for the memory; 0 for none")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        for title, columns in (("four columns", FEW), ("all columns", None)):
            compare(f"decoded, {title}", decoded_loops(given.release, columns, cache), given.samples, given.rounds)
        compare("undecoded, streaming", undecoded_loops(given.release), 5 * given.samples, given.rounds)
        if given.memory:
            memory(decoded_loops(given.release, FEW, cache), given.memory)


def compare(title: str, loops: dict[str, Loop], samples: int, rounds: int) -> None:
    """Interleaved rounds; the first loop is what the others are compared with, round by round."""
    for loop in loops.values():
        take(loop(), 3)  # imports, caches
    seconds: dict[str, list[float]] = {name: [] for name in loops}
    for number in range(rounds):
        turned = list(loops.items())
        for name, loop in turned[number % len(turned) :] + turned[: number % len(turned)]:
            start = time.process_time()
            take(loop(), samples)
            seconds[name].append(time.process_time() - start)
    first = next(iter(loops))
    print(f"\n| {title} | samples/s | of {first} |\n|---|---:|---:|")
    for name, times in seconds.items():
        ratio = statistics.median(a / b for a, b in zip(seconds[first], times, strict=True))
        print(f"| {name} | {samples / statistics.median(times):.1f} | {ratio:.2f} |", flush=True)


def take(samples: Iterable[Any], count: int) -> None:
    """Go through so many samples and keep none."""
    for _ in itertools.islice(samples, count):
        pass


def decoded_loops(root: Path, columns: list[str] | None, cache: str) -> dict[str, Loop]:
    """Loops that end in the same arrays and records."""
    where: dict[str, Any] = {"root": root, "columns": columns}
    kept = flowbench.load_dataset(CONFIG, SPLIT, cache_dir=cache, **where)
    return {
        "tarfile + cv2": lambda: by_hand(root, columns),
        "flowbench.webdataset": lambda: flowbench.webdataset(CONFIG, SPLIT, **where),
        "flowbench.load_dataset, streaming": lambda: flowbench.load_dataset(CONFIG, SPLIT, streaming=True, **where),
        "flowbench.load_dataset, map-style": lambda: kept,
        "iter_samples + flowbench.decode": lambda: (flowbench.decode(sample, columns) for sample in stored(root)),
    }


def undecoded_loops(root: Path) -> dict[str, Loop]:
    """Streaming every member as bytes."""

    def plain() -> Iterable[Any]:
        data = datasets.load_dataset(str(root), CONFIG, split=SPLIT, streaming=True)
        return data.decode(False)  # type: ignore[no-any-return]

    def ours() -> Iterable[Any]:
        return flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True, decode=False)  # type: ignore[no-any-return]

    return {
        "plain datasets": plain,
        "flowbench.load_dataset": ours,
        "flowbench.webdataset": lambda: flowbench.webdataset(CONFIG, SPLIT, root=root, decode=False),
    }


def stored(root: Path) -> Iterator[Any]:
    """The samples as they lie."""
    return itertools.chain.from_iterable(map(iter_samples, shard_files(root, CONFIG, SPLIT)))


def by_hand(root: Path, columns: list[str] | None) -> Iterator[dict[str, Any]]:
    """What one would write without us: the standard library's tarfile, OpenCV, json."""
    wanted = {"before_marked.png", "depth_before.png16", "flow.png16", "json"} if columns else None
    for path in shard_files(root, CONFIG, SPLIT):
        key, sample = "", {}
        with tarfile.open(path, "r:") as archive:
            for info in archive:
                name, _, column = info.name.partition(".")
                if name != key and sample:
                    yield sample
                    sample = {}
                key = name
                if wanted is None or column in wanted:
                    file = archive.extractfile(info)
                    assert file is not None
                    sample[column] = value(column, file.read())
        yield sample


def value(column: str, data: bytes) -> Any:
    """A member, decoded by hand to the same arrays."""
    if column in ("json", "meta.txt"):
        return json.loads(data)
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if column.startswith("depth"):
        return pixels.astype(np.float32) / np.float32(1000.0)
    if column.startswith("seg"):
        return pixels.astype(np.int32)
    pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    if column == "flow.png16":
        return (pixels[..., :2].astype(np.float32) - 32768.0) / 64.0, pixels[..., 2] == 1
    return pixels


def memory(loops: dict[str, Loop], count: int) -> None:
    """Resident memory while each loader runs through ``count`` samples, the release again and again."""
    marks = [count // 10, count // 2, count]
    print(f"\n| resident memory, MB, after samples | {' | '.join(map(str, marks))} | at most |")
    print("|---|" + "---:|" * (len(marks) + 1))
    for name, loop in list(loops.items())[1:]:
        endless = itertools.chain.from_iterable(loop() for _ in itertools.count())
        found, seen = [], 0
        for mark in marks:
            take(endless, mark - seen)
            seen = mark
            found.append(resident())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f"| {name} | {' | '.join(f'{each:.0f}' for each in found)} | {peak:.0f} |", flush=True)


def resident() -> float:
    """Anonymous memory of this process, MB: pages of mapped files are the system's to take back."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) / 1e3 for line in status.splitlines() if line.startswith("RssAnon"))


if __name__ == "__main__":
    main()
