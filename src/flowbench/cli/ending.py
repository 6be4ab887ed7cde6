"""How long commands end when they are interrupted."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

from ..errors import FlowbenchError

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


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
