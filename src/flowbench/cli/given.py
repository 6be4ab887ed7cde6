"""What ``flowbench build`` is given to build from: ``--source NAME=PATH`` and ``--houses FILE``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..errors import UsageError

_EXAMPLE = "--source movi=downloads/movi_a"


def named_paths(pairs: Iterable[str], houses: Path | None) -> dict[str, Path]:
    """Sources by name; ``--houses FILE`` is the source of that name.

    Raises:
        UsageError: a pair is not NAME=PATH, or a name is given twice.
    """
    found = {} if houses is None else {"houses": houses}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not (equals and name.strip() and path.strip()):
            raise UsageError(f"--source is {pair!r}, but it must be a name and a path, e.g. {_EXAMPLE}.")
        if name in found:
            raise UsageError(f"the source {name} was given twice: give one path for each name.")
        found[name] = Path(path)
    return found
