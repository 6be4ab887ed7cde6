"""Whole numbers on the command line, refused with a sentence that repeats them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..errors import UsageError

_LONGEST: Final = 40


def whole_number(option: str, example: int) -> Callable[[str], int]:
    """The parser of an option that takes a whole number; what it raises names the option and an example."""

    def parse(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            given = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
            raise UsageError(f"{option} is {given!r}, but it must be a whole number, e.g. {example}.") from None

    return parse


def check_range(option: str, value: int, least: int, most: int, what: str = "") -> None:
    """Refuse a number outside its range with a sentence."""
    if not least <= value <= most:
        noun = f" {what}" if what else ""
        raise UsageError(f"{option} is {value:,}, but it must be {least:,} to {most:,}{noun}.")
