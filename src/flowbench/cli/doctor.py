"""``flowbench doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from .checks import Check

EPILOG = """
**Exit codes**: 0 when building works here (warnings included), 2 when it does not; it then says whether loading does.
"""


def command(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Check whether this machine can build and load, and say what to do where it cannot."""
    from .checks import installed_versions, pinned_versions, run_checks
    from .thor import Machine, check_thor

    package = Path(__file__).resolve().parents[1]
    checks = [*run_checks(), *check_thor(pinned_versions(package), installed_versions(), Machine.here())]
    _print_table(checks)
    raise typer.Exit(verdict(checks))


def verdict(checks: list[Check]) -> int:
    """Say in one sentence what works, and return the exit code."""
    from .checks import Level

    failed = [check for check in checks if check.level is Level.FAIL]
    if not failed:
        typer.echo("Building and loading work here.")
        return 0
    names = ", ".join(check.name for check in failed)
    if any(check.loading for check in failed):
        typer.echo(f"Neither building nor loading works here: mend {names} first.")
    else:
        typer.echo(f"This machine is load-only: loading works; to build, mend {names}.")
    return 2


def _print_table(checks: list[Check]) -> None:
    """One row a check, the advice under what was found."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from .checks import Level

    colours = {Level.OK: "green", Level.WARN: "yellow", Level.FAIL: "bold red"}
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        advice = f"\n[bold]{escape(check.advice)}[/]" if check.advice else ""
        colour = colours[check.level]
        table.add_row(f"[{colour}]{check.level.value}[/]", escape(check.name), escape(check.found) + advice)
    Console().print(table)
