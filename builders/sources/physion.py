"""Physion trials as tdw_physics writes them (Bear et al. 2021): an HDF5 file a trial.

A file has ``static`` (``object_ids``, ``object_segmentation_colors``, ``model_names``, ``zone_id``) and ``frames``, a
group a frame with a number of four digits: ``images/_img`` and ``images/_id`` (PNG or JPEG bytes), ``objects`` (tables
by object: ``positions``, ``rotations`` x y z w, ``velocities``, ``angular_velocities``), ``collisions`` (``object_ids``
in pairs, ``states`` enter, stay, exit) and ``env_collisions`` (``object_ids`` of what touches floor or walls). Newer
versions put ``_cam0`` behind names of what a camera sees.

Unity's world is left-handed with y up: y and z change places here. Bodies that sleep report no contact, so two that
touch do so until they report that they part. Frames carry no time; videos of Physion show 30 of them a second, and so
they are counted here. What the picture of ids shows of a body is what is seen of it, and its middle is where it is.
"""

from __future__ import annotations

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
    Size,
    check_counts,
    factor_to,
    picture_size,
    read_picture,
    spells,
    tidy,
)
from .hdf5 import Group, Hdf5Error, opened, require_h5py

FPS: Final = 30
SUFFIX: Final = ".hdf5"
_SWAPPED: Final = [0, 2, 1]
_CAMERA: Final = "_cam0"
_ADVICE: Final = "fetch the trial again, or leave it out."


@final
class PhysionSource(SceneSource):
    """All trials below the root, in the order of their paths."""

    @classmethod
    def require(cls) -> None:
        """Needs h5py."""
        require_h5py()

    def _listed(self) -> tuple[str, ...]:
        found = (each for each in self.root.rglob(f"*{SUFFIX}") if each.is_file() and not each.is_symlink())
        return tuple(sorted(each.relative_to(self.root).as_posix().removesuffix(SUFFIX) for each in found))

    def scenario(self, name: str) -> str:
        """The folder right below the root."""
        folder, _, rest = name.partition("/")
        return folder if rest else "physion"

    def scene(self, name: str) -> FilmedScene:
        """See :class:`SceneSource`."""
        path = self.root / f"{name}{SUFFIX}"
        try:
            with opened(path) as file:
                return self._scene(name, path, file)
        except Hdf5Error as error:
            raise SceneError(f"{path}: {error}; {_ADVICE}", "an HDF5 file that cannot be read whole") from error
        except ValueError as error:
            raise SceneError(f"{path}: {error}; {_ADVICE}", "tables that disagree, or are not finite") from error

    def _scene(self, name: str, path: Path, file: Group) -> FilmedScene:
        static, frames = file.group("static"), file.group("frames")
        numbers, told = _frame_names(frames), static.table("object_ids")
        check_counts(len(numbers), range(told.size))
        ids = _whole(told, "'object_ids'")
        if len(set(ids)) < len(ids):
            raise ValueError("'object_ids' names one object twice")
        groups = [frames.group(number) for number in numbers]
        own = _common_size(groups)
        factor = factor_to(own, self.size)
        places = _tables(groups, "positions", len(ids), 3)[..., _SWAPPED]
        turns = _tables(groups, "rotations", len(ids), 4)
        turns = np.concatenate([-turns[..., _SWAPPED], turns[..., 3:]], axis=-1) + 0.0
        visible, pixels = _seen(groups, static.table("object_segmentation_colors"), len(ids), own, factor)
        return FilmedScene(
            name=name,
            scenario=self.scenario(name),
            fps=FPS,
            size=self.size,
            bodies=_names(static, len(ids)),
            poses=np.concatenate([places, turns], axis=-1),
            velocities=_tables(groups, "velocities", len(ids), 3)[..., _SWAPPED],
            spins=-_tables(groups, "angular_velocities", len(ids), 3)[..., _SWAPPED] + 0.0,
            visible=visible,
            pixels=pixels,
            touches=spells([*_pairs(groups, ids, _zone(static)), *_grounded(groups, ids)]),
            picture=lambda frame: _picture(path, numbers[frame], own, factor),
        )


def _frame_names(frames: Group) -> list[str]:
    names = frames.names
    if not names or not all(name.isascii() and name.isdigit() for name in names):
        raise ValueError("'frames' has members that are no numbers")
    counted = sorted(names, key=int)
    if [int(name) for name in counted] != list(range(int(counted[0]), int(counted[0]) + len(counted))):
        raise ValueError("'frames' lacks some frames between the first and the last")
    return counted


def _of_camera(group: Group, name: str) -> str:
    """A member's name, with or without the camera's behind it."""
    return name if name in group or f"{name}{_CAMERA}" not in group else f"{name}{_CAMERA}"


def _tables(groups: list[Group], name: str, bodies: int, columns: int) -> NDArray[np.float64]:
    """(F, K, columns) of a value of all objects."""
    found = []
    for group in groups:
        objects = group.group("objects")
        found.append(tidy(objects.table(_of_camera(objects, name)), (bodies, columns), f"'objects/{name}'"))
    return np.stack(found)


