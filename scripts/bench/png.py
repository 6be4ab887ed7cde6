"""Time and size of PNG settings on the pictures of a release; prints the table of docs/benchmarks.md, "PNG".

usage: python scripts/bench/png.py [--release DIR] [--config sim_train] [--samples 6]

Without a release it draws pictures of the same kind: shading, texture and noise; depth ramps; flat ids; the flow of
one moved object and of a moved camera.
"""

from __future__ import annotations

import argparse
import io
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.features
import PIL.Image
from numpy.typing import NDArray

from flowbench.release import iter_samples, shard_files

Image = NDArray[Any]
WIDTH, HEIGHT = 800, 600
REPEATS = 5
FILTERS = {
    "sub": cv2.IMWRITE_PNG_FILTER_SUB,
    "up": cv2.IMWRITE_PNG_FILTER_UP,
    "paeth": cv2.IMWRITE_PNG_FILTER_PAETH,
    "adaptive": cv2.IMWRITE_PNG_ALL_FILTERS,
}
STRATEGIES = {
    "run-length": (cv2.IMWRITE_PNG_STRATEGY_RLE, 1),
    "Huffman only": (cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY, 1),
    "default, level 1": (cv2.IMWRITE_PNG_STRATEGY_DEFAULT, 1),
    "default, level 3": (cv2.IMWRITE_PNG_STRATEGY_DEFAULT, 3),
    "default, level 6": (cv2.IMWRITE_PNG_STRATEGY_DEFAULT, 6),
}


def main() -> None:
    """Print the table, one row a setting and kind of picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--release", type=Path)
    parser.add_argument("--config", default="sim_train")
    parser.add_argument("--samples", type=int, default=6)
    arguments = parser.parse_args()
    pictures = from_release(arguments.release, arguments.config, arguments.samples) if arguments.release else drawn()
    cv2.setNumThreads(1)
    print(
        f"OpenCV {cv2.__version__}, Pillow with zlib-ng {PIL.features.version_feature('zlib_ng')}, best of {REPEATS}:"
    )
    print("milliseconds of processor time and kilobytes a picture.\n")
    print("| writer | strategy | filter |" + "".join(f" {kind} |" for kind in pictures))
    print("|---|---|---|" + "---:|" * len(pictures))
    for (strategy, (number, level)), (name, flag) in itertools.product(STRATEGIES.items(), FILTERS.items()):
        write = opencv(number, level, flag)
        print(f"| OpenCV | {strategy} | {name} |" + "".join(cell(write, images) for images in pictures.values()))
    for level in (1, 3, 6):
        write = pillow(level)
        print(f"| Pillow | default, level {level} | its own |" + "".join(cell(write, i) for i in pictures.values()))


def cell(write: Callable[[Image], bytes], images: list[Image]) -> str:
    """One setting on one kind: the mean over the pictures of each one's best time, and their mean size."""
    if write.__name__ == "by_pillow" and images[0].ndim == 3 and images[0].dtype == np.uint16:
        return " |"  # Pillow has no 16-bit colour
    best = [min(seconds(write, image) for _ in range(REPEATS)) for image in images]
    return f" {np.mean(best) * 1e3:.0f} ms, {np.mean([len(write(image)) for image in images]) / 1e3:.0f} kB |"


def seconds(write: Callable[[Image], bytes], image: Image) -> float:
    """Processor time of one call; the wall clock would measure what else the machine does."""
    start = time.process_time()
    write(image)
    return time.process_time() - start


def opencv(strategy: int, level: int, row_filter: int) -> Callable[[Image], bytes]:
    """A writer through OpenCV; the colour order does not matter for time or size."""
    settings = [
        *(cv2.IMWRITE_PNG_COMPRESSION, level),  # first: it resets the strategy
        *(cv2.IMWRITE_PNG_STRATEGY, strategy),
        *(cv2.IMWRITE_PNG_FILTER, row_filter),
    ]
    return lambda image: bytes(cv2.imencode(".png", image, settings)[1])


