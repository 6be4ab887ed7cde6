"""A sample of a shard with its members decoded on demand, each once, all limits checked before (security.md)."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

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
from .recompute.rules import Finding


@dataclass(frozen=True, eq=False)
class Opened(abc.ABC):
    """One sample as published, of any kind of record.

    Every property raises :class:`~flowbench.errors.ReleaseError` where the member is missing or not what it should be.

    Attributes:
        key: in the shard.
        members: column -> bytes.
        size: (width, height) that every picture has to have, pixels; others are refused before they are decoded. None
            where it is not known.
        pictures: names of the pictures that may not lie in two splits; those that a sample lacks are passed over.
        shown: of the pictures that a report shows.
    """

    key: str
    members: Mapping[str, bytes]
    size: tuple[int, int] | None = None
    pictures: ClassVar[tuple[str, ...]]
    shown: ClassVar[tuple[str, ...]]

    @property
    @abc.abstractmethod
    def record(self) -> Any:
        """What the sample claims: a model with ``id``, ``category`` and ``scene_id`` among others."""

    @property
    @abc.abstractmethod
    def meta(self) -> Any:
        """What ``meta.txt`` says."""

    @property
    @abc.abstractmethod
    def question(self) -> str:
        """What is asked, for people; empty where nothing is."""

    @abc.abstractmethod
    def odd(self) -> Iterator[Finding]:
        """Where the record contradicts what is known of the sample before its content is looked at."""

    def facts(self) -> Mapping[str, object]:
        """What suites over whole configs need of it beside names and digests of pictures; plain values."""
        return {}

    def picture(self, name: str) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB of the member ``<name>.png``."""
        decoded: NDArray[np.uint8] = self.decoded(f"{name}.png")
        return decoded

    def member(self, name: str) -> bytes:
        """A member's bytes."""
        if name not in self.members:
            raise ReleaseError(f"the sample lacks {name}: fetch or build the shard again")
        return self.members[name]

    def decoded(self, name: str) -> Any:
        """What the picture, depth, id or flow image, or the video, ``name`` holds; decoded once."""
        if name not in self._decoded:
            data = self.member(name)
            self._check_size(data, name)
            self._decoded[name] = self._decoder(name)(data, name)
        return self._decoded[name]

    def _check_size(self, data: bytes, name: str) -> None:
        header = read_header(data, name)
        if self.size not in (None, (header.width, header.height)):
            expected = "{}x{}".format(*self.size or ())
            raise ReleaseError(
                f"{name} is {header.width}x{header.height} pixels, expected {expected}: build the shard again"
            )

    def _decoder(self, name: str) -> Callable[[bytes, str], Any]:
        """What decodes a member."""
        return decode_rgb

    @cached_property
    def _decoded(self) -> dict[str, Any]:
        return {}


@final
@dataclass(frozen=True, eq=False)
class OpenedSample(Opened):
    """One sample of ``sim_*``."""

    pictures: ClassVar[tuple[str, ...]] = ("before", "after")
    shown: ClassVar[tuple[str, ...]] = ("before_marked", "after_marked")

    @cached_property
    def record(self) -> SimRecord:
        """What the sample claims."""
        return record_from_json(SimRecord, self.member("json"), "the record")

    @cached_property
    def meta(self) -> HomeMeta:
        """The simulator's state before and after."""
        return shared_meta(self.member("meta.txt"))

    @property
    def question(self) -> str:
        """Motion and question."""
        return f"{self.record.motion_text} {self.record.question}"

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

    def odd(self) -> Iterator[Finding]:
        """The view is one of the scene, and the camera's pictures have the size of all."""
        record = self.record
        if record.view_id.rpartition("-v")[0] != record.scene_id:
            yield Finding("view of the record", record.view_id, f"a view of {record.scene_id}")
        if self.size not in (None, (record.camera.width, record.camera.height)):
            width, height = self.size or (0, 0)
            found = f"{record.camera.width}x{record.camera.height}"
            yield Finding("size of the pictures", found, f"{width}x{height}")

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

    def _decoder(self, name: str) -> Callable[[bytes, str], Any]:
        """What decodes the image member ``name``; what samples of a view share is decoded once for them."""
        for prefix, decode in (("depth_", shared_depth), ("seg_", shared_ids), ("flow.", shared_flow)):
            if name.startswith(prefix):
                return decode
        return decode_rgb if name.endswith("_marked.png") else shared_rgb
