"""The select pass: one candidate a slot, balanced over what a blind reader sees, letters even."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.rates import Rates
from flowbench.builders.sim.selecting import THINNED, Choice
from flowbench.builders.sim.selecting import select as select_with
from flowbench.builders.sim.thinning import LEAST_GROUP, TOLERANCE, thin

LETTERS = {"left_right": 2, "closer_to": 4}
Row = dict[str, Any]
BALANCED = preset_named("balanced")


def select(rows: Sequence[Row], letters: dict[str, int], seed: int) -> tuple[list[Choice], Counter[str]]:
    return select_with(rows, letters, seed, BALANCED)


def candidate(scene: int, view: int, ordinal: int, **values: Any) -> Row:
    fields: Row = {
        "scene": scene,
        "view": view,
        "category": "left_right",
        "ordinal": ordinal,
        "cell": "yes>no",
        "answer": "no",
        "direction": "left",
        "band": "0.35-0.54",
        "relation": "left",
        "threshold": None,
        "before": "yes",
        "flipped": True,
        "probe": "",
        "probe_band": "",
        "mover_type": "Box",
        "landmark_type": "Mug",
    }
    return fields | values


def offered(scenes: int, share_of_yes: float, seed: int = 0) -> list[Row]:
    """Slots with three candidates each, whose answers are as lopsided as asked, more so to the left."""
    rng = np.random.default_rng(seed)
    rows = []
    for scene, view, ordinal in itertools.product(range(scenes), range(10), range(3)):
        direction = ("left", "right")[int(rng.integers(2))]
        share = share_of_yes if direction == "left" else 1.0 - share_of_yes
        before, after = (("no", "yes")[int(rng.random() < share)] for _ in range(2))
        rows.append(
            candidate(
                scene,
                view,
                ordinal,
                answer=after,
                cell=f"{before}>{after}",
                before=before,
                flipped=before != after,
                direction=direction,
                relation=("left", "right")[int(rng.integers(2))],
                band=("0.20-0.34", "0.35-0.54")[int(rng.integers(2))],
            )
        )
    return rows


def chosen(rows: Sequence[Row], choices: Sequence[Choice]) -> list[Row]:
    return [rows[choice.row] for choice in choices]


def test_at_most_one_candidate_a_slot() -> None:
    rows = offered(12, 0.6)
    slots = Counter((row["scene"], row["view"]) for row in chosen(rows, select(rows, LETTERS, 0)[0]))
    assert set(slots.values()) == {1}


def test_balanced_supply_is_all_used_and_comes_out_even() -> None:
    rows = offered(20, 0.5)
    picked = chosen(rows, select(rows, LETTERS, 0)[0])
    assert len(picked) == 200
    cells = Counter(row["cell"] for row in picked)
    assert max(cells.values()) - min(cells.values()) <= 8
    for names in (names for names in THINNED if len(names) <= 1):
        for value in {tuple(row[name] for name in names) for row in picked}:
            group = [row["answer"] for row in picked if tuple(row[name] for name in names) == value]
            assert abs(group.count("yes") / len(group) - 0.5) < 0.04, (names, value)


def test_lopsided_supply_is_thinned_to_the_tolerance() -> None:
    rows = offered(60, 0.85)
    choices, dropped = select(rows, LETTERS, 0)
    picked = chosen(rows, choices)
    assert len(picked) + dropped["left_right: would unbalance"] == 600
    for names in THINNED:
        for value in {tuple(row[name] for name in names) for row in picked}:
            group = [row["answer"] for row in picked if tuple(row[name] for name in names) == value]
            if len(group) >= LEAST_GROUP:
                assert abs(group.count("yes") / len(group) - 0.5) <= TOLERANCE + 1e-9, (names, value)


def test_the_order_of_the_rows_and_other_categories_do_not_matter() -> None:
    rows = offered(8, 0.6)
    others = [
        row | {"category": "closer_to", "answer": f"rank {i % 4}", "cell": f"rank {i % 4}"}
        for i, row in enumerate(rows)
    ]

    def identities(table: Sequence[Row]) -> set[tuple[Any, ...]]:
        return {
            (table[c.row]["scene"], table[c.row]["view"], table[c.row]["ordinal"], c.right_position)
            for c in select(table, LETTERS, 3)[0]
            if table[c.row]["category"] == "left_right"
        }

    assert identities(rows) == identities(rows[::-1]) == identities(others + rows)


def test_letters_are_even_within_every_answer() -> None:
    rows = offered(30, 0.5)
    choices, _ = select(rows, LETTERS, 0)
    for answer in ("yes", "no"):
        positions = Counter(c.right_position for c in choices if rows[c.row]["answer"] == answer)
        assert abs(positions[0] - positions[1]) <= 1


def test_the_seed_settles_ties() -> None:
    rows = offered(8, 0.5)
    assert select(rows, LETTERS, 1) == select(rows, LETTERS, 1)
    assert select(rows, LETTERS, 1) != select(rows, LETTERS, 2)


def test_nothing_offered_nothing_chosen() -> None:
    assert select([], LETTERS, 0) == ([], Counter())


def test_the_answer_is_even_given_the_before_answer() -> None:
    """A supply in which motions seldom change the answer: the before-answer must not tell it all the same."""
    rng = np.random.default_rng(4)
    rows = []
    for scene, view, ordinal in itertools.product(range(80), range(10), range(3)):
        before = ("no", "yes")[int(rng.integers(2))]
        flips = bool(rng.random() < 0.2)
        after = {"no": "yes", "yes": "no"}[before] if flips else before
        cell = f"{before}>{after}"
        rows.append(candidate(scene, view, ordinal, answer=after, cell=cell, before=before, flipped=flips))
    picked = chosen(rows, select(rows, LETTERS, 0)[0])
    for before in ("yes", "no"):
        answers = [row["answer"] for row in picked if row["before"] == before]
        assert len(answers) >= LEAST_GROUP
        assert abs(answers.count("yes") / len(answers) - 0.5) <= TOLERANCE + 1e-9


def test_the_papers_rates_are_met() -> None:
    rows = offered(40, 0.5)
    preset = dataclasses.replace(BALANCED, rates={"left_right": Rates(no=0.2, flip=0.8)})
    picked = chosen(rows, select_with(rows, LETTERS, 0, preset)[0])
    assert len(picked) == 400
    assert abs(sum(row["answer"] == "no" for row in picked) / 400 - 0.2) < 0.05
    assert abs(sum(row["flipped"] for row in picked) / 400 - 0.8) < 0.05


def test_a_type_that_gives_the_answer_away_is_left_out_as_far_as_it_must() -> None:
    """Rare types of movers, each nearly always with one answer: guessing by the type must not pay."""
    rng = np.random.default_rng(5)
    rows = []
    for scene, view, ordinal in itertools.product(range(40), range(10), range(4)):
        kind = int(rng.integers(12))
        answer = ("no", "yes")[int(rng.random() < (0.85 if kind % 2 else 0.15))]
        rows.append(candidate(scene, view, ordinal, answer=answer, before=None, mover_type=f"Type{kind}"))
    picked = chosen(rows, select(rows, LETTERS, 0)[0])
    by_type = {
        kind: [row["answer"] for row in picked if row["mover_type"] == kind]
        for kind in {r["mover_type"] for r in picked}
    }
    guessed = sum(max(Counter(answers).values()) for answers in by_type.values())
    assert guessed / len(picked) < 0.65
    assert len(picked) > 300


def test_where_an_answer_is_rare_slots_stay_empty_rather_than_miss_the_papers_rate() -> None:
    rows = [
        candidate(scene, 0, 0, answer="yes" if scene % 3 == 0 else "no", before=None, flipped=None)
        for scene in range(300)
    ]
    preset = dataclasses.replace(BALANCED, rates={"left_right": Rates(no=0.2)})
    picked = chosen(rows, select_with(rows, LETTERS, 0, preset)[0])
    answers = Counter(row["answer"] for row in picked)
    assert answers["yes"] == 100
    assert 0.2 <= answers["no"] / answers.total() <= 0.23


def test_small_groups_are_no_evener_than_chance() -> None:
    """Else whoever knows all answers of a group but one would know that one."""
    rng = np.random.default_rng(6)
    rows = [
        candidate(
            scene,
            view,
            ordinal,
            answer=("no", "yes")[int(rng.integers(2))],
            before=None,
            mover_type=f"Type{int(rng.integers(60))}",
            landmark_type=f"Type{int(rng.integers(60))}",
        )
        for scene, view, ordinal in itertools.product(range(40), range(10), range(6))
    ]
    picked = chosen(rows, select(rows, LETTERS, 0)[0])
    spread = members = 0
    for kind in {row["mover_type"] for row in picked}:
        answers = [row["answer"] for row in picked if row["mover_type"] == kind]
        spread += (2 * answers.count("yes") - len(answers)) ** 2
        members += len(answers)
    assert spread / members > 0.4


def test_no_type_of_object_is_the_better_guess() -> None:
    """Beds win nine times of ten where they are listed, paintings hardly ever; afterwards both win one time of four."""
    rng = np.random.default_rng(3)
    types = ("Bed", "Chair", "Mug", "Painting", "Pillow", "Sofa", "Vase", "Box")
    liking = {"Bed": 9.0, "Painting": 0.1}
    rows = []
    for scene, view, ordinal in itertools.product(range(60), range(10), range(6)):
        listed = [types[index] for index in rng.permutation(len(types))[:4]]
        weights = np.array([liking.get(name, 1.0) for name in listed])
        winner = int(rng.choice(4, p=weights / weights.sum()))
        rank = f"rank {int(rng.integers(4)) + 1}"
        values = {"category": "closer_to", "options": listed, "winners": [winner], "answer": rank, "cell": rank}
        rows.append(candidate(scene, view, ordinal, **values))
    offered_shares = win_shares(rows)
    assert offered_shares["Bed"] > 0.6
    choices, _ = select(rows, {"closer_to": 4}, 0)
    shares = win_shares([rows[choice.row] for choice in choices])
    assert len(choices) > 500
    assert all(0.2 < share < 0.3 for share in shares.values()), shares


def win_shares(rows: Sequence[Row]) -> dict[str, float]:
    """How often each type is right where it is listed."""
    listed: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for row in rows:
        listed.update(row["options"])
        won.update(row["options"][winner] for winner in row["winners"])
    return {name: won[name] / count for name, count in listed.items()}


def test_many_outcomes_are_not_thinned_for_what_is_but_luck() -> None:
    """Twenty outcomes, each as likely as any other, in groups of a hundred: next to nothing has to go."""
    rng = np.random.default_rng(5)
    rows = [
        candidate(scene, 0, 0, answer=f"{rng.integers(20):02d}", direction=("left", "right")[scene % 2])
        for scene in range(240)
    ]
    assert len(thin(rows, [(), ("direction",)], list(range(240)))) > 215
