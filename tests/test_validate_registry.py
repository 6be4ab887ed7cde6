"""Every config has its suites, and every suite can do its work."""

from __future__ import annotations

import pickle

import pytest

from flowbench.schema import CONFIGS
from flowbench.validation.registry import REPORTED, SUITES, Suites, is_enforced
from flowbench.validation.suites.base import ConfigSuite, SampleSuite

EIGHT = {"integrity", "labels", "geometry", "ambiguity", "balance", "shortcuts", "leakage", "text"}


def test_every_config_has_suites() -> None:
    assert set(SUITES) == set(CONFIGS)


@pytest.mark.parametrize("config", CONFIGS)
def test_the_suites_of_a_config(config: str) -> None:
    suites = SUITES[config]
    assert set(suites.about) == EIGHT
    assert suites.samples[0].name == suites.configs[0].name == "integrity"
    assert all(isinstance(suite, SampleSuite) for suite in suites.samples)
    assert all(isinstance(suite, ConfigSuite) for suite in suites.configs)
    for part in (suites.samples, suites.configs):
        assert len({suite.name for suite in part}) == len(part)
    assert all(about.endswith(".") and len(about) > 20 for about in suites.about.values())


@pytest.mark.parametrize("config", CONFIGS)
def test_suites_reach_workers(config: str) -> None:
    copy: Suites = pickle.loads(pickle.dumps(SUITES[config]))
    assert [suite.name for suite in copy.samples] == [suite.name for suite in SUITES[config].samples]


def test_limits_of_the_paper_preset_are_reported() -> None:
    assert {name for name in EIGHT if not is_enforced(name, "paper")} == {"balance", "shortcuts"} == REPORTED["paper"]
    assert all(is_enforced(name, "balanced") for name in EIGHT)
