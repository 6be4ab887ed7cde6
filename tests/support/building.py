"""Builds with the counting producer."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from flowbench.builders import runner
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import BuildReport, Silent
from flowbench.schema import CONFIGS

COUNTING = "support.counting:CountingProducer"


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a test module that imports this fixture every config is made by the counting producer."""
    fake = dict.fromkeys(CONFIGS, COUNTING)
    monkeypatch.setattr("flowbench.builders.producer.PRODUCERS", fake)
    monkeypatch.setattr(runner, "PRODUCERS", fake)


def options(out: Path, **changes: object) -> BuildOptions:
    """Five scenes of sim_train, two samples a shard, in this process, unless changed."""
    return replace(BuildOptions(("sim_train",), out, scenes=5, shard_bytes=10_000, engine="serial"), **changes)  # type: ignore[arg-type]


def build(out: Path, **changes: object) -> BuildReport:
    """Build that, in silence."""
    return runner.build(options(out, **changes), Silent())


def published(out: Path) -> dict[str, str]:
    """Path -> sha256 of everything that is published."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".build" not in path.parts
    }
