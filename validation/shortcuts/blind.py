"""What a reader without the after picture can know of a sample, read from the published records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

YES_NO = ("no", "yes")


@dataclass(frozen=True)
class BlindItem:
    """One sample as a blind reader sees it.

    Attributes:
        category, scene: where it belongs; rules are fitted on other scenes than they are judged on.
        outcome: what is to be guessed: yes or no, a count, or, where the choices are objects, which ranks by distance
            before the motion the right ones had ("which letter" would be even by the shuffle of the letters alone).
        chance: share of right guesses of one who guesses evenly.
        before: the before-answer, which the before picture shows; empty where the outcome is told relative to it.
        facts: everything else, name -> value.
    """

    category: str
    scene: str
    outcome: str
    chance: float
    before: str
    facts: Mapping[str, str]


def items_of(records: Iterable[Mapping[str, Any]]) -> list[BlindItem]:
    """Blind items of records as the index holds them (``index/<config>/<split>.parquet``, one dict a row)."""
    return [_item(record) for record in records]


def _item(record: Mapping[str, Any]) -> BlindItem:
    choices: Sequence[str] = record["choices"]
    letters: str = record["answer"]
    ranked = _lists_objects(record)
    outcome = _ranks(record) if ranked else choices[_place(letters)]
    before = "" if ranked or record["before_answer"] is None else choices[_place(record["before_answer"])]
    probe = record["probe"]
    facts = {
        "direction": record["motion"]["direction"],
        "band": record["motion"]["length_band"],
        "relation": record["relation"] or "",
        "threshold": "" if record["threshold"] is None else f"{record['threshold']:.2f}",
        "probe": "" if probe is None else f"{probe['direction']} {probe['distance']:.1f}",
        "mover": record["mover"]["type"],
        "landmark": record["landmarks"][0]["type"] if len(record["landmarks"]) == 1 else "",
    }
    chance = 1.0 / comb(len(choices), len(letters))
    return BlindItem(record["category"], record["scene_id"], outcome, chance, before, facts)


def _place(letter: str) -> int:
    return ord(letter[0]) - ord("A")


def _lists_objects(record: Mapping[str, Any]) -> bool:
    """Whether the choices are the landmarks."""
    return [each["name"] for each in record["landmarks"]] == list(record["choices"])


def _ranks(record: Mapping[str, Any]) -> str:
    """The right choices' ranks by distance before the motion, ascending: ``"2"``, ``"134"``."""
    distances = [each["distance_before"] for each in record["landmarks"]]
    order = sorted(range(len(distances)), key=lambda index: distances[index])
    return "".join(str(rank) for rank in sorted(order.index(_place(letter)) + 1 for letter in record["answer"]))
