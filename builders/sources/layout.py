"""Reading JSON that others wrote: what is missing or of another kind is told in words, with its place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


class LayoutError(Exception):
    """What is wrong with a file, without the file's name."""


class Entry:
    """A JSON object of a file, and what to call it."""

    def __init__(self, plain: Any, name: str) -> None:
        if not isinstance(plain, Mapping):
            raise LayoutError(f"{name} is {shown(plain)}, not an object")
        self._plain, self._name = plain, name

    def has(self, key: str) -> bool:
        """Whether there is a value."""
        return key in self._plain

    def get(self, key: str) -> Any:
        """A value that must be there."""
        if key not in self._plain:
            raise LayoutError(f"{self._name} has no {key!r}")
        return self._plain[key]

    def entries(self, key: str, name: str) -> list[Entry]:
        """A list of objects, called ``name`` and a number."""
        values = self.get(key)
        if not isinstance(values, list):
            raise LayoutError(f"{key!r} of {self._name} is {shown(values)}, not a list")
        return [Entry(value, f"{name} {number}") for number, value in enumerate(values)]

    def numbers(self, key: str, *lengths: int) -> list[float]:
        """A list of finite numbers."""
        values = self.get(key)
        right = isinstance(values, list) and len(values) in lengths
        if not right or not all(map(_is_finite, values)):
            raise LayoutError(
                f"{key!r} of {self._name} is {shown(values)}, not {' or '.join(map(str, lengths))} finite numbers"
            )
        return [float(value) for value in values]

    def whole(self, key: str) -> int:
        """A whole number."""
        value = self.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise LayoutError(f"{key!r} of {self._name} is {shown(value)}, not a whole number")
        return value

    def name(self, key: str, known: Sequence[str]) -> str:
        """One of the known names."""
        value = self.get(key)
        if value not in known:
            raise LayoutError(f"{key!r} of {self._name} is {shown(value)}, not one of {', '.join(known)}")
        return str(value)


def _is_finite(value: Any) -> bool:
    """Whether a value is a number that a float can hold."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def shown(value: Any) -> str:
    """A value, cut to what fits into a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
