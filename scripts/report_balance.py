#!/usr/bin/env python3
"""Print how even a release's answers are and what pays without looking at the pictures.

python scripts/report_balance.py release/flowbench [sim_train ...] [--no-classifier]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from flowbench.validation.shortcuts import BlindItem, blind_scores, items_of


def records(root: Path, config: str) -> list[dict[str, Any]]:
    """The records of a config's splits."""
    return [
        row for path in sorted((root / "index" / config).glob("*.parquet")) for row in pl.read_parquet(path).to_dicts()
    ]


def outcomes(items: Sequence[BlindItem], console: Console) -> None:
    """Shares of the outcomes, and of before-answer and answer together."""
    table = Table("category", "samples", "outcomes", "flipped", title="Answers")
    for category in sorted({item.category for item in items}):
        own = [item for item in items if item.category == category]
        counts = Counter(item.outcome for item in own)
        shares = ", ".join(f"{name} {count / len(own):.0%}" for name, count in sorted(counts.items()))
        known = [item for item in own if item.before]
        flips = f"{sum(item.before != item.outcome for item in known) / len(known):.0%}" if known else "-"
        table.add_row(category, str(len(own)), shares, flips)
    console.print(table)


def blind(items: Sequence[BlindItem], console: Console, classify: bool) -> None:
    """Accuracy of every blind rule against chance."""
    table = Table("category", "rule", "accuracy", "95% interval", "chance", "pays", title="Without looking")
    for score in blind_scores(items, classify=classify):
        interval = f"{score.low:.1%} to {score.high:.1%}"
        pays = "[red]yes[/]" if score.pays else "no"
        table.add_row(score.category, score.rule, f"{score.accuracy:.1%}", interval, f"{score.chance:.1%}", pays)
    console.print(table)


def main() -> None:
    """Print the tables of every config."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path, help="folder of a release")
    parser.add_argument("configs", nargs="*", help="default: all")
    parser.add_argument("--no-classifier", action="store_true", help="leave out what needs scikit-learn")
    options = parser.parse_args()
    console = Console()
    if not (options.release / "index").is_dir():
        parser.error(
            f"{options.release} is not a release: it has no index; name a folder that flowbench build has made."
        )
    known = sorted(path.name for path in (options.release / "index").iterdir())
    names = options.configs or known
    if not set(names) <= set(known):
        parser.error(f"{options.release} has no {' or '.join(set(names) - set(known))}; it holds {', '.join(known)}.")
    for config in names:
        items = items_of(records(options.release, config))
        console.rule(f"{config}: {len(items)} samples")
        if len({item.scene for item in items}) < 2:
            console.print("All of one home: nothing can be learnt on one and judged on another.")
        outcomes(items, console)
        blind(items, console, not options.no_classifier)


if __name__ == "__main__":
    main()
