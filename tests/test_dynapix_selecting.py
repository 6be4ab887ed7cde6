"""The global select pass: ranks, letters and blind rules end up even, on painted scenes and on made-up rows."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.plays import at_random, twin_of

from flowbench.builders.dynapix.items import SelectionDraft
from flowbench.builders.dynapix.presets import BALANCED, PAPER
from flowbench.builders.dynapix.scenes import SceneFilms
from flowbench.builders.dynapix.selection import finish, plan_selection, row_of, select
from flowbench.builders.dynapix.selection.blind import RULES
from flowbench.builders.dynapix.selection.subtypes import shares
from flowbench.collisions.oracle import Oracle
from flowbench.validation.dynapix import rules as blind

Row = dict[str, Any]


@cache
def planned(scenes: int) -> tuple[list[SelectionDraft], dict[int, SceneFilms]]:
    drafts: list[SelectionDraft] = []
    films: dict[int, SceneFilms] = {}
    for scene in range(scenes):
        rng = np.random.default_rng(scene)
        play = at_random(rng, scene)
        films[scene] = play.films(twin_of(play, rng))
        drafts += plan_selection(films[scene], BALANCED, seed=0)[0]
    return drafts, films


def closest_of(oracle: Oracle, frame: int) -> float:
    """Metres between the closest two of the bodies in sight."""
    seen = oracle.poses[frame, oracle.visible[frame] >= 50, :3]
    return min((float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)), default=np.inf)


def seen_of(draft: SelectionDraft, position: int, films: SceneFilms) -> blind.Seen:
    item = finish(draft, position, seed=0)
    objects = [int((films.oracles[p.variant].visible[p.frame] >= 50).sum()) for p in item.candidates]
    return blind.Seen(
        pictures=tuple(films.films[place.variant].picture(place.frame) for place in item.candidates),
        last=films.factual.film.picture(item.cut),
        times=tuple(place.frame for place in item.candidates),
        objects=tuple(objects),
        gaps=tuple(closest_of(films.oracles[place.variant], place.frame) for place in item.candidates),
        right="ABCD".index(item.letter),
    )


@pytest.mark.parametrize(("scenes", "most"), [(8, 0.36), pytest.param(60, 0.27, marks=pytest.mark.slow)])
def test_no_blind_rule_pays_on_painted_scenes(scenes: int, most: float) -> None:
    drafts, films = planned(scenes)
    choices, _ = select([row_of(draft) for draft in drafts], 0, BALANCED)
    assert len(choices) >= 8 * scenes
    assert len({(drafts[c.row].scene, drafts[c.row].slot) for c in choices}) == len(choices)
    seen = [seen_of(drafts[choice.row], choice.position, films[drafts[choice.row].scene]) for choice in choices]
    earned = {name: blind.worth(rule, seen) for name, rule in blind.RULES.items()}
    assert max(earned.values()) <= most, earned


def test_both_sides_agree_on_what_blind_rules_pick() -> None:
    drafts, films = planned(8)
    names = {"medoid": "medoid", "odd_one_out": "odd one out", "nearest": "nearest to the last seen"}
    names |= {"most_visible": "most objects visible", "closest_pair": "closest pair"}
    for draft in drafts[:: max(1, len(drafts) // 8)]:
        seen = seen_of(draft, 0, films[draft.scene])
        order = sorted(range(4), key=lambda place: seen.times[place])
        for rule, picked in draft.rules:
            found = blind.RULES[names[rule]](seen)
            assert picked == "".join("1" if place in found else "0" for place in order)


def made_up(count: int) -> list[Row]:
    """Slots of four ranks whose pictures lean: the medoid is mostly an inner one, the nearest the first."""
    rng = np.random.default_rng(1)
    rows = []
    for slot in range(count):
        signs = ["".join("1" if place == pick else "0" for place in range(4)) for pick in range(4)]
        for rank in (1, 2, 3, 4):
            picks = {"medoid": int(rng.integers(1, 3)), "odd_one_out": int(rng.choice([0, 3])), "nearest": 0}
            picks |= {"most_visible": int(rng.integers(4)), "closest_pair": int(rng.integers(4))}
            row: Row = {rule: signs[picks[rule]] for rule in RULES}
            row |= {f"source_{rule}": "False " + row[rule] for rule in RULES}
            row |= {"scene": slot // 3, "split": "train", "slot": f"window {slot % 3}", "ordinal": rank - 1}
            rows.append(row | {"family": "window", "subtype": "G1-A-8-hard", "horizon": 8, "answer": str(rank)})
    return rows


def test_ranks_and_letters_are_even_and_independent() -> None:
    rows = made_up(400)
    choices, dropped = select(rows, 5, BALANCED)
    assert len(choices) + dropped["would unbalance"] == 400
    assert len(choices) >= 380
    ranks = Counter(rows[choice.row]["answer"] for choice in choices)
    letters = Counter(choice.position for choice in choices)
    both = Counter((rows[choice.row]["answer"], choice.position) for choice in choices)
    assert max(ranks.values()) - min(ranks.values()) <= 4
    assert max(letters.values()) - min(letters.values()) <= 1
    assert max(both.values()) - min(both.values()) <= 2
    for rule in RULES:
        hits = sum(rows[choice.row][rule][int(rows[choice.row]["answer"]) - 1] == "1" for choice in choices)
        assert hits / len(choices) == pytest.approx(0.25, abs=0.03), rule


def test_selecting_is_deterministic_and_depends_on_the_seed() -> None:
    rows = made_up(60)
    assert select(rows, 1, BALANCED) == select(rows, 1, BALANCED)
    assert select(rows, 1, BALANCED)[0] != select(rows, 2, BALANCED)[0]
    assert select([], 1, BALANCED) == ([], Counter())


def test_totals_bring_the_papers_shares() -> None:
    rows = made_up(200)
    wanted = round(1000 * shares("train")["G1-A-8-hard"])
    choices, dropped = select(rows, 1, PAPER, {"train": 1000})
    assert len(choices) == wanted
    assert dropped["over the number wanted"] == 200 - wanted


def test_the_letter_is_where_it_was_settled() -> None:
    drafts, _ = planned(8)
    for position in range(4):
        item = finish(drafts[0], position, seed=9)
        assert item.letter == "ABCD"[position]
        assert item.candidates[position].frame == item.target
        assert item.kinds[position] == "target"
        assert sorted(item.candidates) == sorted(drafts[0].places)
        assert item.shown == tuple(range(item.first, item.cut + 1))
