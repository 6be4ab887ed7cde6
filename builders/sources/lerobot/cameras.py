"""What is recorded of cameras: ``meta/cameras.jsonl``, and poses among the features.

LeRobot's format has no place for intrinsics. A line of ``meta/cameras.jsonl`` is an object with ``camera``, ``width``,
``height`` (pixels that the rest refers to), ``fx``, ``fy``, ``cx``, ``cy``, if wanted ``camera_from_robot`` (three rows
of four numbers, metres, OpenCV's axes), and ``episode_index``; without the last it holds for all episodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError
from flowbench.geometry import compose, invert, sin_cos

from ..calibration import Calibration, calibration_of
from ..inside import PathError, inside, read_json_lines
from ..layout import Entry, LayoutError
from ..recorded import View

CAMERAS: Final = "meta/cameras.jsonl"
_LARGEST: Final = 1e6
"""No pose has a greater number."""


Calibrations = Mapping[tuple[int | None, str], Calibration]
"""(episode or None for all, camera key) -> what is recorded."""


def read_cameras(root: Path) -> Calibrations:
    """What ``meta/cameras.jsonl`` tells; nothing where it is missing.

    Raises:
        UsageError: a line is of another form; one sentence that names it.
    """
    try:
        path = inside(root, CAMERAS)
    except PathError as error:
        raise UsageError(f"{root}: {error}; expected files inside the dataset.") from None
    if not path.exists():
        return {}
    found = {}
    for number, line in read_json_lines(path):
        try:
            entry = Entry(line, f"line {number}")
            episode = entry.whole("episode_index") if entry.has("episode_index") else None
            found[episode, str(entry.get("camera"))] = calibration_of(entry)
        except LayoutError as error:
            raise UsageError(f"{path}: {error}; write it as docs/sources.md says.") from None
    return found


def view_of(camera: str, size: tuple[int, int] | None, index: int, known: Calibrations) -> View:
    """A camera of an episode with what the file tells; ``size`` as ``info.json`` states it."""
    calibration = known.get((index, camera), known.get((None, camera)))
    if calibration is None:
        return View(camera, size=size)
    width, height = size or (calibration.width, calibration.height)
    return View(camera, calibration.at(width, height), calibration.camera_from_robot, (width, height))


def camera_from_pose(pose: Sequence[object]) -> NDArray[np.float64] | None:
    """(3, 4) camera_from_robot of a camera's pose in the robot's frame: x, y, z, metres; turns about x, y, z, radians.

    None where the pose is not six numbers of sound size or is all zero, which stands for a camera that was not
    calibrated.
    """
    numbers = [float(each) for each in pose if isinstance(each, int | float) and abs(each) <= _LARGEST]
    if len(pose) != 6 or len(numbers) != 6 or not any(numbers):
        return None
    (sx, cx), (sy, cy), (sz, cz) = (sin_cos(angle) for angle in numbers[3:])
    about_x = np.array([[1, 0, 0, 0], [0, cx, -sx, 0], [0, sx, cx, 0], [0, 0, 0, 1]], dtype=np.float64)
    about_y = np.array([[cy, 0, sy, 0], [0, 1, 0, 0], [-sy, 0, cy, 0], [0, 0, 0, 1]], dtype=np.float64)
    about_z = np.array([[cz, -sz, 0, 0], [sz, cz, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float64)
    robot_from_camera = compose(about_z, compose(about_y, about_x))
    robot_from_camera[:3, 3] = numbers[:3]
    return invert(robot_from_camera)[:3]
