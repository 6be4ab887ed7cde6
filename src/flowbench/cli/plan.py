"""How a build's plan reads on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..release import size_text
from .progress import duration

if TYPE_CHECKING:
    from flowbench.builders.forecast import ConfigPlan, Plan

_MANY_HOURS: Final = 10
"""From here on tenths of an hour say nothing."""


def print_plan(plan: Plan, console: Console | None = None) -> None:
    """Print what each config comes to, the time it takes, and whether it fits the disk."""
    console = console or Console()
    console.print(_table(plan))
    console.print(f"{_time(plan)}.", soft_wrap=True, highlight=False)
    console.print(f"{_disk(plan)} ({escape(str(plan.out))}).", soft_wrap=True, highlight=False)
    for each in plan.configs:
        if not each.measured:
            console.print(f"[yellow]{escape(each.config)}: no rates were measured; those of sim_train are shown.[/]")
    console.print(
        "[dim]All of it is approximate: expected samples, and rates measured on one core (docs/scale.md). "
        "Nothing was built.[/]",
        soft_wrap=True,
    )


def _table(plan: Plan) -> Table:
    """Configs down, what they come to across."""
    table = Table(
        box=box.SIMPLE, show_footer=len(plan.configs) > 1, show_edge=False, pad_edge=False, collapse_padding=True
    )
    longest = max(len(each.config) for each in plan.configs)
    table.add_column("config", footer="all", no_wrap=True, min_width=longest)
    for heading, footer in (
        ("scenes", ""),
        ("samples", f"{sum(each.samples for each in plan.configs):,}"),
        ("shards", f"{sum(each.shards for each in plan.configs):,}"),
        ("disk", size_text(plan.bytes)),
        ("propose", ""),
        ("write", ""),
        ("all", _time_text(plan.hours)),
    ):
        table.add_column(heading, footer=footer, justify="right", no_wrap=True)
    for each in plan.configs:
        table.add_row(*_row(each))
    return table


def _row(each: ConfigPlan) -> tuple[str, ...]:
    """A config's cells."""
    return (
        escape(each.config),
        f"{each.scenes:,}",
        f"{each.samples:,}",
        f"{each.shards:,}",
        size_text(each.bytes),
        _time_text(each.propose_hours),
        _time_text(each.write_hours),
        _time_text(each.hours),
    )


def _time_text(hours: float) -> str:
    """A time in the unit that suits it, with as many digits as say something."""
    if hours >= _MANY_HOURS:
        return f"{hours:,.0f} h"
    return duration(hours * 3600) if hours * 3600 >= 1 or hours == 0 else "< 1 s"


def _time(plan: Plan) -> str:
    """How long it takes."""
    text = _time_text(plan.hours)
    total = f"That takes {text[:-2]} core-hours" if text.endswith(" h") else f"That takes {text} on one core"
    if plan.workers == 1:
        return total
    workers = 100 if plan.workers is None else plan.workers
    return f"{total}; on {workers:,} cores about {_time_text(plan.hours / workers)}"


def _disk(plan: Plan) -> str:
    """Whether it fits."""
    if plan.free < plan.bytes:
        return f"[red]It does not fit[/]: {size_text(plan.bytes)} are needed and {size_text(plan.free)} are free"
    return f"It takes {size_text(plan.bytes)} of the {size_text(plan.free)} that are free"
