"""What guards and workers cost: efficiency for several workers, overhead a block; on a machine with nothing else to do.

``python scripts/bench/scaling.py --scenes 8`` builds the same release in this process, then by one guarded child, then
by more, each into a fresh folder, and compares all of them byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ["NUMBA_NUM_THREADS"] = "1"  # as a child has it: one single-threaded process a core

from flowbench.builders.guard import Guards, Spec
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build

LEAST_EFFICIENCY = 0.9
MOST_OVERHEAD = 0.05


def main() -> int:
    """Measure and print; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=8, help="scenes of sim_train; a block each")
    parser.add_argument("--width", type=int, default=800)
    parser.add_argument("--height", type=int, default=600)
    parser.add_argument("--shard-bytes", type=int, default=20_000_000, help="small, for many shards")
    parser.add_argument("--workers", type=int, nargs="+", default=[2], help="numbers of workers beside 1")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="flowbench-scaling-") as folder:
        return measure(Path(folder), given)


def measure(root: Path, given: argparse.Namespace) -> int:
    """Build with every number of workers, and ask a guard for nothing."""
    start, trip = empty_blocks(root / "logs")
    plain, blocks, bytes_of = built(root / "plain", given, engine="serial")
    print(f"{given.scenes} scenes, {given.width}x{given.height}, {blocks} blocks and shards; {os.cpu_count()} cores")
    print(f"a child starts in {start:.2f} s; an empty block takes {1000 * trip:.2f} ms")
    print(f"unguarded      {plain:7.1f} s")
    missed = False
    one = 0.0
    for workers in (1, *given.workers):
        seconds, _, same = built(root / str(workers), given, workers=workers)
        one = one or seconds
        efficiency = one / (workers * seconds)
        missed = missed or efficiency < LEAST_EFFICIENCY
        equal = "same bytes" if same == bytes_of else "OTHER BYTES"
        name = f"{workers} worker{'s' if workers > 1 else ''}"
        print(f"{name:<14} {seconds:7.1f} s   efficiency {efficiency:.2f}   {equal}")
        missed = missed or same != bytes_of
    overhead = (one - plain) / plain
    print(
        f"overhead of guarding: {100 * overhead:.1f}% ({1000 * (one - plain) / blocks:.0f} ms a block, starts included)"
    )
    return int(missed or overhead > MOST_OVERHEAD)


def built(out: Path, given: argparse.Namespace, engine: str = "local", workers: int = 1) -> tuple[float, int, str]:
    """Seconds of a build, its blocks and shards, and a hash of what it published."""
    options = BuildOptions(
        ("sim_train",),
        out,
        given.scenes,
        workers=workers,
        width=given.width,
        height=given.height,
        shard_bytes=given.shard_bytes,
        engine=engine,
    )
    began = time.perf_counter()
    report = build(options, Silent())
    seconds = time.perf_counter() - began
    digest = hashlib.sha256()
    for path in sorted(out.rglob("*")):
        if path.is_file() and ".build" not in path.parts:
            digest.update(str(path.relative_to(out)).encode() + path.read_bytes())
    return seconds, given.scenes + report.configs["sim_train"].shards, digest.hexdigest()


def empty_blocks(logs: Path, count: int = 100) -> tuple[float, float]:
    """Seconds until a new child has answered, and median seconds of a block that does nothing."""
    guards = Guards()
    spec = Spec("empty", "builtins:dict", {}, 60.0, str(logs))
    times = []
    for _ in range(count):
        began = time.perf_counter()
        report = guards.run(spec)
        times.append(time.perf_counter() - began)
        if not report.ok:
            sys.exit(f"a child cannot be started: {report.failures}")
    guards.close()
    return times[0], statistics.median(times[1:])


if __name__ == "__main__":
    sys.exit(main())
