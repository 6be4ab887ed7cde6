"""How commands end when they are interrupted, or when nobody reads on."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

from ..errors import FlowbenchError

CLOSED_PIPE: Final = 141
"""The exit code where whoever read the output has ended, as in ``flowbench validate DIR | head``: the shell's for
SIGPIPE. What 1 stands for would be a lie."""
_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


class InterruptedRunError(FlowbenchError):
    """Ctrl-C or SIGTERM: not a failure, but not finished."""

    exit_code = 130


@contextlib.contextmanager
def ended_by_signals(sentence: str) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the block alike, in one sentence, whatever an interrupted import made of them."""
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()  # no other may change handlers
    former = {number: signal.signal(number, interrupt) for number in _ENDING} if ours else {}
    try:
        yield
    except BaseException as error:
        if not came and not isinstance(error, KeyboardInterrupt):
            raise
        if came:  # the process is about to end: impatience must not disturb that
            former = dict.fromkeys(former, signal.SIG_IGN)
        raise InterruptedRunError(sentence) from None
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def is_closed_pipe(error: BaseException) -> bool:
    """Whether this is what a write to a closed pipe raises, or the SystemExit that click or rich makes of it."""
    cause = error.__context__ if isinstance(error, SystemExit) else error
    return isinstance(cause, OSError) and cause.errno == errno.EPIPE


def write_nowhere() -> None:
    """Let vanish what is left to print and cannot be, so that the interpreter does not complain of it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):  # click has wrapped the others
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
