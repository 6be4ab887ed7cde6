"""``flowbench doctor``: what each check says of good and bad machines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flowbench.cli import checks, main
from flowbench.cli.checks import Level
from flowbench.cli.doctor import verdict


def test_doctor_finds_this_machine_fit(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor"])
    out = capsys.readouterr().out
    assert code == (2 if re.search("^fail ", out, re.MULTILINE) else 0)
    for name in ("Python", "core packages", "numba", "pybullet", "OpenCV", "kernel cache", "disk", "FLOWBENCH_ROOT"):
        assert name in out


INSTALLED = {"numpy": "2.4.6", "opencv-python-headless": "5.0.0.93", "huggingface-hub": "2.4.0"}


@pytest.mark.parametrize(
    ("check", "level", "text"),
    [
        (checks.check_python((3, 10, 9), "x86_64"), Level.FAIL, "install Python 3.11"),
        (checks.check_python((3, 11, 4), "x86_64"), Level.OK, "3.11.4"),
        (checks.check_python((3, 12, 0), "x86_64"), Level.OK, "compiled"),
        (checks.check_python((3, 14, 0), "x86_64"), Level.WARN, "3.11 to 3.13"),
        (checks.check_platform("Linux", "x86_64"), Level.OK, "Linux"),
        (checks.check_platform("Linux", "aarch64"), Level.FAIL, "loading works"),
        (checks.check_platform("Windows", "AMD64"), Level.FAIL, "WSL"),
        (checks.check_packages("core", ["numpy>=2.0", "huggingface_hub>=1.0"], INSTALLED, "", True), Level.OK, "2.4.6"),
        (checks.check_packages("core", ["numpy>=2.10"], INSTALLED, "do it", True), Level.FAIL, "older than 2.10"),
        (checks.check_packages("core", ["polars>=1"], INSTALLED, "do it", True), Level.FAIL, "polars is missing"),
        (checks.check_constraints({"numpy": "2.4.6"}, ["numpy>=2"], INSTALLED), Level.OK, "constraints.txt"),
        (checks.check_constraints({"numpy": "2.4.5"}, ["numpy>=2"], INSTALLED), Level.WARN, "2.4.6 instead of 2.4.5"),
        (checks.check_constraints({}, ["numpy>=2"], INSTALLED), Level.WARN, "no constraints.txt"),
        (checks.check_opencv(INSTALLED), Level.OK, "headless"),
        (checks.check_opencv({**INSTALLED, "opencv-python": "5.0.0.93"}), Level.WARN, "alone"),
        (checks.check_opencv({**INSTALLED, "opencv-python": "4.9.0"}), Level.FAIL, "overwrite each other"),
        (checks.check_opencv({}), Level.FAIL, "not installed"),
        (checks.check_disk(10**8), Level.FAIL, "0.1 GB"),
        (checks.check_disk(10**9), Level.WARN, "1.0 GB"),
        (checks.check_disk(10**10), Level.OK, "10.0 GB"),
        (checks.check_memory(2 * 10**9, 8), Level.WARN, "--workers 2"),
        (checks.check_memory(10**8, 1), Level.WARN, "--workers 1"),
        (checks.check_memory(10**10, 2), Level.OK, "2 cores"),
        (checks.check_memory(None, 2), Level.OK, "unknown"),
        (checks.check_root(None), Level.OK, "not set"),
        (checks.check_root("/nothing/here"), Level.WARN, "not a folder"),
        (checks.check_import("flowbench.nothing", "x", "mend it"), Level.FAIL, "No module named"),
        (checks.check_import("json", "x", "mend it"), Level.OK, "loads"),
    ],
)
def test_checks(check: checks.Check, level: Level, text: str) -> None:
    assert check.level is level
    assert text in f"{check.found} {check.advice}"
    assert bool(check.advice) == (level is not Level.OK)


def test_check_folder(tmp_path: Path) -> None:
    assert checks.check_folder("cache", tmp_path / "new" / "one", "mend").level is Level.OK
    (tmp_path / "file").write_text("")
    assert checks.check_folder("cache", tmp_path / "file" / "one", "mend").level is Level.WARN


def test_check_root_and_links(tmp_path: Path) -> None:
    assert checks.check_root(str(tmp_path)).level is Level.WARN
    (tmp_path / "manifest.json").write_text("{}")
    assert checks.check_root(str(tmp_path)).level is Level.OK
    for name in checks.LINKS[1:]:
        (tmp_path / name).mkdir()
    (tmp_path / checks.LINKS[0]).write_text(f"../../{checks.LINKS[0]}")
    broken = checks.check_links(tmp_path)
    assert broken.level is Level.FAIL
    assert broken.found.startswith("builders is not a folder")


def test_the_pins_cover_our_requirements() -> None:
    pins = checks.pinned_versions(Path(checks.__file__).parents[1])
    core, extra = checks.requirements()
    names = [checks.normalise(re.split(r"[><=\[ ;]", line)[0]) for line in [*core, *extra]]
    assert {"numpy", "numba", "pybullet", "datasets"} <= set(names)
    assert [name for name in names if name not in pins] == []


@pytest.mark.parametrize(
    ("failed", "code", "sentence"),
    [
        ([], 0, "Building and loading work here."),
        ([checks.Check("pybullet", Level.FAIL, "x")], 2, "load-only"),
        ([checks.Check("Python", Level.FAIL, "x", loading=True)], 2, "Neither building nor loading"),
    ],
)
def test_the_verdict(failed: list[checks.Check], code: int, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict([checks.Check("disk", Level.WARN, "small", "free some"), *failed]) == code
    assert sentence in capsys.readouterr().out
