"""Plain worker processes on this machine: single-threaded, one a core, replaced now and then, gone with the driver."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from .errors import FlowbenchError

Unit = TypeVar("Unit")
Report = TypeVar("Report")

UNITS_A_WORKER = 200
"""All workers are replaced after so many units each: simulators leak a little."""
HEARTBEAT = 0.2
"""Seconds after which a wait for workers looks up."""
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


class WorkerDiedError(FlowbenchError):
    """A worker process was killed or crashed; what is finished stays finished."""

    exit_code = 1


def run_units(function: Callable[[Unit], Report], units: Sequence[Unit], workers: int) -> Iterator[tuple[Unit, Report]]:
    """Run units and yield them with their reports as they finish, in any order.

    With one worker they run in this process, and nothing is recycled. An interrupt ends the workers at once, and so
    does the death of this process; files are written whole or not at all, so the next run goes on from the receipts.

    Raises:
        FlowbenchError: a unit's own, or a worker died.
    """
    workers = min(workers, len(units))
    if workers <= 1:
        for unit in units:
            yield unit, function(unit)
        return
    # Not by max_tasks_per_child: executors that replace workers one by one may deadlock (CPython gh-115634).
    for batch in range(0, len(units), UNITS_A_WORKER * workers):
        yield from _run_batch(function, units[batch : batch + UNITS_A_WORKER * workers], workers)


def _run_batch(
    function: Callable[[Unit], Report], units: Sequence[Unit], workers: int
) -> Iterator[tuple[Unit, Report]]:
    """Run units in fresh worker processes."""
    with _undisturbed():
        executor = ProcessPoolExecutor(
            min(workers, len(units)), mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
        )
    try:
        yield from _drain(executor, function, units, 2 * workers)
    except BrokenProcessPool:
        raise WorkerDiedError(
            "a worker process died (out of memory, or killed): run the same command again, "
            "with fewer --workers if memory is short."
        ) from None
    except BaseException:
        _kill(executor)
        raise
    finally:
        with _undisturbed():
            executor.shutdown(wait=True, cancel_futures=True)


def _drain(
    executor: ProcessPoolExecutor, function: Callable[[Unit], Report], units: Sequence[Unit], window: int
) -> Iterator[tuple[Unit, Report]]:
    """Keep a window of units submitted; yield what is done."""
    waiting = iter(units)
    running: dict[Future[Report], Unit] = {}
    while True:
        for unit in itertools.islice(waiting, window - len(running)):
            with _single_threaded(), _undisturbed():  # it may start a process
                future = executor.submit(function, unit)
            running[future] = unit
        if not running:
            return
        # polars installs a SIGINT handler that restarts blocked waits: Ctrl-C is only seen between short ones.
        done, _ = wait(running, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


def _kill(executor: ProcessPoolExecutor) -> None:
    """End the executor's own processes, and no others that this process may have, in the middle of their units."""
    with _undisturbed():
        # Executors can do this themselves from Python 3.14 on. Once shut down, one no longer knows its processes.
        for process in list((executor._processes or {}).values()):
            process.kill()


def _begin_worker() -> None:
    """Be deaf to Ctrl-C, which reaches the whole group (the driver decides what it means), and end with the driver."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_driver, name="end-with-driver", daemon=True).start()


def _end_with_driver() -> None:
    """Wait for the driver's end, however it comes about; from then on nobody holds the directory's lock."""
    driver = multiprocessing.parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off what SIGINT and SIGTERM do; processes that are started meanwhile are born deaf to SIGINT.

    An interrupt half-way through the start of a process would leave one that nobody knows, and a process that is
    interrupted before it is asked to ignore it ends with a traceback.
    """
    put_off: list[int] = []
    former: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():  # no other runs handlers, or may change them
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                former[number] = signal.signal(number, lambda number, _: put_off.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in former.items():
            signal.signal(number, handler)
        for came in put_off:
            signal.raise_signal(came)


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
