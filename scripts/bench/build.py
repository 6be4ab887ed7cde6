"""Where the time of a build goes: processor time by stage and by category, and samples a core-second.

``python scripts/bench/build.py --scenes 2`` proposes, selects and writes the first scenes of ``sim_train`` in this one
process, as a single-threaded worker does, into a temporary folder. Functions of the builder are wrapped in clocks for
it; a stage's time is what is spent in it less what is spent in the stages that it calls, so that stages add up.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ["NUMBA_NUM_THREADS"] = "1"  # as a worker has it: one single-threaded process a core

import cv2
from rich.console import Console
from rich.table import Table

from flowbench.builders.producer import Job
from flowbench.builders.shards import write_shard
from flowbench.builders.sim import annotating, planning, producer, querying, view
from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.producer import SimProducer
from flowbench.release import Sample
from flowbench.schema import config_spec

CONFIG = "sim_train"
OTHER = "rest"


class Clock:
    """Processor seconds of nested stages, each without those inside it, by (pass, stage, category)."""

    def __init__(self) -> None:
        self.spent: dict[tuple[str, str, str], float] = defaultdict(float)
        self.pass_name = ""
        self.category = ""
        self._stack: list[tuple[str, str]] = []
        self._since = time.process_time()

    @contextmanager
    def stage(self, name: str, category: str = "") -> Iterator[None]:
        """Count the block to a stage."""
        self._book()
        self._stack.append((name, category or self.category))
        try:
            yield
        finally:
            self._book()
            self._stack.pop()

    def _book(self) -> None:
        now = time.process_time()
        if self._stack:
            self.spent[self.pass_name, *self._stack[-1]] += now - self._since
        self._since = now

    def wrap(self, owner: Any, name: str, stage: str, category: Callable[..., str] | None = None) -> None:
        """Have calls of a function counted to a stage, and to a category if their arguments tell one."""
        inner = getattr(owner, name)

        def timed(*args: Any, **options: Any) -> Any:
            former, self.category = self.category, category(*args) if category else self.category
            try:
                with self.stage(stage):
                    found = inner(*args, **options)
                    return list(found) if isinstance(found, Iterator) else found
            finally:
                self.category = former

        setattr(owner, name, timed)


def instrument(clock: Clock) -> None:
    """Put the clocks in; by the names under which the stages call each other."""
    clock.wrap(SimProducer, "_load", "load home")
    clock.wrap(producer, "choose_views", "choose views")
    clock.wrap(view.Sight, "take", "look (ids, depth)")
    clock.wrap(planning, "attempt", "trials")
    clock.wrap(planning, "_read", "items", lambda category, *_: category.name)
    clock.wrap(producer, "shoot", "render")
    clock.wrap(querying, "shoot", "render")
    clock.wrap(producer, "carry_out", "carry out", lambda _, candidate, *__: candidate.item.category)
    clock.wrap(producer, "annotate", "annotate", lambda _, outcome, *__: outcome.candidate.item.category)
    for name in ("encode_rgb", "encode_depth", "encode_flow", "encode_ids"):
        clock.wrap(annotating, name, "encode PNG")
    clock.wrap(annotating, "encode_instances", "masks")
    clock.wrap(annotating, "forward_flow", "flow")
    clock.wrap(annotating, "place_all", "marks")
    clock.wrap(annotating, "choose_marks", "marks")
    clock.wrap(annotating, "draw_marks", "marks")
    for name in ("object_names", "put_into_words", "reason", "make_record", "describe"):
        clock.wrap(annotating, name, "text")
    clock.wrap(producer, "to_json", "text")


def build(clock: Clock, given: argparse.Namespace, root: Path) -> tuple[Mapping[str, int], int]:
    """Propose, select and write; samples by category, and bytes."""
    spec = config_spec(CONFIG)
    made = SimProducer(Job(CONFIG, spec.pools[0], given.seed, given.preset, "bullet", given.width, given.height))
    made.warm()
    made.propose([given.scenes])  # the scene after the last one: kernels compile and caches fill outside the count
    instrument(clock)
    clock.pass_name = "propose"
    with clock.stage(OTHER):
        candidates, _ = made.propose(range(given.scenes))
    clock.pass_name = "select"
    with clock.stage("select"):
        selected, _ = made.select(candidates)
    counts: dict[str, int] = defaultdict(int)
    categories = {str(row["key"]): str(row["category"]) for row in selected.to_dicts()}

    def samples() -> Iterator[Sample]:
        drawn = made.samples(selected.sort("key").to_dicts())
        while True:
            with clock.stage(OTHER):
                sample = next(drawn, None)
            if sample is None:
                return
            if isinstance(sample, Sample):
                counts[categories[sample.key]] += 1
                yield sample

    clock.pass_name = "write"
    with clock.stage("tar"):
        receipt = write_shard(root, "data/bench.tar", spec, samples())
    return counts, receipt.bytes


def stages_table(clock: Clock, samples: int) -> Table:
    """Seconds, share and milliseconds a sample of every stage."""
    total = sum(clock.spent.values())
    table = Table(title="By stage", title_justify="left")
    for name in ("pass", "stage", "core-seconds", "share", "ms a sample"):
        table.add_column(name, justify="left" if name in ("pass", "stage") else "right")
    for pass_name in ("propose", "select", "write"):
        stages: dict[str, float] = defaultdict(float)
        for (of, stage, _), seconds in clock.spent.items():
            if of == pass_name:
                stages[stage] += seconds
        for stage, seconds in sorted(stages.items(), key=lambda pair: -pair[1]):
            table.add_row(pass_name, stage, *_figures(seconds, total, samples))
        table.add_row(pass_name, "[bold]all[/]", *_figures(sum(stages.values()), total, samples), end_section=True)
    return table


def _figures(seconds: float, total: float, samples: int) -> tuple[str, str, str]:
    return f"{seconds:.2f}", f"{100 * seconds / total:.1f}%", f"{1000 * seconds / max(samples, 1):.1f}"


def categories_table(clock: Clock, counts: Mapping[str, int]) -> Table:
    """Core-seconds of each category's own work, and samples of it for each of them and for all of them together."""
    table = Table(title="By category", title_justify="left", caption="shared: homes, views, trials, before images")
    table.add_column("category")
    for name in ("samples", "items s", "write s", "write ms a sample", "samples a core-second, own work"):
        table.add_column(name, justify="right")
    for category in (*CATEGORIES, ""):
        proposed, written = (
            sum(s for (of, _, name), s in clock.spent.items() if name == category and of in passes)
            for passes in (("propose", "select"), ("write",))
        )
        count = counts.get(category, 0)
        each = (f"{1000 * written / count:.0f}", f"{count / (proposed + written):.2f}") if count else ("", "")
        table.add_row(
            category or "(shared)", f"{count:,}" if category else "", f"{proposed:.2f}", f"{written:.2f}", *each
        )
    return table


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--preset", default="balanced", choices=("balanced", "paper"))
    parser.add_argument("--width", type=int, default=800)
    parser.add_argument("--height", type=int, default=600)
    given = parser.parse_args()
    if min(given.scenes, given.width, given.height) < 1 or given.seed < 0:
        parser.error("--scenes, --width and --height are at least 1, --seed at least 0.")
    cv2.setNumThreads(1)
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="flowbench-build-") as folder:
        counts, size = build(clock, given, Path(folder))
    samples, seconds = sum(counts.values()), sum(clock.spent.values())
    console = Console()
    console.print(stages_table(clock, samples))
    console.print(categories_table(clock, counts))
    console.print(
        f"{given.scenes} scenes, seed {given.seed}, {given.width}x{given.height}, {given.preset}: "
        f"{samples:,} samples of {size / max(samples, 1) / 1e6:.2f} MB in {seconds:.1f} core-seconds: "
        f"[bold]{samples / seconds:.2f} samples a core-second[/], proposing included"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
