"""Writing files so that a name either holds a whole file or none (security.md, "Files we write").

A file is written under a temporary name in its own folder, flushed to the disk and renamed. Whatever ends the writing
early (a full disk, Ctrl-C) leaves nothing under the final name; only a killed process leaves its temporary file, which
:func:`sweep` removes.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .errors import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_TEMPORARY = re.compile(r"\.flowbench-[0-9a-f]{16}\.tmp")
_REASONS = {
    errno.ENOSPC: "the disk is full: free some space and run the same command again",
    errno.EDQUOT: "the disk quota is used up: free some space and run the same command again",
    errno.EROFS: "the file system is read-only: choose a directory you may write to",
    errno.EACCES: "permission is denied: choose a directory you may write to",
    errno.EPERM: "permission is denied: choose a directory you may write to",
}


class _Output(io.BufferedWriter):
    """A file being written, whose refusals are told with the name that it is to have."""

    def __init__(self, descriptor: int, path: Path) -> None:
        super().__init__(io.FileIO(descriptor, "wb"))
        self._path = path

    def write(self, data: Buffer, /) -> int:
        with _told(self._path):
            return super().write(data)

    def flush(self) -> None:
        with _told(self._path):
            super().flush()


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A binary file that becomes ``path`` when the block ends well and vanishes when it does not.

    The folder is made if it is missing; a file already at ``path`` is replaced in one step.

    Raises:
        UsageError: the disk is full, read-only or closed to us; one sentence with the path. What else fails in the
            block, be it for want of space elsewhere, is passed on as it is.
    """
    temporary = path.parent / temporary_name()
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    file = _Output(descriptor, path)
    try:
        yield file
        file.flush()
        with _told(path):
            os.fsync(descriptor)
            file.close()
            temporary.rename(path)
    except BaseException:
        with contextlib.suppress(OSError, UsageError):  # what is still buffered may not fit either
            file.close()
        temporary.unlink(missing_ok=True)
        raise
    with _told(path):
        _sync_folder(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Make ``path`` hold ``data``, atomically; raises like :func:`atomic_write`."""
    with atomic_write(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Make ``path`` hold ``text`` in UTF-8, atomically; raises like :func:`atomic_write`."""
    write_bytes(path, text.encode("utf-8"))


def temporary_name() -> str:
    """A fresh name for something that is not to stay."""
    return f".flowbench-{secrets.token_hex(8)}.tmp"


def is_temporary(name: str) -> bool:
    """Whether it is one of those names."""
    return _TEMPORARY.fullmatch(name) is not None


def sweep(root: Path) -> int:
    """Remove the temporary files that killed runs left under ``root``; returns how many.

    Only regular files of our own pattern go, and links are neither followed nor removed. The caller holds the lock
    of the directory: the temporary files of a live run look the same.
    """
    removed = 0
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                removed += sweep(Path(entry.path))
            elif is_temporary(entry.name) and stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                os.unlink(entry.path)
                removed += 1
    return removed


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn the system's refusals into sentences; other errors stay what they are."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0)
        if reason is None:
            raise
        raise UsageError(f"cannot write {path}: {reason}.") from error


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut; file systems that cannot sync a folder are left alone."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
