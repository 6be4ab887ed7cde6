"""Perception computed elsewhere and laid down as files, so that any segmenter, depth model and tracker can be run.

``DIR/episode_000012/`` holds what belongs to episode 12 of the dataset:

- ``pair.json``: ``{"before": 0, "after": 57, "camera": "observation.images.image_0"}``, the frames that were looked at;
- ``masks.npz``: of ``before_`` and ``after_`` each ``masks`` (N, H, W) bool, ``labels`` (N,) text, the prompt that
  found the mask, in small letters, and ``scores`` (N,) float, 0 to 1;
- ``depth.npz``: ``before`` and ``after``, (H, W) float planar depth in one scale, 0 = none;
- ``tracks.npz``: ``displacement`` (H, W, 2) float, pixels from I0 to I1, and ``tracked`` (H, W) bool.

H and W are those of the profile. Labels ``robot arm`` and ``robot gripper`` make up the arm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.pair import ImagePair
from flowbench.builders.sources.inside import printable
from flowbench.files import write_bytes

from .arrays import FLAGS, FLOATS, NUMBERS, TEXTS, read_arrays
from .base import (
    Depths,
    Mask,
    Perception,
    PerceptionError,
    Segmentation,
    Tracks,
    checked_depths,
    checked_masks,
    checked_tracks,
)
from .prompts import ARM, GENERIC, Prompt

FOLDER = "perception"
"""Where the files lie beside a dataset, unless it is said otherwise."""
MOST_MASKS = 512
_MOST_JSON = 1 << 16


def folder_of(root: Path, episode: int) -> Path:
    """``root/episode_000012``."""
    return root / f"episode_{episode:06d}"


def folder_for(root: Path, pair: ImagePair) -> Path:
    """The folder of a pair's episode, whose files are about that pair; raises PerceptionError."""
    folder = folder_of(root, pair.shots.episode.index)
    path = folder / "pair.json"
    if not path.is_file() or path.is_symlink():
        raise PerceptionError(
            f"{path} is missing, expected what perception found in episode {pair.shots.episode.index}; compute it.",
            "no perception file",
        )
    try:
        if path.stat().st_size > _MOST_JSON:
            raise ValueError("it is too large")
        found = json.loads(path.read_text("utf-8"))
        told = (found["before"], found["after"], found["camera"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise PerceptionError(
            f"{path} is not readable ({printable(error)}), expected before, after and camera; write it again.",
            "perception file that cannot be read",
        ) from None
    wanted = (pair.shots.before_index, pair.shots.after_index, pair.shots.episode.camera)
    if told != wanted:
        first, last, camera = (printable(each, 60) for each in told)
        raise PerceptionError(
            f"{path} is about frames {first} and {last} of {camera}, expected {wanted[0]} and {wanted[1]} of "
            f"{wanted[2]}; compute it again for these.",
            "perception of other frames",
        )
    return folder


@final
class FilePerception(Perception):
    """Reads the files of each pair's episode; what does not fit is a PerceptionError with the file's name."""

    name = "files"
    knobs: Mapping[str, float | int | str] = {}

    def __init__(self, root: Path) -> None:
        """``root`` holds a folder an episode."""
        self._root = root

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """The masks of ``masks.npz``; a label that was no prompt counts as a task noun where the task has it."""
        folder = folder_for(self._root, pair)
        path = folder / "masks.npz"
        expected = {f"{moment}_{what}": kind for moment in ("before", "after") for what, kind in _OF_MASKS.items()}
        arrays = read_arrays(path, expected)
        kinds = {prompt.text: prompt.kind for prompt in prompts}
        before, after = (_masks(arrays, moment, kinds, path) for moment in ("before", "after"))
        return Segmentation(checked_masks(before, pair, str(path)), checked_masks(after, pair, str(path)))

    def depth(self, pair: ImagePair) -> Depths:
        """The depth of ``depth.npz``."""
        path = folder_for(self._root, pair) / "depth.npz"
        arrays = read_arrays(path, {"before": (2, FLOATS), "after": (2, FLOATS)})
        before, after = (_floats(arrays[moment]) for moment in ("before", "after"))
        return checked_depths(Depths(before, after), pair, str(path))

    def track(self, pair: ImagePair) -> Tracks:
        """The tracks of ``tracks.npz``."""
        path = folder_for(self._root, pair) / "tracks.npz"
        arrays = read_arrays(path, {"displacement": (3, FLOATS), "tracked": (2, FLAGS)})
        found = Tracks(_floats(arrays["displacement"]), arrays["tracked"].astype(np.bool_))
        return checked_tracks(found, pair, str(path))


_OF_MASKS = {"masks": (3, FLAGS), "labels": (1, TEXTS), "scores": (1, NUMBERS)}


def write_perception(root: Path, pair: ImagePair, masks: Segmentation, depths: Depths, tracks: Tracks) -> None:
    """Lay down what a provider found of a pair, in the layout of this module."""
    folder = folder_of(root, pair.shots.episode.index)
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, NDArray[Any]] = {}
    for moment, found in (("before", masks.before), ("after", masks.after)):
        stack = [mask.pixels for mask in found] or [np.zeros((0, *pair.shape), dtype=np.bool_)]
        arrays[f"{moment}_masks"] = np.stack(stack) if found else stack[0]
        arrays[f"{moment}_labels"] = np.array([mask.label for mask in found], dtype=np.str_)
        arrays[f"{moment}_scores"] = np.array([mask.score for mask in found], dtype=np.float64)
    _write(folder / "masks.npz", arrays)
    _write(folder / "depth.npz", {"before": depths.before, "after": depths.after})
    _write(folder / "tracks.npz", {"displacement": tracks.displacement, "tracked": tracks.tracked})
    shots = pair.shots
    told = {"before": shots.before_index, "after": shots.after_index, "camera": shots.episode.camera}
    write_bytes(folder / "pair.json", json.dumps(told).encode())


def _write(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    import io

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # names of ours, none of savez's own arguments
    write_bytes(path, buffer.getvalue())


def _masks(arrays: Mapping[str, NDArray[Any]], moment: str, kinds: Mapping[str, str], path: Path) -> list[Mask]:
    """The masks of one picture."""
    pixels, labels, scores = (arrays[f"{moment}_{what}"] for what in _OF_MASKS)
    if not len(pixels) == len(labels) == len(scores) <= MOST_MASKS:
        raise PerceptionError(
            f"{path} has {len(pixels)} masks, {len(labels)} labels and {len(scores)} scores {moment}, expected as many "
            f"of each, {MOST_MASKS} at most; compute it again.",
            "perception file that cannot be read",
        )
    found = []
    for mask, label, score in zip(pixels, labels.tolist(), scores.tolist(), strict=True):
        kind = "arm" if label in ARM else "generic" if label in GENERIC else kinds.get(label, "common")
        found.append(Mask(label, kind, float(score), mask.astype(np.bool_)))  # type: ignore[arg-type]
    return found


def _floats(values: NDArray[Any]) -> NDArray[np.float32]:
    """As single numbers; what is too large for one is infinite."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32)
