"""Guards: whatever a child does, there is a report, and nothing is left of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flowbench.builders.guard import Guards, Report, Spec, looks_secret, without_secrets
from flowbench.builders.guard import guards as guards_module

LONG = 120.0
"""A limit that nothing here comes near, however busy the machine is."""


@pytest.fixture
def guards() -> Iterator[Guards]:
    each = Guards()
    yield each
    each.close()


def spec(tmp_path: Path, task: str, seconds: float = LONG, **argument: Any) -> Spec:
    return Spec(task, f"support.tasks:{task}", argument, seconds, str(tmp_path / "logs"))


def failing(tmp_path: Path, *faults: str, seconds: float = LONG) -> Spec:
    """A block that meets with these faults, one a try."""
    folder = tmp_path / "faults"
    folder.mkdir()
    for number, fault in enumerate(faults):
        (folder / f"{number}-{fault}").touch()
    return spec(tmp_path, "fail", seconds, folder=str(folder))


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


def await_that(condition: Callable[[], object], seconds: float = LONG) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def result_of(report: Report) -> dict[str, Any]:
    assert report.ok, report.failures
    return dict(report.result or {})


def test_a_child_lives_on_in_a_session_of_its_own(guards: Guards, tmp_path: Path) -> None:
    first, second = (result_of(guards.run(spec(tmp_path, "echo", x=x))) for x in (0.1, [None, "ü", {"y": 1e300}]))
    assert first["x"] == 0.1
    assert second["x"] == [None, "ü", {"y": 1e300}]
    assert first["pid"] == second["pid"] == first["session"] != os.getpid()
    assert first["parent"] == os.getpid()
    assert first["core"] == 0


def test_a_child_has_one_thread_and_no_secrets(guards: Guards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_TOKEN", "aws_secret_access_key", "MY_API_KEY", "FLOWBENCH_REWRITER_KEY", "DB_PASSWORD", "PLAIN"):
        monkeypatch.setenv(name, "x")
    bare = spec(tmp_path, "echo")
    seen = result_of(guards.run(bare))["environment"]
    assert [name for name in seen if looks_secret(name)] == []
    assert seen["PLAIN"] == "x"
    assert seen["NUMBA_NUM_THREADS"] == seen["OMP_NUM_THREADS"] == "1"
    keeping = Spec(**{**vars(bare), "secrets": ("FLOWBENCH_REWRITER_KEY",)})
    seen = result_of(guards.run(keeping))["environment"]
    assert [name for name in seen if looks_secret(name)] == ["FLOWBENCH_REWRITER_KEY"]
    assert [name for name in result_of(guards.run(bare))["environment"] if looks_secret(name)] == []


def test_secrets_leave_this_process_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "x")
    monkeypatch.setenv("KEPT_KEY", "y")
    before = dict(os.environ)
    with contextlib.suppress(KeyError), without_secrets(("KEPT_KEY",)):
        assert "HF_TOKEN" not in os.environ
        assert os.environ["KEPT_KEY"] == "y"
        raise KeyError
    assert dict(os.environ) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("raise", "ValueError: the scene is upside down"),
        ("abort", "the process died of SIGABRT"),
        ("kill", "the process died of SIGKILL (is memory short?)"),
        ("exit", "the process ended with exit status 0"),
        ("orphan", "the process ended with exit status 3"),
    ],
)
def test_a_block_is_tried_three_times(guards: Guards, tmp_path: Path, fault: str, reason: str) -> None:
    block = failing(tmp_path, *[fault] * 3)
    report = guards.run(block)
    assert not report.ok
    assert [text.partition(" (log: ")[0] for text in report.failures] == [reason] * 3
    assert report.refusal is None
    assert guards.run(block).ok, "the faults are over"


def test_a_block_that_is_done_at_last_is_done(guards: Guards, tmp_path: Path) -> None:
    report = guards.run(failing(tmp_path, "raise", "abort"))
    assert report.ok
    assert len(report.failures) == 2


def test_a_user_s_error_is_not_tried_again(guards: Guards, tmp_path: Path) -> None:
    report = guards.run(failing(tmp_path, "refuse", "refuse"))
    assert not report.ok
    assert report.refusal is not None
    assert (report.refusal.sentence, report.refusal.exit_code) == ("the disk is full: free some space.", 2)
    assert len(list((tmp_path / "faults").iterdir())) == 1


def test_a_crash_leaves_its_stack_in_the_log(guards: Guards, tmp_path: Path) -> None:
    log = guards.run(failing(tmp_path, *["abort"] * 3)).failures[0].partition("(log: ")[2].rstrip(")")
    assert "in suffer" in (tmp_path / "logs" / log).read_text()


def test_a_hanging_block_is_ended_with_all_that_it_started(guards: Guards, tmp_path: Path) -> None:
    guards.run(spec(tmp_path, "echo"))  # the child has started: the limit is the block's alone
    file = tmp_path / "pids"
    block = spec(tmp_path, "hang_with_child", 2.0, file=str(file))
    report = guards.run(Spec(**{**vars(block), "tries": 1}))
    assert [text.partition(" (log: ")[0] for text in report.failures] == [
        "the process gave no answer within 2 s and was ended"
    ]
    pids = [int(pid) for pid in file.read_text().split()]
    await_that(lambda: not any(map(is_alive, pids)), 10.0)
    assert any("hang_with_child" in log.read_text() for log in (tmp_path / "logs").iterdir()), "where it hung is told"


def test_what_a_child_prints_is_not_taken_for_an_answer(guards: Guards, tmp_path: Path) -> None:
    report = guards.run(spec(tmp_path, "chat", x=1))
    assert result_of(report) == {"read": "", "x": 1}
    (log,) = (tmp_path / "logs").iterdir()
    assert "nor this" in log.read_text()


def test_long_questions_and_answers_pass(guards: Guards, tmp_path: Path) -> None:
    text = "ü" * 1_000_000
    assert result_of(guards.run(spec(tmp_path, "chat", x=text)))["x"] == text


def test_a_child_that_cannot_start_is_a_report(guards: Guards, tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    report = guards.run(spec(tmp_path, "echo"))
    assert not report.ok
    assert len(report.failures) == 3
    assert "FileExistsError" in report.failures[0]


@pytest.mark.parametrize(
    ("function", "told"),
    [("support.nowhere:f", "ModuleNotFoundError"), ("support.tasks:g", "AttributeError"), ("", "ValueError")],
)
def test_a_function_that_is_not_there_is_a_report(guards: Guards, tmp_path: Path, function: str, told: str) -> None:
    report = guards.run(Spec("x", function, {}, LONG, str(tmp_path / "logs"), tries=1))
    assert told in report.failures[0]


def test_children_are_replaced_now_and_then_and_empty_logs_go(
    guards: Guards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards_module, "BLOCKS_A_CHILD", 2)
    pids = [result_of(guards.run(spec(tmp_path, "echo")))["pid"] for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]
    assert not is_alive(pids[1])
    assert list((tmp_path / "logs").iterdir()) == []


def test_closing_ends_what_runs(guards: Guards, tmp_path: Path) -> None:
    file = tmp_path / "pids"
    reports: list[Report] = []
    block = spec(tmp_path, "hang_with_child", file=str(file))
    thread = threading.Thread(target=lambda: reports.append(guards.run(block)))
    thread.start()
    await_that(lambda: file.exists() and file.read_text().endswith("\n"))
    guards.close()
    thread.join(10.0)
    assert not any(map(is_alive, map(int, file.read_text().split())))
    assert not reports[0].ok
    assert len(reports[0].failures) == 1, "it is not tried again"
    assert guards.run(block).failures == ("the run was ended",)


def test_all_ends_with_a_killed_driver(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    script = (
        "from flowbench.builders.guard import Spec, run_block\n"
        f"run_block(Spec('x', 'support.tasks:hang_with_child', {{'file': {str(file)!r}}}, 600.0, {str(tmp_path)!r}))"
    )
    driver = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parent)
    await_that(lambda: file.exists() and file.read_text().endswith("\n"))
    pids = [int(pid) for pid in file.read_text().split()]
    assert all(map(is_alive, pids))
    driver.kill()
    driver.wait()
    await_that(lambda: not any(map(is_alive, pids)), 10.0)
