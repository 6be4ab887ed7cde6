"""Slurm: job arrays by submitit, several blocks a job."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import importlib
import itertools
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flowbench.builders.guard import Report, Spec, end_children, without_secrets
from flowbench.errors import UsageError

from .local import local

ARRAY = 1000
"""Jobs an array; a cluster's own limit (``MaxArraySize``) is 1001 unless set otherwise."""
POLL_SECONDS = 1.0
QUEUE_SECONDS = 15.0
"""How often the queue is asked which jobs it still knows."""
LOST_SECONDS = 60.0
"""A job that the queue has not known for so long and that left no result is lost; file systems may show it late."""
COMMAND_SECONDS = 60.0
REQUEUES = 10
"""How often a job that ran into its time limit goes on in a new one."""


def slurm(
    fn: Callable[[Spec], Report],
    specs: Iterable[Spec],
    *,
    workers: int | None,
    folder: Path,
    partition: str | None = None,
    account: str | None = None,
    qos: str | None = None,
    constraint: str | None = None,
    minutes: int = 240,
    memory_gb: float = 4.0,
    cpus: int = 1,
    blocks_a_job: int = 10,
) -> Generator[Report, None, None]:
    """Run blocks as jobs of Slurm; see :mod:`flowbench.builders.engines`.

    Args:
        fn, specs: see there.
        workers: jobs that run at once; None leaves it to the cluster.
        folder: where submitit keeps what jobs are to do; private, and on a file system that the nodes share.
        partition, account, qos, constraint, minutes, memory_gb, cpus, blocks_a_job: see
            :class:`~flowbench.builders.engines.settings.SlurmSettings`.

    Raises:
        UsageError: Slurm does not answer or does not take the jobs.
    """
    chunks = _chunks(list(specs), blocks_a_job)
    if not chunks:
        return
    name = job_name(folder)
    _command("scancel", "--user", getpass.getuser(), "--name", name)  # of a run that was killed: its jobs live on
    private = folder / f"slurm-{secrets.token_hex(4)}"
    private.mkdir(mode=0o700, parents=True)
    executor = _executor(private)
    given = {"partition": partition, "account": account, "qos": qos, "constraint": constraint}
    executor.update_parameters(
        name=name,
        timeout_min=minutes,
        mem_gb=memory_gb,
        cpus_per_task=cpus,
        slurm_array_parallelism=min(workers or ARRAY, len(chunks)),
        stderr_to_stdout=True,
        slurm_additional_parameters={option: value for option, value in given.items() if value is not None},
    )
    lost: list[Spec] = []
    try:
        with without_secrets(chunks[0][0].secrets):  # sbatch hands our environment to the jobs
            jobs = _submit(executor, Blocks(fn, cpus), chunks)
        for chunk, reports in _results(jobs, name):
            lost += [] if reports[0].ok else chunk
            yield from reports
        if not lost:
            shutil.rmtree(private, ignore_errors=True)
    finally:
        _command("scancel", "--user", getpass.getuser(), "--name", name)


def job_name(folder: Path) -> str:
    """What the jobs of a run are called: the same for every run on a release, and nothing of its path in it."""
    return f"flowbench-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]}"


@dataclass(frozen=True)
class Blocks:
    """What a job does: its blocks, so many at once."""

    fn: Callable[[Spec], Report]
    cpus: int

    def __call__(self, specs: Sequence[Spec]) -> list[Report]:
        """Run them."""
        try:
            return list(local(self.fn, specs, workers=self.cpus))
        finally:
            end_children()

    def checkpoint(self, specs: Sequence[Spec]) -> Any:
        """Out of time or pre-empted: the job goes on in a new one; blocks with receipts cost it nothing."""
        return importlib.import_module("submitit").helpers.DelayedSubmission(self, specs)


def _chunks(specs: Sequence[Spec], size: int) -> list[Sequence[Spec]]:
    """So many at a time."""
    return [specs[start : start + size] for start in range(0, len(specs), size)]


def _executor(folder: Path) -> Any:
    """submitit's, for Slurm."""
    submitit = importlib.import_module("submitit")
    try:
        return submitit.AutoExecutor(folder=folder, cluster="slurm", slurm_max_num_timeout=REQUEUES)
    except RuntimeError as error:
        raise _refused(error) from None


def _submit(executor: Any, blocks: Blocks, chunks: Sequence[Sequence[Spec]]) -> dict[Any, Sequence[Spec]]:
    """Hand all jobs to Slurm, in arrays that it takes."""
    jobs: dict[Any, Sequence[Spec]] = {}
    submitit = importlib.import_module("submitit")
    for array in _arrays(chunks):
        try:
            jobs |= zip(executor.map_array(blocks, array), array, strict=True)
        except (submitit.core.utils.FailedJobError, OSError) as error:
            raise _refused(error) from None
    return jobs


def _arrays(chunks: Sequence[Sequence[Spec]]) -> Iterator[Sequence[Sequence[Spec]]]:
    """The jobs of each array."""
    for start in range(0, len(chunks), ARRAY):
        yield chunks[start : start + ARRAY]


def _results(jobs: dict[Any, Sequence[Spec]], name: str) -> Iterator[tuple[Sequence[Spec], list[Report]]]:
    """Each job's blocks and their reports, as jobs end; of a job that Slurm lost, that it did."""
    left = dict(jobs)
    missing: dict[Any, float] = {}
    asked = time.monotonic()
    while left:
        ended = [job for job in left if job.paths.result_pickle.exists()]
        now = time.monotonic()
        if not ended and now - asked >= QUEUE_SECONDS:
            asked = now
            known = _queued(name)
            missing = {job: missing.get(job, now) for job in left if known is not None and job.job_id not in known}
            ended = [job for job, since in missing.items() if now - since >= LOST_SECONDS]
        for job in ended:
            missing.pop(job, None)
            chunk = left.pop(job)
            yield chunk, _reports(job, chunk)
        if not ended:
            time.sleep(POLL_SECONDS)


def _reports(job: Any, chunk: Sequence[Spec]) -> list[Report]:
    """What a job made of its blocks."""
    why = "it left no result"
    if job.paths.result_pickle.exists():
        try:
            return list(job.result())
        except Exception as error:  # whatever the job met with, the run goes on
            why = f"{type(error).__name__}: {' '.join(str(error).split())[-300:]}"
    return [Report(spec.name, None, (f"Slurm job {job.job_id} was lost ({why})",)) for spec in chunk]


def _queued(name: str) -> set[str] | None:
    """Ids of our jobs that the queue knows; None where it does not answer."""
    told = _command("squeue", "--noheader", "--array", "--user", getpass.getuser(), "--name", name, "--format", "%i %A")
    return None if told is None else set(itertools.chain.from_iterable(line.split() for line in told.splitlines()))


def _command(*words: str) -> str | None:
    """What a command of Slurm's says; None where it fails."""
    with contextlib.suppress(subprocess.SubprocessError, OSError):
        return subprocess.run(words, check=True, capture_output=True, text=True, timeout=COMMAND_SECONDS).stdout
    return None


def _refused(error: Exception) -> UsageError:
    reason = " ".join(str(error).split())[-300:].rstrip(".")
    return UsageError(f"Slurm does not take the jobs ({reason}): see docs/scale.md for what it needs.")
