#!/usr/bin/env python3
"""What pays without looking, measured on labels alone: the propose and select passes over many homes, no pictures.

python scripts/bench/balance.py --scenes 300 --preset balanced [--pool homes_train] [--keep labels.parquet]
"""

from __future__ import annotations

import argparse
from collections import Counter
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
from flowbench.validation.shortcuts import BlindItem, blind_scores


def propose(job: Job, scene: int) -> tuple[pl.DataFrame, Counter[str]]:
    """Candidates of one home."""
    return SimProducer(job).propose([scene])


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


def main() -> None:
    """Propose, select, and print fill and blind accuracies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=20, help="homes (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the homes (default 1)")
    parser.add_argument("--preset", default="balanced", choices=list(PRESETS))
    parser.add_argument("--pool", default="homes_train", choices=list(POOL_STYLES))
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--keep", type=Path, help="write the candidates here, or read them if it exists")
    options = parser.parse_args()
    if options.scenes < 2 or options.workers < 1:
        parser.error("rules are fitted on some homes and judged on others: --scenes is at least 2, --workers 1.")
    job = Job("sim_train", options.pool, options.seed, options.preset, "bullet", 800, 600)
    console = Console()
    if options.keep and options.keep.exists():
        table = pl.read_parquet(options.keep)
    else:
        with ProcessPoolExecutor(options.workers) as pool:
            found = pool.map(partial(propose, job), range(options.scenes))
            tables = [each for each, _ in track(found, "homes", total=options.scenes, console=console)]
        table = pl.concat(tables)
        if options.keep:
            table.write_parquet(options.keep)
    offered = table.select("scene", "view", "category").unique().group_by("category").len()
    chosen, dropped = SimProducer(job).select(table)
    slots = table["scene"].n_unique() * 10
    filled = Table("category", "slots with a candidate", "filled", "of all slots", "outcomes")
    items = [blind_item(from_payload(payload)) for payload in chosen["payload"]]
    for category, count in sorted(offered.iter_rows()):
        own = Counter(item.outcome for item in items if item.category == category)
        shares = ", ".join(f"{name} {count / own.total():.0%}" for name, count in sorted(own.items()))
        filled.add_row(category, str(count), str(own.total()), f"{own.total() / slots:.0%}", shares)
    console.print(filled)
    console.print(f"{len(items)} of {slots * len(CATEGORIES)} slots filled; left out: {dict(dropped)}")
    scores = Table("category", "rule", "samples", "accuracy", "95% interval", "chance", "pays")
    for score in blind_scores(items):
        interval = f"{score.low:.1%} to {score.high:.1%}"
        pays = "yes" if score.pays else "no"
        scores.add_row(
            score.category,
            score.rule,
            str(score.samples),
            f"{score.accuracy:.1%}",
            interval,
            f"{score.chance:.1%}",
            pays,
        )
    console.print(scores)


if __name__ == "__main__":
    main()
