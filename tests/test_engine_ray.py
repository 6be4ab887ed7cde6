"""The real Ray: two nodes on loopback, one killed; and a cluster that the engine starts. Skipped without root."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.building import published
from support.namespaces import path_with_tests, require_namespaces, run_apart

SUPPORT = Path(__file__).parent / "support"


@pytest.fixture(autouse=True)
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed (extra [ray])")
    require_namespaces()
    monkeypatch.setenv("PYTHONPATH", path_with_tests())


def build_here(out: Path, scenes: int) -> None:
    line = f"build sim_train --scenes {scenes} --workers 2 --out {out}"
    subprocess.run([sys.executable, str(SUPPORT / "driver.py"), *line.split()], check=True, capture_output=True)


@pytest.mark.slow
def test_a_killed_node_costs_nothing(tmp_path: Path) -> None:
    ran = run_apart(sys.executable, SUPPORT / "ray_nodes.py", tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["code"] == 0
    assert told["children"] >= 1, "the killed node was at work"
    assert told["done"] < 60, "it was killed in the middle"
    assert ".ray" not in told["home"], "no token is left in the home folder"
    build_here(tmp_path / "here", 40)
    assert published(tmp_path / "r") == published(tmp_path / "here")


OWN = """
import os, sys
from pathlib import Path
from flowbench.builders.engines import engine_named
from flowbench.builders.guard import Spec, run_block

os.environ |= {"HF_TOKEN": "x", "HOME": sys.argv[1]}
echo = [Spec(f"b{i}", "support.tasks:echo", {"x": i}, 100.0, sys.argv[1] + "/logs") for i in range(5)]
bad = Spec("bad", "support.tasks:nothing", {}, 100.0, sys.argv[1] + "/logs")
reports = {r.name: r for r in engine_named("ray")(run_block, [*echo, bad], workers=2, folder=Path(sys.argv[1]))}
assert sorted(reports) == ["b0", "b1", "b2", "b3", "b4", "bad"], sorted(reports)
assert all(reports[s.name].result["x"] == s.argument["x"] for s in echo), reports
assert "AttributeError" in reports["bad"].failures[0], reports["bad"]
seen = reports["b0"].result["environment"]
assert "HF_TOKEN" not in seen and "RAY_AUTH_TOKEN_PATH" not in seen, sorted(seen)
assert os.environ["HF_TOKEN"] == "x"
assert not (Path(sys.argv[1]) / ".ray").exists()
"""


@pytest.mark.slow
def test_a_cluster_of_our_own_is_private_and_ends(tmp_path: Path) -> None:
    """The shared contract of engines, in a namespace."""
    script = tmp_path / "own.py"
    script.write_text(OWN)
    before = set(os.listdir("/tmp"))
    command = f"ip link set lo up && exec {sys.executable} {script} {tmp_path}"
    ran = run_apart("bash", "-c", command)
    assert ran.returncode == 0, ran.stderr
    assert not [name for name in set(os.listdir("/tmp")) - before if name.startswith("flowbench-ray")]
