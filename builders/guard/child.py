"""A child process as its guard sees it: started, asked, and ended together with everything that it started."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from flowbench.errors import UsageError

from .environment import child_environment

LOOK_SECONDS = 1.0
"""After so long a wait looks whether the child is still there: a grandchild may hold its line open."""
END_SECONDS = 10.0
"""How long the end of a killed process is awaited; one that hangs in the kernel is left to it."""
LONGEST_ANSWER = 1 << 24
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from flowbench.builders.guard.host import main; main(int(sys.argv[2]), int(sys.argv[3]))"
)
"""The child finds its modules where this process does, whatever lies in the current folder (a release, say)."""


class ChildError(Exception):
    """The child died, hung, or spoke out of turn; the text says which. It must be closed."""


class Child:
    """A process in a session of its own that answers one question at a time.

    Questions go to its standard input and answers come over a descriptor of their own, a JSON line each; what it
    prints goes to a log. A third pipe is never written to: when this process ends, however it does, its end closes,
    and a watcher in the child's process group ends the group.
    """

    def __init__(self, logs: Path, keep: Collection[str] = ()) -> None:
        """Start it.

        Args:
            logs: folder of its output.
            keep: see :func:`~flowbench.builders.guard.environment.child_environment`.

        Raises:
            OSError: no process, pipe or log can be had.
            UsageError: there is no room for a log.
        """
        self.keep = frozenset(keep)
        self.asked = 0
        self.log = logs / f"child-{secrets.token_hex(6)}.log"
        with contextlib.ExitStack() as started, told_of_space(logs):
            logs.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._answers, answering = _pipe(started)
            life, alive = _pipe(started)
            log = started.enter_context(self.log.open("xb"))
            path = json.dumps([entry or os.getcwd() for entry in sys.path])
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _BOOT, path, str(answering), str(life)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=child_environment(keep),
                pass_fds=(answering, life),
                start_new_session=True,
                bufsize=0,
            )
            started.pop_all()
            log.close()
            os.close(answering)
            os.close(life)
        assert self._process.stdin is not None
        self._questions = self._process.stdin.fileno()
        os.set_blocking(self._questions, False)
        self.close = weakref.finalize(self, _end, self._process, (self._answers, alive), self.log)

    def ask(self, question: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        """Ask, and wait for the answer.

        Raises:
            ChildError: there is none within so many seconds, or the child died.
        """
        self.asked += 1
        deadline = time.monotonic() + seconds
        unsent = memoryview(json.dumps(question).encode() + b"\n")
        answer = bytearray()
        while not answer.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0:
                raise ChildError(f"gave no answer within {seconds:g} s and was ended")
            poll = select.poll()
            poll.register(self._answers, select.POLLIN)
            if unsent:
                poll.register(self._questions, select.POLLOUT)
            ready = dict(poll.poll(1000.0 * min(left, LOOK_SECONDS)))
            try:
                if self._questions in ready:
                    unsent = unsent[os.write(self._questions, unsent) :]
                if self._answers in ready:
                    answer += self._read()
                    if len(answer) > LONGEST_ANSWER:
                        raise ChildError("gave an answer without an end")
                elif not ready and self._has_ended():
                    raise ChildError(self._cause())
            except BrokenPipeError:
                raise ChildError(self._cause()) from None
        try:
            heard = json.loads(answer)
        except ValueError:
            heard = None
        if not isinstance(heard, dict):
            raise ChildError("spoke out of turn")
        return heard

    def _read(self) -> bytes:
        """Some more of the answer."""
        data = os.read(self._answers, 1 << 16)
        if not data:
            raise ChildError(self._cause())
        return data

    def kill(self) -> None:
        """End its group, for a thread that is not the one that asks: that one sees it end, and closes it."""
        _kill(self._process)

    def _has_ended(self) -> bool:
        """Whether it has; it is left unreaped, so that its group's number stays its own until the group is ended."""
        if self._process.returncode is not None:
            return True
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # another thread has reaped it just now
            return True

    def _cause(self) -> str:
        """How it came to its end, which is told now; it is closed then."""
        deadline = time.monotonic() + END_SECONDS / 2
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(0.005)
        if not self._has_ended():
            return "closed its line and was ended"
        self.close()
        return told(self._process.returncode)


def told(code: int) -> str:
    """An exit status in words."""
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"died of {name}" + (" (is memory short?)" if -code == signal.SIGKILL else "")


@contextlib.contextmanager
def told_of_space(logs: Path) -> Iterator[None]:
    """A full disk in the words that all our writing has for it."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UsageError(
            f"cannot write {logs}: the disk is full: free some space and run the same command again."
        ) from error


def _pipe(started: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe that is closed again if the start fails."""
    ends = os.pipe()
    for end in ends:
        started.callback(os.close, end)
    return ends


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a child's whole group, then reap the child: until then its number is nobody else's."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)


def _end(process: subprocess.Popen[bytes], descriptors: tuple[int, int], log: Path) -> None:
    """End a child and its group, close our ends of its pipes, and drop its log if it is empty."""
    _kill(process)
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    for descriptor in descriptors:
        os.close(descriptor)
    with contextlib.suppress(OSError):
        if log.stat().st_size == 0:
            log.unlink()
