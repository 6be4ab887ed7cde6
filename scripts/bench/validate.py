"""How fast a release is validated, and how much memory it takes (docs/benchmarks.md, "Validation").

python scripts/bench/validate.py release/flowbench --workers 2      samples a second and memory over a release
python scripts/bench/validate.py --rows 100000                      the suites over an index of so many rows
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import threading
import time
from pathlib import Path

import polars as pl

from flowbench.progress import Silent
from flowbench.release import Manifest
from flowbench.schema import config_spec
from flowbench.schema.rows import row_schema
from flowbench.validation.indexes import LEFT_OUT
from flowbench.validation.report.plots import plots_of
from flowbench.validation.results import ConfigResult
from flowbench.validation.runner import validate
from flowbench.validation.suites.balance import Balance
from flowbench.validation.suites.base import OpenedConfig

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
CATEGORIES = ("left_right", "near_object", "contact_wall", "occlusion", "feasibility")
TYPES = ("Mug", "Box", "Chair", "Book", "Vase", "Pot", "Lamp", "Bowl", "Cup", "Plate")


class Memory:
    """The largest resident memory of this process and its children together, sampled, bytes."""

    def __init__(self) -> None:
        self.most = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(1.0):  # summing pages up holds up whoever is measured
            self.most = max(self.most, _tree_bytes())


def _tree_bytes() -> int:
    """Proportional resident memory of this process and its children, shared pages counted once."""
    total = 0
    own = str(Path("/proc/self").resolve().name)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if own in (folder.name, parent):
                lines = (folder / "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
        except (OSError, StopIteration):
            continue
    return total


def bench_release(root: Path, workers: int) -> None:
    """Validate a release and print the figures."""
    started = time.perf_counter()
    with Memory() as memory:
        found = validate(root, [], workers, Silent())
    seconds = time.perf_counter() - started
    used = sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(
        f"{found.samples:,} samples in {seconds:.1f} s with {workers} workers: {found.samples / seconds:.1f} a second"
    )
    print(f"processor time {used:.1f} s: {1000 * used / max(found.samples, 1):.0f} ms a sample")
    print(f"memory of all processes together at most {memory.most / 1e6:.0f} MB")


def bench_rows(rows: int) -> None:
    """Balance and plots of an index of so many rows."""
    config = _config(rows)
    started = time.perf_counter()
    findings = Balance().check(config, {"sim_test": config})
    balanced = time.perf_counter()
    result = ConfigResult(
        suites_version=0, manifest_sha256="", config="sim_test", preset="balanced", compared_with=(), samples={},
        suites=(),
    )  # fmt: skip
    drawn = len(list(plots_of(config, result)))
    ended = time.perf_counter()
    print(f"{rows:,} rows balanced in {balanced - started:.1f} s ({len(findings.tables)} tables), ", end="")
    print(f"{drawn} plots in {ended - balanced:.1f} s, together {ended - started:.1f} s; ", end="")
    print(f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


def _config(rows: int) -> OpenedConfig:
    """An index of records that differ in what is balanced."""
    from support.synthetic import make_record

    rng = random.Random(0)
    some = [make_record(f"key-{number}", number).model_dump() for number in range(200)]
    drawn = []
    for number in range(rows):
        record = dict(some[number % len(some)])
        record["id"], record["category"] = f"homes_test-{number:06d}", CATEGORIES[number % len(CATEGORIES)]
        record["scene_id"] = f"homes_test-{number // 80:06d}"
        record["choices"] = ["yes", "no"] if rng.random() < 0.5 else ["no", "yes"]
        record["answer"], record["before_answer"] = rng.choice("AB"), rng.choice("AB")
        record["flipped"] = record["answer"] != record["before_answer"]
        direction = rng.choice(("left", "right", "away", "toward"))
        record["motion"] = {**record["motion"], "direction": direction, "distance": rng.uniform(0.2, 1.2)}
        record["mover"] = {**record["mover"], "type": rng.choice(TYPES)}
        record["margin"] = rng.expovariate(0.2)
        record["split"] = "test"
        drawn.append({name: value for name, value in record.items() if name not in LEFT_OUT})
    spec = config_spec("sim_test")
    schema = {name: kind for name, kind in row_schema(spec).items() if name not in {*LEFT_OUT, "shard"}}
    index = pl.DataFrame(drawn, schema={**schema, "split": pl.String()}, orient="row")
    manifest = Manifest(
        version="0.0.0-dev", builder_version="0", constraints_sha256=None, seed=0, preset="balanced",
        simulator="bullet", width=800, height=600, shard_bytes=1, scenes={}, configs={"sim_test": {}},
    )  # fmt: skip
    return OpenedConfig(Path(), manifest, spec, index, pl.DataFrame())


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path, nargs="?", help="a release")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rows", type=int, default=0, help="rows of a synthetic index")
    arguments = parser.parse_args()
    if arguments.release is None and not arguments.rows:
        parser.error("name a release, or --rows")
    if arguments.release is not None:
        bench_release(arguments.release, arguments.workers)
    if arguments.rows:
        bench_rows(arguments.rows)


if __name__ == "__main__":
    main()
