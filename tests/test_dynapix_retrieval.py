"""Retrieval: the six builders, hard negatives, counterfactual queries with their decoys, and the corpus."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plays import Actor, Painted, Play, at_random

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.items import CorpusFrame, Place, RetrievalQuery
from flowbench.builders.dynapix.presets import BALANCED, PAPER
from flowbench.builders.dynapix.retrieval import laying, plan_retrieval, select_retrieval
from flowbench.builders.dynapix.retrieval.builders import BUILDERS
from flowbench.builders.dynapix.retrieval.counterfactual import NO_DIFFERENCE, NOT_EXACT, TOUCHES_NOTHING, UNSEEN
from flowbench.builders.dynapix.retrieval.phrasing import TEXTS
from flowbench.builders.dynapix.scenes import Removal, SceneFilms, Take, split_of
from flowbench.validation.dynapix import retrieval as recheck
from flowbench.validation.dynapix.facts import RunFacts

FACTUAL = Play(
    [
        Actor([(0, 40, 100), (50, 240, 100), (127, 260, 100)], 0),
        Actor([(50, 266, 100), (127, 440, 180)]),
        Actor([(0, 60, 280), (127, 400, 240)], 0),
    ],
    [(49, 0, 1)],
)
WITHOUT = Play([FACTUAL.actors[0], Actor([(0, 266, 100)]), FACTUAL.actors[2]], (), erased=(0,))


def removal(without: Play = WITHOUT, factual: Play = FACTUAL, removed: int = 0) -> Removal:
    """The scene without its first mover: what it would have struck stays at rest."""
    return Removal(removed, without.take(), Painted(dataclasses.replace(factual, erased=(removed,))))


def query_facts(query: RetrievalQuery, preset: str) -> recheck.QueryFacts:
    """As the recheck reads it."""
    removed = int(query.target.variant.rpartition("-")[2]) if query.removed else None
    return recheck.QueryFacts(
        preset=preset,
        query=query.query,
        builder=query.builder,
        first=query.first,
        last=query.cut,
        target=(query.target.variant, query.target.frame),
        negatives=tuple((place.variant, place.frame) for place in query.negatives),
        removed=removed,
    )


def findings(
    asked: RetrievalQuery, runs: dict[str, RunFacts], preset: str = "balanced", **changes: object
) -> list[str]:
    facts = dataclasses.replace(query_facts(asked, preset), **changes)  # type: ignore[arg-type]
    return [finding.rule for finding in recheck.check_query(facts, runs)]


def only(found: tuple[list[RetrievalQuery], list[CorpusFrame], Counter[str]]) -> list[RetrievalQuery]:
    return [query for query in found[0] if query.removed is not None]


def test_the_table_of_builders() -> None:
    assert [builder.number for builder in BUILDERS] == [1, 2, 3, 4, 5, 6]
    assert BUILDERS[0].moments() == [(24, 127), (49, 127), (74, 127)]
    assert BUILDERS[1].moments() == [(49, 61), (49, 74), (49, 87), (49, 99)]
    assert [(b.lead, b.after, b.events) for b in BUILDERS[2:]] == [(10, 0, 3), (0, 25, 1), (25, 0, 1), (13, 13, 1)]


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([BALANCED, PAPER]))
def test_queries_and_frames_of_a_scene(seed: int, preset: object) -> None:
    play = at_random(np.random.default_rng(seed), seed)
    films = play.films()
    assert preset in (BALANCED, PAPER)
    chosen = BALANCED if preset is BALANCED else PAPER
    queries, frames, _ = plan_retrieval(films, chosen, seed=0)
    album = Album(films)
    places = {frame.place for frame in frames}
    for query in queries:
        assert findings(query, {"factual": play.facts()}, chosen.name) == []
        assert query.target.frame == query.cut + query.horizon
        assert len(query.negatives) == chosen.negatives
        assert {query.target, *query.negatives} <= places
    for one, other in combinations(sorted(places), 2):
        assert album.changed(one, other) >= chosen.changed_px, "no two frames look alike, targets or not"
        assert one.variant != other.variant or abs(one.frame - other.frame) >= 7
    assert Counter(query.builder for query in queries)[3] <= 3


def test_negatives_are_apart_and_unseen_ones_come_first() -> None:
    play = at_random(np.random.default_rng(3), 3)
    queries, _, _ = plan_retrieval(play.films(), BALANCED, seed=0)
    for query in queries:
        frames = [place.frame for place in query.negatives]
        assert all(abs(one - other) > 6 for one, other in combinations([query.target.frame, *frames], 2))
        seen = [frame <= query.cut for frame in frames]
        assert seen == sorted(seen)


def test_a_counterfactual_query_has_decoys_that_lack_the_object_too() -> None:
    queries, frames, dropped = plan_retrieval(FACTUAL.films(removals=[removal()]), BALANCED, seed=0)
    (query,) = only((queries, frames, dropped))
    assert query.removed == "the blue metal cube"
    assert query.removed in query.query
    assert query.target.variant == "without-0"
    assert 5 <= 50 - query.cut <= 13, "it ends before the removed object touches anything"
    assert query.margin >= 20.0
    wrong_times = [place for place in query.negatives if place.variant == "without-0"]
    assert len(wrong_times) >= 3
    assert all(abs(place.frame - query.target.frame) > 6 for place in wrong_times)
    assert Place("erased-0", query.target.frame) in query.negatives
    places = {frame.place for frame in frames}
    assert set(query.negatives) <= places
    runs = {"factual": FACTUAL.facts(), "without-0": WITHOUT.facts()}
    assert findings(query, runs) == []
    assert recheck.displaced(runs["factual"], runs["without-0"], 0, query.target.frame) == pytest.approx(query.margin)
    lacking = [place for place in places if place.variant != "factual"]
    assert len(lacking) >= 5
    beside = {
        variant: {place.frame for place in lacking if place.variant == variant} for variant in ("without-0", "erased-0")
    }
    assert beside["without-0"] == beside["erased-0"], "of wrong times as well: else the pair would tell the target"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"last": 55}, "removal"),
        ({"removed": None}, "removal"),
        ({"negatives": ()}, "decoys"),
        ({"target": ("without-0", 52), "negatives": (("without-0", 55),)}, "near target"),
        ({"query": "If the blue metal cube were absent, what then?"}, "stated time"),
        ({"first": 60}, "order"),
        ({"builder": 1}, "target"),
    ],
)
def test_the_recheck_finds_what_is_wrong_with_a_query(changes: dict[str, object], rule: str) -> None:
    (query,) = only(plan_retrieval(FACTUAL.films(removals=[removal()]), BALANCED, seed=0))
    runs = {"factual": FACTUAL.facts(), "without-0": WITHOUT.facts()}
    assert rule in findings(query, runs, "balanced", **changes)


def test_the_recheck_finds_wrong_moments_and_contacts() -> None:
    queries, _, _ = plan_retrieval(FACTUAL.films(), PAPER, seed=0)
    runs = {"factual": FACTUAL.facts()}
    assert queries
    for query in queries:
        assert findings(query, runs, "paper") == []
        moved = ("factual", query.target.frame - 1)
        assert "moment" in findings(query, runs, "paper", target=moved)
        if query.builder > 2:
            assert "next contact" in findings(
                query, {"factual": dataclasses.replace(FACTUAL, hits=()).facts()}, "paper"
            )


def test_removals_that_cannot_be_asked_about_say_why() -> None:
    def reasons(films: SceneFilms) -> set[str]:
        queries, _, dropped = plan_retrieval(films, BALANCED, seed=0)
        assert not [query for query in queries if query.removed]
        return {reason.removeprefix("counterfactual: ") for reason in dropped if reason.startswith("counterfactual")}

    alone = dataclasses.replace(WITHOUT, erased=(2,))
    assert reasons(FACTUAL.films(removals=[removal(alone, removed=2)])) == {TOUCHES_NOTHING}
    other = dataclasses.replace(WITHOUT, actors=[*WITHOUT.actors[:2], Actor([(0, 61, 280), (127, 400, 240)], 0)])
    assert reasons(FACTUAL.films(removals=[removal(other)])) == {NOT_EXACT}
    same = dataclasses.replace(FACTUAL, hits=(), erased=(0,))
    assert reasons(FACTUAL.films(removals=[removal(same)])) == {NO_DIFFERENCE}
    hidden = dataclasses.replace(
        FACTUAL, actors=[dataclasses.replace(FACTUAL.actors[0], hidden=[(30, 60)]), *FACTUAL.actors[1:]]
    )
    assert reasons(hidden.films(removals=[removal(factual=hidden)])) == {UNSEEN}


def test_a_run_may_leave_the_object_out_altogether() -> None:
    oracle = WITHOUT.oracle()
    keep = [1, 2]
    fewer = dataclasses.replace(
        oracle,
        bodies=tuple(oracle.bodies[k] for k in keep),
        **{
            name: getattr(oracle, name)[:, keep]
            for name in ("poses", "velocities", "spins", "visible", "whole", "pixels")
        },
    )
    kept = removal()
    left_out = Removal(0, Take(fewer, kept.run.film), kept.erased)
    one, other = (only(plan_retrieval(FACTUAL.films(removals=[each]), BALANCED, seed=0)) for each in (kept, left_out))
    assert one == other
    assert one


def test_a_run_that_no_query_asks_about_holds_frames_as_well() -> None:
    hidden = dataclasses.replace(
        FACTUAL, actors=[dataclasses.replace(FACTUAL.actors[0], hidden=[(30, 60)]), *FACTUAL.actors[1:]]
    )
    queries, frames, _ = plan_retrieval(hidden.films(removals=[removal(factual=hidden)]), BALANCED, seed=0)
    assert only((queries, frames, Counter())) == []
    runs = Counter(frame.place.variant for frame in frames if not frame.needed)
    assert 2 <= runs["without-0"] <= 6
    assert runs["erased-0"] >= 1


def test_runs_without_an_object_have_a_varying_number_of_frames() -> None:
    sizes, ranks = Counter[int](), Counter[int]()
    for seed in range(16):
        found = plan_retrieval(FACTUAL.films(removals=[removal()]), BALANCED, seed=seed)
        for query in only(found):
            run = sorted(frame.place.frame for frame in found[1] if frame.place.variant == "without-0")
            sizes[len(run)] += 1
            ranks[run.index(query.target.frame)] += 1
            assert min(run) > query.cut
    assert set(sizes) == {4, 5, 6}
    assert len(ranks) >= 4
    assert max(ranks.values()) <= 0.6 * sum(ranks.values())


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.integers(0, 67), st.data())
def test_frames_are_spread_within_their_stretch(first: int, length: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, laying.room(first, first + length)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    frames = laying.spread(rng, first, first + length, count)
    assert len(frames) == count
    assert all(first <= frame <= first + length for frame in frames)
    assert all(later - earlier >= 7 for earlier, later in pairwise(frames))
    assert laying.room(first, first - 1 - length) == 0


def test_every_spread_is_equally_likely() -> None:
    rng = np.random.default_rng(0)
    found = Counter(tuple(laying.spread(rng, 10, 19, 2)) for _ in range(600))
    assert len(found) == 6, "10 to 19 has room for two frames seven apart in six ways"
    assert min(found.values()) > 60


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("last", [False, True])
def test_targets_are_no_more_alone_than_other_frames(number: int, last: bool) -> None:
    rng = np.random.default_rng(5)
    hits, guess = 0.0, 0.0
    for _ in range(800):
        targets = sorted({*(20 + 30 * k + int(rng.integers(12)) for k in range(number)), *([127] if last else [])})
        run = sorted([*targets, *laying.throughout(rng, targets)])
        assert all(later - earlier >= 7 for earlier, later in pairwise(run))
        alone = [min(abs(frame - other) for other in run if other != frame) for frame in run]
        most = [frame for frame, gap in zip(run, alone, strict=True) if gap == max(alone)]
        hits += sum(frame in targets for frame in most) / len(most)
        guess += len(targets) / len(run)
    assert hits < 1.35 * guess


def test_a_wish_gives_every_rank() -> None:
    rng = np.random.default_rng(0)
    wishes = [laying.wish_of(rng) for _ in range(900)]
    for count in (3, 4, 5):
        before = Counter(wish[0] for wish in wishes if sum(wish) == count)
        assert set(before) == set(range(count + 1))
        assert max(before.values()) < 1.5 * sum(before.values()) / (count + 1)


def test_selection_takes_builders_in_turn_and_fills_the_corpus_with_test_scenes() -> None:
    queries: list[RetrievalQuery] = []
    frames: list[CorpusFrame] = []
    for scene in range(10):
        play = at_random(np.random.default_rng(scene), scene)
        found = plan_retrieval(play.films(), BALANCED, seed=0)
        queries += found[0]
        frames += found[1]
    chosen, corpus, dropped = select_retrieval(queries, frames, 0, {"train": 12, "test": 4}, size=26)
    assert Counter(query.split for query in chosen) == {"train": 12, "test": 4}
    assert dropped["over the number wanted"] == len(queries) - 16
    assert max(Counter(query.builder for query in chosen if query.split == "train").values()) <= 3
    assert len(corpus) == len({frame.frame_id for frame in corpus}) == 26
    assert {split_of(frame.scene) for frame in corpus} == {"test"}
    needed: dict[int, set[Place]] = defaultdict(set)
    for query in chosen:
        if query.split == "test":
            needed[query.scene] |= {query.target, *query.negatives}
    assert {(f.scene, f.place) for f in corpus if f.needed} == {(s, p) for s, ps in needed.items() for p in ps}
    assert (chosen, corpus, dropped) == select_retrieval(queries, frames, 0, {"train": 12, "test": 4}, size=26)
    assert select_retrieval(queries, frames, 0, {"test": 4}, size=10_000)[2]["corpus frames short of the size wanted"]


def test_every_query_has_at_least_five_phrasings_with_the_same_holes() -> None:
    for texts in TEXTS.values():
        assert len(set(texts)) == len(texts) >= 5
        assert len({("{seconds}" in text, "{name}" in text) for text in texts}) == 1


def test_planning_is_deterministic() -> None:
    first, again = (plan_retrieval(FACTUAL.films(removals=[removal()]), BALANCED, seed=4) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("frame", [0, 127])
def test_frame_ids_are_plain(frame: int) -> None:
    assert CorpusFrame(7, Place("without-2", frame), True).frame_id == f"000007-without-2-{frame:03d}"
