"""``flowbench validate``: what it prints and writes, and the code it ends with."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.pages import check_harmless
from support.validating import Dying, Reading, Telling, Whole, make_valid_release, with_integrity

from flowbench.cli import main
from flowbench.release import read_manifest, validation_path
from flowbench.validation import runner
from flowbench.validation.registry import Suites
from flowbench.validation.results import is_current, read_result

Put = Callable[[Mapping[str, Suites]], None]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_valid_release(tmp_path_factory.mktemp("clean") / "flowbench", 4)


@pytest.fixture
def root(clean: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(clean, tmp_path / "flowbench"))


@pytest.fixture
def suites(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Put suites in the registry's place."""

    def put(chosen: Mapping[str, Suites]) -> None:
        monkeypatch.setattr(runner.validate, "__defaults__", (chosen,))

    return put


def test_results_and_files_are_kept_though_nobody_reads_what_is_printed(
    root: Path, suites: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in ``flowbench validate DIR --json FILE --report FILE | head -1``."""
    suites(with_integrity(Reading()))
    monkeypatch.setattr("flowbench.validation.report.terminal.print_result", _closed)
    files = [tmp_path / "out.json", tmp_path / "out.html"]
    command = ["validate", str(root), "--workers", "1", "--json", str(files[0]), "--report", str(files[1])]
    assert main(command) == 141
    assert all(path.stat().st_size > 0 for path in files)
    assert all(is_current(root, read_result(root, config)) for config in read_manifest(root).configs)


def _closed(*_: object) -> None:
    raise BrokenPipeError(errno.EPIPE, "closed")


def test_a_good_release_is_fine(root: Path, suites: Put, capsys: pytest.CaptureFixture[str]) -> None:
    suites(with_integrity(Reading()))
    assert main(["validate", str(root), "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert "sim_train passes all 2 suites" in out
    assert "12 samples in" in out
    assert "check sim_train: 4/4 shards, 8 samples" in err
    for config in read_manifest(root).configs:
        assert validation_path(config) in out
        result = read_result(root, config)
        assert result.passed
        assert is_current(root, result)


def test_a_broken_release_is_told(root: Path, suites: Put, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    suites(with_integrity(Telling(), Whole()))
    report, text = tmp_path / "pages" / "report.html", tmp_path / "found.json"
    line = ["validate", str(root), "sim_test", "--workers", "1", "--report", str(report), "--json", str(text)]
    assert main(line) == 1
    out, err = capsys.readouterr()
    assert "sim_test fails telling, balance: 2 violations" in out
    assert "Traceback" not in out + err
    check_harmless(report.read_text("utf-8"))
    found = json.loads(text.read_bytes())
    assert found["passed"] is False
    assert list(found["configs"]) == ["sim_test"]
    assert not (root / validation_path("sim_train")).exists()


def test_json_goes_to_stdout_alone(root: Path, suites: Put, capsys: pytest.CaptureFixture[str]) -> None:
    suites(with_integrity(Reading()))
    assert main(["validate", str(root), "--workers", "1", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["passed"] is True
    assert "sim_test passes" in err


def test_a_release_that_cannot_be_written_to_is_checked(
    root: Path, suites: Put, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    suites(with_integrity(Reading()))
    (tmp_path / "elsewhere").mkdir()
    (root / "validation").symlink_to(tmp_path / "elsewhere")
    assert main(["validate", str(root), "sim_test", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert "sim_test passes" in out
    assert "kept" not in out
    assert "the results are not kept with the release: cannot write" in err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_worker_that_dies_is_one_sentence(root: Path, suites: Put, capsys: pytest.CaptureFixture[str]) -> None:
    suites(with_integrity(Dying()))
    assert main(["validate", str(root), "sim_test", "--workers", "2"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("flowbench: a worker process died (out of memory, or killed)")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "missing argument"),
        (["nowhere"], 2, "nowhere does not exist: name the folder of a release"),
        (["empty"], 2, "empty is not a release: it has no manifest.json"),
        (["file"], 2, "file is not a folder"),
        (["flowbench", "sim_tset"], 2, "unknown config 'sim_tset': did you mean 'sim_test'?"),
        (["flowbench", "--workers", "0"], 2, "--workers is 0, but it must be 1 to 256 worker processes"),
        (["flowbench", "--workers", "x"], 2, "--workers is 'x', but it must be a whole number"),
        (["flowbench", "--report", "."], 2, "--report is the folder ."),
        (["flowbench", "--json", "empty"], 2, "--json is the folder empty"),
        (["flowbench", "--report", "file/x.html"], 2, "is a file, not a folder"),
        (["flowbench", "--report", "/proc/x.html"], 2, "--report is /proc/x.html, but nothing can be written into"),
        (["flowbench", "--json", "/proc/x/y.json"], 2, "--json is /proc/x/y.json, but nothing can be written into"),
        (["flowbench", "--reprot", "x"], 2, "--report"),
        (["broken"], 1, "manifest.json is not a valid Manifest: Invalid JSON"),
    ],
)
def test_bad_arguments_are_told_in_one_sentence(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    sentence: str,
) -> None:
    monkeypatch.chdir(root.parent)
    for name in ("empty", "broken"):
        Path(name).mkdir()
    Path("file").write_text("")
    Path("broken/manifest.json").write_text("{" * 100_000)
    assert main(["validate", *arguments]) == code
    out, err = capsys.readouterr()
    assert sentence in err
    assert err.startswith("flowbench: ")
    assert err.count("\n") == 1
    assert out == ""


def test_the_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in ("flowbench validate release/flowbench", "--report", "--json", "--workers", "Exit codes", "130"):
        assert text in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_in_one_sentence(root: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "flowbench", "validate", str(root), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("check sim_test")
    time.sleep(0.1)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "flowbench: interrupted; run the same command again."
    assert "Traceback" not in err
    assert out == ""
    assert not (root / "validation").exists()
