"""Which release was built last on this account, so that loaders find it from any directory.

One line with an absolute path in ``$XDG_STATE_HOME/flowbench/last`` (XDG Base Directory Specification; by default
``~/.local/state``). It is a convenience of the machine and no part of a release.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ..errors import FlowbenchError
from ..files import write_text
from .layout import MANIFEST

_LONGEST = 4096


def remember(root: Path) -> None:
    """Note that the release ``root`` was built last; where the note cannot be written, or read back, there is none."""
    with contextlib.suppress(OSError, RuntimeError, ValueError, FlowbenchError):
        path, text = _pointer(), str(root.resolve())
        if not (root / MANIFEST).is_file() or "\n" in text or len(os.fsencode(text)) > _LONGEST:
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, text + "\n")


def last_built() -> Path | None:
    """The release that was built last, if it is still there."""
    try:
        with _pointer().open("rb") as file:
            root = Path(file.read(_LONGEST + 2).decode("utf-8").removesuffix("\n"))
        return root if root.is_absolute() and (root / MANIFEST).is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _pointer() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "state"  # a relative one is to be ignored
    return base / "flowbench" / "last"
