"""The configs and their columns: names, kinds, splits, pools (schema.md). Part of the data's contract.

A new config is a new row of :data:`CONFIGS`; a changed column name bumps the release's major version.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import pydantic

from ..errors import unknown_name
from .dynapix import CorpusRecord, RetrievalRecord, SelectionRecord
from .real import RealRecord
from .sim import SimRecord


class Kind(enum.Enum):
    """How ``datasets`` declares a column."""

    IMAGE = "image"
    BINARY = "binary"
    STRUCT = "struct"
    TEXT = "text"


@dataclass(frozen=True)
class Column:
    """One member of every sample.

    Attributes:
        name: with its suffix; the member is called ``<key>.<name>``.
        kind: how it is declared.
        description: what it holds, with unit and encoding; goes into the dataset card.
        optional: whether samples may lack it; it then reads as null.
    """

    name: str
    kind: Kind
    description: str
    optional: bool = False


@dataclass(frozen=True)
class ConfigSpec:
    """What a config consists of.

    Attributes:
        name: e.g. ``"sim_train"``.
        title: what it is, in a few words.
        record: type of the ``json`` column.
        columns: in alphabetical order, as the shards hold them.
        splits: e.g. ``("train", "validation")``.
        pools: scene pools it draws from; configs that need the same scenes share one.
        licence: SPDX identifier, lower case as the Hub writes it.
        size: (width, height) of its pictures where the config fixes it, pixels; None where a build chooses.
        simulator: that its scenes come from, where it is not the one that the build was asked for.
        redistributable: whether its pixels may be passed on; ``flowbench release push`` refuses a config whose may not.
    """

    name: str
    title: str
    record: type[pydantic.BaseModel]
    columns: tuple[Column, ...]
    splits: tuple[str, ...]
    pools: tuple[str, ...]
    size: tuple[int, int] | None = None
    licence: str = "cc-by-4.0"
    simulator: str | None = None
    redistributable: bool = True

    @property
    def family(self) -> str:
        """What configs of one paper and source share: ``"sim"`` of ``"sim_train"`` and ``"sim_test"``."""
        return self.name.partition("_")[0]


def config_spec(name: str) -> ConfigSpec:
    """The config called ``name``; :class:`~flowbench.errors.UsageError` with the nearest name if there is none."""
    if name not in CONFIGS:
        raise unknown_name("config", name, CONFIGS)
    return CONFIGS[name]


_DEPTH = "Planar z-depth of the {} image, 16-bit gray PNG, millimetres; 0 = no depth."
_SEGMENTATION = "Instance ids of the {} image, 16-bit gray PNG; 0 = none; ids resolve in the record's `segments`."

SIM_COLUMNS = (
    Column("after.png", Kind.IMAGE, "The scene after the motion, clean, 8-bit RGB."),
    Column("after_marked.png", Kind.IMAGE, "The after image with the marks drawn: the model's input in mode 2A."),
    Column("before.png", Kind.IMAGE, "The scene before the motion, clean, 8-bit RGB."),
    Column("before_marked.png", Kind.IMAGE, "The before image with the marks drawn: the model's input in 1A and 1B."),
    Column("depth_after.png16", Kind.IMAGE, _DEPTH.format("after")),
    Column("depth_before.png16", Kind.IMAGE, _DEPTH.format("before")),
    Column(
        "flow.png16",
        Kind.BINARY,
        "Exact optical flow from before to after in pixels, KITTI encoding in a 16-bit RGB PNG: u = (R - 32768) / 64, "
        "v = (G - 32768) / 64, B = 1 where valid (wherever depth_before > 0, occluded pixels included).",
    ),
    Column("json", Kind.STRUCT, "The record: question, answer, geometry, masks, provenance; see its fields below."),
    Column(
        "meta.txt", Kind.TEXT, "The simulator's full state before and after as JSON text; its shape varies by source."
    ),
    Column("seg_after.png16", Kind.IMAGE, _SEGMENTATION.format("after")),
    Column("seg_before.png16", Kind.IMAGE, _SEGMENTATION.format("before")),
)

_REAL = {
    "flow.png16": "Optical flow from before to after in pixels by point tracks (exact of the embedded tabletop), KITTI "
    "encoding in a 16-bit RGB PNG: u = (R - 32768) / 64, v = (G - 32768) / 64, B = 1 where a pixel was tracked.",
    "meta.txt": "What was measured of the pair as JSON text: every object's masks in numbers, positions, matches, "
    "roles; tracks, scale, the profile's constants.",
}
REAL_COLUMNS = tuple(
    sorted(
        (
            *(replace(column, description=_REAL.get(column.name, column.description)) for column in SIM_COLUMNS),
            Column("after_badges.png", Kind.IMAGE, "The after image with numbered badges on every marked object."),
            Column("before_badges.png", Kind.IMAGE, "The before image with numbered badges on every marked object."),
        ),
        key=lambda column: column.name,
    )
)

_JSON = Column("json", Kind.STRUCT, "The record; see its fields below.")
_VIDEO = Column(
    "video.mp4",
    Kind.BINARY,
    "What is observed: H.264, 480x320, 25 frames a second. Missing where nothing is shown.",
    optional=True,
)
_COLLISION_META = Column(
    "meta.txt",
    Kind.TEXT,
    "The scene as JSON text: its set-up (enough to run it again), and every body's pose, velocity, visibility and "
    "collisions a frame, of every run that the sample shows.",
)
SELECTION_COLUMNS = (
    *(Column(f"candidate_{n}.png", Kind.IMAGE, f"Candidate {letter}, 8-bit RGB.") for n, letter in enumerate("ABCD")),
    _JSON,
    _COLLISION_META,
    _VIDEO,
)
COLLISION_SIZE = (480, 320)
TRANSFER_COLUMNS = (
    *(Column(f"candidate_{n}.png", Kind.IMAGE, f"Candidate {letter}, 8-bit RGB.") for n, letter in enumerate("ABCD")),
    _JSON,
    Column(
        "meta.txt",
        Kind.TEXT,
        "What the source tells of the scene as JSON text: every body's pose, velocity and visible pixels a frame, and "
        "the frames through which bodies touch each other or the ground; and what each candidate shows.",
    ),
    Column("video.mp4", Kind.BINARY, "What is observed: H.264 of the candidates' size, `prefix.fps` frames a second."),
)
RETRIEVAL_COLUMNS = (_JSON, _COLLISION_META, _VIDEO)
RETRIEVAL_TRAIN_COLUMNS = (
    _JSON,
    _COLLISION_META,
    *(
        Column(f"negative_{n}.png", Kind.IMAGE, f"Hard negative {n + 1}, 8-bit RGB: no target of this query.")
        for n in range(4)
    ),
    Column("target.png", Kind.IMAGE, "The frame to be found, 8-bit RGB: training scenes are not in the corpus."),
    _VIDEO,
)
CORPUS_COLUMNS = (Column("frame.png", Kind.IMAGE, "The frame, 8-bit RGB."), _JSON, _COLLISION_META)

CONFIGS: Mapping[str, ConfigSpec] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            ConfigSpec(
                name="sim_train",
                title="counterfactual spatial questions in simulated homes, to train on",
                record=SimRecord,
                columns=SIM_COLUMNS,
                splits=("train", "validation"),
                pools=("homes_train",),
            ),
            ConfigSpec(
                name="sim_test",
                title="counterfactual spatial questions in simulated homes, to test on",
                record=SimRecord,
                columns=SIM_COLUMNS,
                splits=("test",),
                pools=("homes_test",),
            ),
            *(
                ConfigSpec(
                    name=f"real_{split}",
                    title=f"counterfactual spatial questions about moves that robot videos show, to {split} on",
                    record=RealRecord,
                    columns=REAL_COLUMNS,
                    splits=(split,),
                    pools=("tabletop",),
                    size=(640, 480),
                )
                for split in ("train", "test")
            ),
            *(
                ConfigSpec(
                    name=f"selection_{part}",
                    title=f"the exact future of collisions among four frames, {what}",
                    record=SelectionRecord,
                    columns=SELECTION_COLUMNS,
                    splits=(split,),
                    pools=("collisions",),
                    size=COLLISION_SIZE,
                )
                for part, split, what in (
                    ("train", "train", "to train on"),
                    ("test", "test", "to test on"),
                    ("matched", "test", "events against elapsed time over the same candidates, with controls"),
                )
            ),
            *(
                ConfigSpec(
                    name=f"selection_{source}",
                    title=f"the exact future among four frames of scenes from {what}",
                    record=SelectionRecord,
                    columns=TRANSFER_COLUMNS,
                    splits=("test",),
                    pools=(source,),
                    size=size,
                    # None of the sources states a licence of its pictures, so whoever built from them keeps them.
                    licence="other",
                    simulator=simulator,
                    redistributable=False,
                )
                for source, size, simulator, what in (
                    ("movi", (256, 256), "kubric", "Kubric's MOVi-A, to test transfer on"),
                    ("physion", (512, 512), "tdw", "Physion, to test transfer on"),
                    ("clevrer", COLLISION_SIZE, "clevrer", "CLEVRER's own release, to test on"),
                )
            ),
            *(
                ConfigSpec(
                    name=f"retrieval_{split}",
                    title=f"the exact future of collisions in a corpus of frames, to {split} on",
                    record=RetrievalRecord,
                    columns=RETRIEVAL_TRAIN_COLUMNS if split == "train" else RETRIEVAL_COLUMNS,
                    splits=(split,),
                    pools=("collisions",),
                    size=COLLISION_SIZE,
                )
                for split in ("train", "test")
            ),
            ConfigSpec(
                name="retrieval_corpus",
                title="the frames that queries are ranked against",
                record=CorpusRecord,
                columns=CORPUS_COLUMNS,
                splits=("test",),
                pools=("collisions",),
                size=COLLISION_SIZE,
            ),
        )
    }
)
