"""What work costs, as measured: for ``--plan``, and for the limits after which a block counts as hung."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .producer import Job


@dataclass(frozen=True)
class Rate:
    """Of one config, on one core.

    Attributes:
        propose: core-seconds a scene in the propose pass.
        write: core-seconds a sample in the write pass, with 800x600 pictures or those of the config's own size.
    """

    propose: float
    write: float


SOURCE = "docs/benchmarks.md"
RATES: Mapping[str, Rate] = {
    "sim_train": Rate(propose=8.0, write=0.25),
    "sim_test": Rate(propose=8.0, write=0.25),
    "real_train": Rate(propose=7.8, write=3.8),
    "real_test": Rate(propose=2.0, write=10.0),
    "selection_train": Rate(propose=2.1, write=0.80),
    "selection_test": Rate(propose=0.6, write=0.80),
    "selection_matched": Rate(propose=0.2, write=0.20),
    "selection_movi": Rate(propose=1.0, write=0.10),
    "selection_physion": Rate(propose=3.0, write=0.50),
    "selection_clevrer": Rate(propose=3.0, write=0.50),
    "retrieval_train": Rate(propose=2.8, write=1.00),
    "retrieval_test": Rate(propose=0.7, write=1.00),
    "retrieval_corpus": Rate(propose=0.7, write=0.05),
}
"""Config -> rate; of collisions and real configs for a scene of the pool, of which four of five are for training.

The figures and how they were measured are in docs/benchmarks.md and docs/scale.md.
"""

SLOWEST = Rate(propose=8.0, write=0.25)
"""What a config without measured rates is taken to cost where a limit is wanted."""
PATIENCE = 50.0
"""A block may take so many times what it is expected to."""
SLOWER: Mapping[str, float] = {"thor": 8.0}
"""Simulator -> how many times slower than the embedded engine it may be; Unity answers over a line."""
START_SECONDS = 300.0
"""And so much besides: for a process to start and compile kernels on a machine that has never done so."""
REWRITER_SECONDS = 300.0
"""And so much a sample whose texts a language model rewords, several tries of a slow endpoint among them."""


def propose_limit(job: Job, scenes: int) -> float:
    """Seconds after which a block of so many scenes counts as hung."""
    slower = SLOWER.get(job.simulator, 1.0)
    return START_SECONDS + PATIENCE * slower * RATES.get(job.config, SLOWEST).propose * scenes


def write_limit(job: Job, samples: int) -> float:
    """Seconds after which a shard of so many samples counts as hung."""
    asked = 0.0 if job.rewriter is None else REWRITER_SECONDS
    slower = SLOWER.get(job.simulator, 1.0)
    return START_SECONDS + (PATIENCE * slower * RATES.get(job.config, SLOWEST).write + asked) * samples
