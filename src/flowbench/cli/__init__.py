"""The command line: parses, calls, prints. Everything heavy is imported by the command that needs it."""

from .app import main

__all__ = ["main"]
