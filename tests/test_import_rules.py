"""The rules of the house (architecture.md, "Rules"), read off the syntax trees of all files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest
from support.sources import LINKED, ROOT, Source, other_sources, package_sources, within

ENGINES = ("pybullet", "pybullet_data", "ai2thor")
SIMULATORS = ("flowbench.builders.simulators",)
RERUN = "flowbench.validation.dynapix.resimulate"
"""A check's own script that runs published scenes again: it may ask for Bullet, and nothing else outside simulators."""
MOST_LINES = 330
LONG = {"src/flowbench/rendering/shading.py": "one shading kernel, 45% slower in pieces (architecture.md)"}
# (who, except for, may not import)
RULES = [
    (("flowbench.validation", "flowbench.loaders"), (), ("flowbench.builders", "flowbench.cli")),
    (("flowbench",), ("flowbench.builders", "flowbench.cli"), SIMULATORS),
    (("flowbench",), (*SIMULATORS, RERUN), ENGINES),
    ((RERUN,), (), tuple(engine for engine in ENGINES if engine != "pybullet")),
    (
        ("flowbench",),
        tuple(f"flowbench.{name}" for name in (*LINKED, "cli", "__main__")),
        tuple(f"flowbench.{name}" for name in (*LINKED, "cli")),
    ),
    (("flowbench.builders",), (), ("flowbench.validation", "flowbench.loaders", "flowbench.cli")),
    (("flowbench", "tests", "scripts", "examples"), (), LINKED),
]
FRONT = ("flowbench", ("flowbench.loaders",))
"""The package itself is the loaders' front door: it offers their functions and imports them when they are asked for."""


def broken_rules(sources: list[Source]) -> list[str]:
    """Every import that a rule forbids, as ``path:line imports name``."""
    return sorted(
        {
            f"{source.path}:{line} imports {name}"
            for who, exempt, forbidden in RULES
            for source in sources
            if within(source.module, who) and not within(source.module, exempt)
            for line, name in source.imports()
            if within(name, forbidden) and not (source.module == FRONT[0] and within(name, FRONT[1]))
        }
    )


def test_no_import_crosses_a_border() -> None:
    assert broken_rules(package_sources() + other_sources()) == []


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("flowbench.validation.recompute.near", "from flowbench.builders.sim import planning"),
        ("flowbench.validation.recompute.near", "def f():\n    from flowbench import builders"),
        ("flowbench.validation.recompute.near", "from ...builders.sim.planning import plan"),
        ("flowbench.validation.suite", "importlib.import_module('flowbench.builders.sim')"),
        ("flowbench.loaders.torch", "import flowbench.builders"),
        ("flowbench.rendering.mesh", "from ..builders.simulators.base import Simulator"),
        ("flowbench.rendering.mesh", "import pybullet as p"),
        ("flowbench.builders.sim.planning", "import pybullet"),
        ("flowbench.validation.dynapix.filming", "import pybullet"),
        ("flowbench.validation.dynapix.resimulate", "import pybullet_data"),
        ("flowbench.validation.dynapix.resimulate", "from flowbench.builders.simulators.collisions import physics"),
        ("flowbench.builders.sim.planning", "from flowbench.validation import recompute"),
        ("flowbench.geometry.frames", "from ..loaders import decode"),
        ("flowbench.schema.sim", "if TYPE_CHECKING:\n    from flowbench.validation import suites"),
        ("flowbench.scoring.exact", "from flowbench import cli"),
        ("flowbench.cli.build", "from ai2thor.controller import Controller"),
        ("flowbench.cli.build", "from builders import runner"),
        ("tests.test_x", "import validation.recompute"),
    ],
)
def test_a_crossing_would_be_found(module: str, statement: str) -> None:
    assert len(broken_rules([Source(module.replace(".", "/") + ".py", module, statement)])) == 1


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("flowbench.cli.build", "from flowbench.builders.simulators import base"),
        ("flowbench.builders.simulators.bullet.physics", "import pybullet"),
        ("flowbench.validation.dynapix.resimulate", "import pybullet"),
        ("flowbench.validation.suite", "from flowbench.geometry import transform"),
        ("flowbench.validation.recompute.near", "from . import rules"),
        ("flowbench.rendering.mesh", "from ..geometry.frames import Pose"),
    ],
)
def test_what_is_right_is_left_alone(module: str, statement: str) -> None:
    assert broken_rules([Source(module.replace(".", "/") + ".py", module, statement)]) == []


def run_python(snippet: str) -> str:
    """Output of a snippet in a fresh interpreter outside the clone."""
    command = [sys.executable, "-c", textwrap.dedent(snippet)]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stdout


def test_importing_flowbench_is_cheap() -> None:
    heavy = "{'datasets', 'numba', 'pybullet', 'cv2', 'polars', 'numpy', 'pydantic', 'typer', 'rich'}"
    assert run_python(f"import sys, flowbench; print(sorted({heavy} & set(sys.modules)))") == "[]\n"


def test_loading_checking_and_scoring_need_no_build_extra() -> None:
    """Where ``[build]`` is not installed every module outside builders, cli and rendering's kernels imports."""
    apart = ("flowbench.builders", "flowbench.cli", "flowbench.__main__")
    modules = [source.module for source in package_sources() if not within(source.module, apart)]
    snippet = f"""
        import importlib, importlib.metadata, sys
        absent = ("numba", "llvmlite", "pybullet", "hypothesis")
        sys.modules.update(dict.fromkeys(absent))
        find = importlib.metadata.version
        def version(name):
            if name in absent:
                raise importlib.metadata.PackageNotFoundError(name)
            return find(name)
        importlib.metadata.version = version
        for name in {modules!r}:
            importlib.import_module(name)
        import numpy as np
        from flowbench.geometry import convex_distance
        print(convex_distance(np.zeros((1, 3)), np.ones((1, 3)) * 2.0))
    """
    assert float(run_python(snippet)) == pytest.approx(12.0**0.5)


def categories() -> list[str]:
    """The registered categories, by their builders' files."""
    folder = ROOT / "builders" / "sim" / "categories"
    return sorted(file.stem for file in folder.glob("*.py") if file.stem != "base" and not file.stem.startswith("_"))


def test_there_are_categories() -> None:
    assert {"left_right", "near_object", "closer_to"} <= set(categories())


@pytest.mark.parametrize("name", categories())
def test_a_category_has_its_recompute_and_its_cases(name: str) -> None:
    assert (ROOT / "validation" / "recompute" / f"{name}.py").is_file()
    cases = json.loads((ROOT / "tests" / "cases" / f"{name}.json").read_text("utf-8"))
    assert {True, False} <= {"reject" in case["expect"] for case in cases}, "needs a rejected case and a kept one"


@pytest.mark.parametrize("name", LINKED)
def test_links_are_relative_and_committed_as_links(name: str) -> None:
    link = ROOT / "src" / "flowbench" / name
    assert os.readlink(link) == f"../../{name}"
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listing = subprocess.run(["git", "ls-files", "-s", link], cwd=ROOT, capture_output=True, text=True, check=True)
    assert listing.stdout.split()[0] == "120000"


def test_no_module_is_long() -> None:
    sources = package_sources() + other_sources()
    lengths = {source.path: source.text.count("\n") for source in sources}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES and path not in LONG} == {}
