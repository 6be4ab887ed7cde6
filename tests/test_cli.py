"""The command line: help, exit codes, one-sentence errors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.reports import REPORT

from flowbench import __version__
from flowbench.builders.options import BuildOptions
from flowbench.cli import main
from flowbench.errors import ReleaseError, UsageError

RUNNER = "flowbench.builders.runner"


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], list[BuildOptions]]:
    """Put a function in the runner's place; returns the options that it was called with."""
    calls: list[BuildOptions] = []

    def replace(function: Callable[..., Any]) -> list[BuildOptions]:
        def build(options: BuildOptions, progress: Any) -> Any:
            calls.append(options)
            return function(progress)

        monkeypatch.setitem(sys.modules, RUNNER, SimpleNamespace(build=build))  # type: ignore[arg-type]
        return calls

    return replace


def fails_with(error: BaseException) -> Callable[..., Any]:
    def build(_: Any) -> Any:
        raise error

    return build


def test_build_passes_its_arguments_on(runner: Any, capsys: pytest.CaptureFixture[str]) -> None:
    calls = runner(lambda _: REPORT)
    line = "build sim_train sim_test sim_train --out x/flowbench --scenes 5 --seed 7 --workers 3 --preset paper"
    assert main([*line.split(), "--width", "160", "--height", "120"]) == 0
    assert calls == [
        BuildOptions(("sim_train", "sim_test"), Path("x/flowbench"), 5, 7, 3, "bullet", "paper", width=160, height=120)
    ]
    out = capsys.readouterr().out
    assert "1,200" in out
    assert "flowbench show my/flowbench sim_train" in out


def test_build_has_defaults(runner: Any) -> None:
    calls = runner(lambda _: REPORT)
    assert main(["build", "sim_train"]) == 0
    expected = BuildOptions(("sim_train",), Path("release/flowbench"), 2, 0, None)
    assert calls == [expected]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("build", "missing argument"),
        ("build sim_train --scenes 0", "--scenes is 0, but it must be 1 to 1,000,000 scenes"),
        ("build sim_train --scenes -3", "--scenes is -3"),
        ("build sim_train --scenes 1000001", "--scenes is 1,000,001"),
        ("build sim_train --scenes abc", "--scenes is 'abc', but it must be a whole number, e.g. 50."),
        ("build sim_train --scenes 1e9", "--scenes is '1e9', but it must be a whole number"),
        (f"build sim_train --scenes x{'9' * 90}", f"--scenes is 'x{'9' * 39}…', but"),
        (f"build sim_train --scenes {'9' * 9000}", f"--scenes is '{'9' * 40}…', but"),
        ("build sim_train --seed 0.5", "--seed is '0.5'"),
        ("build sim_train --workers all", "--workers is 'all'"),
        ("build sim_train --out", "option '--out' requires an argument; see `flowbench build --help`."),
        ("show a b --out", "see `flowbench show --help`."),
        ("build sim_train --seed -1", "--seed is -1"),
        ("build sim_train --workers 0", "--workers is 0"),
        ("build sim_train --workers 100000", "--workers is 100,000"),
        ("build sim_train --width 1", "--width is 1"),
        ("build selection_movi --source movi", "--source is 'movi', but it must be a name and a path"),
        ("biuld sim_train", "no such command 'biuld': did you mean 'build'?\n"),
        ("zzz sim_train", "no such command 'zzz'; see `flowbench --help`."),
        ("show", "missing argument"),
        ("--nonsense", "--nonsense"),
    ],
)
def test_bad_arguments_are_told_in_one_sentence(
    arguments: str, sentence: str, runner: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = runner(lambda _: REPORT)
    assert main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.startswith("flowbench: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert calls == []


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("unknown config 'x': did you mean 'y'?"), 2, "did you mean 'y'?"),
        (ReleaseError("shard 3 is\nbroken"), 1, "shard 3 is broken"),
        (KeyboardInterrupt(), 130, "interrupted; run the same command again to go on where it stopped."),
        (OSError(28, "No space left on device", "/x/y"), 2, "No space left on device (/x/y)"),
        (ModuleNotFoundError("No module named 'pybullet'", name="pybullet"), 2, "building needs pybullet"),
        (ModuleNotFoundError("No module", name="flowbench.nothing"), 1, "this is a bug in flowbench"),
        (ZeroDivisionError("division by zero"), 1, "this is a bug in flowbench: ZeroDivisionError: division by zero"),
    ],
)
def test_errors_are_one_sentence_and_an_exit_code(
    error: BaseException, code: int, sentence: str, runner: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    runner(fails_with(error))
    assert main(["build", "sim_train"]) == code
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err


@pytest.mark.slow
def test_ctrl_c_ends_a_real_build_at_once(tmp_path: Path) -> None:
    line = "build sim_train --scenes 4 --workers 2 --width 160 --height 120 --out flowbench"
    command = [sys.executable, "-m", "flowbench", *line.split()]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as build:
        assert build.stderr is not None
        assert "propose sim_train: 4 scenes\n" in build.stderr  # what is said of preparing comes before
        time.sleep(5.0)  # the workers are in the middle of something
        os.killpg(build.pid, signal.SIGINT)
        pressed = time.monotonic()
        *_, last = build.stderr.read().splitlines()
        assert build.wait() == 130
    assert time.monotonic() - pressed < 5.0
    assert last == "flowbench: interrupted; run the same command again to go on where it stopped."
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("arguments", [["--debug", "build", "sim_train"], ["build", "sim_train", "--debug"]])
def test_debug_shows_the_traceback(arguments: list[str], runner: Any, capsys: pytest.CaptureFixture[str]) -> None:
    runner(fails_with(UsageError("no good")))
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.endswith("flowbench: no good\n")


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        ([], ["build", "show", "doctor", "Exit codes"]),
        (["--help"], ["build", "show", "doctor"]),
        (
            ["build", "-h"],
            [
                "--scenes",
                "2, or what there is",
                "release/flowbench",
                "Examples",
                "manifest.json",
                "Interrupted?",
                "--plan",
                "--houses",
            ],
        ),
        (["show", "--help"], ["--n", "1 to 200", "default: 8", "flowbench-CONFIG.html", "Examples"]),
        (["doctor", "--help"], ["Exit codes"]),
    ],
)
def test_help_teaches(arguments: list[str], texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in texts:
        assert text in out
    for absent in ("--width", "serial"):
        assert absent not in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"flowbench {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from flowbench.cli import main; code = main(['build', '--help']);"
        "heavy = {'numpy', 'polars', 'cv2', 'datasets', 'numba', 'pybullet', 'jinja2'} & set(sys.modules);"
        "print('@', code, sorted(heavy))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "@ 0 []" in run.stdout


def test_python_m_flowbench_is_the_same_command() -> None:
    run = subprocess.run([sys.executable, "-m", "flowbench", "build"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "flowbench: missing argument 'CONFIG'; see `flowbench build --help`.\n"
