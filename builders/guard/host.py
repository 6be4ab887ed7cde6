"""The child's side of a guard: reads questions, imports and calls what they name, answers. Runs in its own session."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Mapping
from typing import Any

DUMP_SHARE = 0.95
"""Shortly before a try's limit all threads' stacks go to the log, to see where it hangs."""


def main(answering: int, life: int) -> None:
    """Answer questions until there are no more.

    Args:
        answering: descriptor that answers go to.
        life: descriptor that reads as ended when the guard's process has ended.
    """
    _watch(life, answering)
    os.close(life)
    os.set_inheritable(answering, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # many crashes must not fill the disk
    faulthandler.enable()
    with os.fdopen(os.dup(0), "rb") as questions, os.fdopen(answering, "wb") as answers:
        _close_standard_input()
        for line in questions:
            answers.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
            answers.flush()


def _watch(life: int, answering: int) -> None:
    """Leave a process in this group that ends the group with the guard's process; before anything heavy is imported."""
    if os.fork() == 0:
        try:
            os.close(0)
            os.close(answering)
            os.read(life, 1)
        finally:
            os.killpg(0, signal.SIGKILL)


def _close_standard_input() -> None:
    """A simulator that reads it must not swallow questions."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def _answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """What comes of a question; whatever goes wrong in Python is an answer as well."""
    from .messages import function_named

    left = float(question["until"]) - time.monotonic()  # less than a try's limit: this process had to start
    faulthandler.dump_traceback_later(max(0.001, DUMP_SHARE * left))
    try:
        return {"result": function_named(question["function"])(question["argument"])}
    except Exception as error:
        traceback.print_exc()
        return {"error": _in_a_line(error), **_refusal(error)}
    finally:
        faulthandler.cancel_dump_traceback_later()
        sys.stdout.flush()
        sys.stderr.flush()


def _in_a_line(error: Exception) -> str:
    """An exception's kind and text."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:2000]


def _refusal(error: Exception) -> dict[str, Any]:
    """What a user is told if it is the user's to mend, and holds for all other work as well."""
    from flowbench.builders.rewriting import RewriterError
    from flowbench.errors import UsageError

    if isinstance(error, UsageError | RewriterError):
        return {"refusal": {"sentence": str(error), "exit_code": error.exit_code}}
    return {}
