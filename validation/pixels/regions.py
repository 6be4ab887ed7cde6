"""The segments that a record lists are those of its id images: every id, area, box and mask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.schema import Region, Segment

from ..recompute.rules import Finding
from .runs import IdImage, Runs, runs_of_counts


def compare_segments(
    segments: Sequence[Segment], images: Mapping[str, NDArray[np.uint16]], known: Mapping[int, tuple[str, str]]
) -> Iterator[Finding]:
    """What the list of segments gets wrong.

    Args:
        segments: of the record.
        images: the moments' id images, (H, W) uint16.
        known: id -> (object, type) of everything that the ids may name.
    """
    listed = [each.id for each in segments]
    if len(set(listed)) != len(listed):
        yield Finding("segments listed", "an id twice", "each id once")
    for each in segments:
        if known.get(each.id) != (each.object, each.type):
            yield Finding("segment name", f"id {each.id} is {each.object} ({each.type})", str(known.get(each.id)))
    shown: set[int] = set()
    for moment, ids in images.items():
        image = IdImage.of(ids)
        shown |= set(image.regions)
        yield from _compare(moment, image, ids.shape, {s.id: r for s in segments if (r := getattr(s, moment))})
    if shown != set(listed):
        odd = sorted(shown ^ set(listed))[:5]
        yield Finding("segments listed", f"differ from the images in ids {odd}", "exactly the ids that the images show")


def _compare(moment: str, image: IdImage, shape: tuple[int, ...], claimed: dict[int, Region]) -> Iterator[Finding]:
    for each in sorted(set(image.regions) | set(claimed)):
        seen, claim = image.regions.get(each), claimed.get(each)
        if seen is None or claim is None:
            yield Finding("segment seen", f"id {each} {moment}: {_seen(claim)}", _seen(seen))
            continue
        if claim.area != seen[0]:
            yield Finding("segment area", f"id {each} {moment}: {claim.area} px", f"{seen[0]} px")
        if tuple(claim.bbox) != seen[1]:
            yield Finding("segment box", f"id {each} {moment}: {claim.bbox}", str(list(seen[1])))
        if tuple(claim.size) != shape:
            yield Finding("segment size", f"id {each} {moment}: {claim.size}", str(list(shape)))
    yield from _compare_masks(moment, image, shape, claimed)


def _seen(what: object) -> str:
    return "not seen" if what is None else "seen"


def _compare_masks(
    moment: str, image: IdImage, shape: tuple[int, ...], claimed: dict[int, Region]
) -> Iterator[Finding]:
    pixels = shape[0] * shape[1]
    try:
        claims = runs_of_counts([each.counts for each in claimed.values()], list(claimed), pixels)
    except ReleaseError as error:
        yield Finding("segment mask", f"{moment}: {error}", "the run lengths of each id's pixels")
        return
    if claims.same_as(image.runs):
        return
    for each in claimed:
        if each in image.regions and not _same(claims, image.runs, each):
            yield Finding("segment mask", f"id {each} {moment}: other pixels", "the pixels of the id image")


def _same(a: Runs, b: Runs, instance_id: int) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a.of(instance_id), b.of(instance_id), strict=True))
