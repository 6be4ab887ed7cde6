"""Where a command may put a file."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError


def check_place(option: str, path: Path, kind: str) -> None:
    """Refuse to put a file where something other than a file is, or where no folder can be.

    Args:
        option: that named it, e.g. ``"--out"``.
        path: where.
        kind: what it has to be, e.g. ``"an .html file"``.
    """
    if path.is_symlink():
        raise UsageError(f"{option} is the link {path}, but it must name {kind}: name the link's target instead.")
    if path.is_dir():
        raise UsageError(f"{option} is the folder {path}, but it must name {kind}.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} is {path}, which is a device, pipe or socket, but it must name {kind}.")
    nearest = next(folder for folder in path.parents if folder.exists())
    if not nearest.is_dir():
        raise UsageError(f"{option} is {path}, but {nearest} is a file, not a folder: name another place for it.")
