"""``retrieval_train``, ``retrieval_test`` and ``retrieval_corpus``: queries, and the frames they are ranked over.

The queries of the test and the corpus are two configs of one thing: both propose and select it, wholly and alike, and
each writes its own part.
"""

from __future__ import annotations

import abc
import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import polars as pl

from flowbench.builders.dynapix.items import CorpusFrame, Place, RetrievalQuery
from flowbench.builders.dynapix.retrieval import plan_retrieval, select_retrieval
from flowbench.builders.dynapix.retrieval.corpus import QUERIES, SIZE
from flowbench.builders.dynapix.scenes import TEST_OF
from flowbench.builders.options import COMPANIONS
from flowbench.builders.producer import Job, Rejects
from flowbench.release import Sample
from flowbench.schema import to_json

from .base import NOT_REPRODUCED, CollisionProducer, Row, pack, reproduced, shows, unpack
from .gallery import Gallery
from .meta import SceneMeta
from .records import corpus_record, retrieval_record, scene_name
from .stage import Beside, Stage, draw_rejects, removable

STANDARD_SCENES = 387
"""Test scenes over which the paper has 10,000 frames; a release of fewer gets as many frames a scene."""
GIVEN = 4
"""Hard negatives whose pictures a training query comes with."""
ITEMS = 5.5
"""Queries a scene, as measured (docs/benchmarks.md)."""
QUERY_BYTES, TRAIN_BYTES, FRAME_BYTES = 260_000, 1_150_000, 125_000
"""Of a sample, as measured."""
_QUERY, _FRAME = "query", "frame"


