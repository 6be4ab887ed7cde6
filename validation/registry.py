"""Which suites a config has to pass. A config of :data:`~flowbench.schema.CONFIGS` without a row here fails a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from flowbench.schema import CONFIGS, ConfigSpec

from .suites.ambiguity import Ambiguity
from .suites.balance import Balance
from .suites.base import ConfigSuite, SampleSuite
from .suites.geometry import Geometry
from .suites.integrity import Integrity
from .suites.labels import Labels
from .suites.leakage import Leakage
from .suites.members import Members
from .suites.shortcuts import Shortcuts
from .suites.text import Text

SUITES_VERSION: Final = 1
"""Raised whenever a suite finds what it did not find before: results of an earlier version are then out of date."""

REPORTED: Final[Mapping[str, frozenset[str]]] = MappingProxyType({"paper": frozenset({"balance", "shortcuts"})})
"""Preset -> suites whose limits are reported and not enforced (quality.md, 6)."""


@dataclass(frozen=True)
class Suites:
    """The suites of a config.

    Attributes:
        samples: over single samples, integrity first: what it finds the others need not find again.
        configs: over the config as a whole, after all samples were read.
    """

    samples: tuple[SampleSuite, ...]
    configs: tuple[ConfigSuite, ...]

    @property
    def about(self) -> dict[str, str]:
        """Suite -> what it checks, in the order of reports; both parts of a suite go by one name."""
        return {suite.name: suite.about for suite in (*self.samples, *self.configs)}


def _sim(spec: ConfigSpec) -> Suites:
    return Suites(
        (Members(spec), Labels(), Geometry(), Ambiguity(), Text()),
        (Integrity(), Balance(), Shortcuts(), Leakage()),
    )


SUITES: Final[Mapping[str, Suites]] = MappingProxyType(
    {
        "sim_train": _sim(CONFIGS["sim_train"]),
        "sim_test": _sim(CONFIGS["sim_test"]),
    }
)
"""Config -> its suites."""


def is_enforced(suite: str, preset: str) -> bool:
    """Whether what a suite finds fails a release of this preset."""
    return suite not in REPORTED.get(preset, frozenset())
