"""HDF5 files that others made, read with suspicion (security.md): what lies in the file, within limits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError

MOST_FILE_BYTES: Final = 1 << 33
MOST_BYTES: Final = 1 << 26
"""Of one table, unpacked."""
_FILTERS: Final = (None, "gzip", "lzf")


class Hdf5Error(Exception):
    """What is wrong with a file, without the file's name."""


def require_h5py() -> ModuleType:
    """The library.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import h5py
    except ModuleNotFoundError:
        raise UsageError(
            "reading HDF5 needs h5py, which is not installed: run `pip install '.[transfer]' -c constraints.txt` in "
            "the clone."
        ) from None
    module: ModuleType = h5py
    return module


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Group]:
    """The root group of a file that is read.

    Raises:
        Hdf5Error: it is none, is truncated, or what is read of it breaks off.
    """
    h5py = require_h5py()
    try:
        if path.stat().st_size > MOST_FILE_BYTES:
            raise Hdf5Error(f"has over {MOST_FILE_BYTES:,} bytes")
        with h5py.File(path, "r") as file:
            yield Group(file, "")
    except (OSError, RuntimeError) as error:  # h5py has no errors of its own
        raise Hdf5Error(f"cannot be read as HDF5 ({_first_line(error)})") from None


class Group:
    """A group whose members are all its own: links out of it, or about in it, are refused."""

    def __init__(self, group: Any, name: str) -> None:
        self._group, self._name = group, name

    def __contains__(self, name: str) -> bool:
        return self._group.get(name, getlink=True) is not None

    @property
    def names(self) -> list[str]:
        """Of its members, ascending."""
        with _sound(self._name or "/"):
            return sorted(map(str, self._group.keys()))

    def group(self, name: str) -> Group:
        """A group in it."""
        found = self._member(name)
        if not hasattr(found, "keys"):
            raise Hdf5Error(f"{self._name}/{name} is no group")
        return Group(found, f"{self._name}/{name}")

    def table(self, name: str) -> NDArray[Any]:
        """A table of numbers or of bytes of fixed length, whole."""
        found, called = self._member(name), f"{self._name}/{name}"
        with _sound(called):
            shape, kind = getattr(found, "shape", None), getattr(found, "dtype", None)
            if shape is None or kind is None:
                raise Hdf5Error(f"{called} is no table")
            if found.external or found.is_virtual:
                raise Hdf5Error(f"{called} lies in other files")
            if kind.kind not in "iufbS":
                raise Hdf5Error(f"{called} holds {kind}, expected numbers or texts of fixed length")
            if found.compression not in _FILTERS:
                raise Hdf5Error(f"{called} is packed in a way that is not read here")
            if int(np.prod([int(side) for side in shape], dtype=np.float64)) * kind.itemsize > MOST_BYTES:
                raise Hdf5Error(f"{called} has the shape {shape}, over {MOST_BYTES:,} bytes")
            return np.asarray(found[()])

    def _member(self, name: str) -> Any:
        h5py = require_h5py()
        link = self._group.get(name, getlink=True)
        if link is None:
            raise Hdf5Error(f"{self._name or '/'} has no {name!r}")
        if not isinstance(link, h5py.HardLink):
            raise Hdf5Error(f"{self._name}/{name} is a link, which may lead to other files")
        with _sound(f"{self._name}/{name}"):
            return self._group[name]


@contextlib.contextmanager
def _sound(called: str) -> Iterator[None]:
    """What h5py says of a damaged member, by its name: of a broken header it says that there is no such key."""
    try:
        yield
    except (KeyError, OSError, RuntimeError, TypeError, ValueError, OverflowError) as error:
        raise Hdf5Error(f"{called} is damaged ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    told = error.args[0] if isinstance(error, KeyError) and error.args else error  # a KeyError's text is in quotes
    return (str(told).splitlines() or [type(error).__name__])[0][:160]
