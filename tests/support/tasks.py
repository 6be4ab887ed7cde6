"""What children of guards do in tests, and everything that goes wrong with simulators: JSON values in and out."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flowbench.errors import UsageError

HERE = "support.tasks"


def echo(values: Mapping[str, Any]) -> dict[str, Any]:
    """Who and where the child is."""
    return {
        **values,
        "pid": os.getpid(),
        "parent": os.getppid(),
        "session": os.getsid(0),
        "environment": dict(os.environ),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
    }


def square(values: Mapping[str, Any]) -> dict[str, Any]:
    """Something to compare."""
    return {"square": values["x"] ** 2}


def chat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Prints what looks like an answer, reads what looks like questions, and answers."""
    print('{"result": "not this"}', flush=True)  # noqa: T201
    subprocess.run(["echo", '{"result": "nor this"}'], check=True)
    return {"read": sys.stdin.read(), **values}


def fail(values: Mapping[str, Any]) -> dict[str, Any]:
    """One fault after the other, as the folder holds them, and none once it is empty."""
    for fault in sorted(Path(values["folder"]).iterdir()):
        fault.unlink()
        suffer(fault.name.partition("-")[2])
        break
    return {"pid": os.getpid()}


def suffer(fault: str) -> None:
    """Meet with a fault."""
    if fault == "raise":
        raise ValueError("the scene\nis upside down")
    if fault == "refuse":
        raise UsageError("the disk is full: free some space.")
    if fault == "abort":
        os.abort()
    if fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "exit":
        os._exit(0)
    if fault == "hang":
        with contextlib.suppress(BaseException):
            time.sleep(3600.0)
    if fault == "orphan":  # dies, while a process it forked holds on to all of its descriptors
        if os.fork() == 0:
            time.sleep(3600.0)
        os._exit(3)


def hang_with_child(values: Mapping[str, Any]) -> dict[str, Any]:
    """Start a process, say both numbers, and hang."""
    other = subprocess.Popen(["sleep", "3600"])
    Path(values["file"]).write_text(f"{os.getpid()} {other.pid}\n")
    time.sleep(3600.0)
    return {}


def rest(values: Mapping[str, Any]) -> dict[str, Any]:
    """Take a while."""
    time.sleep(values["seconds"])
    return {"pid": os.getpid(), **values}
