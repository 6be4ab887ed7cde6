"""Errors that a user can act on: one sentence that says what was found, what was expected, what to do.

The command line prints them without a traceback and exits with their ``exit_code``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FlowbenchError(Exception):
    """Base of all errors that are a user's to mend. ``exit_code`` is what the command line returns."""

    exit_code = 2


class UsageError(FlowbenchError):
    """Bad arguments, an unknown name, or an environment that cannot do what was asked."""


class CountedError(FlowbenchError):
    """One of many things cannot be used: it is skipped and counted, and the rest goes on.

    Attributes:
        reason: the sentence in a few words without names, for counting.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[CountedError], tuple[str, str]]:
        return type(self), (str(self), self.reason)


class ReleaseError(FlowbenchError):
    """The release itself breaks a check: corrupt, missing or hostile content."""

    exit_code = 1


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not registered, offering the nearest right one.

    Args:
        kind: what the name names, e.g. ``"config"``.
        name: what was given.
        known: every name that would have been right.
    """
    names = sorted(known)
    lower = {known_name.lower(): known_name for known_name in names}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.4)
    hint = f"did you mean {lower[close[0]]!r}?" if close else f"known are {', '.join(names)}."
    return UsageError(f"unknown {kind} {name!r}: {hint}")
