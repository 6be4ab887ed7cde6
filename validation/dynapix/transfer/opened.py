"""Samples of the transfer suites with their members decoded on demand (see :mod:`...opened`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_rgb
from flowbench.schema.dynapix import SelectionRecord

from ...opened import Opened
from ...recompute.rules import Finding
from ..blind import least_gap, picks
from ..facts import ENOUGH_PX
from ..opened import selection_record
from ..rules import Seen
from .meta import TransferMeta, transfer_meta

VIDEO: Final = "video.mp4"
_LETTERS: Final = "ABCD"


@final
@dataclass(frozen=True, eq=False)
class OpenedTransfer(Opened):
    """One question about a filmed scene."""

    pictures: ClassVar[tuple[str, ...]] = tuple(f"candidate_{n}" for n in range(4))
    shown: ClassVar[tuple[str, ...]] = pictures

    @cached_property
    def record(self) -> SelectionRecord:
        """What the sample claims."""
        return selection_record(self.member("json"))

    @cached_property
    def meta(self) -> TransferMeta:
        """The scene and the candidates' frames."""
        return transfer_meta(self.member("meta.txt"))

    @property
    def question(self) -> str:
        """What is asked."""
        return self.record.query

    @property
    def video(self) -> NDArray[np.uint8]:
        """(n, H, W, 3) frames of the video."""
        frames: NDArray[np.uint8] = self.decoded(VIDEO)
        return frames

    def odd(self) -> Iterator[Finding]:
        """The scene is named as its provenance says."""
        origin = self.record.provenance
        named = f"{origin.pool}-{origin.scene:06d}"
        if self.record.scene_id != named:
            yield Finding("scene of the record", self.record.scene_id, named)
        if "." in self.key:
            yield Finding("key of the sample", self.key, "no dots")

    @cached_property
    def seen(self) -> Seen:
        """What a blind reader sees; the last picture is the video's."""
        record, frames = self.record, self.meta.frames
        bodies = [np.flatnonzero(frame.visible >= ENOUGH_PX) for frame in frames]
        return Seen(
            pictures=tuple(self.picture(name) for name in self.pictures),
            last=self.video[-1],
            times=tuple(each.frame for each in record.candidates),
            objects=tuple(len(each) for each in bodies),
            gaps=tuple(least_gap(frame.poses[own, :3]) for frame, own in zip(frames, bodies, strict=True)),
            right=_LETTERS.index(record.answer),
        )

    def facts(self) -> Mapping[str, object]:
        """``motion_sha256``: of what moves in the scene; ``pick_<rule>``: candidates that blind rules pick."""
        return {"motion_sha256": hashlib.sha256(self.meta.scene.poses.tobytes()).hexdigest(), **picks(self.seen)}

    def _check_size(self, data: bytes, name: str) -> None:
        if name != VIDEO:
            super()._check_size(data, name)

    def _decoder(self, name: str) -> Callable[[bytes, str], Any]:
        if name != VIDEO:
            return decode_rgb
        from flowbench.encoding.video import decode_video

        return decode_video
