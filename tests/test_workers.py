"""Worker processes: how they end with the driver, whatever ends it, and that they leave others alone."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.building import published

from flowbench import workers
from flowbench.workers import WorkerDiedError, run_units

DRIVER = Path(__file__).parent / "support" / "driver.py"
SENTENCE = "flowbench: interrupted; run the same command again to go on where it stopped.\n"


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def die(_: float) -> None:
    os._exit(3)


def workers_of(pid: int) -> list[int]:
    """The worker processes of a driver that are alive."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if int(parent) == pid and state not in "ZX" and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


def await_that(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def receipts(out: Path) -> list[str]:
    state = out / ".build" / "sim_train"
    return sorted(str(path) for each in ("propose", "write") for path in (state / each).glob("*.json"))


@contextlib.contextmanager
def building(out: Path, pace: float = 0.2) -> Iterator[subprocess.Popen[str]]:
    """A build of 60 scenes by two workers, in a group of its own."""
    line = f"build sim_train --scenes 60 --workers 2 --out {out}"
    process = subprocess.Popen(
        [sys.executable, str(DRIVER), *line.split()],
        env={**os.environ, "FLOWBENCH_TEST_PACE": str(pace)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def assert_one_sentence(build: subprocess.Popen[str]) -> None:
    """Calm lines of progress, then the sentence."""
    assert build.stderr is not None
    *progress, last = build.stderr.read().splitlines(keepends=True)
    assert last == SENTENCE
    assert all(line.startswith("propose sim_train: ") for line in progress)


def test_workers_end_at_once_with_a_killed_driver(tmp_path: Path) -> None:
    with building(tmp_path / "r") as build:
        await_that(lambda: len(receipts(tmp_path / "r")) >= 4)
        orphans = workers_of(build.pid)
        assert len(orphans) == 2
        build.kill()
        build.wait()
        await_that(lambda: not any(map(is_alive, orphans)), 2.0)
        left = receipts(tmp_path / "r")
        time.sleep(0.5)
        assert receipts(tmp_path / "r") == left
        assert len(left) < 30


@pytest.mark.parametrize(
    ("number", "whom"),
    [
        (signal.SIGTERM, "the driver"),
        pytest.param(signal.SIGTERM, "the group", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "the driver", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "the group", marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_and_sigterm_end_all_with_one_sentence(tmp_path: Path, number: signal.Signals, whom: str) -> None:
    with building(tmp_path / "r") as build:
        await_that(lambda: len(receipts(tmp_path / "r")) >= 4)
        of_driver = workers_of(build.pid)
        assert len(of_driver) == 2
        send = os.kill if whom == "the driver" else os.killpg
        send(build.pid, number)
        assert build.wait(10.0) == 130
        assert not any(map(is_alive, of_driver))
        assert not list(tmp_path.rglob("*.tmp"))
        assert_one_sentence(build)


@pytest.mark.parametrize("delay", [0.0, *(pytest.param(x, marks=pytest.mark.slow) for x in (0.02, 0.1, 0.3))])
def test_ctrl_c_while_workers_start_is_one_sentence(tmp_path: Path, delay: float) -> None:
    with building(tmp_path / "r") as build:
        await_that(lambda: bool(workers_of(build.pid)))
        time.sleep(delay)
        os.killpg(build.pid, signal.SIGINT)
        assert build.wait(10.0) == 130
        assert_one_sentence(build)


@pytest.mark.slow
def test_an_interrupted_build_goes_on_to_the_undisturbed_release(tmp_path: Path) -> None:
    for number, least in ((signal.SIGTERM, 4), (signal.SIGKILL, 12), (signal.SIGINT, 36)):
        with building(tmp_path / "r", pace=0.02) as build:
            await_that(lambda least=least: len(receipts(tmp_path / "r")) >= least)  # type: ignore[misc]
            build.send_signal(number)
            build.wait()
    for out in (tmp_path / "r", tmp_path / "undisturbed"):
        with building(out, pace=0.0) as build:
            assert build.wait() == 0
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")


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
