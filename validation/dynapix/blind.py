"""What blind rules pick among the candidates of questions, and how often that is right, against a guess of four.

A rule that cannot choose between some candidates earns the chance that a guess among them is right; sums of such
chances are rounded to whole samples. Of matched items only those given in full count, event and time apart: a pair's
six samples show the same candidates.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..shortcuts import BlindItem, Score
from ..shortcuts.classifier import fact_hits, text_hits
from ..shortcuts.folds import folds, thinned
from ..shortcuts.rules import MOST_CLASSIFIED, table_hits
from .rules import RULES, Seen

PICTURED: Final = ("medoid", "odd one out", "nearest to the last seen", "most objects visible", "closest pair")
"""Rules that look at the candidates."""
FACTS: Final = {f"pick_{name.replace(' ', '_')}": name for name in PICTURED}
"""Column of the facts -> rule."""
CHANCE: Final = 0.25
FRAMINGS: Final = ("future", "contact")
"""Of event items; each is held against a guess apart, too."""
LETTERS: Final = "ABCD"


def picks(seen: Seen) -> Mapping[str, str]:
    """Of every rule that looks at pictures: which candidates it picks, as four signs in letter order."""
    return {
        column: "".join("1" if place in picked else "0" for place in range(4))
        for column, name in FACTS.items()
        for picked in (RULES[name](seen),)
    }


def least_gap(places: NDArray[np.float64]) -> float:
    """Metres between the two nearest of (n, 3) places; infinite of fewer than two."""
    return min((math.dist(one, other) for one, other in combinations(places.tolist(), 2)), default=math.inf)


@dataclass(frozen=True)
class Asked:
    """A question as blind rules see it.

    Attributes:
        category, scene: as in its record; of matched items also what the query names.
        letter, rank: the right one's letter, and its place in time.
        picks: rule -> candidates that it picks, letters.
        facts: subtype and horizon.
        query: the text.
    """

    category: str
    scene: str
    letter: str
    rank: int
    picks: Mapping[str, str]
    facts: Mapping[str, str]
    query: str


def asked_of(index: pl.DataFrame, facts: pl.DataFrame) -> list[Asked]:
    """The questions of a config that count, by their index rows and what was found of their pictures."""
    named = {name: FACTS[name] for name in facts.columns if name in FACTS}
    chosen = index.filter(pl.col("control").is_null() | (pl.col("control") == "full"))
    joined = chosen.join(facts.select("key", *named), left_on="id", right_on="key", how="left")
    asked = [_asked(row, named) for row in joined.iter_rows(named=True)]
    return [*asked, *(part for each in asked for part in _framed(each))]


def _framed(asked: Asked) -> Iterator[Asked]:
    """An event item once more, by its framing: what tells one is against the other, and evens out over both."""
    framing = asked.facts["subtype"].partition("-")[0]
    if asked.category == "event" and framing in FRAMINGS:
        yield dataclasses.replace(asked, category=f"event, {framing}")


def _asked(row: Mapping[str, Any], named: Mapping[str, str]) -> Asked:
    signs = {rule: row[column] or "0000" for column, rule in named.items()}
    frames = [(each["frame"], each["variant"]) for each in row["candidates"]]
    order = sorted(range(len(frames)), key=lambda place: frames[place])
    by_time = {f"rank {number + 1}": LETTERS[place] for number, place in enumerate(order)}
    return Asked(
        category=row["category"] if row["anchor"] is None else f"{row['category']}, by {row['anchor']}",
        scene=row["scene_id"],
        letter=row["answer"],
        rank=row["rank"],
        picks={f"letter {letter}": letter for letter in LETTERS}
        | by_time
        | {rule: "".join(LETTERS[place] for place in range(4) if text[place] == "1") for rule, text in signs.items()},
        facts={
            "subtype": row["subtype"],
            "horizon": str(row["horizon"]),
            **{rule: _ranked(text, order) for rule, text in signs.items()},
        },
        query=row["query"],
    )


def _ranked(signs: str, order: Sequence[int]) -> str:
    """Signs in letter order as signs in order of time."""
    return "".join(signs[place] for place in order)


def scores(questions: Sequence[Asked], *, classify: bool = True) -> Iterator[Score]:
    """Every rule in every category: fixed picks, tables learnt on other scenes, and classifiers."""
    by_category: dict[str, list[Asked]] = defaultdict(list)
    for each in questions:
        by_category[each.category].append(each)
    for category in sorted(by_category):
        own = by_category[category]
        for rule in own[0].picks:
            worth = math.fsum(_worth(each, rule) for each in own)
            yield Score(category, rule, len(own), round(worth), CHANCE)
        yield from _learnt(category, own, classify)


def _worth(asked: Asked, rule: str) -> float:
    picked = asked.picks.get(rule, "")
    return 1.0 / len(picked) if asked.letter in picked and picked else 0.0


def _learnt(category: str, own: Sequence[Asked], classify: bool) -> Iterator[Score]:
    items = [BlindItem(category, each.scene, str(each.rank), CHANCE, "", each.facts, text=each.query) for each in own]
    fold, ranks = folds(items), [item.outcome for item in items]
    tables: dict[str, list[tuple[str, ...]]] = {"most frequent rank": [() for _ in own]}
    tables |= {f"rank by {name}": [(each.facts[name],) for each in own] for name in own[0].facts}
    for rule, keys in tables.items():
        yield Score(category, rule, len(own), table_hits(keys, ranks, fold), CHANCE)
    letters = [each.letter for each in own]
    yield Score(category, "most frequent letter", len(own), table_hits([() for _ in own], letters, fold), CHANCE)
    if classify:
        few = thinned(items, MOST_CLASSIFIED)
        fold = folds(few)
        yield Score(category, "classifier on all of it", len(few), fact_hits(few, fold), CHANCE)
        yield Score(category, "classifier on the query's words", len(few), text_hits(few, fold), CHANCE)
