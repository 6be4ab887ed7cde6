"""A sample of a shard with its members decoded on demand, each once, all limits checked before (security.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_rgb
from flowbench.encoding.png import read_header
from flowbench.errors import ReleaseError
from flowbench.schema import SimRecord, record_from_json

from .decoding import shared_depth, shared_flow, shared_ids, shared_rgb
from .recompute import PublishedSample
from .recompute.common import Question
from .recompute.meta import HomeMeta, shared_meta


@dataclass(frozen=True, eq=False)
class OpenedSample:
    """One sample of ``sim_*`` as published.

    Every property raises :class:`~flowbench.errors.ReleaseError` where the member is missing or not what it should be.

    Attributes:
        key: in the shard.
        members: column -> bytes.
        size: (width, height) that every picture has to have, pixels; others are refused before they are decoded. None
            where it is not known.
    """

    key: str
    members: Mapping[str, bytes]
    size: tuple[int, int] | None = None

    @cached_property
    def record(self) -> SimRecord:
        """What the sample claims."""
        return record_from_json(SimRecord, self.member("json"), "the record")

    @cached_property
    def meta(self) -> HomeMeta:
        """The simulator's state before and after."""
        return shared_meta(self.member("meta.txt"))

    @cached_property
    def published(self) -> PublishedSample:
        """Record, metadata, depth and ids as the recomputation of labels sees them."""
        return PublishedSample(
            question=Question.of(self.record),
            seg_before=self.ids("before"),
            seg_after=self.ids("after"),
            depth_before=self.depth("before"),
            depth_after=self.depth("after"),
            meta=self.meta,
            record=self.record,
        )

    def picture(self, name: str) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB of ``before``, ``after``, ``before_marked`` or ``after_marked``."""
        decoded: NDArray[np.uint8] = self.decoded(f"{name}.png")
        return decoded

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

    def member(self, name: str) -> bytes:
        """A member's bytes."""
        if name not in self.members:
            raise ReleaseError(f"the sample lacks {name}: fetch or build the shard again")
        return self.members[name]

    def decoded(self, name: str) -> Any:
        """What the picture, depth, id or flow image ``name`` holds; decoded once."""
        if name not in self._decoded:
            data = self.member(name)
            self._check_size(data, name)
            self._decoded[name] = _decoder(name)(data, name)
        return self._decoded[name]

    def _check_size(self, data: bytes, name: str) -> None:
        header = read_header(data, name)
        if self.size not in (None, (header.width, header.height)):
            expected = "{}x{}".format(*self.size or ())
            raise ReleaseError(
                f"{name} is {header.width}x{header.height} pixels, expected {expected}: build the shard again"
            )

    @cached_property
    def _decoded(self) -> dict[str, Any]:
        return {}


def _decoder(name: str) -> Any:
    """What decodes the image member ``name``; what samples of a view share is decoded once for them."""
    for prefix, decode in (("depth_", shared_depth), ("seg_", shared_ids), ("flow.", shared_flow)):
        if name.startswith(prefix):
            return decode
    return decode_rgb if name.endswith("_marked.png") else shared_rgb
