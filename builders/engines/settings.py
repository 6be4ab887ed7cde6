"""What ``--engine-options`` may hold, one table an engine (docs/scale.md explains each)."""

from __future__ import annotations

from typing import Annotated

import pydantic

Seconds = Annotated[float, pydantic.Field(gt=0, le=7 * 24 * 3600, allow_inf_nan=False)]
Gigabytes = Annotated[float, pydantic.Field(gt=0, le=1e5, allow_inf_nan=False)]
Word = Annotated[str, pydantic.Field(pattern=r"^[\w.,:/@+&|*\[\]()-]{1,200}$")]
"""What can stand in a job's header: no spaces, no line breaks."""


class Settings(pydantic.BaseModel):
    """Common to all engines.

    Attributes:
        block_seconds: limit of one try of a block, in place of the built-in one.
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)

    block_seconds: Seconds | None = None

    def of_engine(self) -> dict[str, object]:
        """The engine's own options, as its keyword arguments."""
        return self.model_dump(exclude=set(Settings.model_fields))


class LocalSettings(Settings):
    """Nothing further."""


class RaySettings(Settings):
    """Of Ray.

    Attributes:
        address: of a running cluster, e.g. ``"10.0.0.1:6379"`` or ``"auto"``; None starts one on this machine.
        cpus, gpus, memory_gb: what Ray sets aside for a block.
    """

    address: Word | None = None
    cpus: Annotated[float, pydantic.Field(gt=0, le=1024)] = 1.0
    gpus: Annotated[float, pydantic.Field(ge=0, le=64)] = 0.0
    memory_gb: Gigabytes | None = None


class SlurmSettings(Settings):
    """Of Slurm.

    Attributes:
        partition, account, qos, constraint: as ``sbatch`` has them; None leaves them to the cluster.
        minutes: time limit of a job.
        memory_gb: of a job, for all its cores.
        cpus: cores of a job; so many of its blocks run at once.
        blocks_a_job: blocks that a job does, one after the other on each core.
    """

    partition: Word | None = None
    account: Word | None = None
    qos: Word | None = None
    constraint: Word | None = None
    minutes: Annotated[int, pydantic.Field(ge=1, le=60 * 24 * 365)] = 240
    memory_gb: Gigabytes = 4.0
    cpus: Annotated[int, pydantic.Field(ge=1, le=1024)] = 1
    blocks_a_job: Annotated[int, pydantic.Field(ge=1, le=100_000)] = 10
