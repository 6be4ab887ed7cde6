"""What only some checks need: the physics engine, compiled kernels. Both come with the extra ``[build]``."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence


def lacking(modules: Sequence[str]) -> str | None:
    """Why a check that needs these modules cannot run here; None if it can."""
    absent = [name for name in modules if not _is_there(name)]
    return f"needs {' and '.join(absent)}: install the extra [build]" if absent else None


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # something stands in the module's place
        return False
