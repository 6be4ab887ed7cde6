"""Text of a release made fit for terminals, logs and pages: one line, no control characters, not endless."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 300


def plain(text: object, longest: int = LONGEST) -> str:
    """The text on one line; what does not print becomes ``\\ufffd`` and what is too long is cut.

    A release's strings could otherwise steer a terminal, forge lines of a log or fill a report.
    """
    given = str(text)
    cut = given if len(given) <= longest else given[: longest - 1] + "…"
    return "".join(_shown(character) for character in cut)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "\ufffd"
