"""Kernels: where they are cached, how they run, and what happens without numba."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.shots import WHITE, eye

from flowbench import _jit
from flowbench.errors import UsageError
from flowbench.rendering import Renderer, forward_flow
from flowbench.rendering.warming import warm


def cache_folder(**environment: str) -> Path:
    """Where a fresh process caches its kernels."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    code = "import flowbench._jit, numba; print(numba.config.CACHE_DIR)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**inherited, **environment}, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())


def test_the_cache_is_private_and_named_by_its_sources(tmp_path: Path) -> None:
    folder = cache_folder(XDG_CACHE_HOME=str(tmp_path))
    assert folder.parent == tmp_path / "flowbench"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.name == f"kernels-{_jit._source_hash(__import__('numba').__version__)}"
    assert _jit._source_hash("0.0") != _jit._source_hash("0.1")


def test_a_cache_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    folder = cache_folder(XDG_CACHE_HOME=str(tmp_path))
    folder.chmod(0o777)
    other = cache_folder(XDG_CACHE_HOME=str(tmp_path))
    assert other != folder
    assert not other.exists(), "the throw-away folder outlived its process"


def test_the_user_decides_where_the_cache_is(tmp_path: Path) -> None:
    assert cache_folder(NUMBA_CACHE_DIR=str(tmp_path / "mine")) == tmp_path / "mine"


def test_kernels_take_constants_only_from_files_that_define_kernels() -> None:
    """The cache's name must change whenever a constant that is compiled into a kernel does."""
    sources = _jit._kernel_sources()
    assert {"rasterizing.py", "shading.py", "gjk.py"} <= {file.name for file in sources}
    for file in sources[1:]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                constants = [name.name for name in node.names if name.name.isupper()]
                assert not constants or file.parent / f"{node.module}.py" in sources, f"{file}: {constants}"


def _add(start: int, stop: int, out: NDArray[np.int64], amount: int) -> None:
    for k in range(start, stop):
        out[k] += amount


@pytest.mark.parametrize("count", [1, 2, 5])
def test_bands_cover_everything_once(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(_jit, "threads", lambda: count)
    for total, step in ((0, 4), (1, 4), (12, 4), (13, 4), (7, 100)):
        out = np.zeros(total, dtype=np.int64)
        _jit.in_bands(_jit.kernel(_add), total, step, out, 3)
        assert (out == 3).all()


def test_errors_in_a_band_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(start: int, stop: int) -> None:
        raise ZeroDivisionError(start)

    for count in (1, 2):
        monkeypatch.setattr(_jit, "threads", lambda count=count: count)
        with pytest.raises(ZeroDivisionError):
            _jit.in_bands(fail, 8, 4)


def test_a_forked_child_can_run_bands() -> None:
    code = """
import os
import numpy as np
from flowbench import _jit
from flowbench.rendering.warming import use_every_kernel
_jit.threads = lambda: 2
use_every_kernel()
child = os.fork()
if child == 0:
    use_every_kernel()
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == "0"


def test_without_numba_rendering_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "_numba", None)
    assert _jit.threads() == 1
    assert _jit.kernel(_add) is _add
    assert warm() == 0.0
    with pytest.raises(UsageError, match=r"pip install '\.\[build\]'"):
        Renderer(WHITE)
    with pytest.raises(UsageError, match="numba"):
        forward_flow(np.zeros((120, 160), np.float32), np.zeros((120, 160), np.uint16), eye(), {})


def test_rendering_can_be_imported_without_numba() -> None:
    code = """
import sys
sys.modules["numba"] = None
import importlib.metadata as m
found = m.version
def version(name):
    if name == "numba":
        raise m.PackageNotFoundError(name)
    return found(name)
m.version = version
import numpy as np
import flowbench.rendering
from flowbench.geometry import convex_distance
a = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
print(round(convex_distance(a, a + [3.0, 0, 0]), 6))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2.0"


def test_warming_leaves_nothing_to_compile() -> None:
    warm()
    assert warm() < 2.0
