"""Run kernels without numba, beside their compiled selves."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

import flowbench._jit


def plain_module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A second copy of a module whose kernels are left as plain Python, inner calls included.

    ``f.py_func`` would not do: it still calls the other kernels of its module compiled.
    """
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(flowbench._jit, "kernel", lambda function: function)
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return module
