"""Engines: where blocks of work run. An engine is one function, and knows nothing of what it runs::

    engine(fn, specs, *, workers, folder, **options) -> Iterator[Report]

Attributes of every engine: ``fn`` never raises, dies or hangs (:func:`flowbench.builders.guard.run_block`); reports
come in any order, one a spec; ``workers`` is how many blocks run at once, None for as many as there is room for;
``folder`` is of the run alone, for what the engine must leave on a disk; ending the iteration ends the work.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pydantic

from flowbench.builders.guard import Report, Spec
from flowbench.errors import UsageError, unknown_name

from .settings import LocalSettings, RaySettings, Settings, SlurmSettings

Function = Callable[[Spec], Report]

MOST_OPTION_BYTES = 1 << 16
_SHOWN = 200
"""Characters of a user's value, or of a parser's words, in an error."""


class Engine(Protocol):
    """See above."""

    def __call__(
        self, fn: Function, specs: Iterable[Spec], *, workers: int | None, folder: Path, **options: Any
    ) -> Generator[Report, None, None]:
        """Run ``fn`` on every spec, somewhere, and yield the reports as they come."""


@dataclass(frozen=True)
class Registered:
    """An engine by name.

    Attributes:
        where: ``module:function``; imported when it is needed.
        settings: what ``--engine-options`` may hold.
        package: that it needs and that an extra of the same name as the engine installs; None where it needs none.
        remote: whether it runs ``fn`` in other processes, which must be able to import it.
        guarded: whether blocks run in children; without, a block's crash is the run's.
    """

    where: str
    settings: type[Settings] = LocalSettings
    package: str | None = None
    remote: bool = False
    guarded: bool = True


ENGINES: Mapping[str, Registered] = {
    "local": Registered("flowbench.builders.engines.local:local"),
    "ray": Registered("flowbench.builders.engines.ray:ray", RaySettings, "ray", remote=True),
    "slurm": Registered("flowbench.builders.engines.slurm:slurm", SlurmSettings, "submitit", remote=True),
    "serial": Registered("flowbench.builders.engines.local:serial", guarded=False),
}
"""``serial`` runs everything in this process, one after the other and unguarded: for debuggers, profilers and tests."""


def registered(name: str) -> Registered:
    """The engine of that name; an unknown one is a UsageError."""
    if name not in ENGINES:
        raise unknown_name("engine", name, (known for known, each in ENGINES.items() if each.guarded))
    return ENGINES[name]


def require(name: str) -> Registered:
    """The engine of that name, installed.

    Raises:
        UsageError: there is no such engine, or what it needs is not installed.
    """
    found = registered(name)
    if found.package is not None and importlib.util.find_spec(found.package) is None:
        raise UsageError(
            f"--engine {name} needs {found.package}, which is not installed: run `pip install '.[{name}]' -c "
            "constraints.txt` in the clone."
        )
    return found


def engine_named(name: str) -> Engine:
    """The engine's function; raises like :func:`require`."""
    module, _, function = require(name).where.partition(":")
    engine: Engine = getattr(importlib.import_module(module), function)
    return engine


def read_options(path: Path) -> dict[str, Any]:
    """The table in a TOML file.

    Raises:
        UsageError: there is no such file, or it is no TOML of at most :data:`MOST_OPTION_BYTES`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_OPTION_BYTES + 1)
        if len(data) > MOST_OPTION_BYTES:
            raise ValueError(f"it has over {MOST_OPTION_BYTES:,} bytes")
        return tomllib.loads(data.decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--engine-options {path} cannot be read ({reason.lower()}): give a TOML file.") from None
    except (ValueError, RecursionError) as error:  # also what Python says of endless numbers and of nesting
        reason = " ".join(str(error).split())[:_SHOWN]
        raise UsageError(f"--engine-options {path} is not TOML ({reason}): see docs/scale.md for an example.") from None


def settings_of(name: str, options: Mapping[str, Any]) -> Settings:
    """An engine's options, checked.

    Raises:
        UsageError: an option that the engine does not have, or a value that it cannot have.
    """
    kind = registered(name).settings
    for option in options:
        if option not in kind.model_fields:
            raise unknown_name(f"option of --engine {name}", option, kind.model_fields)
    try:
        return kind.model_validate(dict(options))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        option = ".".join(map(str, first["loc"]))
        found, wanted = _shown(first["input"]), first["msg"][:1].lower() + first["msg"][1:]
        raise UsageError(
            f"option {option} of --engine {name} is {found}, but {wanted}: see docs/scale.md for what it means."
        ) from None


def _shown(value: object) -> str:
    """A value in an error: not endless, and not one that Python refuses to write out."""
    try:
        return repr(value)[:_SHOWN]
    except ValueError:
        return "a number of thousands of digits"
