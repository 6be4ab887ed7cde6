"""What a build comes to before it is begun: samples, shards, bytes, core-hours (``flowbench build --plan``)."""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass
from pathlib import Path

from flowbench.schema import config_spec

from .engines import registered
from .engines.local import cores
from .options import BuildOptions
from .producer import Producer
from .rates import RATES, SLOWEST
from .runner import producer_for
from .state import State, existing_part

MEASURED = (800, 600)
"""Pictures of this size were measured; what it costs to write others is taken to grow with their pixels."""


@dataclass(frozen=True)
class ConfigPlan:
    """What one config comes to.

    Attributes:
        config: its name.
        scenes, samples, shards, bytes: of the finished release; samples and what follows from them are expected.
        propose_hours, write_hours: core-hours of the two passes that cost something.
        measured: whether they come from this config's own measured rates.
    """

    config: str
    scenes: int
    samples: int
    shards: int
    bytes: int
    propose_hours: float
    write_hours: float
    measured: bool

    @property
    def hours(self) -> float:
        """Core-hours in all."""
        return self.propose_hours + self.write_hours


@dataclass(frozen=True)
class Plan:
    """What a build comes to, what an earlier run has done of it included.

    Attributes:
        out: release directory.
        configs: each of them.
        workers: cores it is spread over; None where a cluster decides.
        free: bytes that are free on the disk now.
    """

    out: Path
    configs: tuple[ConfigPlan, ...]
    workers: int | None
    free: int

    @property
    def bytes(self) -> int:
        """Of all configs."""
        return sum(each.bytes for each in self.configs)

    @property
    def hours(self) -> float:
        """Core-hours of all configs."""
        return math.fsum(each.hours for each in self.configs)


def forecast(options: BuildOptions) -> Plan:
    """Plan a build; nothing is written.

    Raises:
        UsageError: bad arguments, or a directory that the build would refuse.
    """
    configs = tuple(_config(options, producer_for(options, config)) for config in options.configs)
    state = State(options.out)
    state.check(options)
    remote = registered(options.engine).remote
    workers = options.workers if options.workers is not None or remote else cores()
    return Plan(options.out, configs, workers, shutil.disk_usage(existing_part(options.out)).free)


def _config(options: BuildOptions, producer: Producer) -> ConfigPlan:
    """What a config comes to, from what its producer expects and what such work has cost."""
    config = producer.job.config
    samples, sample_bytes = producer.expected(options.scenes)
    rate = RATES.get(config, SLOWEST)
    fixed = config_spec(config).size is not None  # then they were measured at that size
    pixels = 1.0 if fixed else options.width * options.height / (MEASURED[0] * MEASURED[1])
    a_shard = max(1, options.shard_bytes // sample_bytes)
    return ConfigPlan(
        config,
        options.scenes,
        samples,
        -(-samples // a_shard),
        samples * sample_bytes,
        options.scenes * rate.propose / 3600.0,
        samples * rate.write * pixels / 3600.0,
        config in RATES,
    )
