"""Dots lie on what they name, in their colour, clear of each other; nothing else differs from the clean pictures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.marking import outer_radius
from flowbench.schema import Mark, SimRecord

from ..recompute.rules import Finding

SHADES: Final[Mapping[str, tuple[int, int, int]]] = {
    "red": (255, 0, 0),
    "blue": (0, 80, 255),
    "green": (0, 160, 0),
    "yellow": (255, 255, 0),
    "orange": (255, 140, 0),
    "purple": (128, 0, 160),
    "cyan": (0, 255, 255),
    "pink": (255, 130, 190),
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "gray": (128, 128, 128),
    "brown": (120, 70, 30),
}
"""What the colour words mean: a dot is called by the nearest of these."""
LEAST_CONTRAST: Final = 40.0
"""CIELAB units between a dot's colour and what lies under it, on average (sim.md, "Querying and annotating")."""
ROUNDING: Final = 0.5
"""CIELAB units that tables and single precision may cost."""
LEVELS: Final = 8
"""Of 255, by which the dot's centre may miss its colour: the smallest dots do not cover a whole pixel."""
KEPT_DOTS: Final = ("occlusion",)
"""Categories whose landmarks keep their dot where it was, whatever hides them: a missing dot would tell the answer."""

Image = NDArray[np.uint8]
Spot = tuple[float, float]


def check_marks(record: SimRecord, names: Mapping[int, str], named: Sequence[int]) -> Iterator[Finding]:
    """Every named object has one mark, the mover's first, in a colour of its own that its word means.

    Args:
        record: of the sample.
        names: id -> object of everything in the scene.
        named: ids of what the texts name, the mover first.
    """
    marked = [each.id for each in record.marks]
    if sorted(marked) != sorted(named) or marked[:1] != [*named[:1]]:
        yield Finding("marks listed", f"ids {marked}", f"{named[0]} first, then {[*named[1:]]} in any order")
    if len({each.colour for each in record.marks}) != len(record.marks):
        yield Finding("mark colours differ", str([each.colour for each in record.marks]), "a colour each")
    for mark in record.marks:
        if names.get(mark.id) != mark.object:
            yield Finding("mark's object", f"id {mark.id} is {mark.object}", str(names.get(mark.id)))
        if not _sane(mark):
            yield Finding("mark's values", f"rgb {mark.rgb}, radius {mark.radius}", "three of 0 to 255, a radius in px")
        elif mark.colour != colour_word(mark.rgb):
            yield Finding("mark's colour word", f"{mark.colour} is {mark.rgb}", colour_word(mark.rgb))


def colour_word(rgb: Sequence[int]) -> str:
    """What a colour is called."""
    shades = _lab(np.array(list(SHADES.values()), np.uint8))
    apart = np.linalg.norm(shades - _lab(np.array([rgb], np.uint8)), axis=1)
    return list(SHADES)[int(apart.argmin())]


def check_spots(record: SimRecord, ids: Mapping[str, NDArray[np.uint16]]) -> Iterator[Finding]:
    """Each dot lies on its object in both pictures (kept ones where they were), and no two touch.

    Args:
        record: of the sample.
        ids: ``before`` and ``after``, (H, W) uint16.
    """
    for moment, image in ids.items():
        for mark in record.marks:
            pixel = _pixel(_spot(mark, moment), image)
            kept = moment == "after" and record.category in KEPT_DOTS and mark.id != record.mover.id
            if kept and mark.after != mark.before:
                yield Finding("mark kept in place", f"id {mark.id} moves to {mark.after}", f"{mark.before} as before")
            elif pixel is None:
                yield Finding("mark on its object", f"id {mark.id} {moment} at {_spot(mark, moment)}", "in the picture")
            elif not kept and image[pixel] != mark.id:
                yield Finding("mark on its object", f"id {mark.id} {moment} on id {image[pixel]}", "on its own object")
        for one, other in itertools.combinations(record.marks, 2):
            apart = math.dist(_spot(one, moment), _spot(other, moment))
            least = outer_radius(one.radius) + outer_radius(other.radius)
            if apart < least:
                yield Finding("marks apart", f"{one.colour} and {other.colour} {apart:.1f} px {moment}", f"{least:.1f}")


