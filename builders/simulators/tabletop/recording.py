"""Episodes as a LeRobot dataset, with the truth beside it.

A dataset holds one set-up: pictures of one camera, ``observation.images.front`` or ``observation.images.top``. Beside
LeRobot's folders lies ``truth/``, one file an episode (:mod:`.truth`), and ``truth/README.md`` that says what they are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sources.lerobot.writing import RecordedEpisode, write_dataset
from flowbench.errors import UsageError
from flowbench.files import temporary_name, write_text
from flowbench.progress import Progress, Silent
from flowbench.rendering.warming import warm

from .drawing import draw
from .panda import MOST_OPEN
from .reaching import tip_frame
from .scene import FPS, POOL, Setup, is_for_testing
from .truth import FOLDER, Truth, write_truth

CAMERAS: Final[Mapping[Setup, str]] = {"bridge": "observation.images.front", "topdown": "observation.images.top"}
ROBOT: Final = "franka_panda"
_README: Final = """# What was so

One file an episode: everything that stood on the table at every frame, the arm, the camera. `flowbench` reads them with
`flowbench.builders.simulators.tabletop.truth.read_truth`, and draws ids, depth and point tracks from them. World frame:
right-handed, z up, metres; the table's top is z = 0. Poses are x, y, z, then a quaternion x, y, z, w.
"""


@dataclass(frozen=True)
class Recorded:
    """What was recorded.

    Attributes:
        root: the dataset.
        setup: its set-up.
        episodes, frames: how many.
        testing: how many of the episodes are for testing.
        bytes: of all files.
    """

    root: Path
    setup: Setup
    episodes: int
    frames: int
    testing: int
    bytes: int


def record(
    root: Path, episodes: int, seed: int, setup: Setup, *, pool: str = POOL, progress: Progress | None = None
) -> Recorded:
    """Record the first scenes of a pool; episode ``i`` is scene ``i``.

    The folder appears when it is whole, and not at all if anything fails.

    Raises:
        UsageError: the folder holds something, or it cannot be written.
    """
    told = Silent() if progress is None else progress
    told.start("prepare", 1)
    warm()
    told.finish()
    told.start(f"record {setup}", episodes)
    frames = 0

    def told_of(truth: Truth) -> None:
        nonlocal frames
        frames += len(truth)
        told.advance(1, len(truth), {})

    _write(root, [(seed, pool, index, setup) for index in range(episodes)], told_of)
    told.finish()
    testing = len([index for index in range(episodes) if is_for_testing(index)])
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    return Recorded(root, setup, episodes, frames, testing, size)


def check_new(root: Path) -> None:
    """Refuse a place at which something stands already: a :class:`~flowbench.errors.UsageError`."""
    if root.is_symlink() or (root.exists() and (not root.is_dir() or any(root.iterdir()))):
        raise UsageError(f"{root}: is there and not an empty folder, expected a new one; choose another name.")


def record_scene(root: Path, seed: int, pool: str, scene: int, setup: Setup) -> Truth:
    """Record one scene as a dataset of one episode, number 0; raises like :func:`record`."""
    truths: list[Truth] = []
    _write(root, [(seed, pool, scene, setup)], truths.append)
    return truths[0]


def _write(root: Path, scenes: list[tuple[int, str, int, Setup]], told: Callable[[Truth], None]) -> None:
    """Write dataset and truth under a temporary name, then rename."""
    check_new(root)
    stage = root.parent / temporary_name()
    try:
        write_dataset(stage, _episodes(stage.with_suffix(".truth"), scenes, told), FPS, robot=ROBOT)
        write_text(stage.with_suffix(".truth") / FOLDER / "README.md", _README)
        os.replace(stage.with_suffix(".truth") / FOLDER, stage / FOLDER)
        os.replace(stage, root)
    finally:
        for folder in (stage, stage.with_suffix(".truth")):
            shutil.rmtree(folder, ignore_errors=True)


def _episodes(
    aside: Path, scenes: list[tuple[int, str, int, Setup]], told: Callable[[Truth], None]
) -> Iterator[RecordedEpisode]:
    """One episode after another; its truth is written once its pictures are read."""
    for number, (seed, pool, index, setup) in enumerate(scenes):
        truth = draw(seed, pool, index, setup)
        yield episode_of(truth)
        write_truth(aside, number, truth)
        told(truth)


def episode_of(truth: Truth) -> RecordedEpisode:
    """What a dataset says of an episode: pictures, joints, and where the gripper is.

    The state of a frame is the seven joint angles (radians) and how far the gripper is open (0..1); the action is the
    state of the next frame. The end effector is the point between the fingers' tips, in the arm's frame, metres.
    """
    camera = CAMERAS[truth.scene.setup]
    opening = truth.opening / MOST_OPEN
    state = np.column_stack([truth.joints, opening])
    effector = np.array([tip_frame(joints)[:3, 3] for joints in truth.joints.tolist()])
    return RecordedEpisode(
        task=truth.task,
        frames={camera: _pictures(truth)},
        effector=effector,
        opening=opening,
        state=state,
        action=np.concatenate([state[1:], state[-1:]]),
        intrinsics={camera: truth.camera.intrinsics},
        camera_from_robot={camera: truth.camera.camera_from_world[:3]},
    )


def _pictures(truth: Truth) -> Iterator[NDArray[np.uint8]]:
    """All frames; the next one is drawn while the writer encodes this one."""
    with ThreadPoolExecutor(max_workers=1) as ahead:
        coming = ahead.submit(truth.rgb, 0)
        for frame in range(len(truth)):
            picture = coming.result()
            if frame + 1 < len(truth):
                coming = ahead.submit(truth.rgb, frame + 1)
            yield picture
