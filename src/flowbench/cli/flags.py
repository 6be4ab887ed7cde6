"""Commands whose help tells no type of options that take no value.

``--plan <bool>`` would read as if a word had to follow.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command whose flags stand in the help by their names alone."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As ever, ``--help`` included."""
        return bare_flags(super().get_params(ctx))


class Group(TyperGroup):
    """The same for what holds commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As ever, ``--help`` included."""
        return bare_flags(super().get_params(ctx))


def bare_flags(params: list[Any]) -> list[Any]:
    """The parameters, with an empty word for the value of those that take none."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params
