"""The real Slurm, two nodes on loopback from Debian's packages; and what the engine makes of jobs, without one."""

from __future__ import annotations

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.building import published
from support.namespaces import path_with_tests, require_namespaces, run_apart

from flowbench.builders.engines import slurm as engine
from flowbench.builders.guard import Report, Spec

SUPPORT = Path(__file__).parent / "support"
NEEDED = ("slurmctld", "slurmd", "sbatch", "munged")


@pytest.fixture
def cluster() -> None:
    """Skip, and say why, where there can be none."""
    if importlib.util.find_spec("submitit") is None:
        pytest.skip("submitit is not installed (extra [slurm])")
    missing = [name for name in NEEDED if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)} here (Debian: apt install slurmctld slurmd slurm-client munge)")
    require_namespaces()


def driver(*options: str | Path) -> list[str]:
    return [sys.executable, str(SUPPORT / "driver.py"), "build", "sim_train", "--scenes", "12", *map(str, options)]


@pytest.mark.slow
def test_jobs_on_two_nodes_give_the_same_release(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_do_not_tell")
    monkeypatch.setenv("PYTHONPATH", path_with_tests())
    options = tmp_path / "slurm.toml"
    options.write_text('partition = "test"\nminutes = 5\nmemory_gb = 0.5\ncpus = 1\nblocks_a_job = 3\n')
    build = driver("--out", tmp_path / "r", "--engine", "slurm", "--engine-options", options)
    ran = run_apart("bash", SUPPORT / "slurm_nodes.sh", tmp_path / "slurm", *build)
    assert ran.returncode == 0, ran.stderr
    subprocess.run(driver("--out", tmp_path / "here"), check=True, capture_output=True)
    assert published(tmp_path / "r") == published(tmp_path / "here")
    nodes = [
        name for name in ("n0", "n1") if "launch" in (tmp_path / "slurm" / "log" / f"slurmd-{name}.log").read_text()
    ]
    assert nodes == ["n0", "n1"], "both were at work"
    assert not any((tmp_path / "r" / ".build" / "engine").iterdir()), "pickles go with the run"
    for state in (tmp_path / "slurm").rglob("*"):
        assert not state.is_file() or b"hf_do_not_tell" not in state.read_bytes()


class FakeJob:
    """A job as submitit has it."""

    def __init__(self, folder: Path, number: int) -> None:
        self.job_id = f"7_{number}"
        self.paths = SimpleNamespace(result_pickle=folder / f"{number}.pkl")

    def finish(self, reports: object) -> None:
        self.paths.result_pickle.write_bytes(pickle.dumps(reports))

    def result(self) -> Any:
        found = pickle.loads(self.paths.result_pickle.read_bytes())
        if isinstance(found, Exception):
            raise found
        return found


def spec(name: str) -> Spec:
    return Spec(name, "support.tasks:echo", {}, 1.0, "logs")


def test_jobs_that_end_badly_or_never_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, broken, lost = (FakeJob(tmp_path, number) for number in range(3))
    good.finish([Report("a", {}), Report("b", None, ("why",))])
    broken.finish(MemoryError("too small"))
    monkeypatch.setattr(engine, "QUEUE_SECONDS", 0.0)
    monkeypatch.setattr(engine, "LOST_SECONDS", 0.0)
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(engine, "_queued", lambda _: {"7_0", "7_1"})
    jobs = {good: [spec("a"), spec("b")], broken: [spec("c")], lost: [spec("d")]}
    reports = {each.name: each for _, many in engine._results(jobs, "x") for each in many}
    assert reports["a"].ok
    assert reports["b"].failures == ("why",)
    assert reports["c"].failures == ("Slurm job 7_1 was lost (MemoryError: too small)",)
    assert reports["d"].failures == ("Slurm job 7_2 was lost (it left no result)",)


def test_a_queue_that_does_not_answer_loses_no_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = FakeJob(tmp_path, 0)
    answers: list[set[str] | None] = [None, set(), None, {"7_0"}, set()]
    monkeypatch.setattr(engine, "QUEUE_SECONDS", 0.0)
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.0)

    def queued(_: str) -> set[str] | None:
        if len(answers) == 1:
            job.finish([Report("a", {})])
        return answers.pop(0)

    monkeypatch.setattr(engine, "_queued", queued)
    ((_, reports),) = engine._results({job: [spec("a")]}, "x")
    assert reports[0].ok
    assert answers == []


def test_the_name_of_jobs_tells_nothing_and_is_the_release_s(tmp_path: Path) -> None:
    names = {engine.job_name(tmp_path / name / "engine") for name in ("a", "a/../a", "b")}
    assert len(names) == 2
    assert all(name.startswith("flowbench-") and len(name) == 22 for name in names)


def test_arrays_are_no_longer_than_clusters_take() -> None:
    chunks = engine._chunks([spec(str(i)) for i in range(25_007)], 10)
    assert sum(map(len, chunks)) == 25_007
    arrays = list(engine._arrays(chunks))
    assert [len(array) for array in arrays] == [1000, 1000, 501]
    assert [each for array in arrays for chunk in array for each in chunk][-1].name == "25006"