def corpus_size(scenes: int) -> int:
    """Frames wanted over so many test scenes."""
    return min(SIZE, -(-SIZE * scenes // STANDARD_SCENES))


class RetrievalProducer(CollisionProducer):
    """What the three have in common; rows are queries, and frames that scenes offer to the corpus."""

    schema: ClassVar[Mapping[str, pl.DataType]] = {"scene": pl.Int64(), "kind": pl.String(), "payload": pl.String()}

    def plan(self, stage: Stage) -> tuple[list[Row], Rejects]:
        """Queries of a scene, some of them with a body taken away, and frames."""
        good, rejects = draw_rejects(stage.seed, stage.scene, Beside())
        if not good:
            return [], rejects
        films = stage.films(Beside(), removable(stage))
        queries, frames, dropped = plan_retrieval(films, self.preset, self.job.seed)
        rejects.update(dropped)
        rows = [_row(stage, _QUERY, query, _places(query)) for query in queries]
        if self.split == "test":
            rows += [_row(stage, _FRAME, frame, [frame.place]) for frame in frames]
        return rows, rejects

    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """Queries and corpus over all scenes; of these, what the config holds."""
        rows = candidates.to_dicts()
        queries = {_query(unpack(row)): row for row in rows if row["kind"] == _QUERY}
        frames = {_frame(unpack(row)): row for row in rows if row["kind"] == _FRAME}
        size = corpus_size(len({row["scene"] for row in rows})) if self.split == "test" else 0
        totals = {self.split: QUERIES[self.split]}
        chosen, corpus, rejects = select_retrieval(list(queries), list(frames), self.job.seed, totals, size)
        by_place = {(frame.scene, frame.place): row for frame, row in frames.items()}
        mine = self.part(
            [(query, queries[query]) for query in chosen], [(f, by_place[f.scene, f.place]) for f in corpus]
        )
        columns = {"split": pl.String(), "key": pl.String(), "category": pl.String()}
        return pl.DataFrame(mine, schema={**self.schema, **columns}).sort("split", "key"), rejects

    @abc.abstractmethod
    def part(
        self, queries: Sequence[tuple[RetrievalQuery, Row]], corpus: Sequence[tuple[CorpusFrame, Row]]
    ) -> list[Row]:
        """The rows of the config, with split, key and category."""


class QueryProducer(RetrievalProducer):
    """Producer of ``retrieval_train`` and ``retrieval_test``."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.proposes_as = COMPANIONS.get(job.config)

    def part(
        self, queries: Sequence[tuple[RetrievalQuery, Row]], corpus: Sequence[tuple[CorpusFrame, Row]]
    ) -> list[Row]:
        """Queries, numbered for each scene and builder."""
        numbers: Counter[str] = Counter()
        rows = []
        for query, row in queries:
            name = f"{scene_name(query.scene)}-{f'b{query.builder}' if query.builder else 'cf'}"
            rows.append(row | {"split": self.split, "key": f"{name}-{numbers[name]}", "category": query.anchor})
            numbers[name] += 1
        return rows

    def scene_samples(self, stage: Stage, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Film what the scene's queries show, then write them."""
        contents = [unpack(row) for row in rows]
        queries = [_query(content) if reproduced(stage, content) else None for content in contents]
        kept = [query for query in queries if query is not None]
        gallery = Gallery(
            stage,
            (place for query in kept for place in self._pictures(query).values()),
            (frame for query in kept for frame in range(query.first, query.cut + 1)),
        )
        meta = SceneMeta(stage)
        for row, query in zip(rows, queries, strict=True):
            yield NOT_REPRODUCED if query is None else self._sample(str(row["key"]), query, stage, gallery, meta)

    def _pictures(self, query: RetrievalQuery) -> dict[str, Place]:
        """Column -> picture; training scenes are not in the corpus, so that their queries bring their own."""
        if self.split != "train":
            return {}
        given = {f"negative_{number}.png": place for number, place in enumerate(query.negatives[:GIVEN])}
        return given | {"target.png": query.target}

    def _sample(self, key: str, query: RetrievalQuery, stage: Stage, gallery: Gallery, meta: SceneMeta) -> Sample:
        removed = None if query.removed is None else stage.shot(query.target.variant).without
        negatives = query.negatives if self.split == "test" else query.negatives[:GIVEN]
        members = {column: gallery.png(place) for column, place in self._pictures(query).items()}
        members["json"] = to_json(retrieval_record(key, query, removed, negatives, self.origin))
        members["meta.txt"] = meta.query(query)
        members["video.mp4"] = gallery.video(range(query.first, query.cut + 1))
        return Sample(key, members)

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields, and the paper's totals."""
        tests = scenes // TEST_OF
        if self.split == "test":
            return min(QUERIES["test"], int(tests * ITEMS)), QUERY_BYTES
        return min(QUERIES["train"], int((scenes - tests) * ITEMS)), TRAIN_BYTES


class CorpusProducer(RetrievalProducer):
    """Producer of ``retrieval_corpus``."""

    proposes_as = "retrieval_test"

    def part(
        self, queries: Sequence[tuple[RetrievalQuery, Row]], corpus: Sequence[tuple[CorpusFrame, Row]]
    ) -> list[Row]:
        """Frames by their ids."""
        return [row | {"split": self.split, "key": frame.frame_id, "category": "frame"} for frame, row in corpus]

    def scene_samples(self, stage: Stage, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Film the scene's frames, then write them."""
        contents = [unpack(row) for row in rows]
        frames = [_frame(content) if reproduced(stage, content) else None for content in contents]
        gallery = Gallery(stage, (frame.place for frame in frames if frame is not None))
        meta = SceneMeta(stage)
        for frame in frames:
            if frame is None:
                yield NOT_REPRODUCED
                continue
            record = to_json(corpus_record(frame, self.origin))
            members = {"frame.png": gallery.png(frame.place), "json": record, "meta.txt": meta.corpus(frame.place)}
            yield Sample(frame.frame_id, members)

    def expected(self, scenes: int) -> tuple[int, int]:
        """As many frames a scene as the paper has."""
        return corpus_size(scenes // TEST_OF), FRAME_BYTES


def _places(query: RetrievalQuery) -> list[Place]:
    return [query.target, *query.negatives]


def _row(stage: Stage, kind: str, made: RetrievalQuery | CorpusFrame, places: Sequence[Place]) -> Row:
    """A row of the candidate table."""
    payload = pack(stage, [shows(place.variant) for place in places], made=json.dumps(dataclasses.asdict(made)))
    return {"scene": stage.scene, "kind": kind, "payload": payload}


def _query(content: Row) -> RetrievalQuery:
    raw = json.loads(content["made"])
    raw["target"] = Place(**raw["target"])
    raw["negatives"] = tuple(Place(**place) for place in raw["negatives"])
    return RetrievalQuery(**raw)


def _frame(content: Row) -> CorpusFrame:
    raw = json.loads(content["made"])
    raw["place"] = Place(**raw["place"])
    return CorpusFrame(**raw)