def check_drawing(moment: str, marks: Sequence[Mark], clean: Image, marked: Image) -> Iterator[Finding]:
    """The marked picture is the clean one but for the dots, which have their colours and stand out.

    Args:
        moment: ``before`` or ``after``.
        marks: of the record, with sane values.
        clean, marked: (H, W, 3) uint8.
    """
    if clean.shape != marked.shape:
        yield Finding("size of a marked image", f"{marked.shape[:2]} {moment}", f"{clean.shape[:2]} (height, width)")
        return
    changed = np.asarray(cv2.absdiff(clean, marked), np.uint8)
    for mark in marks:
        spot = _spot(mark, moment)
        rows, columns, squared = _patch(spot, outer_radius(mark.radius) + 1.0, clean)
        under_dot = changed[rows, columns][squared <= (outer_radius(mark.radius) + 1.0) ** 2]
        changed[rows, columns][squared <= (outer_radius(mark.radius) + 1.0) ** 2] = 0
        pixel = _pixel(spot, clean)
        if pixel is None:
            continue
        if not under_dot.any():
            yield Finding("clean picture", f"the dot {mark.colour} {moment} is on it, too", "no dots")
        off = int(np.abs(marked[pixel].astype(int) - mark.rgb).max())
        if off > LEVELS:
            found = f"{marked[pixel].tolist()} at the dot {mark.colour} {moment}"
            yield Finding("mark drawn", found, f"{mark.rgb}")
        contrast = contrast_under(mark, spot, clean)
        if contrast < LEAST_CONTRAST - ROUNDING:
            yield Finding(
                "mark stands out", f"{mark.colour} {moment}: {contrast:.1f} from what it covers", "at least 40"
            )
    if changed.any():
        count = int(np.count_nonzero(changed.any(axis=-1)))
        yield Finding("marked image off the dots", f"{count} px differ {moment}", "the clean picture")


def contrast_under(mark: Mark, spot: Spot, clean: Image) -> float:
    """Mean CIELAB distance between a dot's colour and the square of clean pixels about its disc."""
    rows, columns, _ = _patch(spot, max(1.0, float(round(mark.radius))), clean)
    under = _lab(clean[rows, columns].reshape(-1, 3))
    return float(np.linalg.norm(under - _lab(np.array([mark.rgb], np.uint8)), axis=1).mean())


def _sane(mark: Mark) -> bool:
    values = [*mark.before, *mark.after, mark.radius]
    colour = len(mark.rgb) == 3 and all(0 <= value <= 255 for value in mark.rgb)
    return colour and len(values) == 5 and all(map(math.isfinite, values)) and 0.0 < mark.radius <= 100.0


def drawable(marks: Sequence[Mark]) -> bool:
    """Whether all values of all marks can be those of dots."""
    return all(map(_sane, marks))


def _spot(mark: Mark, moment: str) -> Spot:
    u, v = mark.before if moment == "before" else mark.after
    return u, v


def _pixel(spot: Spot, image: NDArray[np.uint8] | NDArray[np.uint16]) -> tuple[int, int] | None:
    """(row, column) of the pixel that holds a spot; None outside the picture."""
    row, column = math.floor(spot[1] + 0.5), math.floor(spot[0] + 0.5)
    return (row, column) if 0 <= row < image.shape[0] and 0 <= column < image.shape[1] else None


def _patch(spot: Spot, reach: float, image: Image) -> tuple[slice, slice, NDArray[np.float64]]:
    """Rows and columns of the picture within reach of a spot, and their pixels' squared distances to it."""
    spans = [
        np.arange(max(0, math.ceil(at - reach)), max(0, min(size, math.floor(at + reach) + 1)))
        for at, size in zip(spot, (image.shape[1], image.shape[0]), strict=True)
    ]
    u, v = spans
    squared = (u[None, :] - spot[0]) ** 2 + (v[:, None] - spot[1]) ** 2
    rows, columns = (slice(int(each[0]), int(each[-1]) + 1) if each.size else slice(0, 0) for each in (v, u))
    return rows, columns, squared


def _lab(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n, 3) uint8 sRGB to (n, 3) L*a*b*."""
    scaled = (rgb.reshape(-1, 1, 3) / 255.0).astype(np.float32)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2LAB), np.float64).reshape(-1, 3)
