"""What a build is given beside seeds: recorded material and house files, each by a name that says how to read it."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from flowbench.errors import UsageError, unknown_name

HOUSES = "houses"
"""The name of a file of ProcTHOR houses, which ``--houses`` gives."""
_TABLES = frozenset({".csv", ".json", ".jsonl", ".toml", ".txt"})
"""Suffixes of files that say what the others are: told apart by content, where the others are by size."""
_MOST_FILES = 5_000_000


def sources_for(config: str) -> tuple[str, ...]:
    """Names of the sources that a config can be built from."""
    from . import SOURCES

    return tuple(name for name, configs in SOURCES.items() if config in configs)


def check_sources(configs: Sequence[str], sources: Mapping[str, Path]) -> None:
    """Refuse names that are not known or that nothing asked for would read, and paths that are not there.

    Raises:
        UsageError: one of these.
    """
    from . import SOURCES

    for name, path in sources.items():
        if name not in SOURCES:
            raise unknown_name("source", name, SOURCES)
        if not any(config in SOURCES[name] for config in configs):
            raise UsageError(
                f"the source {name} was given, but {' and '.join(configs)} cannot be built from it: leave it out, or "
                f"build {' or '.join(SOURCES[name])}."
            )
        if not path.exists():
            raise UsageError(f"{path} is not there, but was given as the source {name}: give a path that is.")


def given_to(config: str, sources: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Those of the sources that a config is built from: (name, absolute path), by name."""
    usable = sources_for(config)
    return tuple((name, str(path.absolute())) for name, path in sorted(sources.items()) if name in usable)


@functools.lru_cache(maxsize=64)
def fingerprint(path: str) -> str:
    """sha256 of what lies there, wherever it lies: of a file's content, or of a folder's list of files.

    The list has every file's name and size, and the content of the small tables among them; pictures and videos are
    not read, since there may be terabytes of them.

    Raises:
        UsageError: it cannot be read.
    """
    place = Path(path)
    digest = hashlib.sha256()
    try:
        if place.is_file():
            return _content(place)
        for name in _files(place):
            file = place / name
            told = _content(file) if file.suffix in _TABLES else str(file.stat().st_size)
            digest.update(f"{name}\0{told}\n".encode())
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({(error.strerror or str(error)).lower()}): mend it.") from error
    return digest.hexdigest()


def _files(folder: Path) -> list[str]:
    """Names of all files below a folder, links to folders not followed, in order.

    Raises:
        UsageError: there are absurdly many.
    """
    found: list[str] = []
    for name in _walk(folder):
        found.append(name)
        if len(found) > _MOST_FILES:
            raise UsageError(f"{folder} holds more than {_MOST_FILES:,} files: give the folder of one dataset.")
    return sorted(found)


def _walk(folder: Path) -> Iterator[str]:
    for parent, _, names in os.walk(folder):
        for name in names:
            file = Path(parent, name)
            if file.is_file():
                yield file.relative_to(folder).as_posix()


def _content(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
