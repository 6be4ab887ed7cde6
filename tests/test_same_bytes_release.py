"""One house, whole: the same bytes on other CPUs, with other workers, and run after run (schema.md, "Same bytes")."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from support.cpu_variation import QUICK, assert_same_under_cpu_variation
from support.small import SCENES, SEED, SMALL

from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build

ONE_HOUSE = """
import hashlib, tempfile
from pathlib import Path
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build

with tempfile.TemporaryDirectory() as folder:
    out = Path(folder) / "release"
    build(BuildOptions(("sim_train",), out, 1, seed=3, width=160, height=120), Silent())
    for path in sorted(out.rglob("*")):
        if path.is_file() and ".build" not in path.parts:
            print(path.relative_to(out), hashlib.sha256(path.read_bytes()).hexdigest())
"""


def published(out: Path) -> dict[str, str]:
    """Path -> sha256 of everything that is published."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".build" not in path.parts
    }


@pytest.mark.slow
def test_workers_change_no_byte(release: Path, tmp_path: Path) -> None:
    build(BuildOptions(("sim_train",), tmp_path / "r", SCENES, SEED, workers=2, **SMALL), Silent())
    assert published(tmp_path / "r") == published(release)


@pytest.mark.slow
def test_a_house_has_the_same_bytes_on_other_cpus() -> None:
    assert_same_under_cpu_variation(ONE_HOUSE, [*QUICK, "kernels for any x86-64"])
