"""The stated moves and the scale reference against what was measured (paper, B.2, B.3 and B.4 "Move text")."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from flowbench.schema import RealRecord
from flowbench.schema.real_meta import Certification

from ..recompute.rules import Finding
from .evidence import Pair
from .facts import ROUNDING
from .measures import PIXEL, ROUNDED, differing
from .profiles import CM

STATED_LEAST: Final = 2 * CM
"""Shorter components are not stated."""
MOVE_LEAST: Final = 5 * CM
"""Of all stated components together."""
RATIO_LOW, RATIO_HIGH = 0.7, 1.5
LEAST_TRACKED: Final = 0.2
"""Share of the mover's pixels that are tracked to the end."""
AGAINST: Final = 3.0
"""Pixels by which tracks that go the other way contradict a stated direction (B.5)."""
LEAST_COSINE: Final = math.cos(math.radians(30.0))
SCALE_LOW, SCALE_HIGH = 2.0 / 3.0, 1.5
SCALE_LEAST, SCALE_LEAST_PX = 5 * CM, 5.0
BANDS: Final = ((0.10, "0.05-0.10"), (0.20, "0.10-0.20"), (math.inf, "0.20+"))
REFERENCE: Final = (3 * CM, 60 * CM)
REFERENCE_PLANE: Final = (2 * CM, 60 * CM)
CENTIMETRE: Final = 0.5 + 1e-3
"""By which a whole centimetre may miss what it rounds."""


def check_moves(pair: Pair, record: RealRecord) -> Iterator[Finding]:
    """The record's motion and those of other movers are the measured displacements."""
    motion, moved = record.motion, pair.displacement(record.mover.id)
    if moved is None:
        return  # told as the mover's
    for name, claim in (("motion.world", motion.world), ("motion.camera", motion.camera)):
        yield from differing("displacement", name, claim, moved, 2 * ROUNDED)
    yield from _stated(f"id {record.mover.id}", (motion.right, motion.down), (moved[0], moved[1]))
    yield from _rounded("motion.away", motion.away, moved[2])
    yield from check_direction(record)
    known = {each.id: each for each in pair.meta.objects if each.role == "other_mover"}
    if sorted(known) != sorted(each.id for each in record.others):
        yield Finding("other movers", f"ids {[each.id for each in record.others]}", f"ids {sorted(known)}")
    for each in record.others:
        other = pair.displacement(each.id)
        if other is not None:
            yield from _stated(f"id {each.id}", (each.right, each.down), (other[0], other[1]))


def check_direction(record: RealRecord) -> Iterator[Finding]:
    """Direction, length and band are those of the stated components."""
    motion = record.motion
    words = [
        word
        for value, (less, more) in ((motion.right, ("left", "right")), (motion.down, ("up", "down")))
        for word in ([less] if value < 0.0 else [more] if value > 0.0 else [])
    ]
    if motion.direction != "+".join(words):
        yield Finding("direction of the motion", motion.direction, "+".join(words))
    length = math.hypot(motion.right, motion.down)
    yield from differing("length of the motion", "distance", [motion.distance], [length], 2 * ROUNDED)
    if length < MOVE_LEAST - ROUNDING:
        yield Finding("length of the motion", f"{length:.3f} m stated", f"at least {MOVE_LEAST:g} m")
    bands = {name for most, name in BANDS if length < most + ROUNDING}
    lows = {"0.05-0.10": 0.0, "0.10-0.20": 0.10, "0.20+": 0.20}
    if motion.length_band not in {name for name in bands if length >= lows[name] - ROUNDING}:
        yield Finding("band of the motion", f"{motion.length_band} for {length:.3f} m", " or ".join(sorted(bands)))


def _stated(name: str, stated: tuple[float, float], moved: tuple[float, float]) -> Iterator[Finding]:
    """Components are left out below 2 cm and round to whole centimetres else."""
    for axis, claim, real in zip(("right", "down"), stated, moved, strict=True):
        left_out = abs(real) < STATED_LEAST + ROUNDING and claim == 0.0
        if not left_out:
            yield from _rounded(f"{axis} of {name}", claim, real)
            if abs(real) < STATED_LEAST - ROUNDING:
                yield Finding("stated component", f"{axis} of {name} is {real:.4f} m and stated", "from 2 cm on")


def _rounded(name: str, claim: float, real: float) -> Iterator[Finding]:
    whole = abs(claim * 100.0 - round(claim * 100.0)) < 1e-6
    if not whole or abs(claim - real) * 100.0 > CENTIMETRE:
        yield Finding("stated component", f"{name}: {claim:.6g} m", f"{real:.4f} m in whole centimetres")


