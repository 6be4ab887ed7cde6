"""The crew of a build: an engine, and guards round what it runs."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Self

from flowbench.errors import FlowbenchError
from flowbench.progress import Progress

from .engines import Function, engine_named, registered, require, settings_of
from .guard import Guards, Refusal, Report, Spec, run_block
from .guard.messages import function_named
from .options import BuildOptions
from .rewriting import KEY_VARIABLE
from .state import State
from .tally import Tally
from .units import Unit


@dataclass(frozen=True)
class Failed:
    """A unit that could not be done.

    Attributes:
        name: its.
        reasons: why its tries failed, in order.
    """

    name: str
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        """Name and reasons; tries that failed alike are told once."""
        alike = tuple(dict.fromkeys(_without_log(reason) for reason in self.reasons))
        tries = f"{len(self.reasons)} tries: " if len(self.reasons) > 1 else ""
        return f"{self.name} ({tries}{'; then '.join(alike)})"


class BlocksFailedError(FlowbenchError):
    """Some blocks could not be done; all others are."""

    exit_code = 1
    shown = 3

    @classmethod
    def of(cls, failed: Sequence[Failed], state: State) -> Self:
        """Name the first of them, and where the rest is to be read."""
        listed = "; ".join(map(str, failed[: cls.shown]))
        more = f"; and {len(failed) - cls.shown} more" if len(failed) > cls.shown else ""
        one = len(failed) == 1
        return cls(
            f"{len(failed):,} block{'' if one else 's'} failed, all else that could be done is: {listed}{more}: run "
            f"the same command again to try {'it' if one else 'them'} again; {state.failed} has all reasons, "
            f"{state.logs} what was printed."
        )


class RefusedError(FlowbenchError):
    """A user's error that a child met with."""

    @classmethod
    def of(cls, refusal: Refusal) -> Self:
        """The same sentence and exit code."""
        error = cls(refusal.sentence)
        error.exit_code = refusal.exit_code
        return error


@dataclass
class Crew:
    """Does units of work on the engine that a build asks for; to be left as a context, which ends its processes."""

    options: BuildOptions
    state: State
    progress: Progress
    failed: list[Failed] = field(default_factory=list)

    def check(self) -> None:
        """Refuse an engine that is not there, or options that it does not have; raises UsageError."""
        require(self.options.engine)
        settings_of(self.options.engine, self.options.engine_options)

    def __enter__(self) -> Self:
        self._guards = Guards()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._guards.close()

    def perform(self, units: Sequence[Unit], seconds: Mapping[str, float], secrets: tuple[str, ...] = ()) -> bool:
        """Do units, as many as can be done; returns whether all are.

        Args:
            units: that are not done yet.
            seconds: name of a unit -> limit of one try.
            secrets: environment variables that they need though they look like secrets.

        Raises:
            FlowbenchError: what is a user's to mend, and would fail every other unit as well.
        """
        if not units:
            return True
        settings = settings_of(self.options.engine, self.options.engine_options)
        units_of = {unit.name: unit for unit in units}
        specs = (self._spec(unit, settings.block_seconds or seconds[unit.name], secrets) for unit in units)
        reports: dict[str, Report] = {}
        tally = Tally(units, self.progress)
        engine, workers = engine_named(self.options.engine), self.options.workers
        folder = self.state.engine
        running = engine(self._function, specs, workers=workers, folder=folder, **settings.of_engine())
        with tally.watching(), contextlib.closing(running):
            for report in running:
                if report.refusal is not None:
                    raise RefusedError.of(report.refusal)
                reports[report.name] = report
                tally.see(units_of[report.name])
        tally.await_shown(units_of[name] for name, report in reports.items() if report.ok)
        missing = [Failed(unit.name, _reasons(reports.get(unit.name))) for unit in tally.open]
        self.failed += missing
        return not missing

    @cached_property
    def _function(self) -> Function:
        """What the engine runs."""
        engine = registered(self.options.engine)
        if not engine.guarded:
            return run_here
        return run_block if engine.remote else self._guards.run

    def _spec(self, unit: Unit, seconds: float, secrets: tuple[str, ...]) -> Spec:
        """A unit as a guard takes it."""
        logs = str(self.state.logs.absolute())
        return Spec(unit.name, unit.function, unit.to_json(), seconds, logs, secrets=secrets)


def run_here(spec: Spec) -> Report:
    """Run a block in this process, unguarded: its errors are the run's."""
    return Report(spec.name, function_named(spec.function)(spec.argument))


def needed_secrets(options: BuildOptions) -> tuple[str, ...]:
    """What the write pass needs: a rewriter's key, and nothing else that looks like a secret."""
    return (KEY_VARIABLE,) if options.rewriter is not None else ()


def _reasons(report: Report | None) -> tuple[str, ...]:
    """Why a unit has no receipt."""
    if report is None:
        return ("the engine gave no report",)
    return report.failures if not report.ok else ("it was reported done, but left no receipt",)


def _without_log(reason: str) -> str:
    """A reason without the name of its log, which is another one every time."""
    return reason.partition(" (log: ")[0]
