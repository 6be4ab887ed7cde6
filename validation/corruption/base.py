"""What a corruption is: one named way to break a good release, and who has to notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Break = Callable[[Path, np.random.Generator], None]


@dataclass(frozen=True)
class Corruption:
    """One way to break a release.

    Attributes:
        name: unique, a few words.
        about: what it does, in words that follow "in a sample" or "in a release".
        suites: names of the suites that must report it, each of them.
        apply: breaks the copy of a good release in the given folder; the generator chooses where. ValueError where
            nothing in the release suits.
    """

    name: str
    about: str
    suites: frozenset[str]
    apply: Break


def corruption(name: str, about: str, suites: str, apply: Break) -> Corruption:
    """A row of a table; ``suites`` are separated by blanks."""
    return Corruption(name, about, frozenset(suites.split()), apply)
