"""Hand-made items of every category, put into words: what texts are made of without a simulator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flowbench.builders.sim.categories import CATEGORIES as BUILDERS
from flowbench.builders.sim.items import Because, Item, Label, Question
from flowbench.builders.sim.language import Wording, put_into_words
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.reasoning import reason
from flowbench.schema import Reasoning

from .cases import FIRST_THING, LISTING, Case, evidence, load
from .published import FIRST_LANDMARK, LETTERS, MOVER
from .still import sights_of

NAME = "the mug marked red"
COLOURS = ("orange", "blue", "green", "yellow", "purple", "cyan")
MOVES = (Move(-40, 0), Move(35, -25))


@dataclass(frozen=True)
class Told:
    """A hand-made item, its facts, and its texts from one seed."""

    category: str
    item: Item
    because: Because
    wording: Wording
    letter: str
    reasoning: Reasoning


def told(category: str, case: Case, seed: int) -> Told | None:
    """A case in words; None where it has no clear answers."""
    expected, given, builder = case["expect"], case["input"], BUILDERS[category]
    if "reject" in expected or (expected["before_answer"] is None and category != "occlusion"):
        return None
    sights = sights_of(evidence(category, case))
    ids = {each.instance_id: each.object_id for each in sights[0].arrangement.objects}
    listed = [ids[i] for i in sorted(ids) if FIRST_LANDMARK <= i < FIRST_THING]
    landmarks = tuple(listed if category not in ("contact_wall", "feasibility") else ())
    probe = Move.of(*given["probe"]) if "probe" in given else None
    question = Question(ids[MOVER], landmarks, given.get("relation"), given.get("threshold"), probe)
    before, after = (
        None if answer is None else Label(picks(category, answer), 1.0)
        for answer in (expected["before_answer"], expected["answer"])
    )
    assert after is not None
    item = Item.of(category, MOVES[seed % 2], question, before, after, "cell")
    names = {item.mover: NAME} | {x: f"the object marked {c}" for x, c in zip(landmarks, COLOURS, strict=False)}
    wording = put_into_words(builder, item, names, seed % builder.letterings(), np.random.default_rng(seed))
    because = builder.because(item, *sights, NAME, [names[x] for x in landmarks])
    letter = wording.letters(builder.picks(item.answer))
    return Told(category, item, because, wording, letter, reason(because, wording, letter, np.random.default_rng(seed)))


def picks(category: str, answer: str) -> str:
    """A case's answer as a label gives it."""
    return "+".join(str(LETTERS.index(letter)) for letter in answer) if category in LISTING else answer


def every(category: str) -> Iterator[Told]:
    """All cases of a category that have clear answers."""
    for seed, case in enumerate(load(category)):
        found = told(category, case, seed)
        if found is not None:
            yield found
