"""The ``pybullet`` module, imported without its banner on stderr, or refused in one sentence."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

from flowbench.errors import UsageError


def _quietly() -> ModuleType:
    """Import with the process's stderr (file descriptor 2, where the C code writes) turned away."""
    sys.stderr.flush()
    kept = os.dup(2)
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, 2)
        return import_module("pybullet")
    except ImportError as error:
        raise UsageError("the embedded engine needs PyBullet: run pip install '.[build]' in a clone.") from error
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)


pybullet = _quietly()
