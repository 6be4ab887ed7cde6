"""``meta.txt`` of recorded pairs: parsed, and refused where a number or a shape is none that a pair can have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from flowbench.errors import ReleaseError
from flowbench.schema import parse_model
from flowbench.schema.real_meta import ARM_ID, REAL_META_FORMAT, MeasuredObject, RealMeta, Sighting

NAME: Final = "meta.txt"
MAX_BYTES: Final = 1 << 23
MOST_OBJECTS: Final = 1000
MOST_POINTS: Final = 1000
LARGEST: Final = 1e6
"""No length, pixel or count of a pair is larger."""
LEAST_SIDE, MOST_SIDE = 64, 4096
_SHAPES: Final = {"pixel": 2, "position": 3, "bbox": 4, "displacement": 3, "track": 2, "image": 2, "size": 2}
"""Field -> how many numbers it lists."""


@lru_cache(maxsize=4)
def shared_meta(data: bytes) -> RealMeta:
    """The document; remembered, since the questions of a pair lie side by side.

    Raises:
        ReleaseError: too large, not a document of this format, or with a shape or number that no pair has.
    """
    meta = parse_model(RealMeta, data, NAME, MAX_BYTES, "build the sample again")
    for problem in _unsound(meta):
        raise ReleaseError(f"{NAME} {problem}: build the sample again")
    return meta


def _unsound(meta: RealMeta) -> Iterator[str]:
    """What no document has, one sentence each without its end."""
    yield from _numbers(meta, "")
    if meta.format != REAL_META_FORMAT:
        yield f"has the format {meta.format[:40]!r}, expected {REAL_META_FORMAT!r}"
    if len(meta.objects) > MOST_OBJECTS:
        yield f"lists {len(meta.objects):,} objects, expected at most {MOST_OBJECTS:,}"
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in meta.size):
        yield f"has pictures of {meta.size[0]}x{meta.size[1]}, expected sides of {LEAST_SIDE} to {MOST_SIDE} pixels"
    if len(meta.plane_points or ()) > MOST_POINTS or (meta.plane_points and not meta.plane_from_pixel):
        yield f"has {len(meta.plane_points or ()):,} plane_points, expected at most {MOST_POINTS:,}, and a plane"
    ids = [each.id for each in meta.objects]
    if len(set(ids)) != len(ids) or not all(ARM_ID < each <= 65535 for each in ids):
        yield f"lists the ids {ids[:10]}, expected different ones from {ARM_ID + 1} to 65535"
    names = [each.object for each in meta.objects]
    if len(set(names)) != len(names):
        yield "gives two objects one name, expected a name for each"
    for name, matrix in (("k", meta.k), ("plane_from_pixel", meta.plane_from_pixel)):
        if matrix is not None and [len(row) for row in matrix] != [3, 3, 3]:
            yield f"has a {name} that is not 3x3, expected three rows of three"


def _numbers(value: Any, name: str) -> Iterator[str]:
    """Numbers out of all bounds, and lists of another length than their field's."""
    if isinstance(value, BaseModel):
        for field in type(value).model_fields:
            yield from _numbers(getattr(value, field), field)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if name in _SHAPES and len(value) != _SHAPES[name]:
            yield f"has {len(value)} numbers in {name}, expected {_SHAPES[name]}"
        for each in value:
            yield from _numbers(each, name)
    elif isinstance(value, int | float) and not (math.isfinite(value) and abs(value) <= LARGEST):
        yield f"has {value:.6g} in {name}, expected at most {LARGEST:g}"


def object_of(meta: RealMeta, instance_id: int) -> MeasuredObject:
    """The object with this id; :class:`ReleaseError` where there is none."""
    for each in meta.objects:
        if each.id == instance_id:
            return each
    raise ReleaseError(f"instance id {instance_id} is named but missing in {NAME}: build the sample again")


def seen(measured: MeasuredObject, moment: str) -> Sighting | None:
    """What is stated of an object before or after."""
    return measured.before if moment == "before" else measured.after
