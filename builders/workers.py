"""Plain worker processes on this machine: single-threaded, one a core, recycled now and then."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from flowbench.errors import FlowbenchError

Unit = TypeVar("Unit")
Report = TypeVar("Report")

UNITS_A_WORKER = 200
"""A worker is replaced after so many units: simulators leak a little."""
HEARTBEAT = 0.2
"""Seconds after which a wait for workers looks up."""
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


class WorkerDiedError(FlowbenchError):
    """A worker process was killed or crashed; what is finished stays finished."""

    exit_code = 1


def run_units(function: Callable[[Unit], Report], units: Sequence[Unit], workers: int) -> Iterator[tuple[Unit, Report]]:
    """Run units and yield them with their reports as they finish, in any order.

    With one worker they run in this process. An interrupt ends the workers at once; files are written whole or not at
    all, so the next run goes on from the receipts.

    Raises:
        FlowbenchError: a unit's own, or a worker died.
    """
    workers = min(workers, len(units))
    if workers <= 1:
        for unit in units:
            yield unit, function(unit)
        return
    with _single_threaded():
        executor = ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_ignore_interrupts,
            max_tasks_per_child=UNITS_A_WORKER,
        )
        try:
            yield from _drain(executor, function, units, 2 * workers)
        except BrokenProcessPool:
            raise WorkerDiedError(
                "a worker process died (out of memory, or killed): run the same command again to go on, "
                "with fewer --workers if memory is short."
            ) from None
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
            raise
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _drain(
    executor: ProcessPoolExecutor, function: Callable[[Unit], Report], units: Sequence[Unit], window: int
) -> Iterator[tuple[Unit, Report]]:
    """Keep a window of units submitted; yield what is done."""
    waiting = iter(units)
    running: dict[Future[Report], Unit] = {}
    while True:
        for unit in itertools.islice(waiting, window - len(running)):
            running[executor.submit(function, unit)] = unit
        if not running:
            return
        # polars installs a SIGINT handler that restarts blocked waits: Ctrl-C is only seen between short ones.
        done, _ = wait(running, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches the whole group; the driver decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _single_threaded() -> Iterator[None]:
    """Children start with one thread each; this process's environment is put back."""
    former = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
