"""Clusters on loopback, each in a network and process namespace of its own that ends with the test."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SECONDS = float(os.environ.get("FLOWBENCH_TEST_CLUSTER_SECONDS", "120"))
"""Limit of a test with a cluster; a machine that is busy with other things may need more."""
UNSHARE = ("unshare", "-n", "-p", "-f", "--mount-proc", "--kill-child")


def require_namespaces() -> None:
    """Skip, and say why, where no namespace can be made."""
    if os.geteuid() != 0:
        pytest.skip("a cluster on loopback needs root, to make a network namespace")
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("a cluster on loopback needs unshare (util-linux) and ip (iproute2)")
    if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
        pytest.skip("the system lets nobody make a network namespace here")


def run_apart(*words: str | Path, seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
    """Run a command in namespaces of its own."""
    return subprocess.run([*UNSHARE, *map(str, words)], capture_output=True, text=True, timeout=seconds)


def path_with_tests() -> str:
    """``PYTHONPATH`` for processes that a cluster starts: the tests' folder, and what is there already."""
    tests = str(Path(__file__).parents[1])
    return os.pathsep.join(filter(None, (tests, os.environ.get("PYTHONPATH"))))
