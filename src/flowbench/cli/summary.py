"""What stands on the terminal when a build is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..release import STATE, size_text
from .progress import duration

if TYPE_CHECKING:
    from flowbench.builders.progress import BuildReport, ConfigReport

MOST_REASONS: Final = 10
"""Why candidates were dropped is told so many times a config."""


def print_summary(report: BuildReport, console: Console | None = None) -> None:
    """Print samples by split and category, rejects by reason, size, time and what to do next."""
    console = console or Console()
    for name, config in report.configs.items():
        shards = f"{config.shards:,} {'shard' if config.shards == 1 else 'shards'}"
        used = "" if config.used is None else ", from {:,} of {:,} scenes looked at".format(*config.used)
        console.print(f"\n[bold]{escape(name)}[/]: {shards}, {size_text(config.bytes)}{used}", highlight=False)
        console.print(_samples_table(config))
        if any(config.rejects.values()):
            console.print("[dim]dropped candidates[/]")
            console.print(_rejects_table(config))
            if left := _left_out(config):
                where = escape(str(report.out / STATE / name / "complete.json"))
                console.print(f"[dim]{left}: {where}[/]", soft_wrap=True, highlight=False)
    console.print()
    if report.changed:
        console.print(f"Built in {duration(report.seconds)}: {escape(str(report.out))}", soft_wrap=True)
    else:
        console.print(f"Nothing to do, this build is finished: {escape(str(report.out))}", soft_wrap=True)
    for line in _next_steps(report):
        console.print(f"  {escape(line)}", soft_wrap=True, highlight=False)


def _samples_table(config: ConfigReport) -> Table:
    """Categories down, splits across."""
    splits = sorted(config.samples, key=lambda split: (split != "train", split))
    categories = sorted({category for counts in config.samples.values() for category in counts})
    table = Table(show_footer=True, box=box.SIMPLE)
    table.add_column("samples", footer="total")
    for split in splits:
        table.add_column(split, justify="right", footer=f"{sum(config.samples[split].values()):,}")
    for category in categories:
        table.add_row(category, *(f"{config.samples[split].get(category, 0):,}" for split in splits))
    return table


def _rejects_table(config: ConfigReport) -> Table:
    """Why most candidates were dropped, commonest first within each pass."""
    table = Table(box=box.SIMPLE)
    table.add_column("pass")
    table.add_column("reason")
    table.add_column("count", justify="right")
    shown = _commonest(config)[:MOST_REASONS]
    for stage in config.rejects:
        for count, pass_, reason in shown:
            if pass_ == stage:
                table.add_row(stage, escape(reason), f"{count:,}")
    return table


def _commonest(config: ConfigReport) -> list[tuple[int, str, str]]:
    """(count, pass, reason) of all passes: whole scenes that were lost, then the largest count first."""
    found = [(n, stage, reason) for stage, reasons in config.rejects.items() for reason, n in reasons.items()]
    return sorted(found, key=lambda each: (not each[2].startswith("scene: "), -each[0], *each[1:]))


def _left_out(config: ConfigReport) -> str:
    """What the table does not show, in words; empty where it shows all."""
    found = _commonest(config)
    more = len(found) - MOST_REASONS
    if more <= 0:
        return ""
    return f"… and {more:,} more reason{'' if more == 1 else 's'}, {len(found):,} in all"


def _next_steps(report: BuildReport) -> list[str]:
    """Where to look next."""
    config = next(iter(report.configs), None)
    if config is None:
        return []
    splits = sorted(report.configs[config].samples, key=lambda split: (split != "train", split))
    split = splits[0] if splits else "train"
    return [
        f"look:  flowbench show {report.out} {config}",
        f'load:  load_dataset("{report.out}", "{config}", split="{split}")',
    ]
