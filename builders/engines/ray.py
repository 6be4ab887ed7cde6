"""Ray: a task a block, on a running cluster or on one that is started for the run."""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import itertools
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

from flowbench.builders.guard import Report, Spec, without_secrets
from flowbench.errors import UsageError

from .local import HEARTBEAT, cores

QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_enable_metrics_collection": "0"}
"""Ray tells nobody of its use."""


def ray(
    fn: Callable[[Spec], Report],
    specs: Iterable[Spec],
    *,
    workers: int | None,
    folder: Path | None = None,
    address: str | None = None,
    cpus: float = 1.0,
    gpus: float = 0.0,
    memory_gb: float | None = None,
) -> Generator[Report, None, None]:
    """Run blocks as Ray tasks; see :mod:`flowbench.builders.engines`.

    A task whose node or worker is lost is run again elsewhere without an end (``max_retries=-1``): ``fn`` itself never
    fails, and a block that lies there in full is not done twice.

    Args:
        fn, specs, workers, folder: see there.
        address: of a running cluster; None starts one on this machine, for this run alone.
        cpus, gpus, memory_gb: what is set aside for a block.

    Raises:
        UsageError: there is no such cluster, or none can be started.
    """
    waiting = iter(specs)
    first = list(itertools.islice(waiting, 1))
    keep = first[0].secrets if first else ()
    with _cluster(address, workers or cores(), keep) as library:
        memory = None if memory_gb is None else int(memory_gb * 1e9)
        task = library.remote(num_cpus=cpus, num_gpus=gpus, memory=memory, max_retries=-1)(fn)
        room = workers or max(1, int(library.cluster_resources().get("CPU", 1) / cpus))
        running: dict[Any, Spec] = {}
        todo = itertools.chain(first, waiting)
        # Twice as many as fit keep all busy; where the number of workers is said, no more than that run.
        window = room if address and workers else 2 * room
        while True:
            for spec in itertools.islice(todo, window - len(running)):
                running[task.remote(spec)] = spec
            if not running:
                return
            done, _ = library.wait(list(running), num_returns=1, timeout=HEARTBEAT)
            for reference in done:
                yield _report(library, reference, running.pop(reference))


def _report(library: Any, reference: Any, spec: Spec) -> Report:
    """A task's report; of one that Ray gave up, why."""
    try:
        report: Report = library.get(reference)
    except library.exceptions.RayError as error:
        return Report(spec.name, None, (f"Ray lost the task ({' '.join(str(error).split())[:500]})",))
    return report


@contextlib.contextmanager
def _cluster(address: str | None, processors: int, keep: Iterable[str]) -> Iterator[Any]:
    """Ray, connected to a cluster; one of our own is private, has no secrets of ours, and ends with the run."""
    with contextlib.ExitStack() as stack:
        options: dict[str, Any] = {"address": address}
        stack.enter_context(_environment(QUIET))
        if address is None:
            # Sockets lie in it, whose paths must be short: it cannot be a folder of the release.
            private = tempfile.mkdtemp(prefix="flowbench-ray-")
            stack.callback(shutil.rmtree, private, ignore_errors=True)
            stack.enter_context(without_secrets(tuple(keep)))
            stack.enter_context(_environment(_own_token()))
            options = {
                "address": "local",
                "num_cpus": processors,
                "include_dashboard": False,
                "_temp_dir": private,
                "_node_ip_address": "127.0.0.1",
            }
        library = importlib.import_module("ray")
        try:
            library.init(log_to_driver=False, logging_level="error", configure_logging=False, **options)
        except (ConnectionError, ValueError, RuntimeError, TimeoutError, OSError) as error:
            what = f"no Ray cluster answers at {address}" if address else "no Ray cluster can be started here"
            reason = " ".join(str(error).split())[:300].rstrip(".")
            raise UsageError(f"{what} ({reason}): see docs/scale.md.") from error
        try:
            yield library
        finally:
            library.shutdown()


@functools.cache
def _own_token() -> dict[str, str]:
    """Ray asks everyone for a token that lies in a folder of ours, in place of ``~/.ray/auth_token`` (scale.md).

    Ray reads the mode when it is first imported and the token once a process: there is one for all clusters of a
    process, and none where somebody has chosen a mode or imported Ray before us.
    """
    if "RAY_AUTH_MODE" in os.environ or "ray" in sys.modules:
        return {}
    folder = tempfile.mkdtemp(prefix="flowbench-ray-token-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    token = Path(folder) / "auth_token"
    token.touch(0o600)
    token.write_text(secrets.token_hex(32))
    return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Have these in the environment for a while."""
    former = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