def _names(static: Group, bodies: int) -> tuple[str, ...]:
    """The models' names, as far as they are told in plain letters."""
    told: list[Any] = []
    if "model_names" in static:
        try:
            told = static.table("model_names").ravel().tolist()
        except Hdf5Error:
            told = []  # texts of any length, which are not read
    names = [each.decode("ascii", "replace")[:60] if isinstance(each, bytes) else "" for each in told]
    good = [name if name.isidentifier() else "" for name in [*names, *[""] * bodies][:bodies]]
    return tuple(name or f"object_{number}" for number, name in enumerate(good))


def _zone(static: Group) -> int | None:
    """The id of the zone, a mark on the floor that things lie on without touching anything."""
    if "zone_id" not in static:
        return None
    found = static.table("zone_id").ravel()
    return int(found[0]) if found.size and found.dtype.kind in "iu" else None


def _pairs(groups: list[Group], ids: list[int], zone: int | None) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(frame, two bodies) of all that touch."""
    places = {each: number for number, each in enumerate(ids) if each != zone}
    together: set[tuple[int, ...]] = set()
    for frame, group in enumerate(groups):
        collisions = group.group("collisions")
        both = _whole(collisions.table("object_ids"), f"'object_ids' of collisions in frame {frame}")
        states = _words(collisions.table("states"), f"'states' of collisions in frame {frame}")
        if 2 * len(states) != len(both):
            raise ValueError(f"{len(states)} states of {len(both) / 2:g} collisions in frame {frame}")
        for *pair, state in zip(both[::2], both[1::2], states, strict=True):
            known = tuple(sorted(places[one] for one in pair if one in places))
            if len(set(known)) == 2:
                (together.discard if state == "exit" else together.add)(known)
        yield from ((frame, pair) for pair in sorted(together))


def _grounded(groups: list[Group], ids: list[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(frame, the body) of all that report a contact with floor or walls."""
    places = {each: number for number, each in enumerate(ids)}
    for frame, group in enumerate(groups):
        table = group.group("env_collisions").table("object_ids")
        for each in _whole(table, f"'object_ids' of env_collisions in frame {frame}"):
            if each in places:
                yield frame, (places[each],)


def _whole(table: NDArray[Any], what: str) -> list[int]:
    """The whole numbers of a table in order; an empty table may be of any kind.

    Raises:
        ValueError: it holds others.
    """
    if table.size and table.dtype.kind not in "iu":
        raise ValueError(f"{what} holds {table.dtype}, expected whole numbers")
    return [int(each) for each in table.ravel().tolist()]


def _words(table: NDArray[Any], what: str) -> list[str]:
    """The texts of a table in order; an empty table may be of any kind.

    Raises:
        ValueError: it holds something else.
    """
    if table.size and table.dtype.kind != "S":
        raise ValueError(f"{what} holds {table.dtype}, expected texts of fixed length")
    return [str(each, "ascii", "replace") for each in table.ravel().tolist()]


def _seen(
    groups: list[Group], colours: NDArray[Any], bodies: int, size: Size, factor: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(F, K) pixels that show each body, and (F, K, 2) their middle, NaN of none."""
    if colours.shape != (bodies, 3) or colours.dtype.kind not in "iu":
        raise ValueError(f"'object_segmentation_colors' has the shape {colours.shape}, expected ({bodies}, 3)")
    codes = _codes(colours.astype(np.int64))
    order = np.argsort(codes, kind="stable")
    visible = np.zeros((len(groups), bodies), dtype=np.int64)
    pixels = np.full((len(groups), bodies, 2), np.nan)
    for frame, group in enumerate(groups):
        picture = _codes(read_picture(_image(group, "_id"), f"'_id' of frame {frame}", size).astype(np.int64))
        at = np.minimum(np.searchsorted(codes[order], picture), bodies - 1)
        rows, columns = np.nonzero(codes[order][at] == picture)
        which = order[at[rows, columns]]
        counts = np.bincount(which, minlength=bodies)
        sums = [np.bincount(which, weights=each.astype(np.float64), minlength=bodies) for each in (columns, rows)]
        shown = counts > 0
        for axis in range(2):
            # The middle of the pixels, whose first one's centre is 0, in pixels of the reduced picture.
            middle = (sums[axis][shown] / counts[shown] + 0.5) / factor - 0.5
            pixels[frame, shown, axis] = np.round(middle, 6) + 0.0
        visible[frame] = counts // (factor * factor)
    return visible, pixels


def _codes(colours: NDArray[np.int64]) -> NDArray[np.int64]:
    codes: NDArray[np.int64] = (colours[..., 0] << 16) | (colours[..., 1] << 8) | colours[..., 2]
    return codes


def _image(group: Group, name: str) -> bytes:
    images = group.group("images")
    return images.table(_of_camera(images, name)).astype(np.uint8).tobytes()


def _common_size(groups: list[Group]) -> Size:
    sizes = {picture_size(_image(group, "_img"), f"'_img' of frame {frame}") for frame, group in enumerate(groups)}
    if len(sizes) > 1:
        raise ValueError(f"pictures of {' and '.join(f'{w}x{h}' for w, h in sorted(sizes))} pixels, expected one size")
    return sizes.pop()


def _picture(path: Path, frame: str, size: Size, factor: int) -> Picture:
    try:
        with opened(path) as file:
            data = _image(file.group("frames").group(frame), "_img")
            return read_picture(data, f"'_img' of frame {frame}", size, factor)
    except (Hdf5Error, ValueError) as error:
        raise SceneError(f"{path}: {error}; {_ADVICE}", "a picture is broken") from None
