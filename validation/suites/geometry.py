"""Pixels agree with the published state of the scene (quality.md, 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, final

from ..opened import OpenedSample
from ..pixels.camera import compare_cameras
from ..pixels.flow import check_flow
from ..pixels.looks import check_edges, check_looks, luminance
from ..pixels.patches import check_patches
from ..pixels.placing import check_places, check_range
from ..pixels.still import check_ids, check_mover, check_pictures, check_still, moved_pixels
from ..recompute.rules import Finding
from .base import SampleSuite, Violation
from .samples import violations_of

_MOMENTS = ("before", "after")


@final
class Geometry(SampleSuite[OpenedSample]):
    """See the module."""

    name: ClassVar[str] = "geometry"
    about: ClassVar[str] = "Depth, ids, flow and pictures agree with the poses and with each other."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "flow.png16"}
        | {name.format(moment) for name in ("{}.png", "seg_{}.png16", "depth_{}.png16") for moment in _MOMENTS}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        sizes = [*_sizes(sample)]
        findings = sizes or [*compare_cameras(sample.record.camera, sample.meta.camera), *_pixels(sample)]
        return violations_of(findings, sample.key)


def _sizes(sample: OpenedSample) -> Iterator[Finding]:
    """Every image has the camera's size; nothing else can be said of it if it has not."""
    expected = (sample.meta.camera.height, sample.meta.camera.width)
    images = {f"{moment}.png": sample.picture(moment).shape[:2] for moment in _MOMENTS}
    images["flow.png16"] = sample.flow[1].shape
    for moment in _MOMENTS:
        images[f"seg_{moment}.png16"] = sample.ids(moment).shape
        images[f"depth_{moment}.png16"] = sample.depth(moment).shape
    for name, shape in images.items():
        if shape != expected:
            yield Finding("size of an image", f"{name} is {shape[1]}x{shape[0]}", f"{expected[1]}x{expected[0]}")


def _pixels(sample: OpenedSample) -> Iterator[Finding]:
    record, meta = sample.record, sample.meta
    ids = sample.ids("before"), sample.ids("after")
    depths = sample.depth("before"), sample.depth("after")
    pictures = sample.picture("before"), sample.picture("after")
    grays = luminance(pictures[0]), luminance(pictures[1])
    named = frozenset({record.mover.id, *(each.id for each in record.landmarks)})
    for moment, of_ids, depth, gray in zip(_MOMENTS, ids, depths, grays, strict=True):
        yield from check_range(moment, depth, of_ids, gray)
        yield from check_places(moment, depth, of_ids, meta, named)
        yield from check_edges(moment, gray, of_ids)
    moved = moved_pixels(ids, meta)
    yield from check_ids(ids, meta)
    yield from check_mover(ids, meta, record.mover.id)
    yield from check_still(ids, depths, moved)
    yield from check_pictures(*pictures, moved)
    yield from check_patches(*pictures, moved)
    flow, valid = sample.flow
    yield from check_flow(flow, valid, depths[0], ids[0], meta)
    yield from check_looks(grays, ids, flow, record.mover.id)
