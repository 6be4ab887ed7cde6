"""What a validation found, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from ..results import ConfigResult, SuiteResult
from ..suites.base import Violation


def print_result(result: ConfigResult, console: Console) -> None:
    """Print one config: samples and violations by category, the suites, and of each broken rule an example."""
    console.print()
    console.print(Text.assemble((result.config, "bold"), f": {_samples(result)}"), soft_wrap=True)
    console.print(_categories(result))
    console.print(_suites(result))
    for suite in result.suites:
        for each in _broken(suite):
            console.print(each)


def verdict(result: ConfigResult) -> str:
    """One line: whether the config passes, and if not why."""
    if result.passed:
        return f"{result.config} passes all {len(result.suites)} suites"
    count = result.violations
    failed = [suite.name for suite in result.suites if suite.skipped is None and not suite.passed]
    skipped = [suite.name for suite in result.suites if suite.skipped is not None]
    broken = f"{count:,} violation{'' if count == 1 else 's'}"
    unknown = f"; not run: {', '.join(skipped)}" if skipped else ""
    return f"{result.config} fails {', '.join(failed)}: {broken}{unknown}"


def standing(suite: SuiteResult) -> tuple[str, str]:
    """A sign and a colour for how a suite ended."""
    if suite.skipped is not None:
        return "–", "yellow"
    if not suite.violations:
        return "✓", "green"
    return ("✗", "red") if suite.enforced else ("!", "yellow")


def _samples(result: ConfigResult) -> str:
    counts = {split: sum(categories.values()) for split, categories in result.samples.items()}
    total = sum(counts.values())
    inside = ", ".join(f"{split} {count:,}" for split, count in counts.items())
    return f"{total:,} sample{'' if total == 1 else 's'} ({inside})"


def _categories(result: ConfigResult) -> RichTable:
    """Categories down; samples of each split, then violations of each suite that has any, across."""
    table = RichTable(box=box.SIMPLE)
    table.add_column("category", no_wrap=True)
    for split in result.samples:
        table.add_column(split, justify="right")
    suites = [suite for suite in result.suites if suite.by_category]
    for suite in suites:
        table.add_column(suite.name, justify="right", style="red" if suite.enforced else "yellow")
    for category in sorted({name for counts in result.samples.values() for name in counts}):
        samples = [f"{counts.get(category, 0):,}" for counts in result.samples.values()]
        broken = [_count(suite.by_category.get(category, 0)) for suite in suites]
        table.add_row(Text(category), *samples, *broken)
    return table


def _suites(result: ConfigResult) -> RichTable:
    table = RichTable(box=box.SIMPLE)
    table.add_column("")
    table.add_column("suite", no_wrap=True)
    table.add_column("violations", justify="right")
    table.add_column("what it checks", style="dim")
    for suite in result.suites:
        sign, colour = standing(suite)
        about = suite.about if suite.skipped is None else f"not run: {suite.skipped}"
        count = "" if suite.skipped is not None else _count(suite.violations)
        shown = count if suite.enforced or not suite.violations else f"{count} (reported)"
        table.add_row(Text(sign, style=colour), Text(suite.name), Text(shown), Text(about))
    return table


def _broken(suite: SuiteResult) -> Iterator[RenderableType]:
    """Of each rule the number of violations and the first of them."""
    first: dict[str, Violation] = {}
    for violation in suite.kept:
        first.setdefault(violation.rule, violation)
    colour = "red" if suite.enforced else "yellow"
    for rule, count in suite.rules.items():
        head = Text.assemble((suite.name, colour), f": {rule}", (f", {count:,} times" if count > 1 else "", "dim"))
        example = first.get(rule)
        lines: list[RenderableType] = [head]
        if example is not None:
            lines.append(Padding(_example(example), (0, 0, 0, 2)))
        yield Group(*lines)


def _example(violation: Violation) -> RichTable:
    table = RichTable(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    place = " in ".join(each for each in (violation.key, violation.file or violation.split) if each)
    for name, value in (("where", place), ("found", violation.found), ("expected", violation.expected)):
        if value:
            table.add_row(name, Text(value))
    return table


def _count(number: int) -> str:
    return f"{number:,}"
