#!/usr/bin/env python3
"""Whether LeRobot reads a dataset as flowbench does: ``read`` with flowbench's Python, ``compare`` with LeRobot's.

Run by scripts/check_lerobot.sh. Pictures may differ by a few gray values, since FFmpeg's conversion of colours rounds
otherwise than ours.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

MOST_MEAN, MOST = 2.0, 12.0
"""Gray values by which pictures may differ on average and at most."""


def read(root: Path, out: Path) -> None:
    """Keep what flowbench finds: lengths, tasks, and the first, middle and last frame of each episode."""
    from flowbench.builders.sources.datasets import open_dataset
    from flowbench.builders.sources.profiles import profile_named

    dataset = open_dataset(root, profile_named("tabletop"))
    lengths, tasks, places, pictures, effectors, camera = [], [], [], [], [], ""
    for index in dataset.episodes:
        episode = dataset.episode(index)
        chosen = [0, episode.length // 2, episode.length - 1]
        places += [sum(lengths) + frame for frame in chosen]
        pictures += dataset.frames(episode, chosen)
        effectors += [] if episode.effector is None else [episode.effector[frame] for frame in chosen]
        lengths.append(episode.length)
        tasks.append(episode.task)
        camera = episode.camera
    np.savez(
        out,
        lengths=lengths,
        tasks=tasks,
        places=places,
        pictures=pictures,
        effectors=effectors,
        camera=np.array(camera),
    )


def compare(root: Path, file: Path) -> list[str]:
    """What LeRobot finds otherwise."""
    from lerobot.datasets.lerobot_dataset import LeRobotDataset

    with np.load(file) as ours:
        expected: dict[str, Any] = dict(ours)
    dataset = LeRobotDataset("flowbench/check", root=root, video_backend="pyav")
    wrong = []
    lengths = expected["lengths"].tolist()
    if dataset.num_episodes != len(lengths) or dataset.num_frames != sum(lengths):
        wrong.append(
            f"{dataset.num_episodes} episodes, {dataset.num_frames} frames, not {len(lengths)}, {sum(lengths)}"
        )
    camera = str(expected["camera"])
    means, greatest = [], 0.0
    for number, place in enumerate(expected["places"].tolist()):
        item = dataset[place]
        task = str(expected["tasks"][number // 3])
        if item["task"] != task:
            wrong.append(f"frame {place}: task {item['task']!r}, not {task!r}")
        if len(expected["effectors"]) and not np.array_equal(
            item["observation.effector"].numpy(), expected["effectors"][number].astype(np.float32)
        ):
            wrong.append(f"frame {place}: another effector position")
        theirs = item[camera].numpy().transpose(1, 2, 0) * 255.0
        off = np.abs(theirs - expected["pictures"][number])
        means.append(float(off.mean()))
        greatest = max(greatest, float(off.max()))
        if means[-1] > MOST_MEAN or off.max() > MOST:
            wrong.append(f"frame {place}: pictures differ by {off.mean():.2f} on average, {off.max():.0f} at most")
    print(
        f"LeRobot reads {dataset.num_episodes} episodes, {dataset.num_frames} frames; {len(means)} pictures differ by "
        f"{np.mean(means):.2f} gray values on average, {greatest:.0f} at most"
    )
    return wrong


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("read", "compare"))
    parser.add_argument("root", type=Path)
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.step == "read":
        read(arguments.root, arguments.file)
    elif wrong := compare(arguments.root, arguments.file):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
