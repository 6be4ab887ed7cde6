"""Samples of ``real_*`` with their members decoded on demand (see :mod:`..opened`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_rgb
from flowbench.encoding.png import read_header
from flowbench.errors import ReleaseError
from flowbench.schema import RealRecord, record_from_json
from flowbench.schema.real_meta import RealMeta

from ..decoding import shared_depth, shared_flow, shared_ids, shared_rgb
from ..opened import Opened
from ..recompute.rules import Finding
from .definition import against_truth
from .evidence import Pair, pair_of
from .meta import shared_meta

MOMENTS = ("before", "after")
EMBEDDED: Final = "tabletop"
"""What records call the dataset of the embedded source."""


@final
@dataclass(frozen=True, eq=False)
class OpenedReal(Opened):
    """One sample of ``real_*``."""

    pictures: ClassVar[tuple[str, ...]] = MOMENTS
    shown: ClassVar[tuple[str, ...]] = ("before_marked", "after_marked", "before_badges")

    @cached_property
    def record(self) -> RealRecord:
        """What the sample claims."""
        return record_from_json(RealRecord, self.member("json"), "the record")

    @cached_property
    def meta(self) -> RealMeta:
        """What was measured of the pair."""
        return shared_meta(self.member("meta.txt"))

    @property
    def question(self) -> str:
        """Motion and question."""
        return f"{self.record.motion_text} {self.record.question}"

    @cached_property
    def pair(self) -> Pair:
        """The pair measured again."""
        seg = self.member("seg_before.png16"), self.member("seg_after.png16")
        depth = self.member("depth_before.png16"), self.member("depth_after.png16")
        return pair_of(self.meta, seg, depth)

    def odd(self) -> Iterator[Finding]:
        """The pair is one of the scene, and the camera's pictures have the size that the metadata say."""
        record = self.record
        if record.view_id.rpartition("-p")[0] != record.scene_id:
            yield Finding("pair of the record", record.view_id, f"a pair of {record.scene_id}")
        found, expected = [record.camera.width, record.camera.height], self.meta.size
        if found != expected:
            yield Finding("size of the pictures", "{}x{}".format(*found), "{}x{}".format(*expected))

    def facts(self) -> Mapping[str, object]:
        """``pair``, ``episode``: what may not lie in two splits; ``origin``, ``meta_sha256``: what questions of a pair
        share; profile and perception, for tables."""
        origin = self.record.provenance
        embedded = f" of scene {origin.scene}" if origin.dataset == EMBEDDED else ""  # each scene is a dataset there
        return {
            "motion_sha256": self._motion(),
            "pair": self.record.view_id,
            "origin": json.dumps(origin.model_dump(mode="json", exclude={"label_version", "rewriter"}), sort_keys=True),
            "meta_sha256": hashlib.sha256(self.member("meta.txt")).hexdigest(),
            "episode": f"{origin.dataset} {origin.profile} {origin.episode}{embedded}",
            "profile": origin.profile,
            "perception": origin.perception,
            **against_truth(self.record, self.meta),
        }

    def _motion(self) -> str:
        """Digest of where everything is before and after: the same of a pair that goes by another name."""
        places = [
            [seen and (seen.pixel, seen.position) for seen in (each.before, each.after)] for each in self.meta.objects
        ]
        return hashlib.sha256(repr((self.meta.k, places)).encode()).hexdigest()

    def depth(self, moment: str) -> NDArray[np.float32]:
        """(H, W) float32 planar depth of ``before`` or ``after``, metres; 0 where there is none."""
        decoded: NDArray[np.float32] = self.decoded(f"depth_{moment}.png16")
        return decoded

    def ids(self, moment: str) -> NDArray[np.uint16]:
        """(H, W) uint16 instance ids of ``before`` or ``after``; 0 where there is none."""
        decoded: NDArray[np.uint16] = self.decoded(f"seg_{moment}.png16")
        return decoded

    @property
    def flow(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(H, W, 2) float32 forward flow in pixels, and (H, W) where it is valid."""
        decoded: tuple[NDArray[np.float32], NDArray[np.bool_]] = self.decoded("flow.png16")
        return decoded

    def _check_size(self, data: bytes, name: str) -> None:
        """Sources differ in their pictures' size: that of the sample's camera counts."""
        header, camera = read_header(data, name), self.record.camera
        if (header.width, header.height) != (camera.width, camera.height):
            found = f"{name} is {header.width}x{header.height} pixels"
            raise ReleaseError(f"{found}, expected {camera.width}x{camera.height}: build the shard again")

    def _decoder(self, name: str) -> Callable[[bytes, str], Any]:
        """What decodes the image member ``name``; what samples of a pair share is decoded once for them."""
        for prefix, decode in (("depth_", shared_depth), ("seg_", shared_ids), ("flow.", shared_flow)):
            if name.startswith(prefix):
                return decode
        shared = name in ("before.png", "after.png", "before_badges.png", "after_badges.png")
        return shared_rgb if shared else decode_rgb
