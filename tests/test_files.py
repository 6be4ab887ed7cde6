"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from flowbench.errors import UsageError
from flowbench.files import atomic_write, sweep, write_text


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "permission is denied"), (errno.EDQUOT, "quota is used up")],
)
def test_other_refusals_say_what_to_do(tmp_path: Path, number: int, words: str) -> None:
    with pytest.raises(UsageError, match=words), atomic_write(tmp_path / "a"):
        raise OSError(number, "refused")


def test_other_system_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="odd"), atomic_write(tmp_path / "a"):
        raise OSError(errno.EIO, "odd")
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
