"""MOVi-A scenes as Kubric writes them (Greff et al. 2022): a folder a scene.

A folder holds ``metadata.json`` (``flags``; ``metadata`` with ``num_frames``, ``frame_rate``; ``instances``, each with
``positions``, ``quaternions`` w x y z, ``velocities``, ``angular_velocities``, ``image_positions`` in shares of the
picture's width and height, ``visibility`` in pixels, ``shape``, ``material``, ``color_label``, ``size_label``),
``events.json`` (``collisions``, one entry a contact point and step of the physics: ``instances``, -1 or 65535 of what
is no listed body, and ``frame``, a fraction counted from the start of the simulation) and ``rgba_00000.png`` and so on.

The first picture is the simulation's frame ``flags.frame_start``. A contact in the step before frame n counts as shown
by frame n. Which of the unlisted bodies is the floor is not told, so nothing is said of the ground.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .filmed import (
    FilmedScene,
    Picture,
    SceneError,
    SceneSource,
    check_counts,
    factor_to,
    picture_size,
    read_picture,
    spells,
    tidy,
)
from .layout import Entry, LayoutError

MOST_JSON_BYTES: Final = 1 << 27
FIRST_FRAME: Final = 1
"""Kubric's own ``frame_start``, where the flags do not say another."""
_ADVICE: Final = "take the folder as Kubric's worker wrote it, or leave it out."


@final
class MoviSource(SceneSource):
    """Folders of scenes, one below the root each."""

    def _listed(self) -> tuple[str, ...]:
        try:
            return tuple(sorted(each.name for each in self.root.iterdir() if _is_scene(each)))
        except OSError as error:
            raise SceneError(f"{self.root} cannot be listed ({error.strerror}): name a folder of scenes.", "") from None

    def scenario(self, name: str) -> str:
        """All scenes are of one kind."""
        return "movi_a"

    def scene(self, name: str) -> FilmedScene:
        """See :class:`SceneSource`."""
        folder = self.root / name
        metadata = read_json(folder / "metadata.json", "no metadata.json")
        events = read_json(folder / "events.json", "no events.json")
        try:
            return self._scene(name, folder, Entry(metadata, "metadata.json"), Entry(events, "events.json"))
        except (LayoutError, ValueError) as error:
            raise SceneError(f"{folder}: {error}; {_ADVICE}", "files that disagree, or values missing") from error

    def _scene(self, name: str, folder: Path, metadata: Entry, events: Entry) -> FilmedScene:
        about = _part(metadata, "metadata")
        frames, fps = about.whole("num_frames"), about.whole("frame_rate")
        bodies = metadata.entries("instances", "instance")
        check_counts(frames, bodies)
        if not 1 <= fps <= 240:
            raise ValueError(f"'frame_rate' is {fps}, expected 1 to 240")
        files = [folder / f"rgba_{frame:05d}.png" for frame in range(frames)]
        own = _common_size(files)
        factor = factor_to(own, self.size)
        poses = np.concatenate(
            [_tables(bodies, "positions", frames, 3), _tables(bodies, "quaternions", frames, 4)[..., [1, 2, 3, 0]]], -1
        )
        shares = _tables(bodies, "image_positions", frames, 2)
        visible = np.round(_tables(bodies, "visibility", frames)).astype(np.int64) // (factor * factor)
        return FilmedScene(
            name=name,
            scenario=self.scenario(name),
            fps=fps,
            size=self.size,
            bodies=tuple(_called(body) for body in bodies),
            poses=poses,
            velocities=_tables(bodies, "velocities", frames, 3),
            spins=_tables(bodies, "angular_velocities", frames, 3),
            visible=visible,
            pixels=tidy(shares * np.array(self.size) - 0.5, shares.shape, "'image_positions'"),
            touches=spells(_touching(metadata, events, frames, len(bodies))),
            picture=lambda frame: _picture(files[frame], own, factor),
        )


def _is_scene(folder: Path) -> bool:
    """Folders are, but for hidden ones and links, which may lead anywhere."""
    return folder.is_dir() and not folder.is_symlink() and not folder.name.startswith(".")


def read_json(path: Path, reason: str) -> Any:
    """What a JSON file holds; ``reason`` is counted where there is none.

    Raises:
        SceneError: it cannot be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_JSON_BYTES + 1)
    except OSError as error:
        raise SceneError(f"{path} cannot be read ({error.strerror}): {_ADVICE}", reason) from None
    if len(data) > MOST_JSON_BYTES:
        raise SceneError(f"{path} has over {MOST_JSON_BYTES:,} bytes: {_ADVICE}", f"{path.name} is too large")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SceneError(f"{path} cannot be read as JSON ({error}): {_ADVICE}", f"{path.name} is no JSON") from None


def _part(entry: Entry, key: str) -> Entry:
    return Entry(entry.get(key), key)


def _tables(bodies: list[Entry], key: str, frames: int, columns: int | None = None) -> NDArray[np.float64]:
    """(F, K, columns) of a value of all bodies, or (F, K)."""
    shape = (frames,) if columns is None else (frames, columns)
    return np.stack([tidy(body.get(key), shape, f"{key!r}") for body in bodies], axis=1)


def _called(body: Entry) -> str:
    """A body's name: ``"the small red metal cube"``, as far as it is described."""
    words = [body.get(key) for key in ("size_label", "color_label", "material", "shape") if body.has(key)]
    return " ".join(["the", *(word[:40] for word in words if isinstance(word, str) and word.isidentifier())])


def _touching(metadata: Entry, events: Entry, frames: int, bodies: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(frame that shows it, two bodies) of every contact; of one body with itself or what is not listed nothing."""
    flags = _part(metadata, "flags") if metadata.has("flags") else None
    start = flags.whole("frame_start") if flags is not None and flags.has("frame_start") else FIRST_FRAME
    for number, entry in enumerate(events.entries("collisions", "collision")):
        pair = entry.get("instances")
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(one) is int for one in pair):
            raise ValueError(f"'instances' of collision {number} are not two whole numbers")
        frame = entry.get("frame")
        if type(frame) not in (int, float) or not math.isfinite(frame) or abs(frame) > 1e6:
            raise ValueError(f"'frame' of collision {number} is no number of a frame")
        shown = math.ceil(frame) - start
        if 0 <= min(pair) < max(pair) < bodies and 0 <= shown < frames:
            yield shown, (min(pair), max(pair))


def _common_size(files: list[Path]) -> tuple[int, int]:
    """The size of all pictures."""
    sizes = {}
    for file in files:
        sizes[picture_size(_bytes(file), file.name)] = file.name
        if len(sizes) > 1:
            told = " and ".join(f"{width}x{height} pixels" for width, height in sizes)
            raise SceneError(f"{file}: pictures of {told}, expected one size; {_ADVICE}", "pictures of different sizes")
    return next(iter(sizes))


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SceneError(f"{file} cannot be read ({error.strerror}): {_ADVICE}", "frames are missing") from None


def _picture(file: Path, size: tuple[int, int], factor: int) -> Picture:
    try:
        return read_picture(_bytes(file), file.name, size, factor)
    except ValueError as error:
        raise SceneError(f"{file.parent}: {error}; {_ADVICE}", "a picture is broken") from None
