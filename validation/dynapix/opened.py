"""Samples of ``selection_*`` and ``retrieval_*`` with their members decoded on demand (see :mod:`..opened`)."""

from __future__ import annotations

import abc
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.setup import Setup
from flowbench.encoding import decode_rgb
from flowbench.errors import ReleaseError
from flowbench.schema import record_from_json
from flowbench.schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

from ..needs import lacking
from ..opened import Opened
from ..recompute.rules import Finding
from .blind import least_gap, picks
from .facts import ENOUGH_PX, FRAMES
from .filming import Picture, darkroom, seen_pixels
from .meta import CorpusMeta, QueryMeta, RunMeta, SelectionMeta, corpus_meta, query_meta, scene_key, shared_selection
from .rules import Seen

VIDEO: Final = "video.mp4"
POOL: Final = "collisions"
TEST_OF, TEST_IS = 5, 4
"""Scenes whose index leaves this rest are for testing."""
_FRAME_ID = re.compile(r"(\d{6})-(factual|without-\d+|erased-\d+)-(\d{3})")
_LETTERS: Final = "ABCD"


def selection_record(data: bytes) -> SelectionRecord:
    """The record of a question with four candidates.

    Raises:
        ReleaseError: it is none, or has not four candidates of which one is right.
    """
    record = record_from_json(SelectionRecord, data, "the record")
    if len(record.candidates) != 4 or len(record.answer) != 1 or record.answer not in _LETTERS:
        raise ReleaseError(
            f"the record has {len(record.candidates)} candidates and the answer {record.answer[:20]!r}, expected "
            "four and a letter of A to D: build the shard again"
        )
    return record


@dataclass(frozen=True, eq=False)
class OpenedClip(Opened):
    """One sample of a collision scene."""

    @property
    def question(self) -> str:
        """What is asked."""
        return str(self.record.query)

    @property
    def setup(self) -> Setup:
        """The scene before anything moves."""
        setup: Setup = self.meta.setup
        return setup

    @cached_property
    def video(self) -> NDArray[np.uint8] | None:
        """(n, H, W, 3) frames of the video; None where nothing is shown."""
        if VIDEO not in self.members:
            return None
        frames: NDArray[np.uint8] = self.decoded(VIDEO)
        return frames

    def odd(self) -> Iterator[Finding]:
        """The scene is that of the metadata and of the provenance."""
        origin = self.record.provenance
        named = f"{origin.pool}-{origin.scene:06d}"
        if self.record.scene_id != named:
            yield Finding("scene of the record", self.record.scene_id, named)
        if self.setup.scene != origin.scene or self.setup.twin:
            found = f"scene {self.setup.scene}, twin {self.setup.twin}"
            yield Finding("scene of the metadata", found, f"scene {origin.scene}, twin 0")
        if "." in self.key:
            yield Finding("key of the sample", self.key, "no dots")

    def facts(self) -> Mapping[str, object]:
        """``motion_sha256``: of what moves in the scene, whatever it is called there."""
        setup = self.setup
        own = f"{setup.bodies!r} {setup.starts!r} {setup.view!r}"
        return {"motion_sha256": hashlib.sha256(own.encode()).hexdigest(), **self._facts()}

    @abc.abstractmethod
    def _facts(self) -> Mapping[str, object]:
        """Further facts of this kind of sample."""

    def _check_size(self, data: bytes, name: str) -> None:
        if name != VIDEO:
            super()._check_size(data, name)

    def _decoder(self, name: str) -> Callable[[bytes, str], Any]:
        if name != VIDEO:
            return decode_rgb
        from flowbench.encoding.video import decode_video

        return decode_video


@final
@dataclass(frozen=True, eq=False)
class OpenedSelection(OpenedClip):
    """One question with four candidates."""

    pictures: ClassVar[tuple[str, ...]] = tuple(f"candidate_{n}" for n in range(4))
    shown: ClassVar[tuple[str, ...]] = pictures

    @cached_property
    def record(self) -> SelectionRecord:
        """What the sample claims."""
        return selection_record(self.member("json"))

    @cached_property
    def meta(self) -> SelectionMeta:
        """The scene, its true run, and the candidates' frames."""
        return shared_selection(self.member("meta.txt"))

    def setup_of(self, place: int) -> Setup:
        """The set-up of the run that a candidate is a frame of."""
        return self.meta.frames[place].setup or self.meta.setup

    def shot(self, place: int) -> tuple[Picture, Picture]:
        """A candidate drawn again: its picture and which body is seen where."""
        frame = self.meta.frames[place]
        return darkroom().shot(self.setup_of(place), frame.poses, frame.frame, frame.erased)

    def visible(self, place: int) -> NDArray[np.int64]:
        """(K,) pixels that show each body of a candidate."""
        return seen_pixels(self.shot(place)[1], len(self.meta.frames[place].poses))

    @cached_property
    def seen(self) -> Seen:
        """What a blind reader sees; the last picture is that of the cut."""
        record, meta = self.record, self.meta
        bodies = [np.flatnonzero(self.visible(place) >= ENOUGH_PX) for place in range(4)]
        return Seen(
            pictures=tuple(self.picture(name) for name in self.pictures),
            last=darkroom().shot(meta.setup, meta.factual.poses[record.prefix.last], record.prefix.last)[0],
            times=tuple(each.frame for each in record.candidates),
            objects=tuple(len(each) for each in bodies),
            gaps=tuple(least_gap(frame.poses[own, :3]) for frame, own in zip(meta.frames, bodies, strict=True)),
            right=_LETTERS.index(record.answer),
        )

    def _facts(self) -> Mapping[str, object]:
        """``pick_<rule>``: which candidates each blind rule over pictures picks, as four signs in letter order."""
        return {} if lacking(("numba",)) else picks(self.seen)


