"""Hand-made scenes in the layouts of Kubric's MOVi-A and of tdw_physics: painted squares that slide, fall and meet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import h5py
import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import encode_rgb

SIDE = 20
"""Of a square, in 256ths of the picture's side."""
PAINTS = ((60, 80, 220), (200, 40, 40), (40, 140, 50), (220, 200, 40), (150, 60, 180), (40, 200, 200))
IDS = (5, 17, 3, 40, 8, 11)
FIRST = 1
"""Kubric's frame of the first picture."""


@dataclass(frozen=True)
class Ball:
    """A square's way.

    Attributes:
        way: (frame, x, z) in metres, straight lines between; it rests before and after. A metre is 32 of 256 pixels.
    """

    way: Sequence[tuple[int, float, float]]

    def at(self, frame: int) -> tuple[float, float]:
        """Place across and height."""
        frames = [float(each[0]) for each in self.way]
        return float(np.interp(frame, frames, [e[1] for e in self.way])), float(
            np.interp(frame, frames, [e[2] for e in self.way])
        )


@dataclass(frozen=True)
class Show:
    """A scene.

    Attributes:
        frames: how many.
        balls: what moves.
        touches: (first, last, one, other) frames of contact.
        grounded: (first, last, ball).
        side: of the pictures, pixels.
        tint: of the background, so that no two scenes look alike.
    """

    frames: int
    balls: Sequence[Ball]
    touches: Sequence[tuple[int, int, int, int]] = ()
    grounded: Sequence[tuple[int, int, int]] = ()
    side: int = 256
    tint: int = 150

    def places(self, frame: int) -> NDArray[np.float64]:
        """(K, 3): x, y, z; z up."""
        return np.array([(x, 0.3 * k, z) for k, (x, z) in enumerate(ball.at(frame) for ball in self.balls)])

    def velocities(self, frame: int, fps: float) -> NDArray[np.float64]:
        """(K, 3) m/s: from the frame before."""
        return (self.places(frame) - self.places(max(frame - 1, 0))) * fps

    def pixels(self, frame: int) -> NDArray[np.float64]:
        """(K, 2) centres."""
        places, unit = self.places(frame), self.side / 8.0
        return np.stack([self.side / 2 + unit * places[:, 0], self.side * 0.8 - unit * places[:, 2]], axis=1)

    def painted(self, frame: int, *, ids: bool = False) -> NDArray[np.uint8]:
        """(side, side, 3); with ``ids`` in flat colours on black."""
        picture = np.full((self.side, self.side, 3), 0 if ids else self.tint, np.uint8)
        if not ids:
            picture[int(self.side * 0.8) :] -= 40
        half = max(1, SIDE * self.side // 512)
        for k, (u, v) in enumerate(self.pixels(frame).tolist()):
            rows, columns = (slice(max(0, int(c) - half), max(0, int(c) + half)) for c in (v, u))
            picture[rows, columns] = self.colours[k] if ids else PAINTS[k]
        return picture

    @property
    def colours(self) -> list[tuple[int, int, int]]:
        """Of the bodies in pictures of ids."""
        return [(10 + 20 * k, 200 - 7 * k, 33) for k in range(len(self.balls))]

    def visible(self, frame: int) -> list[int]:
        """Pixels that show each."""
        picture = self.painted(frame, ids=True)
        return [int((picture == colour).all(axis=-1).sum()) for colour in self.colours]


def billiard(number: int, frames: int = 60, side: int = 256) -> Show:
    """One square slides into another, which starts to move then; a third one falls to the ground; differs by number."""
    hit, land = 26 + number % 4, 40 + number % 5
    pace = 0.055 + 0.004 * (number % 3)
    left = -3.2 + 0.11 * number % 0.7
    meet = left + pace * hit
    balls = (
        Ball([(0, left, 0.0), (hit, meet, 0.0), (frames, meet + 0.1, 0.0)]),
        Ball([(0, meet + 0.65, 0.0), (hit, meet + 0.65, 0.0), (frames, meet + 0.65 + pace * (frames - hit), 0.0)]),
        Ball([(0, 2.6 - 0.2 * (number % 3), 4.4), (land, 2.2, 0.0), (frames, 1.9, 0.0)]),
    )
    grounded = ((0, frames - 1, 0), (0, frames - 1, 1), (land, frames - 1, 2))
    return Show(frames, balls, ((hit, hit + 1, 0, 1),), grounded, side, 130 + 4 * (number % 12))


def short_clip(number: int, side: int = 256) -> Show:
    """24 frames, as MOVi-A has them: two squares that meet, and one that falls."""
    hit = 13 + number % 2
    left = -3.0 + 0.1 * (number % 5)
    balls = (
        Ball([(0, left, 0.0), (hit, left + 0.2 * hit, 0.0), (24, left + 0.2 * hit - 0.12 * (24 - hit), 0.0)]),
        Ball([(0, left + 0.4 * hit + 0.6, 0.0), (hit, left + 0.2 * hit + 0.6, 0.0), (24, left + 0.3 * 24 + 0.6, 0.0)]),
        Ball([(0, 3.0, 4.5), (24, 1.5 + 0.1 * (number % 4), 0.3)]),
    )
    return Show(24, balls, ((hit, hit, 0, 1),), (), side, 120 + 3 * (number % 20))


def write_movi(folder: Path, show: Show, fps: int = 12, **changes: Any) -> Path:
    """A scene's folder as Kubric's worker leaves it; ``changes`` replace keys of metadata.json."""
    folder.mkdir(parents=True, exist_ok=True)
    frames = range(show.frames)
    for frame in frames:
        rgba = cv2.cvtColor(show.painted(frame), cv2.COLOR_RGB2BGRA)
        (folder / f"rgba_{frame:05d}.png").write_bytes(cv2.imencode(".png", rgba)[1].tobytes())
    metadata = {
        "flags": {"frame_start": FIRST, "frame_end": show.frames, "frame_rate": fps, "resolution": show.side},
        "metadata": {
            "resolution": [show.side, show.side],
            "frame_rate": fps,
            "step_rate": 240,
            "num_frames": show.frames,
            "num_instances": len(show.balls),
        },
        "camera": {"focal_length": 35.0, "sensor_width": 32.0, "field_of_view": 0.85},
        "instances": [_instance(show, k, fps) for k in range(len(show.balls))],
    }
    (folder / "metadata.json").write_text(json.dumps(metadata | changes))
    (folder / "events.json").write_text(json.dumps({"collisions": [*_collisions(show)]}))
    return folder


def _instance(show: Show, k: int, fps: int) -> dict[str, Any]:
    frames = range(show.frames)
    return {
        "shape": "cube",
        "size": 0.7,
        "size_label": "small",
        "material": "rubber",
        "color": [0.1, 0.2, 0.8],
        "color_label": ("blue", "red", "green", "yellow", "purple", "cyan")[k],
        "asset_id": "cube",
        "positions": [show.places(frame)[k].tolist() for frame in frames],
        "quaternions": [[1.0, 0.0, 0.0, 0.0] for _ in frames],
        "velocities": [show.velocities(frame, fps)[k].tolist() for frame in frames],
        "angular_velocities": [[0.0, 0.0, 0.0] for _ in frames],
        "mass": 1.0,
        "friction": 0.4,
        "restitution": 0.3,
        "image_positions": [((show.pixels(frame)[k] + 0.5) / show.side).tolist() for frame in frames],
        "visibility": [show.visible(frame)[k] for frame in frames],
    }


def _collisions(show: Show) -> Any:
    """A few contact points a frame, in steps of the physics between frames."""
    for first, last, one, other in show.touches:
        for frame in range(first, last + 1):
            for step in (0.55, 0.0):
                yield {
                    "instances": [other, one],
                    "contact_normal": [1.0, 0.0, 0.0],
                    "frame": frame + FIRST - step,
                    "force": 3.0,
                    "position": show.places(frame)[one].tolist(),
                    "image_position": [0.5, 0.5],
                }
    yield {
        "instances": [-1, 0],
        "contact_normal": [0.0, 0.0, 1.0],
        "frame": 2.05,
        "force": 1.0,
        "position": [0.0, 0.0, 0.0],
        "image_position": [0.5, 0.5],
    }


def write_physion(path: Path, show: Show, *, camera: str = "", first: int = 0, jpeg: bool = False) -> Path:
    """A trial as tdw_physics leaves it; ``camera`` is behind names of what a camera sees in newer versions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        static = file.create_group("static")
        count = len(show.balls)
        static["object_ids"] = np.array(IDS[:count])
        static["object_segmentation_colors"] = np.array(show.colours, np.uint8)
        static["model_names"] = np.array([b"cube", b"bowl", b"pyramid", b"torus", b"cone", b"pipe"][:count])
        static["zone_id"] = 99
        for frame in range(show.frames):
            _write_frame(file.create_group(f"frames/{frame + first:04d}"), show, frame, camera, jpeg)
    return path


def _write_frame(group: h5py.Group, show: Show, frame: int, camera: str, jpeg: bool) -> None:
    count, picture = len(show.balls), show.painted(frame)
    data = encode_rgb(picture)
    if jpeg:
        bgr = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
        data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes()
    for name, content in (("_img", data), ("_id", encode_rgb(show.painted(frame, ids=True)))):
        stored = np.frombuffer(content, np.uint8)
        group.create_dataset(f"images/{name}{camera}", data=stored, compression="gzip")
    tables: Mapping[str, NDArray[np.float64]] = {
        "positions": _unity(show.places(frame)),
        "forwards": np.tile([0.0, 0.0, 1.0], (count, 1)),
        "rotations": np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)),
        "velocities": _unity(show.velocities(frame, 30.0)),
        "angular_velocities": np.zeros((count, 3)),
    }
    for name, values in tables.items():
        seen = "" if name.endswith("velocities") else camera
        group.create_dataset(f"objects/{name}{seen}", data=values.astype(np.float32), compression="gzip")
    pairs = [((IDS[one], IDS[other]), state) for one, other, state in _states(show, frame)]
    group.create_dataset("collisions/object_ids", data=np.array([p for p, _ in pairs], np.int32).reshape(-1, 2))
    group.create_dataset("collisions/states", data=np.array([s for _, s in pairs]).astype("S"))
    group.create_dataset("collisions/relative_velocities", data=np.zeros((len(pairs), 3), np.float32))
    group.create_dataset("collisions/contacts", data=np.zeros((len(pairs), 2, 3), np.float32))
    floor = [IDS[ball] for a, b, ball in show.grounded if a <= frame <= b]
    group.create_dataset("env_collisions/object_ids", data=np.array(floor, np.int32))
    group.create_dataset("env_collisions/contacts", data=np.zeros((len(floor), 2, 3), np.float32))


def _states(show: Show, frame: int) -> list[tuple[int, int, str]]:
    """What Unity reports: that two meet, and that they part; nothing of bodies that sleep in between."""
    met = [(one, other, "enter") for first, _, one, other in show.touches if frame == first]
    return met + [(other, one, "exit") for _, last, one, other in show.touches if frame == last + 1]


def _unity(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Our axes as Unity's: y and z change places."""
    return values[:, [0, 2, 1]]


def movi_folder(root: Path, scenes: int) -> Path:
    """Some scenes, short ones as MOVi-A's and longer ones."""
    for number in range(scenes):
        write_movi(root / f"{number:04d}", short_clip(number) if number % 2 else billiard(number))
    return root


def physion_folder(root: Path, trials: int, side: int = 512) -> Path:
    """Some trials of two scenarios."""
    for number in range(trials):
        scenario = ("dominoes", "drop")[number % 2]
        write_physion(root / scenario / f"{number:04d}.hdf5", billiard(number, 110, side))
    return root
