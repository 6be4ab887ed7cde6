"""A Ray cluster of two nodes on loopback, one of which is killed in the middle of a build: a script.

Run in a network namespace of its own: ``unshare -n -p -f --mount-proc --kill-child python ray_nodes.py FOLDER``.
Says in JSON what it saw.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RAY = Path(sys.executable).with_name("ray")
DRIVER = Path(__file__).with_name("driver.py")
HEAD = "127.0.0.1:26379"
SECONDS = 0.9 * float(os.environ.get("FLOWBENCH_TEST_CLUSTER_SECONDS", "120"))


def main(folder: Path) -> None:
    """Start the nodes and a build, kill a node, wait for the build."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(prefix="fb-ray-") as short:  # sockets lie in it
        token = Path(short, "token")
        token.write_text("f" * 64)
        os.environ |= {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(token),
            "RAY_enable_metrics_collection": "0",
            "FLOWBENCH_TEST_PACE": "0.1",
            "HOME": short,
        }
        _start("--head", "--port=26379", "--include-dashboard=false", f"--temp-dir={short}/ray")
        time.sleep(1.0)
        second = _start(f"--address={HEAD}")
        (folder / "ray.toml").write_text(f'address = "{HEAD}"\n')
        _await(lambda: _nodes() == 2)
        build = _build(folder / "r", "--engine", "ray", "--engine-options", str(folder / "ray.toml"))
        receipts = folder / "r" / ".build" / "sim_train"
        _await(lambda: _children(second.pid) and len(list(receipts.rglob("*.json"))) >= 4)
        children = _children(second.pid)
        done = len(list(receipts.rglob("*.json")))
        for pid in _tree(second.pid):
            if pid not in children:  # they are to notice by themselves
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        _await(lambda: not any(map(_is_alive, children)))
        told = {"children": len(children), "done": done, "code": build.wait(), "home": sorted(os.listdir(short))}
        print(json.dumps(told))  # noqa: T201


def _start(*options: str) -> subprocess.Popen[bytes]:
    """A node of two cores."""
    common = ["--block", "--num-cpus=2", "--disable-usage-stats", "--node-ip-address=127.0.0.1"]
    return subprocess.Popen([RAY, "start", *common, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _nodes() -> int:
    """How many nodes the cluster has."""
    status = subprocess.run([RAY, "status", f"--address={HEAD}"], capture_output=True, text=True)
    return status.stdout.count("node_")


def _build(out: Path, *options: str) -> subprocess.Popen[bytes]:
    """A build of 40 scenes by the paced producer."""
    line = ["build", "sim_train", "--scenes", "40", "--out", str(out), *options]
    return subprocess.Popen([sys.executable, str(DRIVER), *line], stdout=subprocess.DEVNULL)


def _tree(root: int) -> list[int]:
    """A process and all below it."""
    below: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            below.setdefault(int(stat.read_text().rsplit(")", 1)[1].split()[1]), []).append(int(stat.parent.name))
    found = [root]
    for pid in found:
        found += below.get(pid, [])
    return found


def _children(root: int) -> list[int]:
    """The guarded children among them."""
    found = []
    for pid in _tree(root):
        with contextlib.suppress(OSError):
            if b"guard.host" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


def _await(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            sys.exit("it takes too long")
        time.sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
