"""How a running build looks: a live bar on a terminal, calm log lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from flowbench.builders.progress import Progress as BuildProgress

QUIET_SECONDS: Final = 5.0
_WORDS: Final = {"propose": ("scene", "candidates"), "write": ("shard", "samples")}
"""Stage -> what its units and its results are called."""


class Stage:
    """The running totals of one stage, and how they read."""

    def __init__(self, name: str, total: int, done: int, clock: Callable[[], float]) -> None:
        self.name = name
        self.total = total
        self.done = done
        self.samples = 0
        self.rejects: Counter[str] = Counter()
        self.unit, self.results = _WORDS.get(name.partition(" ")[0], ("step", "results"))
        self._clock = clock
        self._started = clock()
        self._resumed = done

    def units(self, count: int) -> str:
        """A number of units in words."""
        return f"{count:,} {self.unit if count == 1 else f'{self.unit}s'}"

    def place(self) -> str:
        """How far the stage is, in words."""
        return f"{self.done:,}/{self.units(self.total)}"

    def add(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """Count finished work."""
        self.done += done
        self.samples += samples
        self.rejects.update(rejects)

    def rate(self) -> float:
        """Units a second since the stage began, an earlier run's not counted; 0 before the first is done."""
        elapsed = self._clock() - self._started
        return (self.done - self._resumed) / elapsed if elapsed > 0 else 0.0

    def pace(self) -> str:
        """The rate in the unit that reads best, and the time left."""
        rate = self.rate()
        if rate == 0.0:
            return "" if self.done >= self.total else "time left unknown yet"
        speed = f"{rate:.1f} {self.unit}s/s" if rate >= 1.0 else f"{1.0 / rate:.1f} s a {self.unit}"
        left = (self.total - self.done) / rate
        return f"{speed}, {duration(left)} left" if self.done < self.total else speed

    def counts(self, reasons: int = 3) -> str:
        """Results, and rejects with their commonest reasons."""
        parts = [f"{self.samples:,} {self.results}"] if self.samples else []
        if self.rejects:
            shown = ", ".join(f"{reason} {count:,}" for reason, count in _commonest(self.rejects)[:reasons])
            more = ", …" if len(self.rejects) > reasons else ""
            parts.append(f"{self.rejects.total():,} rejects ({shown}{more})")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """A length of time in words, rounded for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class LogLines:
    """Progress as plain lines, at most one every few seconds in the middle of a stage."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._stage: Stage | None = None
        self._last = 0.0

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """Say what begins."""
        self._stage = Stage(stage, total, done, self._clock)
        self._last = self._clock()
        before = f", {done:,} done before" if done else ""
        self._write(f"{stage}: {self._stage.units(total)}{before}")

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """Count, and say so if the last line is old enough."""
        if self._stage is None:
            return
        self._stage.add(done, samples, rejects)
        if self._stage.done < self._stage.total and self._clock() - self._last >= QUIET_SECONDS:
            self._say(self._stage)

    def finish(self) -> None:
        """Say what the stage came to."""
        if self._stage is not None:
            self._say(self._stage)
            self._stage = None

    def _say(self, stage: Stage) -> None:
        self._last = self._clock()
        parts = [stage.place(), stage.counts(), stage.pace()]
        self._write(f"{stage.name}: {', '.join(part for part in parts if part)}")


class LiveBar:
    """Progress as a rich bar with samples, rejects by reason, rate and time left."""

    def __init__(self, bars: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._bars = bars
        self._clock = clock
        self._stage: Stage | None = None
        self._task: TaskID | None = None

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """Add the stage's bar."""
        self._stage = Stage(stage, total, done, self._clock)
        self._task = self._bars.add_task(
            stage, total=total, completed=done, place=self._stage.place(), counts="", pace=""
        )

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """Move the bar."""
        if self._stage is None or self._task is None:
            return
        stage = self._stage
        stage.add(done, samples, rejects)
        self._bars.update(
            self._task, completed=stage.done, place=stage.place(), counts=stage.counts(), pace=stage.pace()
        )

    def finish(self) -> None:
        """Leave the finished bar standing."""
        if self._stage is not None and self._task is not None:
            self._bars.update(self._task, completed=self._stage.total, pace=self._stage.pace())
            self._bars.stop_task(self._task)
        self._stage = self._task = None


@contextmanager
def build_progress(console: Console | None = None) -> Iterator[BuildProgress]:
    """The progress that suits where stderr goes; leaves the terminal clean however the build ends."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield LogLines(lambda line: typer.echo(line, err=True))
        return
    columns = (
        SpinnerColumn(finished_text="[green]✓[/]"),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[place]}"),
        TimeElapsedColumn(),
        TextColumn("[cyan]{task.fields[pace]}[/]"),
        TextColumn("[dim]{task.fields[counts]}[/]"),
    )
    with Progress(*columns, console=console) as bars:
        yield LiveBar(bars)


def _commonest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Largest first, ties by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
