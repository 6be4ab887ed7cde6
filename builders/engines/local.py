"""This machine: threads, each waiting for one guarded child."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from flowbench.builders.guard import Report, Spec

HEARTBEAT = 0.2
"""Seconds after which a wait looks up: polars installs a SIGINT handler that restarts blocked waits."""


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def local(
    fn: Callable[[Spec], Report], specs: Iterable[Spec], *, workers: int | None, folder: Path | None = None
) -> Generator[Report, None, None]:
    """Run blocks in threads; see :mod:`flowbench.builders.engines`.

    Ending the iteration starts no more blocks; whoever owns the guard ends those that run.
    """
    workers = cores() if workers is None else workers
    waiting = iter(specs)
    running: set[Future[Report]] = set()
    executor = ThreadPoolExecutor(workers, thread_name_prefix="flowbench-guard")
    try:
        while True:
            for spec in itertools.islice(waiting, 2 * workers - len(running)):
                running.add(executor.submit(fn, spec))
            if not running:
                return
            done, running = wait(running, HEARTBEAT, FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def serial(
    fn: Callable[[Spec], Report], specs: Iterable[Spec], *, workers: int | None, folder: Path | None = None
) -> Generator[Report, None, None]:
    """Run blocks in this thread; see :mod:`flowbench.builders.engines`."""
    yield from map(fn, specs)
