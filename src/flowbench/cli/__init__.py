"""The command line: parses, calls, prints. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; Ctrl-C has its code and sentence even while this package is imported.

    Args:
        arguments: what follows ``flowbench``; None takes the process's own.
    """
    try:
        from .app import main as run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("flowbench: interrupted.\n")
        return 130
