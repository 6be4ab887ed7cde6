"""Small releases that pass the integrity suite, and suites that find what a test tells them to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from flowbench.errors import ReleaseError
from flowbench.progress import Silent
from flowbench.schema import CONFIGS, to_json
from flowbench.validation.corruption import Draft, Rewriting
from flowbench.validation.opened import OpenedSample
from flowbench.validation.registry import Suites
from flowbench.validation.results import ConfigResult
from flowbench.validation.runner import validate
from flowbench.validation.suites.base import ConfigSuite, Findings, OpenedConfig, SampleSuite, Violation
from flowbench.validation.suites.integrity import Integrity
from flowbench.validation.suites.members import Members

from .synthetic import make_record, make_release

Change = Callable[[list[Draft]], list[Draft]]


def make_valid_release(root: Path, n: int = 4, configs: tuple[str, ...] = ("sim_train", "sim_test")) -> Path:
    """A synthetic release whose metadata are those of an empty home."""
    make_release(root, n, configs)
    camera = make_record("key", 0).camera.model_dump()
    scene = {"scene_id": "homes_train-000000"}
    meta = to_json({"format": "flowbench-home/1", "scene": scene, "camera": camera, "objects": [], "moved": []})
    release = Rewriting(root)
    for place in release.places():
        drafts = release.read(place)
        for draft in drafts:
            draft.members["meta.txt"] = meta
        release.write(place, drafts)
    release.finish()
    return root


def change_shard(root: Path, change: Change, number: int = 0) -> None:
    """Replace a shard's samples by what ``change`` makes of them; the rest of the release then agrees with it."""
    release = Rewriting(root)
    place = release.places()[number]
    release.write(place, change(release.read(place)))
    release.finish()


@dataclass(frozen=True)
class Telling(SampleSuite):
    """Finds something in every sample of some categories."""

    categories: frozenset[str] = frozenset({"left_right"})
    rule: str = "told so"
    name = "telling"
    about = "Samples are of categories that it likes."

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """One violation."""
        if sample.record.category in self.categories:
            yield Violation(self.rule, sample.record.category, "another category")


class Reading(SampleSuite):
    """Reads the flow and finds nothing."""

    name = "reading"
    about = "The flow can be read."

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """Nothing."""
        assert sample.flow[1].any()
        return ()


class Failing(SampleSuite):
    """Fails itself."""

    name = "failing"
    about = "Nothing."

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """Half of it."""
        yield Violation("found before", sample.key, "nothing")
        raise ZeroDivisionError("division by zero")


class Refusing(SampleSuite):
    """Cannot read what it is given."""

    name = "refusing"
    about = "Nothing."

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """Nothing."""
        raise ReleaseError(f"{sample.key} is not to its taste")


class Dying(SampleSuite):
    """Takes its process with it."""

    name = "dying"
    about = "Nothing."

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """Nothing."""
        os._exit(3)


class Whole(ConfigSuite):
    """Finds something in the config named ``sim_test``."""

    name = "balance"
    about = "The config is sim_train."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """One violation."""
        found = f"{config.index.height} rows, {config.facts.height} facts beside {', '.join(sorted(others))}"
        return Findings([Violation("which config", found, "sim_train")] if config.spec.name == "sim_test" else ())


class FailingWhole(ConfigSuite):
    """Fails itself."""

    name = "failing"
    about = "Nothing."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Nothing."""
        raise ZeroDivisionError("division by zero")


def with_integrity(*suites: SampleSuite | ConfigSuite) -> dict[str, Suites]:
    """These suites after the integrity suite, for every config."""
    samples = tuple(each for each in suites if isinstance(each, SampleSuite))
    configs = tuple(each for each in suites if isinstance(each, ConfigSuite))
    return {name: Suites((Members(spec), *samples), (Integrity(), *configs)) for name, spec in CONFIGS.items()}


def broken(root: Path, *suites: SampleSuite | ConfigSuite, config: str = "sim_train") -> dict[str, dict[str, int]]:
    """Suite -> rule -> violations of one config; suites without any are left out."""
    return rules(validate(root, [config], 1, Silent(), with_integrity(*suites)).results[config])


def rules(result: ConfigResult) -> dict[str, dict[str, int]]:
    """Suite -> rule -> violations."""
    return {suite.name: dict(suite.rules) for suite in result.suites if suite.rules}
