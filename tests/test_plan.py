"""``flowbench build --plan``: what a build comes to, without building."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from support.building import build, counting, options

from flowbench.builders.forecast import forecast
from flowbench.builders.producer import Job
from flowbench.builders.rates import RATES, Rate, propose_limit, write_limit
from flowbench.builders.rewriting import RewriterSettings
from flowbench.cli import main
from flowbench.cli.plan import print_plan
from flowbench.errors import UsageError

__all__ = ["counting"]


@pytest.fixture(autouse=True)
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowbench.builders.forecast.RATES", {"sim_train": Rate(propose=36.0, write=0.5)})


def shown(out: Path, **changes: object) -> str:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as captured:
        print_plan(forecast(options(out, **changes)), console)
    return captured.get()


def test_a_plan_follows_from_expectations_and_rates(tmp_path: Path) -> None:
    plan = forecast(options(tmp_path / "r", scenes=1000, workers=4))
    (config,) = plan.configs
    assert (config.scenes, config.samples, config.shards, config.bytes) == (1000, 3000, 1500, 15_000_000)
    assert config.propose_hours == pytest.approx(10.0)
    assert config.write_hours == pytest.approx(0.5 * 3000 / 3600)
    assert config.measured
    assert plan.hours == config.hours == config.propose_hours + config.write_hours
    assert plan.workers == 4
    assert plan.free > 0


def test_smaller_pictures_are_cheaper_to_write(tmp_path: Path) -> None:
    full, small = (forecast(options(tmp_path / "r", width=w, height=h)).configs[0] for w, h in ((800, 600), (400, 300)))
    assert small.write_hours == pytest.approx(full.write_hours / 4)
    assert small.propose_hours == full.propose_hours


def test_a_plan_touches_nothing_and_needs_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    plan = forecast(options(tmp_path / "r", engine="slurm", workers=None))
    assert plan.workers is None
    assert list(tmp_path.iterdir()) == []


def test_a_plan_refuses_what_the_build_would(tmp_path: Path) -> None:
    build(tmp_path / "r")
    with pytest.raises(UsageError, match="seed 0"):
        forecast(options(tmp_path / "r", seed=1))
    with pytest.raises(UsageError, match="unknown engine"):
        forecast(options(tmp_path / "r", engine="rya"))


def test_what_stands_on_the_terminal(tmp_path: Path) -> None:
    text = shown(tmp_path / "r", scenes=1000, workers=4)
    assert "1,000" in text
    assert "3,000" in text
    assert "15.0 MB" in text
    assert "That takes 10 core-hours; on 4 cores about 2.6 h." in text
    assert "It takes 15.0 MB of the " in text
    assert "no rates were measured" not in text
    assert "on 100 cores about 6 min" in shown(tmp_path / "r", scenes=1000, workers=None, engine="ray")


def test_what_has_no_rates_and_what_does_not_fit_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("usage", (), {"free": 1_000})())
    text = shown(tmp_path / "r", configs=("sim_train", "sim_test"), scenes=10)
    assert "sim_test: no rates were measured" in text
    assert "It does not fit: 300 kB are needed and 1.0 kB are free" in text


def test_the_command_plans_and_builds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "sim_train", "--scenes", "9", "--plan", "--out", str(tmp_path / "r")]) == 0
    assert "27" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_rates_are_there() -> None:
    assert {"sim_train", "sim_test"} <= set(RATES)
    assert all(rate.propose > 0 and rate.write > 0 for rate in RATES.values())


def test_limits_leave_room_and_more_where_a_model_is_asked() -> None:
    job = Job("sim_train", "homes_train", 0, "balanced", "bullet", 800, 600)
    asking = Job("sim_train", "homes_train", 0, "balanced", "bullet", 800, 600, RewriterSettings("m", "u", "c"))
    assert propose_limit(job, 1) >= 20 * RATES["sim_train"].propose
    assert propose_limit(job, 2) > propose_limit(job, 1)
    assert write_limit(job, 40) >= 20 * 40 * RATES["sim_train"].write
    assert write_limit(asking, 40) > write_limit(job, 40)
