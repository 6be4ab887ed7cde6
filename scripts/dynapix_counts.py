"""Families, subtypes and builders of a DynaPix release beside the paper's counts, and how far distractors lie apart.

Usage: python scripts/dynapix_counts.py RELEASE [--split test|train]

The paper's test counts are over 387 scenes (Tables 1, 5, 6, 7); "expected" is what they come to over as many scenes as
the release has questions about. Over how many scenes it has its training questions, the paper does not say.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

from flowbench.validation.dynapix.paper import EVENT, TIME, WINDOW, counted

SCENES = 387
"""Test scenes of the paper."""
SUBTYPES: Mapping[str, tuple[int, int]] = {**EVENT, "time": TIME, **WINDOW}
"""Subtype, or group of windows -> (train, test)."""
RETRIEVAL = 2_002
PERCENTILES = (0, 5, 25, 50, 75, 95)


def expected(paper: int, scenes: int, split: str) -> str:
    """What a count of the paper's test comes to over so many scenes; nothing for training."""
    return f"{paper * scenes / SCENES:.0f}" if split == "test" else ""


def selection(root: Path, split: str, console: Console) -> None:
    """Subtypes, and displacement of what is asked about in the nearest distractor."""
    table = pl.read_parquet(root / "index" / f"selection_{split}" / f"{split}.parquet")
    scenes = table["scene_id"].n_unique()
    found = Counter(counted(*each) for each in table.select("category", "subtype").iter_rows())
    column = ("train", "test").index(split)
    shown = Table("subtype", "here", "expected", "paper", title=f"selection_{split}: {scenes} scenes")
    for name, numbers in SUBTYPES.items():
        paper = numbers[column]
        shown.add_row(name, f"{found[name]:,}", expected(paper, scenes, split), f"{paper:,}")
    total = sum(numbers[column] for numbers in SUBTYPES.values())
    shown.add_row("total", f"{table.height:,}", expected(total, scenes, split), f"{total:,}")
    console.print(shown)
    cells = table.filter(pl.col("category") == "window")["subtype"].n_unique()
    console.print(f"window cells filled: {cells} (the paper fills 47)")
    margins = Table("family", *(f"{p}%" for p in PERCENTILES), title="nearest distractor's displacement, pixels")
    for family, part in sorted(table.group_by("category"), key=lambda pair: str(pair[0])):
        values = [part["margin"].quantile(p / 100, "linear") or 0.0 for p in PERCENTILES]
        margins.add_row(str(family[0]), *(f"{value:.1f}" for value in values))
    console.print(margins)


def retrieval(root: Path, split: str, console: Console) -> None:
    """Builders, and the corpus."""
    table = pl.read_parquet(root / "index" / f"retrieval_{split}" / f"{split}.parquet")
    scenes = table["scene_id"].n_unique()
    shown = Table("builder", "queries", title=f"retrieval_{split}: {scenes} scenes")
    for (builder,), part in sorted(table.group_by("builder"), key=lambda pair: str(pair[0])):
        shown.add_row("counterfactual" if builder == 0 else str(builder), f"{part.height:,}")
    shown.add_row("total", f"{table.height:,}")
    console.print(shown)
    if split == "test":
        console.print(f"the paper's {RETRIEVAL:,} over as many scenes: {expected(RETRIEVAL, scenes, split)}")
        corpus = pl.read_parquet(root / "index" / "retrieval_corpus" / "test.parquet")
        console.print(f"corpus: {corpus.height:,} frames; the paper's 10,000: {expected(10_000, scenes, split)}")


def main() -> None:
    """Print what the release has of both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--split", choices=("test", "train"), default="test")
    given = parser.parse_args()
    console = Console(width=100)
    for name, show in (("selection", selection), ("retrieval", retrieval)):
        if (given.release / "index" / f"{name}_{given.split}").is_dir():
            show(given.release, given.split, console)


if __name__ == "__main__":
    main()