def pillow(level: int) -> Callable[[Image], bytes]:
    """A writer through Pillow."""

    def by_pillow(image: Image) -> bytes:
        buffer = io.BytesIO()
        PIL.Image.fromarray(image).save(buffer, "png", compress_level=level)
        return buffer.getvalue()

    return by_pillow


def from_release(root: Path, config: str, count: int) -> dict[str, list[Image]]:
    """Pictures of the first samples of a release."""
    columns = {"rgb": "before.png", "depth": "depth_before.png16", "ids": "seg_before.png16", "flow": "flow.png16"}
    samples = itertools.islice(all_members(root, config, frozenset(columns.values())), count)
    rows = [{kind: decode(members[column]) for kind, column in columns.items()} for members in samples]
    return {kind: [row[kind] for row in rows] for kind in columns}


def all_members(root: Path, config: str, columns: frozenset[str]) -> Iterator[Any]:
    """The members of every sample of a config."""
    for shard in shard_files(root, config):
        for sample in iter_samples(shard, columns):
            yield sample.members


def decode(data: bytes) -> Image:
    """The samples of a PNG as stored."""
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)


def drawn() -> dict[str, list[Image]]:
    """Three pictures of each kind."""
    kinds: dict[str, list[Image]] = {"rgb": [], "depth": [], "ids": [], "flow, one object": [], "flow, camera": []}
    for seed in range(3):
        rng = np.random.default_rng(seed)
        ids, depth = layout(rng)
        kinds["rgb"].append(shaded(rng, ids, depth))
        kinds["depth"].append(np.rint(depth * 1000).astype(np.uint16))
        kinds["ids"].append(ids)
        kinds["flow, one object"].append(flow(depth, ids == 3))
        kinds["flow, camera"].append(flow(depth, ids >= 0))
    return kinds


def layout(rng: np.random.Generator) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Ids and depth of a room's corner with thirty slanted boxes in it."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    depth = np.minimum(1.4 * 400 / np.maximum(v - 299.5, 1.0), 6.0 - np.abs(u - 400) / 200)
    ids = np.where(depth < 6.0 - np.abs(u - 400) / 200, 1, 2).astype(np.uint16)
    for number in range(3, 33):
        x, y = rng.integers(0, WIDTH - 40), rng.integers(200, HEIGHT - 40)
        box = np.s_[y : y + rng.integers(30, 150), x : x + rng.integers(20, 160)]
        depth[box] = np.minimum(depth[box], rng.uniform(1.2, 4.0) + (u[box] - x) * rng.uniform(-0.003, 0.003))
        ids[box] = number
    return ids, depth


def shaded(rng: np.random.Generator, ids: NDArray[np.uint16], depth: NDArray[np.float64]) -> Image:
    """(H, W, 3) uint8: a colour an object, darker with distance, with grain and fine noise as a renderer's textures."""
    colours = rng.uniform(60, 220, (ids.max() + 1, 3))
    grain = cv2.GaussianBlur(rng.uniform(-1, 1, ids.shape), (0, 0), 1.2) * 25 + rng.uniform(-1.5, 1.5, ids.shape)
    light = 1.15 - depth / 12
    return np.clip(colours[ids] * light[..., None] + (grain * (ids % 3 != 2))[..., None], 0, 255).astype(np.uint8)


def flow(depth: NDArray[np.float64], moving: NDArray[np.bool_]) -> Image:
    """(H, W, 3) uint16: KITTI codes of a shift by 0.3 m to the right and 0.2 m towards the camera."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    nearer = np.maximum(depth - 0.2, 0.5)
    du = np.where(moving, ((u - 399.5) * depth + 400 * 0.3) / nearer - (u - 399.5), 0.0)
    dv = np.where(moving, (v - 299.5) * depth / nearer - (v - 299.5), 0.0)
    codes = [np.clip(np.rint(part * 64) + 32768, 0, 65535) for part in (du, dv)]
    return np.stack([*codes, np.ones_like(depth)], axis=-1).astype(np.uint16)


if __name__ == "__main__":
    main()
