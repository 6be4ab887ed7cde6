#!/usr/bin/env python3
"""What pays without looking, measured on labels alone: the propose and select passes over many homes, no pictures.

python scripts/bench/balance.py --scenes 300 --presets balanced paper --keep labels/ [--markdown table.md]

Takes about 12 seconds of one core a home and preset. With --keep each home's candidates are kept, so that it can be
stopped and continued, and selecting and scoring be tried again.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import comb
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.progress import track
from rich.table import Table

from flowbench.builders.producer import Job
from flowbench.builders.sim.candidates import Candidate, from_payload
from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.presets import PRESETS
from flowbench.builders.sim.producer import SimProducer
from flowbench.builders.simulators.bullet.styles import POOL_STYLES
from flowbench.validation.shortcuts import BlindItem, Score, blind_scores

Results = dict[tuple[str, str], tuple[int, list[Score]]]
"""(preset, category) -> filled slots and the scores of all rules."""


def propose(job: Job, folder: Path, scene: int) -> Path:
    """Keep the candidates of one home; a home that is there is left as it is."""
    path = folder / f"{scene:05d}.parquet"
    if not path.exists():
        partial_file = path.with_suffix(".part")
        SimProducer(job).propose([scene])[0].write_parquet(partial_file)
        os.replace(partial_file, path)
    return path


def blind_item(candidate: Candidate) -> BlindItem:
    """A selected candidate as a blind reader sees it; where objects are listed the cell tells the winners' ranks."""
    item = candidate.item
    category = CATEGORIES[item.category]
    facts = {
        "direction": item.move.direction,
        "band": candidate.band,
        "relation": item.relation or "",
        "threshold": "" if item.threshold is None else f"{item.threshold:.2f}",
        "probe": "" if item.probe is None else f"{item.probe.direction} {item.probe.length:.1f}",
        "mover": candidate.mover_type,
        "landmark": item.landmarks[0].partition("|")[0] if len(item.landmarks) == 1 else "",
    }
    chance = 1.0 / comb(category.choices, category.picked)
    return BlindItem(
        item.category, str(candidate.scene), category.outcome(item), chance, category.known_before(item), facts
    )


def measure(job: Job, tables: Iterable[Path], console: Console) -> Results:
    """Select over all homes and score every rule; prints fill and outcomes."""
    chosen, dropped = SimProducer(job).select(pl.concat([pl.read_parquet(path) for path in tables]))
    items = [blind_item(from_payload(payload)) for payload in chosen["payload"]]
    scores = blind_scores(items)
    shares = Table("category", "filled", "outcomes", title=f"{job.preset}: {len(items)} samples")
    results: Results = {}
    for category in sorted(CATEGORIES):
        own = Counter(item.outcome for item in items if item.category == category)
        text = ", ".join(f"{name} {count / own.total():.1%}" for name, count in sorted(own.items()))
        shares.add_row(category, str(own.total()), text)
        results[job.preset, category] = own.total(), [score for score in scores if score.category == category]
    console.print(shares)
    console.print(f"left out: {dict(dropped)}")
    return results


def describe(score: Score) -> str:
    """``52.1 % (50.1-54.1)``, with a cross where it pays."""
    return f"{score.accuracy:.1%} ({100 * score.low:.1f}-{100 * score.high:.1f}){' ✗' if score.pays else ''}"


def side_by_side(results: Results, slots: int) -> list[list[str]]:
    """Rows category x preset: samples, fill, chance, the main rules, and whichever pays most."""
    rows = [["category", "preset", "samples", "slots filled", "chance", *MAIN_RULES, "best of all rules"]]
    for (preset, category), (filled, scores) in sorted(results.items(), key=lambda pair: (pair[0][1], pair[0][0])):
        if not scores:
            continue
        by_rule = {score.rule: score for score in scores}
        best = max(scores, key=lambda score: score.low - score.chance)
        main = [describe(by_rule[rule]) if rule in by_rule else "-" for rule in MAIN_RULES]
        chance = f"{best.chance:.0%}"
        rows.append(
            [category, preset, str(filled), f"{filled / slots:.0%}", chance, *main, f"{best.rule}: {describe(best)}"]
        )
    return rows


MAIN_RULES = ("majority answer", "table from the before-answer", "ends where it moved", "classifier on all of it")


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    """The same as a table for documents."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body]) + "\n"


def main() -> None:
    """Propose, select, and print fill and blind accuracies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=20, help="homes (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the homes (default 1)")
    parser.add_argument("--presets", nargs="+", default=["balanced"], choices=list(PRESETS))
    parser.add_argument("--pool", default="homes_train", choices=list(POOL_STYLES))
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--keep", type=Path, help="folder for the candidates of each home (default: a temporary one)")
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    options = parser.parse_args()
    if options.scenes < 2 or options.workers < 1:
        parser.error("rules are fitted on some homes and judged on others: --scenes is at least 2, --workers 1.")
    console = Console()
    results: Results = {}
    with tempfile.TemporaryDirectory() as temporary, ProcessPoolExecutor(options.workers) as pool:
        for preset in options.presets:
            job = Job("sim_train", options.pool, options.seed, preset, "bullet", 800, 600)
            folder = (options.keep or Path(temporary)) / preset
            folder.mkdir(parents=True, exist_ok=True)
            done = pool.map(partial(propose, job, folder), range(options.scenes))
            tables = list(track(done, preset, total=options.scenes, console=console))
            results |= measure(job, tables, console)
    rows = side_by_side(results, options.scenes * 10)
    table = Table(*rows[0])
    for row in rows[1:]:
        table.add_row(*row)
    console.print(table)
    if options.markdown:
        options.markdown.write_text(as_markdown(rows), "utf-8")


if __name__ == "__main__":
    main()
