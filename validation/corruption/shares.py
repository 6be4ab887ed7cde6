"""Corruptions that no single sample shows: what can be guessed without looking. They need a few dozen samples."""

from __future__ import annotations

import re

import numpy as np

from flowbench.schema import LETTERS

from .base import Corruption, corruption
from .editing import Record, every, put_record, record_of, recorded
from .rewriting import Draft

Rng = np.random.Generator
DIRECTIONS = ("left", "right", "away", "toward")


def _all_first(draft: Draft, rng: Rng) -> None:
    """The choices are put in an order in which the right ones come first; every label stays true."""
    record = record_of(draft)
    right = [LETTERS.index(letter) for letter in record["answer"]]
    order = right + [place for place in range(len(record["choices"])) if place not in right]
    place = {LETTERS[old]: LETTERS[new] for new, old in enumerate(order)}
    for name in ("answer", "before_answer"):
        if record[name] is not None:
            record[name] = "".join(sorted(place[letter] for letter in record[name]))
    if len(record["landmarks"]) == len(order):
        record["landmarks"] = [record["landmarks"][old] for old in order]
    record["choices"] = [record["choices"][old] for old in order]
    record["answer_text"] = "; ".join(record["choices"][: len(right)])
    for name, text in record["reasoning"].items():
        record["reasoning"][name] = re.sub(r"\b[A-F]+\.$", f"{record['answer']}.", text)
    put_record(draft, record)


def _told(record: Record) -> None:
    """The direction tells the answer: left for the first of the sorted choices, and so on."""
    if len(record["answer"]) == 1:
        place = sorted(record["choices"]).index(record["choices"][LETTERS.index(record["answer"])])
        record["motion"]["direction"] = DIRECTIONS[place]


def _always(record: Record) -> None:
    """The answer is always the last of the sorted choices: yes, or the greatest count."""
    if len(record["answer"]) == 1:
        last = max(record["choices"])
        record["answer"], record["answer_text"] = LETTERS[record["choices"].index(last)], last


SHARES: tuple[Corruption, ...] = (
    corruption(
        "every answer is A", "choices are ordered so that the right one is the first", "balance", every(_all_first)
    ),
    corruption("shortcut planted", "the motion's direction tells the answer", "shortcuts", every(recorded(_told))),
    corruption(
        "always the same answer",
        "the answer is always yes, or the greatest count",
        "shortcuts",
        every(recorded(_always)),
    ),
)
