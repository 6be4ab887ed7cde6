"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flowbench.errors import UsageError
from flowbench.files import atomic_write, sweep, write_text


def raises(error: OSError) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> None:
        raise error

    return refuse


def write_to_a_full_disk(path: Path, size: int, then: Exception | KeyboardInterrupt | None = None) -> None:
    """Write to a file for which the system has no room."""
    with atomic_write(path) as file:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, file.fileno())
        os.close(full)
        file.write(bytes(size))
        if then is not None:
            raise then


@pytest.mark.parametrize("step", ["os.open", "os.fsync", "pathlib.Path.mkdir", "pathlib.Path.rename"])
@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "permission is denied"), (errno.EDQUOT, "quota is used up")],
)
def test_refusals_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, words: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(step, raises(OSError(number, "refused")))
        with pytest.raises(UsageError, match=f"cannot write {tmp_path}/a: .*{words}"):
            write_text(tmp_path / "a", "x")
    assert _names(tmp_path) == []


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_full_disk_is_told_whether_it_shows_at_once_or_when_buffers_are_written(tmp_path: Path, size: int) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*/a: the disk is full"):
        write_to_a_full_disk(tmp_path / "a", size)
    assert _names(tmp_path) == []


def test_an_interrupt_on_a_full_disk_is_an_interrupt(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_to_a_full_disk(tmp_path / "a", 10, then=KeyboardInterrupt())
    assert _names(tmp_path) == []


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EACCES])
def test_what_fails_elsewhere_in_the_block_stays_what_it_is(tmp_path: Path, number: int) -> None:
    with pytest.raises(OSError, match="elsewhere"), atomic_write(tmp_path / "a"):
        raise OSError(number, "elsewhere", "/tmp/elsewhere")
    assert _names(tmp_path) == []


def test_a_file_changes_in_one_step(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "one")
    with atomic_write(tmp_path / "a") as file:
        file.write(b"two")
        assert (tmp_path / "a").read_text() == "one"
    assert (tmp_path / "a").read_text() == "two"


def test_writing_does_not_follow_a_link_at_the_final_name(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "a").symlink_to(tmp_path / "outside")
    write_text(tmp_path / "a", "new")
    assert (tmp_path / "outside").read_text() == "kept"
    assert not (tmp_path / "a").is_symlink()


def test_sweep_takes_our_files_only(tmp_path: Path) -> None:
    ours = ".flowbench-0123456789abcdef.tmp"
    inside, outside = tmp_path / "in", tmp_path / "out"
    (inside / "deep").mkdir(parents=True)
    outside.mkdir()
    for path in (inside / ours, inside / "deep" / ours, outside / ours, inside / "mine.tmp", inside / f"{ours}.txt"):
        path.touch()
    (inside / "link").symlink_to(outside)
    (inside / ".flowbench-ffffffffffffffff.tmp").symlink_to(outside / ours)
    (inside / ".flowbench-eeeeeeeeeeeeeeee.tmp").mkdir()
    assert sweep(inside) == 2
    assert (outside / ours).exists()
    assert sorted(os.listdir(inside)) == [
        ".flowbench-0123456789abcdef.tmp.txt",
        ".flowbench-eeeeeeeeeeeeeeee.tmp",
        ".flowbench-ffffffffffffffff.tmp",
        "deep",
        "link",
        "mine.tmp",
    ]


def _names(root: Path) -> list[str]:
    """Files below a folder, relative, sorted."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
