"""Arrays out of ``.npz`` files that others made: sizes first, nothing is unpickled (security.md)."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from flowbench.builders.sources.inside import printable

from .base import PerceptionError

MOST_BYTES = 1 << 30
"""Of all arrays of a file together, unpacked."""
FLAGS, NUMBERS, FLOATS, TEXTS = "bui", "uif", "f", "U"
"""Kinds of an array's type, as numpy calls them."""
_CALLED = {FLAGS: "yes or no", NUMBERS: "numbers", FLOATS: "floating point numbers", TEXTS: "text"}
_REMEDY = "compute it again (docs/real.md has the layout)."


def read_arrays(path: Path, expected: Mapping[str, tuple[int, str]]) -> dict[str, NDArray[Any]]:
    """The arrays of a file.

    Args:
        path: of the ``.npz`` file.
        expected: name of each array that must be there -> its number of axes, and what it may hold, e.g. FLOATS.

    Raises:
        PerceptionError: the file is missing, a link, no zip file, too large, or an array is missing or no plain array.
    """
    if not path.is_file() or path.is_symlink():
        raise PerceptionError(
            f"{path} is missing, expected {', '.join(expected)} in it; {_REMEDY}", "no perception file"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            total = sum(int(entry.file_size) for entry in archive.infolist())
            if total > MOST_BYTES:
                raise _bad(path, f"unpacks to {total:,} bytes, expected at most {MOST_BYTES:,}")
            names = set(archive.namelist())
            found = {}
            for name, (axes, kinds) in expected.items():
                if f"{name}.npy" not in names:
                    raise _bad(path, f"has no array {name!r}")
                with archive.open(f"{name}.npy") as stream:
                    found[name] = _read(stream, path, name, axes, kinds, archive.getinfo(f"{name}.npy").file_size)
            return found
    except (PerceptionError, MemoryError):  # too little memory is no fault of the file
        raise
    except Exception as error:  # what unpacks archives has errors of its own, a kind each
        raise _bad(path, f"is not readable as .npz ({printable(error) or type(error).__name__})") from None


def _read(stream: IO[bytes], path: Path, name: str, axes: int, kinds: str, size: int) -> NDArray[Any]:
    """One array, after its header was found harmless."""
    shape, fortran, dtype = _header(stream)
    if dtype.kind not in kinds or dtype.hasobject:
        raise _bad(path, f"holds {name!r} of type {printable(dtype)}, expected {_CALLED[kinds]}")
    if len(shape) != axes:
        raise _bad(path, f"holds {name!r} with {len(shape)} axes, expected {axes}")
    count = math.prod(shape)
    if count * dtype.itemsize > size:
        raise _bad(path, f"holds {name!r} of {count * dtype.itemsize:,} bytes, but only {size:,} are there")
    data = stream.read(count * dtype.itemsize)
    if len(data) != count * dtype.itemsize:
        raise _bad(path, f"ends in the middle of {name!r}")
    flat = np.frombuffer(data, dtype=dtype)
    if dtype.kind == TEXTS:
        flat.tolist()  # fails where a letter is none
    return flat.reshape(shape, order="F" if fortran else "C").copy()


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type; ValueError of what is no header: parsing it may end in anything, MemoryError included."""
    version = npy.read_magic(stream)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    try:
        return read(stream)
    except Exception as error:
        raise ValueError(f"its header: {error}") from None


def _bad(path: Path, what: str) -> PerceptionError:
    return PerceptionError(f"{path} {what}; {_REMEDY}", "perception file that cannot be read")