@final
@dataclass(frozen=True, eq=False)
class OpenedQuery(OpenedClip):
    """One query over the corpus."""

    pictures: ClassVar[tuple[str, ...]] = ("target",)
    shown: ClassVar[tuple[str, ...]] = ("target", *(f"negative_{n}" for n in range(4)))

    @cached_property
    def record(self) -> RetrievalRecord:
        """What the sample claims."""
        return record_from_json(RetrievalRecord, self.member("json"), "the record")

    @cached_property
    def meta(self) -> QueryMeta:
        """The scene, its true run, and the run without the removed body."""
        return query_meta(self.member("meta.txt"))

    def run_of(self, place: FrameName) -> RunMeta | None:
        """The run that a frame of this scene is one of; None where the metadata have no such run."""
        run = self.meta.without if place.variant.startswith("without") else self.meta.factual
        good = place.scene == self.setup.scene and place.frame < FRAMES
        return run if good and place.body in (None, self.meta.removed) else None

    def poses(self, place: FrameName) -> NDArray[np.float64] | None:
        """(K, 7) of a frame of this scene; None where the metadata have no such run."""
        run = self.run_of(place)
        return None if run is None else run.poses[place.frame]

    def shot(self, place: FrameName) -> tuple[Picture, Picture]:
        """A frame of this scene drawn: its picture and which body is seen where."""
        run = self.run_of(place)
        if run is None:
            raise ReleaseError(f"the metadata have no run {place.variant}: build the shard again")
        erased = place.body if place.variant.startswith("erased") else None
        return darkroom().shot(self.setup, run.poses[place.frame], place.frame, erased)

    def _facts(self) -> Mapping[str, object]:
        """``state_sha256``: of what the target shows."""
        place = frame_name(self.record.target_frame_id)
        poses = None if place is None else self.poses(place)
        if place is None or poses is None:
            return {}
        erased = place.body if place.variant.startswith("erased") else None
        return {"state_sha256": state_sha256(self.setup, place.frame, poses, erased)}


@final
@dataclass(frozen=True, eq=False)
class OpenedFrame(OpenedClip):
    """One frame of the corpus."""

    pictures: ClassVar[tuple[str, ...]] = ("frame",)
    shown: ClassVar[tuple[str, ...]] = pictures

    @cached_property
    def record(self) -> CorpusRecord:
        """What the sample claims."""
        return record_from_json(CorpusRecord, self.member("json"), "the record")

    @cached_property
    def meta(self) -> CorpusMeta:
        """The scene and the frame."""
        return corpus_meta(self.member("meta.txt"))

    @property
    def question(self) -> str:
        """Nothing is asked."""
        return ""

    def _facts(self) -> Mapping[str, object]:
        """``state_sha256``: of what it shows."""
        frame = self.meta.frame
        return {"state_sha256": state_sha256(self.setup, frame.frame, frame.poses, frame.erased)}


@dataclass(frozen=True)
class FrameName:
    """What a corpus frame's id says.

    Attributes:
        scene: index in the pool.
        variant: ``factual``, ``without-N`` or ``erased-N``.
        frame: of that run.
    """

    scene: int
    variant: str
    frame: int

    @property
    def body(self) -> int | None:
        """The body that is taken away or not drawn."""
        _, _, number = self.variant.partition("-")
        return int(number) if number else None


def frame_name(text: str) -> FrameName | None:
    """The parts of a frame's id; None of what is none."""
    found = _FRAME_ID.fullmatch(text)
    return FrameName(int(found[1]), found[2], int(found[3])) if found else None


def state_sha256(setup: Setup, frame: int, poses: NDArray[np.float64], erased: int | None) -> str:
    """Hex digest of all that a picture follows from."""
    return hashlib.sha256(scene_key(setup) + f"{frame} {erased} ".encode() + poses.tobytes()).hexdigest()


def is_test(scene: int) -> bool:
    """Whether a scene is for testing."""
    return scene % TEST_OF == TEST_IS
