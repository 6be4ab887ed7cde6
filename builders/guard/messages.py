"""What a guard is asked to do, and what it reports: plain values, so that they travel by pickle and by JSON alike."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

TRIES = 3
"""A block that fails so often is reported failed (scale.md)."""


@dataclass(frozen=True)
class Spec:
    """A block of work.

    Attributes:
        name: what it is called in reports; unique in a run.
        function: ``module:name`` of a function from JSON values to JSON values, which a child imports and calls.
        argument: its one argument, JSON values.
        seconds: limit of a try.
        logs: folder of the children's output.
        tries: how often it is tried.
        secrets: names of environment variables that the child gets although they look like secrets.
    """

    name: str
    function: str
    argument: Mapping[str, Any]
    seconds: float
    logs: str
    tries: int = TRIES
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """A user's error, which holds for every other block as well: a full disk, a key that is refused.

    Attributes:
        sentence: what the user is told.
        exit_code: of the command.
    """

    sentence: str
    exit_code: int


@dataclass(frozen=True)
class Report:
    """What came of a block.

    Attributes:
        name: the spec's.
        result: what the function returned; None where the block failed.
        failures: why tries failed, in order; a block may fail at first and still be done.
        refusal: the user's error that ended it, if one did.
    """

    name: str
    result: Mapping[str, Any] | None
    failures: tuple[str, ...] = ()
    refusal: Refusal | None = None

    @property
    def ok(self) -> bool:
        """Whether it is done."""
        return self.result is not None


def function_named(where: str) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """The function at ``module:name``."""
    module, _, name = where.partition(":")
    function: Callable[[Mapping[str, Any]], Mapping[str, Any]] = getattr(importlib.import_module(module), name)
    return function
