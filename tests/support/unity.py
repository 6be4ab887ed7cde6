"""AI2-THOR's client with the stand-in for Unity: where tests of it find both."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.unity_home import UnityHome

HAS_CLIENT = importlib.util.find_spec("ai2thor") is not None
needs_client = pytest.mark.skipif(not HAS_CLIENT, reason="ai2thor is not installed (scripts/make_venv.sh dev)")
PEER = Path(__file__).with_name("unity_peer.py")


def launcher(folder: Path, faults: tuple[Mapping[str, object], ...] = ()) -> Path:
    """An executable that is Unity to the client; it strikes these faults (see :mod:`.unity_peer`)."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "unity"
    path.write_text(f'#!/bin/sh\nFAKE_UNITY="{folder}" exec "{sys.executable}" -P "{PEER}" "$@"\n')
    path.chmod(0o755)
    (folder / "faults.json").write_text(json.dumps(faults))
    return path


@functools.cache
def plain_launcher() -> str:
    """One without faults for the whole process."""
    return str(launcher(Path(tempfile.mkdtemp(prefix="flowbench-unity-"))))


def settle_environment() -> None:
    """Let the adapter find the stand-in, in this process and those that it starts."""
    os.environ.setdefault("FLOWBENCH_THOR_EXECUTABLE", plain_launcher())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def house_file(path: Path, homes: list[tuple[int, str, int]]) -> Path:
    """A file of houses, one for each of these homes (seed, pool, scene)."""
    lines = []
    for home in homes:
        house = UnityHome(*home, procedural=True).house()
        house["metadata"]["home"] = home
        lines.append(json.dumps(house))
    path.write_text("".join(f"{line}\n" for line in lines))
    return path
