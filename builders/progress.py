"""What a build says of itself when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from flowbench.progress import Progress, Silent

__all__ = ["BuildReport", "ConfigReport", "Progress", "Silent"]


@dataclass(frozen=True)
class ConfigReport:
    """What a build made of one config.

    Attributes:
        samples: split -> category -> samples written.
        rejects: pass (``propose``, ``select``, ``write``) -> reason -> count.
        shards: shards in the release.
        bytes: their bytes.
        used: of given material how many scenes (or episodes) gave samples, and how many were looked at; else None.
    """

    samples: Mapping[str, Mapping[str, int]]
    rejects: Mapping[str, Mapping[str, int]]
    shards: int
    bytes: int
    used: tuple[int, int] | None = None


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        out: the release directory.
        configs: config -> what it holds now.
        changed: whether anything was built; False when a finished build was run again.
        seconds: wall-clock seconds of this run.
    """

    out: Path
    configs: Mapping[str, ConfigReport]
    changed: bool
    seconds: float = field(compare=False, default=0.0)
