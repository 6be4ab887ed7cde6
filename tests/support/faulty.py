"""A counting producer that meets with faults, each of them once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from flowbench.builders import shards
from flowbench.builders.producer import Rejects
from flowbench.release import Sample

from .counting import PER_SCENE, CountingProducer
from .tasks import suffer

FOLDER = "FLOWBENCH_TEST_FAULTS"
"""Environment variable with the folder of faults: files ``<pass>-<scene>-<number>-<fault>``."""
FAULTY = "support.faulty:FaultyProducer"


def plant(folder: Path, stage: str, scene: int, faults: Sequence[str]) -> None:
    """Let the block or shard with this scene meet with these faults, one a try."""
    folder.mkdir(exist_ok=True)
    for number, fault in enumerate(faults):
        (folder / f"{stage}-{scene}-{number}-{fault}").touch()


class FaultyProducer(CountingProducer):
    """Suffers what was planted; in the write pass half-way through a shard."""

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Three rows a scene."""
        for scene in scenes:
            _meet("propose", scene)
        return super().propose(scenes)

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Synthetic samples."""
        for row in rows:
            yield from super().samples([row])
            _meet("write", int(str(row["payload"])) // PER_SCENE)


def _meet(stage: str, scene: int) -> None:
    folder = Path(os.environ[FOLDER])
    for fault in sorted(folder.glob(f"{stage}-{scene}-*")) if folder.is_dir() else ():
        fault.unlink()
        kind = fault.name.split("-", 3)[3]
        if kind == "full":
            _fill_the_disk()
        else:
            suffer(kind)
        return


def _fill_the_disk() -> None:
    """From now on this process finds no more room for shards."""
    honest = shards._Hashing.write

    def write(self: shards._Hashing, data: bytes) -> None:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, self._file.fileno())
        os.close(full)
        honest(self, data)

    vars(shards)["_Hashing"].write = write
