"""What parquet readers raise on a broken index, in one sentence; not imported with the package, for polars is large."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from ..errors import ReleaseError

_LONGEST = 200


@contextmanager
def reading_index(name: str, *, remote: bool = False) -> Iterator[None]:
    """Turn what polars and pyarrow raise in the block, and what the disk does, into a sentence.

    Args:
        name: what the sentence calls the index.
        remote: the file comes over a network, whose errors pass as they are.

    Raises:
        ReleaseError: the index is missing or broken.
    """
    try:
        yield
    except (Exception, pl.exceptions.PanicException) as error:
        if not _is_of_a_table(error, remote):
            raise
        raise ReleaseError(f"{name} cannot be read as an index ({_reason(error)}): fetch or build it again") from None


def _is_of_a_table(error: BaseException, remote: bool) -> bool:
    if isinstance(error, OSError):  # pyarrow raises bare ones for broken footers
        return type(error) is OSError or not remote
    if isinstance(error, pl.exceptions.PolarsError | pl.exceptions.PanicException):
        return True
    import pyarrow  # type: ignore[import-untyped]

    return isinstance(error, pyarrow.ArrowException)


def _reason(error: BaseException) -> str:
    """The first line of what a library says, which may quote the file."""
    said = getattr(error, "strerror", None) or next(iter(str(error).splitlines()), "") or type(error).__name__
    line = "".join(letter if letter.isprintable() else "\ufffd" for letter in said)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
