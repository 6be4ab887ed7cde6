"""Compile a kernel when numba is installed; run the same arithmetic in plain Python otherwise.

``fastmath`` stays off: both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

try:
    from numba import njit as _njit
except ImportError:
    _njit = None


def kernel(function: F) -> F:
    """Decorate a function written in the common subset of Python and numba."""
    if _njit is None:
        return function
    compiled: F = _njit(cache=True, error_model="numpy")(function)
    return compiled
