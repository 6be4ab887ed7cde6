"""Every config has its suites, and every suite can do its work."""

from __future__ import annotations

import pickle

import pytest

from flowbench.schema import CONFIGS
from flowbench.validation.needs import lacking
from flowbench.validation.registry import REPORTED, SUITES, Suites, is_enforced
from flowbench.validation.suites.base import ConfigSuite, SampleSuite

EIGHT = {"integrity", "labels", "geometry", "ambiguity", "balance", "shortcuts", "leakage", "text"}
SIMULATED = {"simulation"}
"""Of collision scenes, which can be run again from what is published."""
OF_FAMILY: dict[str, set[str]] = {"sim": set(), "real": {"caps"}}
NOT_OF = {
    "retrieval_train": {"shortcuts"},
    "retrieval_corpus": {"shortcuts", "ambiguity", "text"},
}
"""A query has no choices to guess among; the corpus asks nothing."""


def test_every_config_has_suites() -> None:
    assert set(SUITES) == set(CONFIGS)


@pytest.mark.parametrize("config", CONFIGS)
def test_the_suites_of_a_config(config: str) -> None:
    suites = SUITES[config]
    own = EIGHT | OF_FAMILY.get(config.partition("_")[0], SIMULATED)
    assert set(suites.about) == own - NOT_OF.get(config, set())
    assert suites.samples[0].name == suites.configs[0].name == "integrity"
    assert all(isinstance(suite, SampleSuite) for suite in suites.samples)
    assert all(isinstance(suite, ConfigSuite) for suite in suites.configs)
    for part in (suites.samples, suites.configs):
        # pairs of recorded videos are kept apart by a second look at leakage
        names = [suite.name for suite in part if suite.name != "leakage"]
        assert len(set(names)) == len(names)
    assert all(about.endswith(".") and len(about) > 20 for about in suites.about.values())


@pytest.mark.parametrize("config", CONFIGS)
def test_suites_reach_workers(config: str) -> None:
    copy: Suites = pickle.loads(pickle.dumps(SUITES[config]))
    assert [suite.name for suite in copy.samples] == [suite.name for suite in SUITES[config].samples]


def test_a_suite_whose_modules_are_missing_says_so() -> None:
    assert lacking(()) is None
    assert lacking(("numpy",)) is None
    assert lacking(("numpy", "no_such_module")) == "needs no_such_module: install the extra [build]"
    assert {suite.name: suite.needs for suite in SUITES["retrieval_train"].samples if suite.needs} == {
        "geometry": ("numba",),
        "simulation": ("pybullet",),
        "ambiguity": ("numba",),
    }
    assert not any(suite.needs for suite in (*SUITES["sim_train"].samples, *SUITES["sim_train"].configs))


def test_limits_of_the_paper_preset_are_reported() -> None:
    assert {name for name in EIGHT if not is_enforced(name, "paper")} == {"balance", "shortcuts"} == REPORTED["paper"]
    assert all(is_enforced(name, "balanced") for name in EIGHT)
