"""A sample of a shard with its members decoded on demand, each once, all limits checked before (security.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_flow, decode_rgb
from flowbench.errors import ReleaseError
from flowbench.schema import SimRecord

from .recompute import PublishedSample


@dataclass(frozen=True, eq=False)
class OpenedSample:
    """One sample of ``sim_*`` as published.

    Every property raises :class:`~flowbench.errors.ReleaseError` where the member is missing or not what it should be.

    Attributes:
        key: in the shard.
        members: column -> bytes.
    """

    key: str
    members: Mapping[str, bytes]

    @cached_property
    def published(self) -> PublishedSample:
        """Record, metadata, depth and ids as the recomputation of labels sees them."""
        return PublishedSample.from_members(self.members)

    @property
    def record(self) -> SimRecord:
        """What the sample claims."""
        return self.published.record

    def picture(self, name: str) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB of ``before``, ``after``, ``before_marked`` or ``after_marked``."""
        if name not in self._pictures:
            self._pictures[name] = decode_rgb(self.member(f"{name}.png"), f"{name}.png")
        return self._pictures[name]

    def depth(self, moment: str) -> NDArray[np.float32]:
        """(H, W) float32 planar depth of ``before`` or ``after``, metres; 0 where there is none."""
        return self.published.depth_before if moment == "before" else self.published.depth_after

    def ids(self, moment: str) -> NDArray[np.uint16]:
        """(H, W) uint16 instance ids of ``before`` or ``after``; 0 where there is none."""
        return self.published.seg_before if moment == "before" else self.published.seg_after

    @cached_property
    def flow(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(H, W, 2) float32 forward flow in pixels, and (H, W) where it is valid."""
        return decode_flow(self.member("flow.png16"), "flow.png16")

    def member(self, name: str) -> bytes:
        """A member's bytes."""
        if name not in self.members:
            raise ReleaseError(f"the sample lacks {name}: fetch or build the shard again")
        return self.members[name]

    @cached_property
    def _pictures(self) -> dict[str, NDArray[np.uint8]]:
        return {}
