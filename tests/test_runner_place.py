"""Where a build may go: directories that cannot be written to are refused before anything else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.building import build, counting

from flowbench.cli import main
from flowbench.errors import UsageError

__all__ = ["counting"]


def below_a_file(root: Path) -> Path:
    (root / "file").touch()
    return root / "file" / "deep" / "r"


def dangling(root: Path) -> Path:
    (root / "link").symlink_to(root / "nothing")
    return root / "link"


def below_a_dangling(root: Path) -> Path:
    return dangling(root) / "r"


def loop(root: Path) -> Path:
    (root / "loop").symlink_to(root / "loop")
    return root / "loop"


def long_name(root: Path) -> Path:
    return root / ("x" * 300)


def linked_state(root: Path) -> Path:
    (root / "r").mkdir()
    (root / "mine").mkdir()
    (root / "r" / ".build").symlink_to(root / "mine")
    return root / "r"


def file_as_state(root: Path) -> Path:
    (root / "r").mkdir()
    (root / "r" / ".build").touch()
    return root / "r"


PLACES: list[tuple[Callable[[Path], Path], str]] = [
    (lambda _: Path("/proc/x"), r"cannot build into /proc/x \(no such file or directory\)"),
    (below_a_file, "file is a file, expected a directory"),
    (dangling, "link is a link to nothing"),
    (below_a_dangling, "link is a link to nothing"),
    (loop, "loop is a link to nothing"),
    (long_name, "file name too long"),
    (linked_state, r"\.build is a symbolic link"),
    (file_as_state, r"\.build is a file"),
]


@pytest.mark.parametrize(("place", "told"), PLACES)
def test_an_impossible_place_is_refused_before_the_disk_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Callable[[Path], Path], told: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("usage", (), {"free": 1_000})())
    out = place(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=told) as refusal:
        build(out)
    assert refusal.value.exit_code == 2
    assert sorted(tmp_path.rglob("*")) == before


def test_a_place_is_tried_without_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory that says it is writable may not be: root may write to a read-only file system, it says."""

    def read_only(self: Path, *_: object) -> None:
        raise OSError(30, "Read-only file system", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", read_only)
        with pytest.raises(UsageError, match="read-only file system"):
            build(tmp_path / "r")
    assert list(tmp_path.iterdir()) == []
    build(tmp_path / "r")
    assert not [name for name in os.listdir(tmp_path / "r") if name.endswith(".tmp")]


def test_the_trial_of_another_build_is_not_taken_for_somebody_s_file(tmp_path: Path) -> None:
    (tmp_path / ".flowbench-0123456789abcdef.tmp").mkdir()
    assert build(tmp_path).changed


def test_one_scene_is_spoken_of_as_one(tmp_path: Path) -> None:
    build(tmp_path / "r", scenes=2)
    with pytest.raises(UsageError, match=r"holds 2 scenes of sim_train, but 1 was asked for"):
        build(tmp_path / "r", scenes=1)


@pytest.mark.parametrize("out", ["", " "])
def test_an_empty_place_is_not_the_current_folder(
    out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["build", "sim_train", "--out", out]) == 2
    captured = capsys.readouterr()
    assert captured.err == "flowbench: --out is empty, but it must name a folder, e.g. release/flowbench.\n"
    assert list(tmp_path.iterdir()) == []
