"""Files of a dataset that stay inside its root, and small ones read whole (security.md, "LeRobot path templates")."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from flowbench.errors import UsageError

INFO, LINES, MANIFEST = "meta/info.json", "clips.jsonl", "manifest.json"
"""What tells a dataset in LeRobot's format, and the two that tell a folder of clips."""
MOST_JSON: Final = 1 << 24
"""Bytes of a JSON file that is read whole."""
MOST_LINES_BYTES: Final = 1 << 30
"""Bytes of a JSON Lines file."""
_MOST_LINE: Final = 1 << 20
_FIELD: Final = re.compile(r"\{([A-Za-z_]+)(?::0([1-9])d)?\}")
_MOST_PATH: Final = 1024


class PathError(Exception):
    """What is wrong with a path, in words that follow its file's name."""


def fill_template(template: str, numbers: Mapping[str, int], names: Mapping[str, str]) -> str:
    """A path template with its fields replaced, and nothing else: never ``str.format``.

    Args:
        template: e.g. ``videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4``.
        numbers: fields that may be written ``{name}`` or ``{name:03d}``.
        names: fields that may be written ``{name}``.

    Raises:
        PathError: another field, another format, or a stray brace.
    """

    def value(match: re.Match[str]) -> str:
        name, digits = match.groups()
        if name in numbers:
            return str(numbers[name]).zfill(int(digits or 1))
        if name in names and digits is None:
            return names[name]
        raise PathError(f"the path template {template!r} has the field {match.group()!r}, {expected}")

    expected = f"expected only {', '.join([*numbers, *names])}"
    if any(number < 0 for number in numbers.values()):
        raise PathError(f"a path template is to be filled with a negative number of {', '.join(numbers)}")
    filled = _FIELD.sub(value, template)
    if "{" in _FIELD.sub("", template) or "}" in _FIELD.sub("", template):
        raise PathError(f"the path template {template!r} has braces that are no field, {expected}")
    return filled


def inside(root: Path, relative: str) -> Path:
    """The file of a dataset; it need not be there.

    Raises:
        PathError: the path is absolute, has ``..``, or leads out of the root through a link.
    """
    parts = relative.split("/")
    if not relative or len(relative) > _MOST_PATH or not relative.isprintable() or "\\" in relative:
        raise PathError(f"the path {relative[:60]!r} is not a relative path with '/'")
    if relative.startswith("/") or ".." in parts or Path(relative).is_absolute():
        raise PathError(f"the path {relative!r} leads out of the dataset")
    path = root / relative
    if not path.resolve().is_relative_to(root.resolve()):
        raise PathError(
            f"{relative!r} is a link out of the dataset (download with 'hf download --local-dir', which makes files)"
        )
    return path


def holds_recordings(folder: Path) -> bool:
    """Whether a folder looks like a recorded dataset, as opposed to a release, which has a ``manifest.json`` too."""
    if (folder / INFO).exists() or (folder / LINES).exists():
        return True
    try:
        with (folder / MANIFEST).open("rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return False
    return b'"clips"' in head and b'"configs"' not in head


def read_json(path: Path) -> Any:
    """What a JSON file holds.

    Raises:
        UsageError: missing, too large, or not JSON; one sentence that names it.
    """
    try:
        size = path.stat().st_size
        if size > MOST_JSON:
            raise UsageError(f"{path}: {size:,} bytes, expected at most {MOST_JSON:,}; take the dataset's own file.")
        return json.loads(path.read_text("utf-8"), parse_constant=_refuse)
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not readable as JSON ({_short(error)}); fetch it again.") from None


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Line numbers from 1 and what the lines of a JSON Lines file hold; raises like :func:`read_json`."""
    number = 0
    try:
        size = path.stat().st_size
        if size > MOST_LINES_BYTES:
            raise UsageError(f"{path}: {size:,} bytes, expected at most {MOST_LINES_BYTES:,}; split the dataset.")
        with path.open("r", encoding="utf-8") as file:
            while line := file.readline(_MOST_LINE + 1):
                number += 1
                if len(line) > _MOST_LINE:
                    raise ValueError(f"a line of over {_MOST_LINE:,} characters")
                if line.strip():
                    yield number, json.loads(line, parse_constant=_refuse)
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: line {max(number, 1)} is not JSON ({_short(error)}); fetch it again.") from None


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def printable(text: object, most: int = 120) -> str:
    """What others wrote, as part of a sentence: one line, no control characters, not too long."""
    line = (str(text).splitlines() or [""])[0][:most]
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _short(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return printable(error) or type(error).__name__
