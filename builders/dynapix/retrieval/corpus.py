"""The corpus: every frame that a query needs, filled up with others of the same scenes to a stated size."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from flowbench.builders.dynapix.items import CorpusFrame, RetrievalQuery
from flowbench.builders.dynapix.scenes import split_of
from flowbench.seeding import rank

from .ledger import Ledger

SIZE = 10_000
QUERIES: Mapping[str, int] = {"train": 22_500, "test": 2_002}
"""The paper's numbers (section 3.4; 5.1)."""


def frames_of(scene: int, ledger: Ledger, queries: Sequence[RetrievalQuery]) -> list[CorpusFrame]:
    """A scene's frames for the corpus: those its queries need first."""
    needed = {place for query in queries for place in (query.target, *query.negatives)}
    others = [place for place in ledger.places if place not in needed]
    return [
        *(CorpusFrame(scene, place, True) for place in sorted(needed)),
        *(CorpusFrame(scene, place, False) for place in others),
    ]


def select_retrieval(
    queries: Sequence[RetrievalQuery],
    frames: Sequence[CorpusFrame],
    seed: int,
    totals: Mapping[str, int] = QUERIES,
    size: int = SIZE,
) -> tuple[list[RetrievalQuery], list[CorpusFrame], Counter[str]]:
    """Queries in equal numbers of each builder as far as they go, and the test corpus.

    Args:
        queries, frames: of all scenes.
        seed: of the release; breaks ties.
        totals: split -> queries wanted at most.
        size: corpus frames wanted; more where the queries need more.

    Returns:
        queries by scene and builder; the corpus, of test scenes alone, ascending; what was left out by reason.
    """
    dropped: Counter[str] = Counter()
    chosen: list[RetrievalQuery] = []
    for split in sorted(totals):
        of_split = [query for query in queries if query.split == split]
        kept = _in_turn(of_split, seed, totals[split])
        dropped["over the number wanted"] += len(of_split) - len(kept)
        chosen.extend(kept)
    offered = [frame for frame in frames if split_of(frame.scene) == "test"]
    corpus = _fill([query for query in chosen if query.split == "test"], offered, seed, size)
    if len(corpus) < size:
        dropped["corpus frames short of the size wanted"] += size - len(corpus)
    chosen.sort(key=lambda query: (query.split, query.scene, query.builder, query.target, query.cut))
    return chosen, corpus, +dropped


def _in_turn(queries: Sequence[RetrievalQuery], seed: int, total: int) -> list[RetrievalQuery]:
    """One query of each builder in turn."""
    lines: dict[int, list[RetrievalQuery]] = defaultdict(list)
    for query in sorted(
        queries, key=lambda each: rank(seed, "query", each.scene, each.builder, each.cut, each.horizon)
    ):
        lines[query.builder].append(query)
    turns = [(place, builder, query) for builder, line in sorted(lines.items()) for place, query in enumerate(line)]
    turns.sort(key=lambda turn: turn[:2])
    return [query for _, _, query in turns[:total]]


def _fill(queries: Sequence[RetrievalQuery], frames: Sequence[CorpusFrame], seed: int, size: int) -> list[CorpusFrame]:
    """What the queries need, and others up to the size.

    A frame that some query was to be answered with, but for which it wasn't chosen, fills up like any other.
    """
    needed = {(query.scene, place) for query in queries for place in (query.target, *query.negatives)}
    corpus = [CorpusFrame(scene, place, True) for scene, place in sorted(needed)]
    rest = [frame for frame in frames if (frame.scene, frame.place) not in needed]
    rest.sort(key=lambda frame: rank(seed, "corpus", frame.frame_id))
    corpus += [CorpusFrame(each.scene, each.place, False) for each in rest[: max(0, size - len(corpus))]]
    return sorted(corpus)
