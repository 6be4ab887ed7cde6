"""``flowbench build --plan``: what a build comes to, without building."""

from __future__ import annotations

import dataclasses
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
from flowbench.cli.plan import _time_text, print_plan
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


def test_eighty_columns_are_enough_and_names_are_never_cut(tmp_path: Path) -> None:
    """Of all the configs together, as many scenes as a large build has."""
    plan = forecast(options(tmp_path / "r", configs=("sim_train", "sim_test"), scenes=100_000, workers=4))
    first, second = plan.configs
    long = (
        dataclasses.replace(first, config="selection_matched"),
        dataclasses.replace(second, config="retrieval_corpus"),
    )
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        print_plan(dataclasses.replace(plan, configs=long), console)
    table = captured.get().partition("That takes")[0]
    assert "…" not in table
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines() if line.strip()}
    assert rows["selection_matched"] == [
        "100,000",
        "300,000",
        "150,000",
        "1.5",
        "GB",
        "1,000",
        "h",
        "42",
        "h",
        "1,042",
        "h",
    ]
    assert rows["retrieval_corpus"][0] == "100,000"
    assert max(map(len, table.splitlines())) <= 80


def test_times_are_told_in_the_unit_that_suits_them(tmp_path: Path) -> None:
    text = shown(tmp_path / "r", scenes=1, workers=2)  # 36 s and 3 of 0.5 s
    row = next(line for line in text.splitlines() if "36 s" in line)
    assert row.split()[-6:] == ["36", "s", "2", "s", "38", "s"]
    assert "That takes 38 s on one core; on 2 cores about 19 s." in text
    assert "That takes 38 s on one core.\n" in shown(tmp_path / "r", scenes=1, workers=1)
    assert [_time_text(hours) for hours in (0.0, 0.0001, 0.0044, 0.5, 2.04, 9.96, 10.4, 12_345.6)] == [
        "0 s",
        "< 1 s",
        "16 s",
        "30 min",
        "2.0 h",
        "10.0 h",
        "10 h",
        "12,346 h",
    ]


def test_a_config_given_twice_is_planned_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for configs in (["sim_train"], ["sim_train", "sim_train"]):
        assert main(["build", *configs, "--plan", "--workers", "1", "--out", str(tmp_path / "r")]) == 0
        said.append(capsys.readouterr().out.partition(" of the ")[0])  # what is free changes meanwhile
    assert said[0] == said[1]
    assert said[0].count("sim_train") == 1


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
