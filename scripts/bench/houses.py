#!/usr/bin/env python3
"""How long houses of a file take to stand in the embedded engine: read, built, and ready to be looked at.

python scripts/bench/houses.py [FILE.jsonl.gz ...] [--every N]

Without a file a furnished house of twelve rooms is drawn. Prints a line a file: houses, seconds of one core a
house (mean and most), objects that stand, what could not be built and why.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from flowbench.builders.simulators.base import SceneError
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.builders.simulators.procthor.reading import HouseFile

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
POOL = "homes_train"


def twelve_rooms() -> dict[str, Any]:
    """Four copies of the furnished rooms of the tests, side by side, with doors between them: 3 x 4 rooms."""
    from support.thor_houses import Drawing, three_rooms

    rooms: dict[int, tuple[str, tuple[float, float, float, float]]] = {}
    objects, shifts = [], [(0.0, 0.0), (9.5, 0.0), (0.0, 8.5), (9.5, 8.5)]
    for k, (x, z) in enumerate(shifts):
        for n, (kind, (x0, z0, x1, z1)) in enumerate(
            [
                ("Kitchen", (0.0, 0.0, 4.0, 4.0)),
                ("LivingRoom", (4.0, 0.0, 9.5, 4.0)),
                ("Bedroom", (0.0, 4.0, 7.0, 8.5)),
            ]
        ):
            rooms[3 * k + n + 1] = (kind, (x0 + x, z0 + z, x1 + x, z1 + z))
        objects += [_shifted(entry, x, z) for entry in three_rooms()["objects"]]
    drawing = Drawing(rooms, objects=objects)
    for k, (x, z) in enumerate(shifts):
        drawing.door("Doorframe_4", 3 * k + 1, 3 * k + 2, (4.0 + x, 2.9 + z), openness=None)
        drawing.door("Doorway_10", 3 * k + 2, 3 * k + 3, (6.2 + x, 4.0 + z))
    drawing.door("Doorway_10", 2, 4, (9.5, 3.2))
    drawing.door("Doorway_10", 8, 10, (9.5, 11.7))
    drawing.door("Doorway_10", 3, 7, (1.2, 8.5))
    return drawing.house()


def _shifted(entry: dict[str, Any], x: float, z: float) -> dict[str, Any]:
    at = entry["position"]
    children = [_shifted(child, x, z) for child in entry.get("children", [])]
    return {**entry, "position": {**at, "x": at["x"] + x, "z": at["z"] + z}, "children": children}


def measured(simulator: BulletSimulator, path: Path, every: int) -> str:
    """One file's line."""
    seconds: list[float] = []
    failed: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    objects = 0
    for index in range(0, len(HouseFile(path)), every):
        began = time.process_time()
        try:
            simulator.load(0, POOL, index)
        except SceneError as error:
            failed[str(error)] += 1
            continue
        seconds.append(time.process_time() - began)
        facts = simulator.metadata()["house"]
        objects += len(facts["assets"])
        left_out.update(facts["left_out"])
    spread = f"{sum(seconds) / len(seconds):.2f} s a house, at most {max(seconds):.2f} s" if seconds else "none built"
    return f"{path.name}: {len(seconds)} houses, {spread}, {objects} objects, left out {dict(left_out)}, {dict(failed)}"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth house")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder, "twelve_rooms.jsonl")
        house = json.dumps(twelve_rooms())
        drawn.write_text("\n".join([house] * 3) + "\n", "utf-8")
        for path in arguments.files or [drawn]:
            simulator = BulletSimulator(houses=str(path))
            console.print(measured(simulator, path, arguments.every), soft_wrap=True, markup=False)
            simulator.close()


if __name__ == "__main__":
    main()
