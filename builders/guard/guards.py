"""``run_block(spec) -> report``: never raises, never dies, never hangs."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from flowbench.errors import UsageError

from .child import Child, ChildError
from .messages import Refusal, Report, Spec

BLOCKS_A_CHILD = 200
"""A child is replaced after so many blocks: simulators leak a little (architecture.md)."""


class Guards:
    """Runs blocks in children, as many at once as threads call :meth:`run`; children are kept for the next block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._closed = False

    def run(self, spec: Spec) -> Report:
        """Run a block; a child that fails it in any way is replaced, and the block tried again."""
        failures: list[str] = []
        while len(failures) < spec.tries and not self._closed:
            try:
                answer = self._try(spec)
            except UsageError as error:
                return Report(spec.name, None, (*failures, str(error)), Refusal(str(error), error.exit_code))
            except Exception as error:  # whatever it is, the run goes on
                failures.append(str(error) if isinstance(error, ChildError) else f"{type(error).__name__}: {error}")
                continue
            if isinstance(answer, Report):
                return Report(spec.name, answer.result, (*failures, *answer.failures), answer.refusal)
            failures.append(answer)
        return Report(spec.name, None, tuple(failures) or ("the run was ended",))

    def close(self) -> None:
        """End all children, in the middle of their blocks too; blocks that run now or later are reported failed."""
        with self._lock:
            self._closed = True
            for child in self._busy:
                child.kill()
            for child in self._idle:
                child.close()
            self._idle.clear()

    def _try(self, spec: Spec) -> Report | str:
        """One try: a report, or why it failed."""
        child = self._take(spec)
        kept = False
        try:
            until = time.monotonic() + spec.seconds  # a clock that all processes of a machine share
            question = {"function": spec.function, "argument": spec.argument, "until": until}
            answer = child.ask(question, spec.seconds)
            if "error" not in answer:
                kept = child.asked < BLOCKS_A_CHILD
                return Report(spec.name, answer["result"])
            refusal = answer.get("refusal")
            if refusal is not None:
                return Report(spec.name, None, (answer["error"],), Refusal(**refusal))
            return f"{answer['error']} (log: {child.log.name})"
        except ChildError as error:
            raise ChildError(f"the process {error} (log: {child.log.name})") from None
        finally:
            self._put_back(child, kept)

    def _take(self, spec: Spec) -> Child:
        """An idle child with the environment that the block wants, or a new one; idle ones of another kind go."""
        with self._lock:  # held while it starts, so that no child escapes close()
            if self._closed:
                raise ChildError("was not started, since the run was ended")
            while self._idle:
                child = self._idle.pop()
                if child.keep == frozenset(spec.secrets):
                    break
                child.close()
            else:
                child = Child(Path(spec.logs), spec.secrets)
            self._busy.add(child)
            return child

    def _put_back(self, child: Child, kept: bool) -> None:
        """Keep a child for the next block, or end it."""
        with self._lock:
            self._busy.discard(child)
            if kept and not self._closed:
                self._idle.append(child)
                return
        child.close()


_GUARDS = Guards()
"""Of this process, where an engine starts processes of its own."""


def run_block(spec: Spec) -> Report:
    """Run a block in a child of this process."""
    return _GUARDS.run(spec)


def end_children() -> None:
    """End what :func:`run_block` started in this process, for good."""
    _GUARDS.close()
