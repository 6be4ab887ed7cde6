"""What all engines have in common, the table of them, and their options."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.building import build, counting, published

from flowbench.builders.engines import ENGINES, engine_named, read_options, require, settings_of
from flowbench.builders.engines.local import cores, local
from flowbench.builders.guard import Guards, Report, Spec
from flowbench.cli import main
from flowbench.errors import UsageError

__all__ = ["counting"]

HERE = [name for name, engine in ENGINES.items() if not engine.remote]
"""Engines that need no cluster; the real Ray and Slurm have tests of their own."""


def specs(count: int) -> list[Spec]:
    return [Spec(f"b{i}", "support.tasks:square", {"x": i}, 60.0, "logs") for i in range(count)]


def run(name: str, fn: Callable[[Spec], Report], many: list[Spec], folder: Path, workers: int | None) -> list[Report]:
    return list(engine_named(name)(fn, iter(many), workers=workers, folder=folder))


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize("workers", [1, 3, None])
@pytest.mark.parametrize("count", [0, 1, 20])
def test_every_spec_is_reported_once(name: str, workers: int | None, count: int, tmp_path: Path) -> None:
    def fn(spec: Spec) -> Report:
        return Report(spec.name, None if spec.argument["x"] % 3 == 2 else {"x": spec.argument["x"]})

    reports = run(name, fn, specs(count), tmp_path, workers)
    assert sorted(report.name for report in reports) == sorted(spec.name for spec in specs(count))
    assert {report.name for report in reports if not report.ok} == {f"b{i}" for i in range(count) if i % 3 == 2}


@pytest.mark.parametrize("name", HERE)
def test_the_same_release_with_any_engine_and_number_of_workers(name: str, tmp_path: Path) -> None:
    build(tmp_path / "once")
    for workers in (1, 3):
        build(tmp_path / f"r{workers}", engine=name, workers=workers)
        assert published(tmp_path / f"r{workers}") == published(tmp_path / "once")


def test_no_more_run_at_once_than_there_are_workers(tmp_path: Path) -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def fn(spec: Spec) -> Report:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.02)
        with lock:
            now[0] -= 1
        return Report(spec.name, {})

    run("local", fn, specs(20), tmp_path, 3)
    assert most == [3]


def test_specs_are_drawn_as_they_are_needed_and_none_after_the_end() -> None:
    drawn: list[str] = []

    def source() -> Any:
        for spec in specs(1000):
            drawn.append(spec.name)
            yield spec

    reports = local(lambda spec: Report(spec.name, {}), source(), workers=2)
    next(reports)
    reports.close()
    assert len(drawn) <= 8
    time.sleep(0.1)
    assert len(drawn) <= 8


def test_local_has_a_child_a_worker(tmp_path: Path) -> None:
    guards = Guards()
    many = [Spec(f"b{i}", "support.tasks:rest", {"seconds": 0.05}, 60.0, str(tmp_path)) for i in range(12)]
    try:
        reports = run("local", guards.run, many, tmp_path, 2)
    finally:
        guards.close()
    assert {report.name for report in reports} == {spec.name for spec in many}
    assert 1 <= len({(report.result or {})["pid"] for report in reports}) <= 2


def test_cores_are_those_of_this_process() -> None:
    assert cores() >= 1


def test_an_unknown_engine_is_told_the_nearest_and_the_hidden_one_is_not_offered() -> None:
    with pytest.raises(UsageError, match="did you mean 'slurm'"):
        require("slrum")
    with pytest.raises(UsageError, match="known are local, ray, slurm"):
        require("qqqq")


@pytest.mark.parametrize(("name", "package"), [("ray", "ray"), ("slurm", "submitit")])
def test_a_missing_extra_is_one_sentence_before_anything_is_touched(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=rf"--engine {name} needs {package}, .*pip install '\.\[{name}\]'"):
        build(tmp_path / "r", engine=name)
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("slurm", {"partitoin": "x"}, "unknown option of --engine slurm 'partitoin': did you mean 'partition'"),
        ("local", {"partition": "x"}, "unknown option of --engine local 'partition'"),
        ("slurm", {"minutes": 0}, "option minutes of --engine slurm is 0, but input should be greater"),
        ("slurm", {"minutes": "240"}, "option minutes of --engine slurm is '240', but input should be a valid integer"),
        ("slurm", {"partition": "a\n#SBATCH --x"}, "option partition of --engine slurm"),
        ("slurm", {"memory_gb": float("inf")}, "option memory_gb"),
        ("ray", {"address": 3}, "option address of --engine ray is 3"),
        ("local", {"block_seconds": -1.0}, "option block_seconds"),
        ("local", {"block_seconds": float("nan")}, "option block_seconds"),
    ],
)
def test_wrong_options_are_one_sentence(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError) as refusal:
        settings_of(name, options)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_options_are_an_engine_s_keywords() -> None:
    settings = settings_of("slurm", {"partition": "cpu", "cpus": 4, "block_seconds": 60})
    assert settings.block_seconds == 60.0
    assert settings.of_engine() == {
        "partition": "cpu",
        "account": None,
        "qos": None,
        "constraint": None,
        "minutes": 240,
        "memory_gb": 4.0,
        "cpus": 4,
        "blocks_a_job": 10,
    }


@pytest.mark.parametrize(
    ("content", "told"), [(None, "no such file"), (b"partition = ", "is not TOML"), (b"\xff", "it is not utf-8")]
)
def test_an_options_file_that_cannot_be_read_is_one_sentence(
    content: bytes | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "e.toml"
    if content is not None:
        file.write_bytes(content)
    assert main(["build", "sim_train", "--out", str(tmp_path / "r"), "--engine-options", str(file)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_an_options_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "e.toml"
    file.write_text('partition = "cpu"\nminutes = 30\n')
    assert read_options(file) == {"partition": "cpu", "minutes": 30}
