"""What a build is asked to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .rewriting import RewriterSettings

MOST_SCENES = 1_000_000
AUTO_PERCEPTION = "auto"
"""What ``--perception`` is unless it is given: whatever a source comes with."""
COMPANIONS: Mapping[str, str] = {"retrieval_test": "retrieval_corpus"}
"""Config -> another that it is of no use without."""


def with_companions(configs: Sequence[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Configs and what they are of no use without; what was added, as (config, added for it)."""
    added = tuple((name, COMPANIONS[name]) for name in configs if COMPANIONS.get(name, name) not in configs)
    return (*configs, *(other for _, other in added)), added


@dataclass(frozen=True)
class BuildOptions:
    """The arguments of one build; see ``flowbench build --help``.

    Attributes:
        configs: names of configs, e.g. ``("sim_train",)``.
        out: release directory; created when missing.
        scenes: scenes a pool.
        seed: release seed, >= 0.
        workers: blocks that are worked on at once, >= 1; None for all there is room for. Never changes a byte.
        simulator: name of a registered simulator.
        preset: name of a registered preset.
        width, height: image size in pixels where a config has none of its own; 800x600 is the paper's.
        shard_bytes: target size of a shard in bytes.
        engine: where the work is done, see :data:`flowbench.builders.engines.ENGINES`; never changes a byte, either.
        engine_options: of that engine, by name.
        rewriter: which language model rewords texts in the write pass; None leaves them as the rules write them.
        perception: who says where things are in recorded pictures, see
            :mod:`flowbench.builders.real.perception.choosing`.
        sources: recorded material and house files by name, see :data:`flowbench.builders.sources.SOURCES`.
    """

    configs: tuple[str, ...]
    out: Path
    scenes: int
    seed: int = 0
    workers: int | None = 1
    simulator: str = "bullet"
    preset: str = "balanced"
    width: int = 800
    height: int = 600
    shard_bytes: int = 100_000_000
    engine: str = "local"
    engine_options: Mapping[str, object] = field(default_factory=dict)
    rewriter: RewriterSettings | None = None
    perception: str = AUTO_PERCEPTION
    sources: Mapping[str, Path] = field(default_factory=dict)