def check_certification(pair: Pair, record: RealRecord) -> Iterator[Finding]:
    """What tracks say of the mover agrees with its masks, and the scale of the move with that of the reference."""
    claim, image = pair.meta.certification, pair.image_displacement(record.mover.id)
    if image is None:
        return
    yield from differing("displacement of the mask", "certification", claim.image, image, PIXEL)
    length = math.hypot(*image)
    ratio = math.hypot(*claim.track) / length if length else math.inf
    yield from differing("ratio of track and mask", "certification", [claim.ratio], [ratio], ROUNDED + 1e-6 * ratio)
    if not RATIO_LOW - ROUNDING <= ratio <= RATIO_HIGH + ROUNDING:
        yield Finding("certified by tracks", f"ratio {ratio:.3f}", f"{RATIO_LOW:g} to {RATIO_HIGH:g}")
    along = claim.track[0] * image[0] + claim.track[1] * image[1]
    if along < LEAST_COSINE * math.hypot(*claim.track) * length - ROUNDING:
        yield Finding("certified by tracks", f"track {claim.track}, mask {list(image)}", "less than 30 degrees apart")
    if claim.tracked < LEAST_TRACKED - ROUNDING:
        yield Finding("certified by tracks", f"{claim.tracked:.2f} of the mover tracked", f"at least {LEAST_TRACKED:g}")
    stated = record.motion.right, record.motion.down
    for word, told, track in zip(("across", "along"), stated, claim.track, strict=True):
        if told * track < 0.0 and abs(track) > AGAINST + ROUNDING:
            yield Finding("stated direction", f"{told:g} m {word}, tracks go {track:.1f} px", "the way of the tracks")
    yield from _scale_ratio(claim, record, length)


def _scale_ratio(claim: Certification, record: RealRecord, pixels: float) -> Iterator[Finding]:
    stated = record.motion.distance
    asked = stated >= SCALE_LEAST - ROUNDING and pixels >= SCALE_LEAST_PX
    if (claim.scale_ratio is not None) != asked:
        yield Finding("scale ratio", f"{claim.scale_ratio}", "a ratio" if asked else "none: the move is too short")
    if claim.scale_ratio is None or not asked:
        return
    of_move, of_reference = pixels / (stated * 100.0), record.scale.pixels / max(record.scale.width_cm, 1)
    ratio = of_reference / of_move
    yield from differing("scale ratio", "certification", [claim.scale_ratio], [ratio], 2e-5 * ratio)
    if not SCALE_LOW - ROUNDING <= ratio <= SCALE_HIGH + ROUNDING:
        yield Finding("scale consistency", f"ratio {ratio:.3f}", "2/3 to 3/2")


def check_scale(pair: Pair, record: RealRecord) -> Iterator[Finding]:
    """The scale reference is a landmark of a plain size, and the size is the measured one."""
    scale = record.scale
    landmarks = {each.id: each for each in pair.meta.objects if each.role == "landmark"}
    found = pair.before.objects.get(scale.id)
    if scale.id not in landmarks or found is None:
        yield Finding("scale reference", f"id {scale.id}", "a landmark of the pair")
        return
    extent, pixels = extent_of(pair, scale.id)
    if abs(scale.width_cm - extent * 100.0) > CENTIMETRE:
        yield Finding("width of the reference", f"{scale.width_cm} cm", f"{extent * 100.0:.2f} cm in whole centimetres")
    yield from differing("pixels of the reference", f"id {scale.id}", [scale.pixels], [pixels], ROUNDED)
    low, high = REFERENCE if pair.meta.plane_from_pixel is None else REFERENCE_PLANE
    if not low - ROUNDING <= extent <= high + ROUNDING:
        yield Finding("scale reference", f"{extent * 100.0:.2f} cm wide", f"{low * 100:g} to {high * 100:g} cm")
    for each in landmarks:
        other = pair.before.objects.get(each)
        larger = other is not None and other.area > found.area
        if larger and low + ROUNDING < extent_of(pair, each)[0] < high - ROUNDING:
            yield Finding("scale reference", f"id {scale.id}, but id {each} is larger", "the largest landmark")
            return


def extent_of(pair: Pair, instance_id: int) -> tuple[float, float]:
    """How wide an object is at its widest, metres, and over how many pixels; on a plane its footprint's width."""
    found, camera = pair.before.objects[instance_id], pair.before.camera
    if camera.plane is not None:
        return found.width, found.box[2]
    tall = found.box[3] * found.depth / camera.fy
    return max(found.width, tall), max(found.box[2:])
