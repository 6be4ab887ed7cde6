"""The seam between the runner and what it runs: a producer proposes, selects and makes the samples of one config."""

from __future__ import annotations

import abc
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from flowbench.release import Sample

from .options import AUTO_PERCEPTION
from .rewriting import RewriterSettings
from .sources.given import HOUSES

Rejects = Counter[str]


@dataclass(frozen=True)
class Job:
    """What every unit of work of one config needs to know; plain values, so that it travels anywhere.

    Attributes:
        config: the config's name.
        pool: the scene pool it draws from.
        seed, preset, simulator, rewriter, perception: as in :class:`~flowbench.builders.options.BuildOptions`.
        width, height: of the config's pictures, pixels: its own size where it has one, else the build's.
        sources: recorded material that this config is built from, (name, absolute path) by name.
    """

    config: str
    pool: str
    seed: int
    preset: str
    simulator: str
    width: int
    height: int
    rewriter: RewriterSettings | None = None
    sources: tuple[tuple[str, str], ...] = ()
    perception: str = AUTO_PERCEPTION

    @property
    def houses(self) -> str | None:
        """Path of the house file that scenes come from; None where the simulator makes its own."""
        return dict(self.sources).get(HOUSES)


class Producer(abc.ABC):
    """Makes the samples of one config. Every method depends on its arguments and the job alone.

    Attributes:
        job: what to make.
        block_scenes: scenes a block of the propose pass, fixed by the config, never by the workers.
        hint: why few scenes may give nothing, in words; "" where nothing is to be said.
        perceives: whether its pictures are measured, so that ``--perception`` says something to it.
        proposes_as: another config that proposes the very same, so that the first of the two spares the other the
            work; None where there is none.
    """

    block_scenes: int = 1
    hint: str = ""
    perceives: bool = False
    proposes_as: str | None = None

    def __init__(self, job: Job) -> None:
        self.job = job

    @abc.abstractmethod
    def check(self) -> None:
        """Refuse a job that cannot be done, before anything is touched; raises UsageError."""

    def warm(self) -> None:  # noqa: B027
        """Compile kernels of the producer's own, in the driver, before workers start."""

    def most_scenes(self) -> int | None:
        """How many scenes there are at most, once :meth:`check` has passed; None where there is no end of them."""
        return None

    def takes(self, scene: int) -> bool:
        """Whether anything may come of a scene of the pool; others are passed over, and not counted as work."""
        return True

    def least_scenes(self) -> int:
        """How many scenes there must be for any sample to come of them."""
        return 1

    @abc.abstractmethod
    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Candidates of a block of scenes, one row each with at least ``scene`` and ``payload``."""

    @abc.abstractmethod
    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """What is to be written: columns ``split``, ``key`` (ascending within a split), ``category``, ``payload``."""

    @abc.abstractmethod
    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """The samples of selected rows in their order; a reason in place of one that must be dropped."""

    @abc.abstractmethod
    def expected(self, scenes: int) -> tuple[int, int]:
        """Rough number of samples of so many scenes, and bytes a sample; for shard sizes and the disk check."""


PRODUCERS: Mapping[str, str] = {
    "sim_train": "flowbench.builders.sim.producer:SimProducer",
    "sim_test": "flowbench.builders.sim.producer:SimProducer",
    "real_train": "flowbench.builders.real.producer:RealProducer",
    "real_test": "flowbench.builders.real.producer:RealProducer",
    "selection_train": "flowbench.builders.dynapix.producing.selection:SelectionProducer",
    "selection_test": "flowbench.builders.dynapix.producing.selection:SelectionProducer",
    "selection_matched": "flowbench.builders.dynapix.producing.selection:MatchedProducer",
    **dict.fromkeys(
        ("selection_movi", "selection_physion", "selection_clevrer"),
        "flowbench.builders.dynapix.transfer.producer:TransferProducer",
    ),
    "retrieval_train": "flowbench.builders.dynapix.producing.retrieval:QueryProducer",
    "retrieval_test": "flowbench.builders.dynapix.producing.retrieval:QueryProducer",
    "retrieval_corpus": "flowbench.builders.dynapix.producing.retrieval:CorpusProducer",
}
"""Config -> where its producer is found; imported when it is needed."""


def producer_of(job: Job, where: str | None = None) -> Producer:
    """The producer of a job's config, or another one that ``where`` says the place of."""
    module, _, name = (where or PRODUCERS[job.config]).partition(":")
    kind = getattr(importlib.import_module(module), name)
    producer: Producer = kind(job)
    return producer
