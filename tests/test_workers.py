"""Plain worker processes: that they are replaced, told of when they die, and leave others alone."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flowbench import workers
from flowbench.workers import WorkerDiedError, run_units


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def die(_: float) -> None:
    os._exit(3)


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


def await_that(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_only_own_processes_are_ended() -> None:
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60.0,))
    other.start()
    try:
        reports = run_units(pid_after, [0.0, 60.0, 60.0], workers=2)
        _, pid = next(reports)
        reports.close()  # type: ignore[attr-defined]
        await_that(lambda: not is_alive(pid), 5.0)
        assert other.is_alive()
        assert multiprocessing.active_children() == [other]
    finally:
        other.kill()
        other.join()


def test_workers_are_replaced_after_so_many_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "UNITS_A_WORKER", 1)
    done = list(run_units(pid_after, [0.1, 0.2, 0.3, 0.4, 0.5], workers=2))
    assert sorted(unit for unit, _ in done) == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert 3 <= len({pid for _, pid in done}) <= 5


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(WorkerDiedError, match="run the same command again"):
        list(run_units(die, [1.0, 2.0], workers=2))


def test_one_worker_is_this_process() -> None:
    assert list(run_units(pid_after, [0.0], workers=8)) == [(0.0, os.getpid())]


def test_handlers_and_environment_are_put_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)], dict(os.environ)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    list(run_units(pid_after, [0.0, 0.0], workers=2))
    assert ([signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)], dict(os.environ)) == before
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == mask


def test_an_interrupt_is_put_off_not_lost() -> None:
    steps: list[str] = []
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            _interrupted(steps)
    finally:
        signal.signal(signal.SIGINT, former)
    assert steps == ["went on"]


def _interrupted(steps: list[str]) -> None:
    with workers._undisturbed():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        steps.append("went on")
    steps.append("lost")
