"""Lay perception down beside a recorded dataset, for `flowbench build real_train --source PROFILE=DIR`.

    python scripts/perceive.py bridge_v2 downloads/bridge_v2 --pictures
    python scripts/perceive.py bridge_v2 downloads/bridge_v2 --models --device cuda

``--pictures`` writes what other programs need into DIR/perception/episode_000012/: before.png, after.png, frames/ (up
to 48 of them), prompts.json and pair.json. They add masks.npz, depth.npz and tracks.npz (docs/real.md). ``--models``
writes these three with models of the Hugging Face Hub (``pip install '.[perception]'``). Episodes whose files are there
and about the pair are left alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from flowbench.builders.real.pair import ImagePair
from flowbench.builders.real.perception.base import PerceptionError
from flowbench.builders.real.perception.files import FOLDER, folder_for, folder_of, write_perception
from flowbench.builders.real.perception.models import MOST_FRAMES, ModelPerception
from flowbench.builders.real.perception.prompts import prompts_for
from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.mining import FramePair, mine
from flowbench.builders.sources.profiles import profile_named
from flowbench.builders.sources.recorded import EpisodeError, Picture, RecordedDataset
from flowbench.builders.sources.resizing import fitted
from flowbench.encoding import encode_rgb
from flowbench.errors import FlowbenchError
from flowbench.files import write_bytes

ARRAYS = ("masks.npz", "depth.npz", "tracks.npz")


def main() -> None:
    """Mine the dataset, and write for each pair what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profile")
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--out", type=Path, help="Where to write; DIR/perception unless given.")
    parser.add_argument("--episodes", type=int, default=None, help="Look at the first so many.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--pictures", action="store_true")
    what.add_argument("--models", action="store_true")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    try:
        perceive(options)
    except FlowbenchError as error:
        sys.exit(str(error))


def perceive(options: argparse.Namespace) -> None:
    """The work of :func:`main`."""
    profile = profile_named(options.profile)
    dataset = open_dataset(options.dataset, profile)
    out = options.out or options.dataset / FOLDER
    provider = ModelPerception(lambda pair, indices: frames_of(dataset, pair, indices), device=options.device)
    done, last = 0, "after.png" if options.pictures else "tracks.npz"
    for found in mine(dataset, profile, dataset.episodes[: options.episodes]):
        if not isinstance(found, FramePair):
            continue
        pair = ImagePair(found, profile.name, 0, profile.name, found.episode.index)
        if is_there(out, pair, last):
            continue
        try:
            if options.pictures:
                write_pictures(out, dataset, pair)
            else:
                prompts = prompts_for(profile.nouns, pair.task)
                write_perception(out, pair, provider.segment(pair, prompts), provider.depth(pair), provider.track(pair))
        except (PerceptionError, EpisodeError) as error:
            print(error, file=sys.stderr)
            continue
        done += 1
    print(f"{done} pairs in {out}")


def is_there(out: Path, pair: ImagePair, last: str) -> bool:
    """Whether an episode's files are whole and about the pair, by the last of them and pair.json, which comes after."""
    try:
        return (folder_for(out, pair) / last).exists()
    except PerceptionError:
        return False


def write_pictures(out: Path, dataset: RecordedDataset, pair: ImagePair) -> None:
    """What other programs need of a pair; pair.json last, and what they found in other frames goes before it comes."""
    folder, shots = folder_of(out, pair.shots.episode.index), pair.shots
    if not is_there(out, pair, "pair.json"):
        for name in ("pair.json", *ARRAYS):
            (folder / name).unlink(missing_ok=True)
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    first, last = shots.before_index, shots.after_index
    count = min(MOST_FRAMES, last - first + 1)
    indices = sorted({first + (last - first) * n // max(1, count - 1) for n in range(count)})
    for index, picture in zip(indices, frames_of(dataset, pair, indices), strict=True):
        write_bytes(folder / "frames" / f"{index:06d}.png", encode_rgb(picture))
    write_bytes(folder / "before.png", encode_rgb(pair.before))
    write_bytes(folder / "after.png", encode_rgb(pair.after))
    prompts = [asdict(prompt) for prompt in prompts_for(pair.profile.nouns, pair.task)]
    write_bytes(folder / "prompts.json", json.dumps(prompts, indent=1).encode())
    told = {"before": first, "after": last, "camera": shots.episode.camera}
    write_bytes(folder / "pair.json", json.dumps(told).encode())


def frames_of(dataset: RecordedDataset, pair: ImagePair, indices: Sequence[int]) -> list[Picture]:
    """Frames of a pair's episode at the profile's size."""
    frames = dataset.frames(pair.shots.episode, indices)
    return [fitted(frame, pair.profile.width, pair.profile.height) for frame in frames]


if __name__ == "__main__":
    main()
