"""Opening recorded datasets: the reader is chosen by what lies in the folder."""

from __future__ import annotations

from pathlib import Path

from flowbench.errors import UsageError

from .clips import LINES, MANIFEST, ClipFolder
from .lerobot.dataset import LeRobotDataset
from .lerobot.info import INFO
from .profiles import Profile
from .recorded import RecordedDataset


def is_dataset(path: Path) -> bool:
    """Whether a folder looks like a recorded dataset that :func:`open_dataset` reads, as opposed to a release."""
    return (path / INFO).exists() or (path / LINES).exists() or _has_clips(path)


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


def _has_clips(path: Path) -> bool:
    """A ``manifest.json`` of clips is told from a release's by its list of clips, near its beginning."""
    try:
        with (path / MANIFEST).open("rb") as file:
            return b'"clips"' in file.read(1 << 16)
    except OSError:
        return False
