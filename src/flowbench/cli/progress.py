"""How long work looks while it runs: a live bar on a terminal, calm log lines elsewhere."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

if TYPE_CHECKING:
    from ..progress import Progress as Told

QUIET_SECONDS: Final = 5.0
PREPARE: Final = "prepare"
"""The stage before the first: loading kernels, which are compiled where that was not done before."""
PREPARING: Final = "preparing: loading kernels, which takes about 20 s the first time"
PATIENCE_SECONDS: Final = 1.0
"""How long preparing goes unmentioned."""
_WORDS: Final = {
    "record": ("episode", "frame", "reject"),
    "mine": ("episode", "pair", "reject"),
    "propose": ("scene", "candidate", "reject"),
    "write": ("shard", "sample", "reject"),
    "check": ("shard", "sample", "violation"),
    "judge": ("suite", "result", "violation"),
    "verify": ("file", "sample", "difference"),
}
"""Stage -> what one of its units, one of its results and one of what it turns down are called."""


class Stage:
    """The running totals of one stage, and how they read."""

    def __init__(self, name: str, total: int, done: int, clock: Callable[[], float]) -> None:
        self.name = name
        self.total = total
        self.done = done
        self.samples = 0
        self.rejects: Counter[str] = Counter()
        self.unit, self.result, self.reject = _WORDS.get(name.partition(" ")[0], ("step", "result", "reject"))
        self._clock = clock
        self._started = clock()
        self._resumed = done

    def units(self, count: int) -> str:
        """A number of units in words."""
        return _counted(count, self.unit)

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

    def speed(self) -> str:
        """The rate in the unit that reads best; empty before the first unit is done."""
        rate = self.rate()
        if rate == 0.0:
            return ""
        return f"{rate:.1f} {self.unit}s/s" if rate >= 1.0 else f"{1.0 / rate:.1f} s {_article(self.unit)} {self.unit}"

    def left(self) -> str:
        """The time left in words; empty when nothing is."""
        if self.done >= self.total:
            return ""
        rate = self.rate()
        return f"{duration((self.total - self.done) / rate)} left" if rate else "time left unknown"

    def counts(self, reasons: int = 3) -> str:
        """Results, and rejects with their commonest reasons."""
        parts = [_counted(self.samples, self.result)] if self.samples else []
        if self.rejects:
            shown = ", ".join(f"{reason} {count:,}" for reason, count in _commonest(self.rejects)[:reasons])
            more = ", …" if len(self.rejects) > reasons else ""
            parts.append(f"{_counted(self.rejects.total(), self.reject)} ({shown}{more})")
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
        self._notice: threading.Timer | None = None

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """Say what begins; of preparing only if it takes a while."""
        if stage == PREPARE:
            self._notice = threading.Timer(PATIENCE_SECONDS, self._write, [PREPARING])
            self._notice.daemon = True
            self._notice.start()
            return
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
        self.close()
        if self._stage is not None:
            self._say(self._stage)
            self._stage = None

    def close(self) -> None:
        """Write nothing later of one's own accord."""
        if self._notice is not None:
            self._notice.cancel()
            self._notice.join()
            self._notice = None

    def _say(self, stage: Stage) -> None:
        self._last = self._clock()
        self._write(f"{stage.name}: {_listed(stage.place(), stage.counts(), stage.speed(), stage.left())}")


class Bars(Progress):
    """Rich's bars, each with its details on a line of its own under it, cut to the terminal's width."""

    def __init__(self, console: Console) -> None:
        super().__init__(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}", table_column=Column(no_wrap=True, min_width=17)),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[place]}", table_column=Column(no_wrap=True)),
            TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),
            TextColumn("[cyan]{task.fields[left]}[/]", table_column=Column(no_wrap=True)),
            console=console,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """What stands on the terminal now."""
        for task in self.tasks:
            if task.description == PREPARE:
                if (task.elapsed or 0.0) >= PATIENCE_SECONDS:
                    yield Text(PREPARING, no_wrap=True, overflow="ellipsis")
                continue
            yield self.make_tasks_table([task])
            if task.fields["details"]:
                yield Text(f"  {task.fields['details']}", style="dim", no_wrap=True, overflow="ellipsis")


class LiveBar:
    """Progress as a rich bar with time left, and under it rate, samples and rejects by reason."""

    def __init__(self, bars: Bars, clock: Callable[[], float] = time.monotonic) -> None:
        self._bars = bars
        self._clock = clock
        self._stage: Stage | None = None
        self._task: TaskID | None = None

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """Add the stage's bar."""
        self._stage = Stage(stage, total, done, self._clock)
        self._task = self._bars.add_task(stage, total=total, completed=done, **self._fields(self._stage))

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """Move the bar."""
        if self._stage is not None and self._task is not None:
            self._stage.add(done, samples, rejects)
            self._bars.update(self._task, completed=self._stage.done, **self._fields(self._stage))

    def finish(self) -> None:
        """Leave the finished bar standing; of preparing nothing stays."""
        if self._stage is not None and self._task is not None:
            if self._stage.name == PREPARE:
                self._bars.remove_task(self._task)
            else:
                self._bars.update(self._task, completed=self._stage.total, **self._fields(self._stage))
                self._bars.stop_task(self._task)
        self._stage = self._task = None

    @staticmethod
    def _fields(stage: Stage) -> dict[str, Any]:
        """The texts of the stage's two lines."""
        return {
            "place": stage.place(),
            "left": stage.left(),
            "details": _listed(stage.counts(), stage.speed()),
        }


@contextmanager
def shown_progress(console: Console | None = None) -> Iterator[Told]:
    """The progress that suits where stderr goes; leaves the terminal clean however the build ends."""
    console = console or Console(stderr=True)
    if console.is_terminal:
        with Bars(console) as bars:
            yield LiveBar(bars)
        return
    lines = LogLines(lambda line: typer.echo(line, err=True))
    try:
        yield lines
    finally:
        lines.close()


def _article(noun: str) -> str:
    """What goes before a noun."""
    return "an" if noun[0] in "aeiou" else "a"


def _counted(count: int, noun: str) -> str:
    """A number of things in words."""
    return f"{count:,} {noun if count == 1 else f'{noun}s'}"


def _listed(*parts: str) -> str:
    """The parts that say something, with commas."""
    return ", ".join(part for part in parts if part)


def _commonest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Largest first, ties by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
