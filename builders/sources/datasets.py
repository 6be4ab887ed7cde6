"""Opening recorded datasets: the reader is chosen by what lies in the folder."""

from __future__ import annotations

from pathlib import Path

from flowbench.errors import UsageError

from .clips import ClipFolder
from .inside import INFO, LINES, MANIFEST
from .lerobot.dataset import LeRobotDataset
from .profiles import Profile
from .recorded import RecordedDataset


def open_dataset(path: Path, profile: Profile) -> RecordedDataset:
    """The dataset in a folder: LeRobot's format if it has ``meta/info.json``, a folder of clips if it has a manifest.

    Args:
        path: the folder.
        profile: tells which camera and which recorded numbers are read.

    Raises:
        UsageError: no such folder, nothing in it that is read, a broken table, or no episodes; one sentence.
    """
    if not path.is_dir():
        raise UsageError(f"{path}: no such folder, expected a recorded dataset; give the folder that holds it.")
    if (path / INFO).exists():
        dataset: RecordedDataset = LeRobotDataset(path, profile)
        if not dataset.episodes:
            raise UsageError(f"{path / INFO}: the dataset has no episodes, expected some; give another one.")
        return dataset
    if (path / LINES).exists() or (path / MANIFEST).exists():
        return ClipFolder(path)
    raise UsageError(
        f"{path}: no {INFO} (LeRobot's format), {LINES} or {MANIFEST} (a folder of clips), expected one of them; give "
        "the folder that holds it."
    )
