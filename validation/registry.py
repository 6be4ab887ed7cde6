"""Which suites a config has to pass. A config of :data:`~flowbench.schema.CONFIGS` without a row here fails a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from flowbench.schema import CONFIGS, ConfigSpec

from .dynapix.opened import OpenedClip, OpenedFrame, OpenedQuery, OpenedSelection
from .dynapix.transfer.opened import OpenedTransfer
from .opened import Opened, OpenedSample
from .real.opened import OpenedReal
from .suites.ambiguity import Ambiguity
from .suites.balance import Balance
from .suites.base import ConfigSuite, SampleSuite
from .suites.dynapix.ambiguity import Clarity
from .suites.dynapix.balance import ChoiceBalance, CorpusBalance, QueryBalance
from .suites.dynapix.corpus import InCorpus, Spaced
from .suites.dynapix.geometry import Filming
from .suites.dynapix.labels import ClipLabels
from .suites.dynapix.matched import Matched
from .suites.dynapix.rerun import Reruns
from .suites.dynapix.shortcuts import BlindChoice, BlindSearch
from .suites.dynapix.text import ClipText
from .suites.dynapix.transfer import NotRerun, TransferClarity, TransferLabels, TransferText, Videos
from .suites.geometry import Geometry
from .suites.integrity import Integrity
from .suites.labels import Labels
from .suites.leakage import Leakage
from .suites.members import Members
from .suites.real.agreeing import OnePair
from .suites.real.ambiguity import MeasuredMargins
from .suites.real.balance import Caps, RealBalance
from .suites.real.geometry import MeasuredGeometry
from .suites.real.labels import MeasuredLabels
from .suites.real.pairs import ApartPairs
from .suites.real.shortcuts import CappedShortcuts
from .suites.real.text import RealText
from .suites.shortcuts import Shortcuts
from .suites.text import Text

SUITES_VERSION: Final = 6
"""Raised whenever a suite finds what it did not find before: results of an earlier version are then out of date."""

REPORTED: Final[Mapping[str, frozenset[str]]] = MappingProxyType({"paper": frozenset({"balance", "shortcuts"})})
"""Preset -> suites whose limits are reported and not enforced (quality.md, 6)."""


@dataclass(frozen=True)
class Suites:
    """The suites of a config.

    Attributes:
        samples: over single samples, integrity first: what it finds the others need not find again.
        configs: over the config as a whole, after all samples were read.
        opener: the kind of sample that they look at.
    """

    samples: tuple[SampleSuite[Any], ...]
    configs: tuple[ConfigSuite, ...]
    opener: type[Opened] = OpenedSample

    @property
    def about(self) -> dict[str, str]:
        """Suite -> what it checks, in the order of reports; both parts of a suite go by one name."""
        return {suite.name: suite.about for suite in (*self.samples, *self.configs)}


def _sim(spec: ConfigSpec) -> Suites:
    return Suites(
        (Members(spec), Labels(), Geometry(), Ambiguity(), Text()),
        (Integrity(), Balance(), Shortcuts(), Leakage()),
    )


def _clips(spec: ConfigSpec, opener: type[OpenedClip], *configs: ConfigSuite) -> Suites:
    """Of collision scenes; what asks nothing has no text and nothing that could be ambiguous."""
    asked = () if opener is OpenedFrame else (Clarity(), ClipText())
    return Suites(
        (Members(spec), ClipLabels(spec), Filming(), Reruns(), *asked),
        (Integrity(), *configs, Leakage(looks=False)),
        opener,
    )


def _transfer(spec: ConfigSpec) -> Suites:
    """Of scenes that others filmed: nothing can be drawn or simulated again."""
    return Suites(
        (Members(spec), TransferLabels(spec), Videos(), TransferClarity(), TransferText()),
        (Integrity(), NotRerun(), ChoiceBalance(), BlindChoice(), Leakage(looks=False)),
        OpenedTransfer,
    )


def _real(spec: ConfigSpec) -> Suites:
    """Of recorded videos."""
    return Suites(
        (Members(spec), MeasuredLabels(spec), MeasuredGeometry(), MeasuredMargins(spec), RealText()),
        (Integrity(), OnePair(), Caps(spec), RealBalance(), CappedShortcuts(spec), Leakage(), ApartPairs(spec)),
        OpenedReal,
    )


SUITES: Final[Mapping[str, Suites]] = MappingProxyType(
    {
        "sim_train": _sim(CONFIGS["sim_train"]),
        "sim_test": _sim(CONFIGS["sim_test"]),
        **{
            name: _clips(CONFIGS[name], OpenedSelection, ChoiceBalance(), BlindChoice())
            for name in ("selection_train", "selection_test")
        },
        "selection_matched": _clips(
            CONFIGS["selection_matched"], OpenedSelection, Matched(), ChoiceBalance(), BlindChoice()
        ),
        **{name: _transfer(CONFIGS[name]) for name in ("selection_movi", "selection_physion", "selection_clevrer")},
        "retrieval_train": _clips(CONFIGS["retrieval_train"], OpenedQuery, QueryBalance()),
        "retrieval_test": _clips(CONFIGS["retrieval_test"], OpenedQuery, InCorpus(), QueryBalance(), BlindSearch()),
        **{name: _real(spec) for name, spec in CONFIGS.items() if spec.family == "real"},
        "retrieval_corpus": _clips(CONFIGS["retrieval_corpus"], OpenedFrame, Spaced(), CorpusBalance()),
    }
)
"""Config -> its suites."""


def is_enforced(suite: str, preset: str) -> bool:
    """Whether what a suite finds fails a release of this preset."""
    return suite not in REPORTED.get(preset, frozenset())
