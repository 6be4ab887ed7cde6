"""Texts of a release: whole, UTF-8 and within limits, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..errors import ReleaseError

MAX_TEXT_BYTES: Final = 1 << 22
"""Of a card or a changelog; a card has some ten thousand bytes a config."""


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        ReleaseError: it is missing or not a plain file, has over :data:`MAX_TEXT_BYTES`, or is not UTF-8.
    """
    if not path.is_file():
        raise ReleaseError(f"{path} is missing: build or fetch the release again")
    with path.open("rb") as file:
        data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise ReleaseError(f"{path} has over {MAX_TEXT_BYTES:,} bytes: do not use this file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReleaseError(f"{path} is not text ({error.reason} at byte {error.start:,}): write it anew") from None
