"""Checks of whole configs of collision scenes, on hand-made rows: pairs, corpus, shares, blind rules, leakage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from flowbench.release import Manifest
from flowbench.schema import CONFIGS
from flowbench.validation.dynapix.blind import Asked, asked_of, least_gap, picks, scores
from flowbench.validation.dynapix.rules import Seen
from flowbench.validation.suites.base import ConfigSuite, OpenedConfig
from flowbench.validation.suites.dynapix.balance import ChoiceBalance, CorpusBalance, QueryBalance
from flowbench.validation.suites.dynapix.corpus import InCorpus
from flowbench.validation.suites.dynapix.matched import Matched
from flowbench.validation.suites.dynapix.shortcuts import BlindChoice
from flowbench.validation.suites.leakage import Leakage

Row = dict[str, Any]
LETTERS = "ABCD"
WORDS = ("soon", "later", "then", "last")


class _Held:
    """A manifest that holds these configs."""

    def __init__(self, *names: str) -> None:
        self.configs = dict.fromkeys(names)


def config(name: str, index: Sequence[Row], facts: Sequence[Row] = (), held: Sequence[str] = ()) -> OpenedConfig:
    manifest = cast(Manifest, _Held(name, *held))
    frames = [pl.DataFrame(rows, infer_schema_length=None) for rows in (index, facts)]
    return OpenedConfig(Path("unused"), manifest, CONFIGS[name], *frames)


def rules(suite: ConfigSuite, *configs: OpenedConfig) -> list[str]:
    found = suite.check(configs[0], {each.spec.name: each for each in configs})
    assert all(len(row) == len(table.columns) for table in found.tables for row in table.rows)
    return [each.rule for each in found.violations]


def item(number: int, rank: int, letter: str, **changes: Any) -> Row:
    """An index row of a question; its right candidate is the ``rank``-th of four frames."""
    order = [place for place in np.random.default_rng(number).permutation(4).tolist() if place != rank - 1]
    order.insert(LETTERS.index(letter), rank - 1)
    candidates = [
        {"letter": LETTERS[n], "variant": "factual", "frame": 40 + 6 * place} for n, place in enumerate(order)
    ]
    row: Row = {
        "id": f"item-{number:04d}",
        "split": "test",
        "category": "time",
        "subtype": "time-1",
        "scene_id": f"collisions-{number // 4:06d}",
        "query": "What comes?",
        "answer": letter,
        "rank": rank,
        "horizon": 25,
        "target_frame": 40 + 6 * (rank - 1),
        "margin": 7.5,
        "prefix": {"first": 0, "last": 24},
        "candidates": candidates,
        "anchor": None,
        "control": None,
        "pair": None,
    }
    return row | changes


def items(count: int, rank: int = 0, letter: str = "") -> list[Row]:
    """Questions with drawn places and letters, unless these are given."""
    rng = np.random.default_rng(5)
    return [item(n, rank or int(rng.integers(4)) + 1, letter or LETTERS[int(rng.integers(4))]) for n in range(count)]


def facts(index: Sequence[Row], pick: str = "") -> list[Row]:
    """What was found of pictures; the medoid is the right one, or always the same."""
    return [
        {
            "key": row["id"],
            "split": "test",
            "file": "a.tar",
            "pick_medoid": pick or "".join("1" if letter == row["answer"] else "0" for letter in LETTERS),
        }
        for row in index
    ]


def test_even_shares_pass_and_uneven_ones_do_not() -> None:
    assert rules(ChoiceBalance(), config("selection_test", items(200))) == []
    assert rules(ChoiceBalance(), config("selection_test", items(200, letter="C"))) == ["letters are uneven"]
    assert rules(ChoiceBalance(), config("selection_test", items(200, rank=1))) == ["places in time are uneven"]
    assert rules(ChoiceBalance(), config("selection_test", items(40, rank=1))) == []  # too few to tell


def test_counts_stand_beside_the_papers() -> None:
    index = [item(n, 1 + n % 4, LETTERS[n % 4], category="window", subtype="G2-A-8-easy") for n in range(8)]
    table = ChoiceBalance().check(config("selection_train", index), {}).tables[-1]
    assert list(table.rows) == [("window", "G2", "8", "100.0%", "2,300")]


def test_displacements_are_told_by_horizon() -> None:
    index = [item(n, 1, "A", margin=float(n), horizon=25 * (1 + n // 10)) for n in range(20)]
    index.append(item(20, 1, "A", margin=480.0, category="event", horizon=11))
    table = next(t for t in ChoiceBalance().check(config("selection_test", index), {}).tables if "Displace" in t.title)
    assert list(table.rows) == [
        ("event", "all", "1", *["480.0"] * 6, "0.0%"),
        ("time", "25", "10", "0.0", "0.0", "2.0", "4.0", "7.0", "9.0", "50.0%"),
        ("time", "50", "10", "10.0", "10.0", "12.0", "14.0", "17.0", "19.0", "0.0%"),
    ]


def test_a_picture_that_tells_is_a_shortcut() -> None:
    index = items(160)
    assert rules(BlindChoice(), config("selection_test", index, facts(index, "0001"))) == []
    found = BlindChoice().check(config("selection_test", index, facts(index)), {})
    told = {each.found.partition(" is right")[0] for each in found.violations}
    assert {"time: medoid", "time: rank by medoid"} <= told
    assert len(found.shares) == len(found.tables[0].rows)


def test_words_that_tell_are_a_shortcut() -> None:
    index = [row | {"query": f"What comes {WORDS[row['rank'] - 1]}?"} for row in items(160)]
    found = BlindChoice().check(config("selection_test", index, facts(index, "1000")), {})
    assert [each.found.partition(" is right")[0] for each in found.violations] == [
        "time: classifier on the query's words"
    ]


def test_a_rule_that_cannot_choose_earns_a_guess() -> None:
    asked = Asked("time", "a", "B", 2, {"medoid": "AB", "odd": "CD", "none": ""}, {"horizon": "25"}, "What?")
    found = {score.rule: score.hits for score in scores([asked] * 40, classify=False)}
    assert (found["medoid"], found["odd"], found["none"]) == (20, 0, 0)


def test_a_pair_counts_once_for_each_anchor() -> None:
    index = pair()
    asked = asked_of(pl.DataFrame(index), pl.DataFrame(facts(index)))
    assert sorted(each.category for each in asked) == ["matched, by event", "matched, by time"]


def grey(level: int) -> Any:
    return np.full((4, 6, 3), level, dtype=np.uint8)


def test_what_rules_pick_is_told_in_letter_order() -> None:
    seen = Seen(
        (grey(50), grey(10), grey(20), grey(200)), grey(12), (70, 40, 60, 50), (3, 2, 3, 1), (0.9, 0.6, 0.5, 2.0), 2
    )
    assert picks(seen) == {
        "pick_medoid": "1010",
        "pick_odd_one_out": "0001",
        "pick_nearest_to_the_last_seen": "0100",
        "pick_most_objects_visible": "1010",
        "pick_closest_pair": "0010",
    }


def test_the_least_gap_is_that_of_the_nearest_two() -> None:
    assert least_gap(np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 1.0]])) == 1.0
    assert least_gap(np.zeros((1, 3))) == float("inf")


def pair(**changes: Mapping[str, Any]) -> list[Row]:
    """The six items of a pair; ``changes`` are by anchor and control, e.g. ``event_full``."""
    rows = []
    for number, anchor in enumerate(("event", "time")):
        for control in ("full", "candidates_only", "shuffled_prefix"):
            query = "Right after the next collision?" if anchor == "event" else "0.64 seconds later?"
            own: Row = {"category": "matched", "anchor": anchor, "control": control, "pair": "p", "query": query}
            row = item(0, 2, "B", **own, id=f"m-{number}-{control}")
            rows.append(row | dict(changes.get(f"{anchor}_{control}", {})))
    return rows


def sha(index: Sequence[Row]) -> list[Row]:
    return [{"key": row["id"], "file": "a.tar", "candidate_0_sha256": row.get("sha", "00")} for row in index]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, None),
        ({"time_full": {"answer": "A"}}, "items of a pair"),
        ({"time_full": {"sha": "ff"}}, "items of a pair"),
        ({"event_candidates_only": {"prefix": {"first": 1, "last": 24}}}, "items of a pair"),
        ({"event_full": {"control": "candidates_only"}}, "items of a pair"),
        ({"event_full": {"query": "Something else?"}}, "wording of a pair"),
        (
            {
                f"time_{c}": {"query": "Right after the next collision?"}
                for c in ("full", "candidates_only", "shuffled_prefix")
            },
            "wording of a pair",
        ),
    ],
)
def test_a_pair_differs_in_its_wording_alone(changes: Mapping[str, Any], rule: str | None) -> None:
    index = pair(**changes)
    hashes = sha(index)
    plain = [{name: value for name, value in row.items() if name != "sha"} for row in index]
    assert set(rules(Matched(), config("selection_matched", plain, hashes))) == ({rule} if rule else set())


def test_a_pair_lacks_an_item() -> None:
    index = pair()[1:]
    assert rules(Matched(), config("selection_matched", index, sha(index))) == ["items of a pair"]


TARGET, NEGATIVE = "000004-factual-060", "000004-factual-072"


def query(**changes: Any) -> Row:
    row: Row = {
        "id": "collisions-000004-b1-0",
        "split": "test",
        "category": "time",
        "builder": 1,
        "scene_id": "collisions-000004",
        "target_frame_id": TARGET,
        "target_frame": 60,
        "negatives": [NEGATIVE],
        "horizon": 25,
        "prefix": {"first": 0, "last": 35},
    }
    return row | changes


def asked_over(*frames: str, state: str = "s") -> list[str]:
    """What is found of one query over these frames."""
    asked = config("retrieval_test", [query()], [{"key": query()["id"], "split": "test", "state_sha256": "s"}])
    corpus = config(
        "retrieval_corpus",
        [{"frame_id": text} for text in frames],
        [{"key": text, "state_sha256": state if text == TARGET else "other"} for text in frames],
    )
    return rules(InCorpus(), asked, corpus)


def test_a_query_is_asked_over_its_corpus() -> None:
    assert asked_over(TARGET, NEGATIVE, "000004-factual-067", "000004-without-1-060", "000009-factual-061") == []
    assert asked_over(NEGATIVE) == ["target in the corpus"]
    assert asked_over(TARGET) == ["negatives in the corpus"]
    assert asked_over(TARGET, NEGATIVE, "000004-factual-066") == ["corpus near a target"]
    assert asked_over(TARGET, NEGATIVE, state="another") == ["state of the target"]


def test_a_corpus_that_is_not_there() -> None:
    assert rules(InCorpus(), config("retrieval_test", [query()])) == ["corpus"]
    apart = config("retrieval_test", [query()], held=("retrieval_corpus",))
    found = InCorpus().check(apart, {"retrieval_test": apart})
    assert not found.violations
    assert found.tables[0].rows[0][0] == "not looked for: check both configs together"


def test_tables_of_queries_and_frames() -> None:
    found = QueryBalance().check(config("retrieval_test", [query(), query(builder=2)]), {})
    assert [row[:3] for row in found.tables[0].rows] == [("1", "time", "1"), ("2", "time", "1")]
    index = [{"scene_id": "a", "variant": each} for each in ("factual", "factual", "without-1", "erased-1")]
    rows = CorpusBalance().check(config("retrieval_corpus", index), {}).tables[0].rows
    assert [row[:2] for row in rows] == [("erased", "1"), ("factual", "2"), ("without", "1")]


def seen(split: str, scene: str, motion: str, picture: str | None = None) -> list[Row]:
    row: Row = {"key": f"{scene}-x", "split": split, "file": "a.tar", "scene_id": scene, "motion_sha256": motion}
    return [row | ({} if picture is None else {"frame_sha256": picture, "frame_phash": 7})]


def leaks(one: str, first: list[Row], other: str, second: list[Row]) -> list[str]:
    return rules(Leakage(looks=False), config(one, [], first), config(other, [], second))


def test_configs_of_one_side_share_scenes_and_those_of_two_do_not() -> None:
    same = seen("test", "collisions-000004", "m", "aa")
    assert leaks("retrieval_test", seen("test", "collisions-000004", "m"), "retrieval_corpus", same) == []
    train = seen("train", "collisions-000004", "m")
    assert leaks("selection_train", train, "retrieval_corpus", same) == ["scene in two splits"]
    assert leaks("retrieval_corpus", same, "selection_train", train) == ["scene in two splits"]


def test_a_scene_under_another_name_and_a_picture_are_found() -> None:
    test = seen("test", "collisions-000004", "m", "aa")
    assert leaks("selection_train", seen("train", "collisions-000003", "m"), "retrieval_corpus", test) == [
        "scene in two splits"
    ]
    copied = seen("train", "collisions-000003", "n", "aa")
    assert leaks("retrieval_train", copied, "retrieval_corpus", test) == ["picture in two splits"]
    assert leaks("retrieval_train", seen("train", "collisions-000003", "n", "bb"), "retrieval_corpus", test) == []
