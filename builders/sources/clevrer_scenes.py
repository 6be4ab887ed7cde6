"""CLEVRER's own scenes with their videos: annotation, video and the masks that its authors proposed for every frame.

Below the root lie, in whatever folders: ``annotation_NNNNN.json`` (:mod:`.clevrer`), the video that it names, and
``sim_NNNNN.json`` of ``processed_proposals`` (``frames``, each with ``frame_index`` and ``objects``: ``color``,
``material``, ``shape`` and ``mask``, a run-length code as COCO writes it). An annotation knows neither camera nor
masks: what the masks show of a body is what is seen of it, and their middle is where it is.

Two bodies meet in the frame that the annotation names.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, final

import numpy as np
import pycocotools.mask
from numpy.typing import NDArray

from flowbench.collisions.oracle import COLOURS, FPS, FRAMES, HEIGHT, MATERIALS, SHAPES, WIDTH, Oracle
from flowbench.encoding.video import decode_video
from flowbench.errors import ReleaseError, UsageError

from .clevrer import Recording, read_annotation
from .filmed import FilmedScene, Picture, SceneError, SceneSource, Spell, factor_to, tidy
from .layout import Entry, LayoutError
from .movi import read_json

MOST_CODE: Final = 1 << 16
"""Letters of a mask's run-length code."""
_ADVICE: Final = "take the files of CLEVRER's release, or leave the scene out."


@final
class ClevrerSource(SceneSource):
    """Scenes by the names of their annotations."""

    def _listed(self) -> tuple[str, ...]:
        return tuple(name for name in sorted(self._files) if name.startswith("annotation_") and name.endswith(".json"))

    @functools.cached_property
    def _files(self) -> dict[str, Path]:
        """Name -> file of all that lies below the root; of files with one name the first in order."""
        found: dict[str, Path] = {}
        for path in sorted(self.root.rglob("*")):
            if path.suffix in (".json", ".mp4") and path.is_file() and not path.is_symlink():
                found.setdefault(path.name, path)
        return found

    def scenario(self, name: str) -> str:
        """All scenes are of one kind."""
        return "clevrer"

    def scene(self, name: str) -> FilmedScene:
        """See :class:`SceneSource`"""
        path = self._files[name]
        try:
            recording = read_annotation(path)
        except UsageError as error:
            raise SceneError(str(error), "an annotation that cannot be read") from error
        oracle = recording.oracle
        video = self._beside(path, recording.video or "", "no video")
        masks = self._beside(path, f"sim_{oracle.scene:05d}.json", "no proposals")
        try:
            factor_to((WIDTH, HEIGHT), self.size)
            return _scene(name, self.size, recording, Entry(read_json(masks, "no proposals"), masks.name), video)
        except (LayoutError, ValueError) as error:
            raise SceneError(f"{path}: {error}; {_ADVICE}", "files that disagree, or values missing") from error

    def _beside(self, path: Path, name: str, reason: str) -> Path:
        if name not in self._files:
            raise SceneError(f"{path}: {name or 'the name of its video'} is not below {self.root}; {_ADVICE}", reason)
        return self._files[name]


def _scene(name: str, size: tuple[int, int], recording: Recording, masks: Entry, video: Path) -> FilmedScene:
    oracle = recording.oracle
    shape = oracle.poses.shape[:2]
    visible, pixels = _seen(oracle, masks)
    _pictures(video)  # what cannot be decoded is told before anything is asked of it
    return FilmedScene(
        name=name.removesuffix(".json"),
        scenario="clevrer",
        fps=FPS,
        size=size,
        bodies=tuple(body.name for body in oracle.bodies),
        poses=tidy(oracle.poses, (*shape, 7), "'location' or 'orientation'"),
        velocities=tidy(oracle.velocities, (*shape, 3), "'velocity'"),
        spins=tidy(oracle.spins, (*shape, 3), "'angular_velocity'"),
        visible=visible,
        pixels=pixels,
        touches=tuple(
            sorted({Spell(each.frame, min(each.frame + 1, FRAMES - 1), each.pair) for each in oracle.collisions})
        ),
        picture=lambda frame: _pictures(video)[frame],
    )


