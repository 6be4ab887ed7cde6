"""The driver of a build is interrupted or killed, or a second one comes: all ends with it, and a rerun goes on."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.building import published

DRIVER = Path(__file__).parent / "support" / "driver.py"
SENTENCE = "flowbench: interrupted; run the same command again to go on where it stopped.\n"


def workers_of(pid: int) -> list[int]:
    """The guarded children of a driver that are alive."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if int(parent) == pid and state not in "ZX" and b"guard.host" in (folder / "cmdline").read_bytes():
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
    assert all(line.startswith(("preparing: ", "propose sim_train: ")) for line in progress)


@pytest.mark.slow
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
        assert build.wait(60.0) == 130
        assert not any(map(is_alive, of_driver))
        assert not list(tmp_path.rglob("*.tmp"))
        assert_one_sentence(build)


@pytest.mark.parametrize("delay", [0.0, *(pytest.param(x, marks=pytest.mark.slow) for x in (0.02, 0.1, 0.3))])
def test_ctrl_c_while_workers_start_is_one_sentence(tmp_path: Path, delay: float) -> None:
    with building(tmp_path / "r") as build:
        await_that(lambda: bool(workers_of(build.pid)))
        time.sleep(delay)
        os.killpg(build.pid, signal.SIGINT)
        assert build.wait(60.0) == 130
        assert_one_sentence(build)


@pytest.mark.slow
def test_killed_at_ten_random_moments_a_rerun_gives_the_undisturbed_release(tmp_path: Path) -> None:
    random_moments = random.Random(7)
    out = tmp_path / "r"
    for number in range(10):
        before = len(receipts(out))
        with building(out, pace=0.02) as build:
            wanted = before + random_moments.randrange(1, 10) if number else 0
            await_that(lambda wanted=wanted: workers_of(build.pid) and len(receipts(out)) >= wanted)  # type: ignore[misc]
            time.sleep(random_moments.uniform(0.0, 0.1))
            orphans = workers_of(build.pid)
            assert build.poll() is None, "it is at work"
            build.kill()
            build.wait()
            await_that(lambda orphans=orphans: not any(map(is_alive, orphans)), 10.0)  # type: ignore[misc]
    assert any("/write/" in name for name in receipts(out)), "both passes were disturbed"
    assert not (out / "manifest.json").exists()
    assert_a_rerun_gives_the_undisturbed_release(tmp_path)


@pytest.mark.slow
def test_an_interrupted_build_goes_on_to_the_undisturbed_release(tmp_path: Path) -> None:
    for number, least in ((signal.SIGTERM, 4), (signal.SIGKILL, 12), (signal.SIGINT, 36)):
        with building(tmp_path / "r", pace=0.02) as build:
            await_that(lambda least=least: len(receipts(tmp_path / "r")) >= least)  # type: ignore[misc]
            build.send_signal(number)
            build.wait()
    assert_a_rerun_gives_the_undisturbed_release(tmp_path)


@pytest.mark.slow
def test_a_second_run_on_the_same_directory_refuses_and_disturbs_nothing(tmp_path: Path) -> None:
    with building(tmp_path / "r", pace=0.05) as first:
        await_that(lambda: len(receipts(tmp_path / "r")) >= 2)
        with building(tmp_path / "r") as second:
            assert second.wait(120.0) == 2
            assert second.stderr is not None
            sentence = (
                f"flowbench: another build is at work in {tmp_path / 'r'}: wait for it, or choose another --out.\n"
            )
            assert second.stderr.read() == sentence
        assert first.wait(240.0) == 0
    assert_a_rerun_gives_the_undisturbed_release(tmp_path)


def assert_a_rerun_gives_the_undisturbed_release(tmp_path: Path) -> None:
    for out in (tmp_path / "r", tmp_path / "undisturbed"):
        with building(out, pace=0.0) as build:
            assert build.wait() == 0
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")
    assert not list((tmp_path / "r").rglob("*.tmp"))
