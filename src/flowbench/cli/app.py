"""The commands and how they end: exit codes and one-sentence errors (cli.md)."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import __version__
from ..errors import FlowbenchError
from . import build, doctor, record, release, show, validate
from .ending import CLOSED_PIPE, is_closed_pipe, write_nowhere
from .flags import Command, Group

_CLICK_ERROR: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""The base of typer's own complaints; newer versions carry a private copy of click, hence the look-up."""

_INTERRUPTED = 130
_BUG = 1

app = typer.Typer(
    name="flowbench",
    cls=Group,
    rich_markup_mode="markdown",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("build", cls=Command, epilog=build.EPILOG)(build.command)
app.command("record", cls=Command, epilog=record.EPILOG)(record.command)
app.command("validate", cls=Command, epilog=validate.EPILOG)(validate.command)
app.add_typer(release.app, name="release")
app.command("show", cls=Command, epilog=show.EPILOG)(show.command)
app.command("doctor", cls=Command, epilog=doctor.EPILOG)(doctor.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flowbench {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Make and look at data about imagining how a scene changes.

    Begin with `flowbench doctor`, then `flowbench build sim_train --scenes 2`, then `flowbench validate
    release/flowbench` and `flowbench show release/flowbench sim_train`. Every command explains itself with `--help`.

    Exit codes: 0 fine, 1 the release breaks a check or blocks failed, 2 bad arguments or an unusable environment, 130
    interrupted, 141 whoever read the output has stopped reading.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: what follows ``flowbench``; None takes the process's own.
    """
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = app(args=given, prog_name="flowbench", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, SystemExit) as error:
        if is_closed_pipe(error):
            write_nowhere()
            return CLOSED_PIPE
        if isinstance(error, SystemExit):
            raise
        if isinstance(error, OSError):
            write_nowhere()
        if "--debug" in given:
            traceback.print_exc()
        sentence, code = _explain(error, given)
        _complain(sentence)
        return code
    if code == _INTERRUPTED:
        _complain("interrupted.")
    return code if isinstance(code, int) else 0


def _explain(error: Exception, given: Sequence[str]) -> tuple[str, int]:
    """The sentence and the exit code for what went wrong with these arguments."""
    if isinstance(error, FlowbenchError):
        return str(error), error.exit_code
    if isinstance(error, _CLICK_ERROR):
        return _usage_sentence(error, given), 2
    if isinstance(error, typer.Abort):
        return "interrupted.", _INTERRUPTED
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        return f"the system refused: {error.strerror}{where}.", 2
    return (
        f"this is a bug in flowbench: {type(error).__name__}: {error}; run it again with --debug "
        "and report the traceback.",
        _BUG,
    )


def _usage_sentence(error: Any, given: Sequence[str]) -> str:
    """Click's complaint about the arguments, and which help to read unless it has a better hint itself."""
    message = error.format_message().strip().rstrip(".")
    message = f"{message[:1].lower()}{message[1:]}".replace(". Did you mean", ": did you mean")
    message = message.replace(": Value error, ", ": ")  # pydantic's, which checks values for typer
    if message.endswith("?"):
        return message
    return f"{message}; see `{_command_of(error, given)} --help`."


def _command_of(error: Any, given: Sequence[str]) -> str:
    """The command that the complaint is about; click forgets it where an option lacks its value."""
    if getattr(error, "ctx", None):
        return str(error.ctx.command_path)
    first = next((argument for argument in given if not argument.startswith("-")), "")
    return f"flowbench {first}" if first in {command.name for command in app.registered_commands} else "flowbench"


def _complain(sentence: str) -> None:
    """One line on stderr."""
    typer.echo(f"flowbench: {' '.join(sentence.split())}", err=True)