@functools.lru_cache(maxsize=2)
def _pictures(video: Path) -> NDArray[np.uint8]:
    """(128, H, W, 3) of a video; 59 MB, so only the last ones are kept."""
    try:
        frames = decode_video(video.read_bytes(), str(video))
    except OSError as error:
        raise SceneError(f"{video} cannot be read ({error.strerror}): {_ADVICE}", "no video") from None
    except ReleaseError as error:
        raise SceneError(f"{str(error).rpartition(': ')[0]}: {_ADVICE}", "a video that cannot be decoded") from None
    if len(frames) < FRAMES or frames.shape[1:] != (HEIGHT, WIDTH, 3):
        found = f"{len(frames)} frames of {frames.shape[2]}x{frames.shape[1]} pixels"
        expected = f"at least {FRAMES} of {WIDTH}x{HEIGHT}"
        raise SceneError(f"{video}: {found}, expected {expected}; {_ADVICE}", "a video that is too short or small")
    return frames[:FRAMES]


def _seen(oracle: Oracle, masks: Entry) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(F, K) pixels that show each body, and (F, K, 2) their middle, NaN of none."""
    places = {(body.shape, body.material, body.colour): k for k, body in enumerate(oracle.bodies)}
    visible = np.zeros(oracle.visible.shape, dtype=np.int64)
    pixels = np.full((*oracle.visible.shape, 2), np.nan)
    told = set()
    for entry in masks.entries("frames", "frame"):
        frame = entry.whole("frame_index")
        if not 0 <= frame < FRAMES:
            continue
        told.add(frame)
        for each in entry.entries("objects", f"frame {frame}, object"):
            known = each.name("shape", SHAPES), each.name("material", MATERIALS), each.name("color", COLOURS)
            mask = _mask(Entry(each.get("mask"), f"the mask of frame {frame}"))
            count = int(np.count_nonzero(mask))
            k = places.get(known)
            if k is not None and count > visible[frame, k]:  # of two proposals for one body the larger one
                rows, columns = np.nonzero(mask)
                visible[frame, k] = count
                pixels[frame, k] = [round(int(axis.sum()) / count, 6) for axis in (columns, rows)]
    if len(told) < FRAMES:
        raise ValueError(f"masks of {len(told)} frames, expected {FRAMES}")
    return visible, pixels


def _mask(entry: Entry) -> Picture:
    """(H, W) of a run-length code."""
    counts, size = entry.get("counts"), entry.get("size")
    if size != [HEIGHT, WIDTH] or not isinstance(counts, str) or len(counts) > MOST_CODE or not counts.isascii():
        raise ValueError(f"a mask of the size {str(size)[:40]}, expected {[HEIGHT, WIDTH]} and a code")
    if _length(counts.encode()) != HEIGHT * WIDTH:
        raise ValueError("a mask whose code is broken")
    code: Any = {"size": size, "counts": counts.encode()}
    found: Picture = pycocotools.mask.decode(code)
    return found


def _length(code: Iterable[int]) -> int:
    """Pixels that a code covers: numbers of five bits a letter, from the fourth on as differences to two before.

    pycocotools trusts what it is given.
    """
    runs: list[int] = []
    value, shift = 0, 0
    for letter in code:
        part = letter - 48
        if not 0 <= part < 64 or shift > 30:
            return -1
        value |= (part & 31) << shift
        shift += 5
        if not part & 32:
            value -= (1 << shift) if part & 16 else 0
            runs.append(value + (runs[-2] if len(runs) > 2 else 0))
            if runs[-1] < 0:
                return -1
            value, shift = 0, 0
    total = 0
    for run in runs:
        total += run
    return total if shift == 0 else -1
