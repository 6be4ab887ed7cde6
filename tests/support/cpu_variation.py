"""Run a snippet as if on other CPUs, and compare what it prints byte by byte (schema.md, "Same bytes")."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

# Only what this CPU has can be taken away; the hash seed of strings differs in every run anyway.
VARIATIONS: dict[str, dict[str, str]] = {
    "numpy without AVX-512": {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"},
    "numpy without AVX2 and FMA": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"},
    "OpenBLAS for Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "C library without AVX2 and FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable"},
    "one thread": {"NUMBA_NUM_THREADS": "1"},
    "kernels for any x86-64": {"NUMBA_CPU_NAME": "generic"},
    "kernels not compiled": {"NUMBA_DISABLE_JIT": "1"},
}
"""Name to environment: what is varied, one by one."""

QUICK = tuple(name for name in VARIATIONS if not name.startswith("kernels"))
"""The variations that need no kernel compiled anew and none interpreted."""


@functools.cache
def _kernel_cache(target: str) -> str:
    """A folder of its own for another target's kernels, kept for the session so that they compile once."""
    folder = tempfile.TemporaryDirectory(prefix=f"kernels-{target}-")
    _folders.append(folder)
    return folder.name


_folders: list[tempfile.TemporaryDirectory[str]] = []


def output_under(snippet: str, settings: dict[str, str], *, cwd: Path | None = None, timeout: float = 600.0) -> bytes:
    """What a Python snippet prints in a fresh process under additional environment variables.

    Raises:
        AssertionError: it failed; says how.
    """
    environment = {**os.environ, "PYTHONHASHSEED": "random", **settings}
    if "NUMBA_CPU_NAME" in settings:
        environment["NUMBA_CACHE_DIR"] = _kernel_cache(settings["NUMBA_CPU_NAME"])
    command = [sys.executable, "-c", textwrap.dedent(snippet)]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, timeout=timeout, check=False)
    assert done.returncode == 0, f"under {settings}: {done.stderr.decode(errors='replace')[-4000:]}"
    return done.stdout


def assert_same_under_cpu_variation(
    snippet: str, variations: Sequence[str] = tuple(VARIATIONS), *, cwd: Path | None = None, timeout: float = 600.0
) -> None:
    """Assert that a snippet prints the same bytes, and something, whatever the CPU offers.

    Args:
        snippet: Python source; it prints its results or their sha256. What it writes it should write to a
            fresh temporary folder of its own.
        variations: names from :data:`VARIATIONS`.
        cwd: where it runs, by default here.
        timeout: seconds for each run.
    """
    expected = output_under(snippet, {}, cwd=cwd, timeout=timeout)
    assert expected.strip(), "the snippet printed nothing that could be compared"
    outputs = {name: output_under(snippet, VARIATIONS[name], cwd=cwd, timeout=timeout) for name in variations}
    differing = [name for name, output in outputs.items() if output != expected]
    assert not differing, f"other bytes under {differing}: expected {expected!r}, got {outputs[differing[0]]!r}"
