"""Where a command may put a file."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UsageError
from ..files import temporary_name


def check_place(option: str, path: Path, kind: str) -> None:
    """Refuse to put a file where something other than a file is, where no folder can be, or where we may not write.

    Args:
        option: that named it, e.g. ``"--out"``.
        path: where.
        kind: what it has to be, e.g. ``"an .html file"``.
    """
    if path.is_symlink():
        raise UsageError(f"{option} is the link {path}, but it must name {kind}: name the link's target instead.")
    if path.is_dir() or path.name == "..":  # which names a folder even where none is yet
        raise UsageError(f"{option} is the folder {path}, but it must name {kind}.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} is {path}, which is a device, pipe or socket, but it must name {kind}.")
    nearest = next(folder for folder in path.parents if folder.exists())
    if not nearest.is_dir():
        raise UsageError(f"{option} is {path}, but {nearest} is a file, not a folder: name another place for it.")
    if not _takes_files(nearest):
        raise UsageError(f"{option} is {path}, but nothing can be written into {nearest}: name another place for it.")


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made in a folder, which is found out by making one: permissions do not tell of all."""
    probe = folder / temporary_name()
    try:
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC))
        probe.unlink()
    except OSError:
        return False
    return True
