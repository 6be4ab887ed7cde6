#!/usr/bin/env python3
"""Draw twenty tabletop episodes, first, middle and last picture of each with its task, into one picture.

python scripts/tabletop_sheet.py [docs/tabletop.jpg] [--seed 0] [--first 0] [--episodes 20] [--width 208]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from flowbench.builders.simulators.tabletop.drawing import draw
from flowbench.builders.simulators.tabletop.scene import POOL, SETUPS
from flowbench.builders.simulators.tabletop.truth import Truth

CAPTION = 18
GAP = 6
QUALITIES = range(90, 40, -4)
MOST_BYTES = 400_000

Picture = NDArray[np.uint8]


def strip(truth: Truth, width: int) -> Picture:
    """Three pictures side by side under the task, (height, 3 width, 3) uint8 BGR."""
    contact = np.flatnonzero(truth.contact)
    frames = (0, int(contact[len(contact) // 2]), len(truth) - 1)
    size = (width, width * 3 // 4)
    shown = [cv2.resize(truth.rgb(frame)[..., ::-1], size, interpolation=cv2.INTER_AREA) for frame in frames]
    caption = np.full((CAPTION, 3 * width, 3), 255, dtype=np.uint8)
    cv2.putText(caption, truth.task, (3, CAPTION - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([caption, np.hstack(shown)])


def sheet(seed: int, first: int, episodes: int, width: int) -> Picture:
    """Both set-ups side by side, scenes downwards."""
    columns = []
    for setup in SETUPS:
        count = episodes // len(SETUPS)
        scenes = track(range(first, first + count), description=setup)
        columns.append(np.vstack([strip(draw(seed, POOL, index, setup), width) for index in scenes]))
    between = np.full((len(columns[0]), GAP, 3), 255, dtype=np.uint8)
    return np.hstack([columns[0], between, columns[1]])


def main() -> None:
    """Parse, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=Path("docs/tabletop.jpg"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--width", type=int, default=208)
    given = parser.parse_args()
    picture = sheet(given.seed, given.first, given.episodes, given.width)
    for quality in QUALITIES:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(data) <= MOST_BYTES:
            break
    given.out.write_bytes(data.tobytes())
    print(f"{given.out}: {picture.shape[1]}x{picture.shape[0]}, {len(data):,} bytes")


if __name__ == "__main__":
    main()
