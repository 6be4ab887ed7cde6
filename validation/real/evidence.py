"""A published pair as a recheck reads it: two measured pictures, and the question as the formulas take it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.schema import RealRecord
from flowbench.schema.real_meta import RealMeta

from ..decoding import shared_depth, shared_ids
from .facts import Asked, Thing, Vector
from .measuring import Camera, Frame, Measured
from .profiles import SOURCES

TEST: Final = "test"
MARKED: Final = ("mover", "other_mover", "landmark")
"""Roles of objects with marks."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Both pictures of a pair, measured, beside what ``meta.txt`` states of them."""

    meta: RealMeta
    before: Frame
    after: Frame

    @property
    def moments(self) -> Iterator[tuple[str, Frame]]:
        """The name of each picture and the picture."""
        yield from (("before", self.before), ("after", self.after))

    def thing(self, instance_id: int) -> Thing:
        """An object as the formulas take it; :class:`ReleaseError` where it is not seen before the move."""
        before, after = self.before.objects.get(instance_id), self.after.objects.get(instance_id)
        if before is None:
            raise ReleaseError(f"instance id {instance_id} is named but not seen before the move: build it again")
        return Thing(
            id=instance_id,
            before=before.position,
            after=None if after is None else after.position,
            pixel_before=before.pixel,
            pixel_after=None if after is None else after.pixel,
            radius=before.width / 2.0,
            box_before=before.box,
            box_after=None if after is None else after.box,
            area_before=before.area,
            area_after=0 if after is None else after.area,
        )

    def covered(self, instance_id: int, by: int) -> float:
        """Share of an object's before mask that another object's after mask covers; 0 of what is not seen before."""
        return self.before.share_under(instance_id, self.after, by) if instance_id in self.before.regions else 0.0

    def displacement(self, instance_id: int) -> Vector | None:
        """Position after less position before; None where it is not seen in both pictures."""
        both = self.seen_twice(instance_id)
        if both is None:
            return None
        (x0, y0, z0), (x1, y1, z1) = both[0].position, both[1].position
        return x1 - x0, y1 - y0, z1 - z0

    def image_displacement(self, instance_id: int) -> tuple[float, float] | None:
        """Displacement of the median pixel; None where it is not seen in both pictures."""
        both = self.seen_twice(instance_id)
        if both is None:
            return None
        return both[1].pixel[0] - both[0].pixel[0], both[1].pixel[1] - both[0].pixel[1]

    def seen_twice(self, instance_id: int) -> tuple[Measured, Measured] | None:
        """An object in both pictures."""
        before, after = self.before.objects.get(instance_id), self.after.objects.get(instance_id)
        return None if before is None or after is None else (before, after)

    def asked(self, record: RealRecord, split: str) -> Asked:
        """The question of a record over this pair."""
        width, height = self.meta.size
        return Asked(
            rules=self.meta.rules,
            mover=self.thing(record.mover.id),
            landmarks=tuple(self.thing(each.id) for each in record.landmarks),
            width=width,
            height=height,
            test=split == TEST,
            paper=record.provenance.preset == "paper",
            named=record.named,
            threshold=record.threshold,
            relation=record.relation,
            counts=_counts(record),
            covered=tuple(self.covered(each.id, record.mover.id) for each in record.landmarks),
            side_width=SOURCES[self.meta.profile].side_width if self.meta.profile in SOURCES else 0.0,
            extent=self._extent(record.mover.id),
        )

    def _extent(self, mover: int) -> float:
        """How far the farthest two marked objects are apart before the move, the mover's end among them."""
        marked = [each.id for each in self.meta.objects if each.role in MARKED]
        places = [self.before.objects[each].position for each in marked if each in self.before.objects]
        if mover in self.after.objects:
            places.append(self.after.objects[mover].position)
        return max((math.dist(one, other) for one in places for other in places), default=0.0)


def pair_of(meta: RealMeta, seg: tuple[bytes, bytes], depth: tuple[bytes, bytes]) -> Pair:
    """The pair of four members.

    Args:
        meta: of the sample.
        seg, depth: bytes of the id and the depth images, before and after.

    Raises:
        ReleaseError: a member cannot be decoded, or has another size than ``meta`` says.
    """
    camera = camera_of(meta)
    before, after = (
        _frame(seg[i], depth[i], moment, camera, tuple(meta.size)) for i, moment in enumerate(("before", "after"))
    )
    return Pair(meta, before, after)


def camera_of(meta: RealMeta) -> Camera:
    """The intrinsics, and the plane if there is one; :class:`ReleaseError` of focal lengths that are none."""
    plane = None if meta.plane_from_pixel is None else tuple((r[0], r[1], r[2]) for r in meta.plane_from_pixel)
    (fx, _, cx), (_, fy, cy), _ = meta.k
    if fx < 1.0 or fy < 1.0:
        raise ReleaseError(f"meta.txt has focal lengths {fx:.6g} and {fy:.6g}, expected pixels: build the shard again")
    return Camera(fx, fy, cx, cy, plane)


@lru_cache(maxsize=4)
def _frame(seg: bytes, depth: bytes, moment: str, camera: Camera, size: tuple[int, ...]) -> Frame:
    ids: NDArray[np.uint16] = shared_ids(seg, f"seg_{moment}.png16")
    metres: NDArray[np.float32] = shared_depth(depth, f"depth_{moment}.png16")
    for name, image in ((f"seg_{moment}.png16", ids.shape), (f"depth_{moment}.png16", metres.shape)):
        if image != size[::-1]:
            found, expected = f"{image[1]}x{image[0]}", f"{size[0]}x{size[1]}"
            raise ReleaseError(f"{name} is {found} pixels, expected {expected} as in meta.txt: build the shard again")
    return Frame(ids, metres, camera)


def _counts(record: RealRecord) -> tuple[int, ...]:
    """The choices of a count; empty where they are no counts."""
    plain = [each for each in record.choices if each.isascii() and each.isdigit() and len(each) <= 3]
    return tuple(map(int, plain)) if len(plain) == len(record.choices) else ()
