"""What a build is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .rewriting import RewriterSettings

MOST_SCENES = 1_000_000


@dataclass(frozen=True)
class BuildOptions:
    """The arguments of one build; see ``flowbench build --help``.

    Attributes:
        configs: names of configs, e.g. ``("sim_train",)``.
        out: release directory; created when missing.
        scenes: scenes a pool.
        seed: release seed, >= 0.
        workers: worker processes, >= 1; never changes a byte of the release.
        simulator: name of a registered simulator.
        preset: name of a registered preset.
        width, height: image size in pixels; 800x600 is the paper's.
        shard_bytes: target size of a shard in bytes.
        rewriter: which language model rewords texts in the write pass; None leaves them as the rules write them.
    """

    configs: tuple[str, ...]
    out: Path
    scenes: int
    seed: int = 0
    workers: int = 1
    simulator: str = "bullet"
    preset: str = "balanced"
    width: int = 800
    height: int = 600
    shard_bytes: int = 100_000_000
    rewriter: RewriterSettings | None = None
