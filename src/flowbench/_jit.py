"""Kernels: compiled when numba is installed, the same arithmetic in plain Python otherwise.

``fastmath`` stays off, so that both give the same bits on every CPU. Kernels release the GIL; a parallel one
is an ordinary kernel over ``[start, stop)`` that :func:`in_bands` runs piece by piece on a thread pool. That
halves the compile time of numba's own ``parallel=True``, needs no OpenMP or TBB (which forbid ``fork``), and
leaves the result independent of the number of threads, since no piece writes where another does.

numba's cache does not notice an edited callee in another file. Unless ``NUMBA_CACHE_DIR`` is set, compiled
kernels therefore go to a private folder whose name is a hash of all kernel sources and numba's version.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.metadata
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from .errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])

_USES_KERNELS = re.compile(r"^from \S*_jit import .*\bkernel\b", re.MULTILINE)


def _kernel_sources() -> list[Path]:
    """This file and every file that defines kernels; constants that kernels use are defined in these, too."""
    root = Path(__file__).resolve().parent
    folders = [(root / name).resolve() for name in ("geometry", "rendering", "builders")]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return [Path(__file__).resolve(), *(file for file in files if _USES_KERNELS.search(file.read_text("utf-8")))]


def _source_hash(numba_version: str) -> str:
    """Hash of all kernel sources and numba's version, 16 hex digits."""
    digest = hashlib.sha256(numba_version.encode())
    for file in _kernel_sources():
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _is_private(folder: Path) -> bool:
    """Whether only this user can write there: cached kernels are code."""
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _cache_folder(numba_version: str) -> Path:
    """Make the private folder for this version's kernels; a throw-away one where the home is not writable."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "flowbench" / f"kernels-{_source_hash(numba_version)}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(folder) and os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    throw_away = Path(tempfile.mkdtemp(prefix="flowbench-kernels-"))
    atexit.register(shutil.rmtree, throw_away, ignore_errors=True)
    return throw_away


def _load_numba() -> Any:
    """numba with its cache in our folder, or None where it is not installed."""
    try:
        version = importlib.metadata.version("numba")
    except importlib.metadata.PackageNotFoundError:
        return None
    if not os.environ.get("NUMBA_CACHE_DIR"):
        os.environ["NUMBA_CACHE_DIR"] = str(_cache_folder(version))
    import numba

    # Somebody may have imported numba before us; it reads the environment only once.
    config: Any = numba.config
    config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
    return numba


_numba = _load_numba()
_pool: ThreadPoolExecutor | None = None


def kernel(function: F) -> F:
    """Decorate a function written in the common subset of Python and numba; it runs without the GIL."""
    if _numba is None:
        return function
    compiled: F = _numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled


def has_numba() -> bool:
    """Whether kernels are compiled."""
    return _numba is not None


def require_numba(purpose: str) -> None:
    """Refuse to do in plain Python what would take minutes.

    Raises:
        UsageError: numba is not installed.
    """
    if not has_numba():
        raise UsageError(f"{purpose} needs numba, which is not installed: run pip install '.[build]' in a clone.")


def threads() -> int:
    """How many threads :func:`in_bands` uses: ``NUMBA_NUM_THREADS``, by default the CPUs of this process."""
    return 1 if _numba is None else int(_numba.config.NUMBA_NUM_THREADS)


def in_bands(function: Callable[..., None], total: int, step: int, *arguments: Any) -> None:
    """Call ``function(start, stop, *arguments)`` for consecutive pieces of ``range(total)``.

    Args:
        function: a kernel that writes nothing outside its own piece.
        total: how many rows (or items) there are.
        step: length of a piece; the last one may be shorter.
        arguments: passed on as they are.
    """
    global _pool
    pieces = [(start, min(start + step, total)) for start in range(0, total, step)]
    if threads() == 1 or len(pieces) == 1:
        for start, stop in pieces:
            function(start, stop, *arguments)
        return
    if _pool is None:
        _pool = ThreadPoolExecutor(threads(), thread_name_prefix="flowbench-kernel")
    for future in [_pool.submit(function, start, stop, *arguments) for start, stop in pieces]:
        future.result()


def _forget_pool() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


os.register_at_fork(after_in_child=_forget_pool)
