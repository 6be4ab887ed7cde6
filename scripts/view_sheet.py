#!/usr/bin/env python3
"""Draw good views of many homes of one style into one picture.

python scripts/view_sheet.py [docs/views_train.jpg] [--style test] [--views 24] [--seed 0]
python scripts/view_sheet.py docs/procthor.jpg --houses tests/data/three_rooms.json --views 6

Each view is the best of some random standing views of its home, in a room of the type that was shown least so far:
one that sees many objects at varied depth and no wall close by. Of a file's houses the views go round and round, each
round from a seed of its own.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.builders.simulators.bullet.styles import POOL_STYLES
from flowbench.builders.simulators.procthor.reading import HouseFile
from flowbench.geometry import Camera
from flowbench.geometry.polygons import points_in_polygon
from flowbench.seeding import generator

COLUMNS = 6
CELL = (400, 300)
CAPTION = 18
TRIES = 48
LEAST_PIXELS = 40
"""Of 160x120, for an object to count as seen."""
ELSEWHERE = 0.3
"""What an object in another room counts, seen through a door."""
FEW, BARE = 7, 3
"""A room with fewer objects is shown only when others were shown so many times more."""
POOLS = {style: pool for pool, style in POOL_STYLES.items()}

Picture = NDArray[np.uint8]


def worth(simulator: BulletSimulator, camera: Camera, weights: Mapping[int, float]) -> float:
    """How good a small view is: objects seen, their share of it, spread of depth, nothing close before the eye.

    Args:
        simulator: with the home loaded.
        camera: of 160x120.
        weights: instance id -> what seeing it is worth.
    """
    simulator.set_camera(camera)
    frame = simulator.observe(ids=True, depth=True)
    assert frame.ids is not None
    assert frame.depth is not None
    ids, counts = np.unique(frame.ids, return_counts=True)
    seen = [k for k, n in zip(ids.tolist(), counts.tolist(), strict=True) if n >= LEAST_PIXELS and k in weights]
    share = float(np.isin(frame.ids, seen).mean())
    near, far = (float(np.quantile(frame.depth, q)) for q in (0.1, 0.95))
    ahead = float(np.median(frame.depth[:, 50:110]))
    crowded = float((frame.depth < 0.9).mean())
    found = math.fsum(weights[k] for k in seen)
    return found + 12.0 * share + 2.0 * min(ahead, 3.0) + min(far - near, 4.0) - 30.0 * crowded


def view(simulator: BulletSimulator, seed: int, pool: str, scene: int, shown: Counter[str]) -> tuple[Picture, str]:
    """The best view of a home, (300, 400, 3) uint8, and its caption; ``shown`` counts room types and goes on."""
    simulator.load(seed, pool, scene)
    rng = generator(seed, pool, scene, "view_sheet")
    positions = simulator.reachable_positions()
    things = [item for item in simulator.objects if not item.structural]
    held = Counter(item.room_id for item in things)
    room = min(simulator.rooms, key=lambda room: shown[room.room_type] + (BARE if held[room.room_id] < FEW else 0))
    shown[room.room_type] += 1
    standing = positions[points_in_polygon(positions[:, :2], room.polygon)]
    weights = {item.instance_id: 1.0 if item.room_id == room.room_id else ELSEWHERE for item in things}
    best, chosen = -math.inf, None
    for _ in range(TRIES):
        x, y, z = standing[int(rng.integers(len(standing)))].tolist()
        pose = ((x, y, z), float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(0.1, 0.32)))
        score = worth(simulator, Camera.standing(*pose, width=160, height=120), weights)
        if score > best:
            best, chosen = score, pose
    assert chosen is not None
    simulator.set_camera(Camera.standing(*chosen, width=2 * CELL[0], height=2 * CELL[1]))
    picture = simulator.observe(rgb=True).rgb
    assert picture is not None
    small = np.asarray(cv2.resize(picture, CELL, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return small, f"{room.room_type.replace('_', ' ')}, home {scene}"


def captioned(picture: Picture, text: str) -> Picture:
    """The picture over a line of text, with a white margin on its right."""
    out = np.full((picture.shape[0] + CAPTION, picture.shape[1] + 4, 3), 255, dtype=np.uint8)
    out[: picture.shape[0], : picture.shape[1]] = picture
    at = (3, picture.shape[0] + 13)
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1, cv2.LINE_AA)
    return out


def main() -> None:
    """Write the sheet as a JPEG of the best quality that stays below the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path, help="default: docs/views_<style>.jpg")
    parser.add_argument("--style", default="train", choices=sorted(POOLS))
    parser.add_argument("--views", type=int, default=24, help="how many, one a home")
    parser.add_argument("--seed", type=int, default=0, help="of the homes")
    parser.add_argument("--houses", type=Path, help="a file of ProcTHOR houses to draw instead of our own homes")
    parser.add_argument("--most-kb", type=int, default=700, help="size limit of the file")
    options = parser.parse_args()
    out = options.out or Path(f"docs/views_{options.style}.jpg")
    if out.suffix != ".jpg" or options.views < 1:
        parser.error(f"the sheet is a .jpg of at least one view, not {options.views} in {out}.")
    simulator = BulletSimulator(houses=None if options.houses is None else str(options.houses))
    shown: Counter[str] = Counter()
    count = options.views if options.houses is None else len(HouseFile(options.houses))
    rounds = track([divmod(k, count) for k in range(options.views)], "Drawing", transient=True)
    pool = POOLS[options.style]
    cells = [captioned(*view(simulator, options.seed + turn, pool, scene, shown)) for turn, scene in rounds]
    simulator.close()
    columns = COLUMNS if len(cells) > COLUMNS else min(3, len(cells))
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % columns)
    rows = [np.concatenate(cells[i : i + columns], axis=1) for i in range(0, len(cells), columns)]
    sheet = np.concatenate(rows, axis=0)[..., ::-1]
    out.parent.mkdir(parents=True, exist_ok=True)
    for quality in range(92, 30, -4):
        if not cv2.imwrite(str(out), sheet, [cv2.IMWRITE_JPEG_QUALITY, quality]):
            parser.error(f"{out} cannot be written; name a file in a folder that can.")
        if out.stat().st_size < 1000 * options.most_kb:
            break
    else:
        print(f"{options.most_kb} kB are too few for so many views; this is the coarsest that still shows them.")
    print(f"{options.views} views, {out.stat().st_size / 1e6:.2f} MB: {out}")


if __name__ == "__main__":
    main()
