"""Which real questions are chosen: one a pair to test on, caps, evenness, no help from the text (paper, B.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowbench.builders.real.answerer import CountingAnswerer
from flowbench.builders.real.capping import MOST_ANSWER, MOST_TOWARD, MOST_UNCHANGED, allowed, cap
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.selecting import select
from flowbench.errors import UsageError

BALANCED, PAPER = preset_named("balanced"), preset_named("paper")
TWO_WAY = ("near_object", "left_right", "depth_order")


def row(scene: int, category: str, ordinal: int, label: str, before: str, **changes: Any) -> dict[str, Any]:
    made = {
        "scene": scene,
        "ordinal": ordinal,
        "category": category,
        "named": False,
        "flipped": label != before,
        "clear": True,
        "label": label,
        "answer": label,
        "before": before,
        "direction": "left",
        "band": "0.10-0.20",
        "relation": "",
        "threshold": "",
        "toward": False,
        "letterings": 2,
        "mover_type": "mug",
        "landmark_type": "box",
        "words": ["move left"],
    }
    return made | changes


def pool(scenes: int, seed: int = 0) -> list[dict[str, Any]]:
    """Questions of many pairs, four of five flipped, and most answers no."""
    rng = np.random.default_rng(seed)
    rows = []
    for scene in range(scenes):
        for category in TWO_WAY:
            if rng.random() < 0.7:
                label = "yes" if rng.random() < 0.35 else "no"
                before = label if rng.random() < 0.2 else {"yes": "no", "no": "yes"}[label]
                direction = ("left", "right", "up")[int(rng.integers(3))]
                rows.append(
                    row(
                        scene,
                        category,
                        len(rows) % 7,
                        label,
                        before,
                        direction=direction,
                        toward=category == "left_right" and label != before,
                        clear=bool(rng.random() < 0.8),
                    )
                )
    return rows


class Knowing:
    """Answers the questions of even scenes."""

    def answered(self, rows: Sequence[Any]) -> list[bool]:
        return [row["scene"] % 2 == 0 for row in rows]


@pytest.mark.parametrize("preset", [BALANCED, PAPER], ids=lambda preset: preset.name)
def test_a_test_split_has_one_clear_question_a_pair_within_the_caps(preset: Any) -> None:
    rows = pool(300)
    chosen, dropped = select(rows, 3, preset, True, CountingAnswerer(3))
    picked = [rows[choice.row] for choice in chosen]
    assert len(picked) > 60
    assert max(Counter(each["scene"] for each in picked).values()) == 1
    assert all(each["clear"] for each in picked)
    for category in TWO_WAY:
        own = [each for each in picked if each["category"] == category]
        assert max(Counter(each["label"] for each in own).values()) <= allowed(MOST_ANSWER, len(own))
        assert sum(not each["flipped"] for each in own) <= allowed(MOST_UNCHANGED, len(own))
        assert sum(each["toward"] for each in own) <= allowed(MOST_TOWARD, len(own))
    assert dropped["margin: too thin to test on"] > 0


def test_training_may_ask_a_pair_several_questions_one_a_category() -> None:
    rows = pool(80)
    chosen, _ = select(rows, 3, PAPER, False, CountingAnswerer(3))
    picked = Counter((rows[choice.row]["scene"], rows[choice.row]["category"]) for choice in chosen)
    assert max(picked.values()) == 1
    assert len(picked) == len({(each["scene"], each["category"]) for each in rows})


def test_balanced_makes_the_before_answer_tell_less() -> None:
    rows = pool(400)
    shares = []
    for preset in (BALANCED, PAPER):
        chosen, _ = select(rows, 1, preset, False, CountingAnswerer(1))
        picked = [rows[choice.row] for choice in chosen]
        shares.append(sum(each["flipped"] for each in picked) / len(picked))
    assert shares[0] < shares[1] - 0.15
    assert shares[0] < 0.65


def test_what_the_text_tells_is_chosen_last() -> None:
    rows = [row(scene, "near_object", 0, ("yes", "no")[scene // 2 % 2], "yes") for scene in range(40)]
    rows += [row(scene, "left_right", 1, ("yes", "no")[scene // 2 % 2], "no") for scene in range(40)]
    chosen, _ = select(rows, 0, PAPER, True, Knowing())
    known = [rows[choice.row]["scene"] % 2 == 0 for choice in chosen if rows[choice.row]["category"] == "left_right"]
    assert sum(known) <= len(known) / 2


def test_letters_are_even_and_choices_repeatable() -> None:
    rows = pool(200)
    chosen, _ = select(rows, 9, PAPER, False, CountingAnswerer(9))
    for category in TWO_WAY:
        letters = Counter(choice.right_position for choice in chosen if rows[choice.row]["category"] == category)
        assert abs(letters[0] - letters[1]) <= 1
    assert select(rows, 9, PAPER, False, CountingAnswerer(9))[0] == chosen
    assert select([], 9, BALANCED, True, CountingAnswerer(9)) == ([], Counter())


def test_letters_of_small_splits_are_even_over_seeds() -> None:
    rows = [row(k, category, 0, "yes", "no") for k, category in enumerate(TWO_WAY)]
    rows += [row(3, "closest_three", 0, "0+1+2", "1+2+3", letterings=20)]
    firsts: Counter[tuple[str, int]] = Counter()
    for seed in range(200):
        chosen, _ = select(rows, seed, PAPER, False, CountingAnswerer(seed))
        letters = [choice.right_position for choice in chosen]
        assert sum(letters[:3]) in (1, 2)
        firsts.update((rows[choice.row]["category"], choice.right_position) for choice in chosen)
    assert all(70 <= firsts[category, 0] <= 130 for category in TWO_WAY)
    assert len([key for key in firsts if key[0] == "closest_three"]) == 20


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(TWO_WAY), st.booleans(), st.booleans(), st.booleans()), max_size=60))
def test_caps_hold_whatever_comes(drawn: list[tuple[str, bool, bool, bool]]) -> None:
    rows = [
        row(
            k,
            category,
            0,
            "yes" if yes else "no",
            "no" if yes == flips else "yes",
            toward=toward and category == "left_right",
        )
        for k, (category, yes, flips, toward) in enumerate(drawn)
    ]
    kept = [rows[k] for k in cap(rows, list(range(len(rows))))]
    answers = Counter(each["label"] for each in kept)
    assert max(answers.values(), default=0) <= allowed(MOST_ANSWER, len(kept))
    assert bool(kept) == bool(rows)
    assert over_their_caps(kept) == []


def over_their_caps(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str, int, int]]:
    """Category, what is too frequent in it, how often, and of how many."""
    found = []
    for category in sorted({each["category"] for each in rows}):
        own = [each for each in rows if each["category"] == category]
        counts = [(label, count, MOST_ANSWER) for label, count in Counter(each["label"] for each in own).items()]
        counts.append(("unchanged", [each["flipped"] for each in own].count(False), MOST_UNCHANGED))
        counts.append(("toward", [each["toward"] for each in own].count(True), MOST_TOWARD))
        found += [(category, what, n, len(own)) for what, n, most in counts if n > allowed(most, len(own))]
    return found


def test_trimming_yes_and_no_over_all_leaves_no_category_over_a_cap() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = []
        for category in TWO_WAY:
            much, flips = rng.random(2)
            for _ in range(int(rng.integers(60))):
                label, other = ("yes", "no") if rng.random() < much else ("no", "yes")
                toward = category == "left_right" and bool(rng.random() < 0.7)
                before = other if rng.random() < flips else label
                rows.append(row(len(rows), category, 0, label, before, toward=toward))
        kept = [rows[k] for k in cap(rows, rng.permutation(len(rows)).tolist())]
        assert over_their_caps(kept) == []


def test_an_answerer_finds_what_words_tell_and_nothing_else() -> None:
    telling = [row(k, "near_object", 0, ("yes", "no")[k % 2], "no", words=[("near", "far")[k % 2]]) for k in range(60)]
    assert all(CountingAnswerer(0).answered(telling))
    counts = [row(k, "count_near", 0, str(1 + k % 3), "4", words=[f"threshold {k % 3}"]) for k in range(60)]
    assert all(CountingAnswerer(0).answered(counts))
    rng = np.random.default_rng(1)
    blank = [row(k, "near_object", 0, ("yes", "no")[int(rng.integers(2))], "no", words=["x"]) for k in range(200)]
    assert 0.3 < sum(CountingAnswerer(0).answered(blank)) / 200 < 0.7
    listed = [row(k, "closer_to", 0, "0", "1") for k in range(20)]
    assert not any(CountingAnswerer(0).answered(listed))


def test_an_unknown_preset_is_told() -> None:
    with pytest.raises(UsageError, match="did you mean 'balanced'"):
        preset_named("balance")
