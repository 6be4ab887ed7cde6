"""Putting a question into words, for dots, badges or names alike: phrasings are drawn once (paper, B.4)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flowbench.builders.sim.language import Wording, sentence

from .categories import CATEGORIES, Draft, Terms
from .categories.base import DIRECTIONS, IN_THE_PICTURE
from .facts import Facts

MOTIONS = (
    "Suppose {a} is moved by {path}.",
    "Imagine that {a} is moved by {path}.",
    "{A} is now moved {path}.",
    "Someone moves {a} by {path}.",
)
OTHER = "{A} is moved by {path} as well."
SCALE = "For scale, {ref} measures {size} cm at its longest, as seen here."
Names = Mapping[int, str]
"""Index of a thing -> what texts call it."""


@dataclass(frozen=True)
class Picks:
    """What was drawn for one item: phrasings, and for each letter the index of its choice."""

    motion: int
    question: int
    order: tuple[int, ...]


def letterings(draft: Draft) -> int:
    """How many different letters, or sets of letters, the right choices can have."""
    return math.comb(len(draft.options or draft.landmarks), len(right_options(draft, draft.answer)))


def right_options(draft: Draft, answer: str) -> tuple[int, ...]:
    """Positions of an answer among the options, ascending."""
    if draft.options:
        return (draft.options.index(answer),)
    return tuple(sorted(int(index) for index in answer.split("+")))


def draw(draft: Draft, right_position: int, rng: np.random.Generator) -> Picks:
    """Draw phrasings and the order of choices.

    Args:
        draft: what is asked.
        right_position: index of the right letters among all sets of as many, in lexicographic order.
        rng: draws all else.
    """
    count = len(draft.options or draft.landmarks)
    right = right_options(draft, draft.answer)
    shuffled = rng.permutation(count).tolist()
    places = list(itertools.combinations(range(count), len(right)))[right_position]
    rights, wrongs = (iter([i for i in shuffled if (i in right) == wanted]) for wanted in (True, False))
    order = tuple(next(rights) if place in places else next(wrongs) for place in range(count))
    phrasings = CATEGORIES[draft.category].phrasings(draft, static=False)
    return Picks(int(rng.integers(len(MOTIONS))), int(rng.integers(len(phrasings))), order)


def put_into_words(facts: Facts, draft: Draft, names: Names, picks: Picks) -> Wording:
    """The item in words; objects that choices are listed in their order.

    Args:
        facts, draft: what is asked.
        names: of every thing that is mentioned.
        picks: what was drawn.
    """
    category = CATEGORIES[draft.category]
    terms = terms_of(facts, draft, names)
    choices = draft.options or terms.landmarks
    listed = terms
    if not draft.options:
        listed = Terms(terms.mover, tuple(terms.landmarks[k] for k in picks.order))
    question, static = (category.phrasings(draft, static)[picks.question] for static in (False, True))
    scale = scale_text(facts, names)
    return Wording(
        {str(k): name for k, name in names.items()},
        f"{motion_text(facts, names, picks.motion)} {scale}",
        sentence(category.fill(question, draft, listed)),
        f"{sentence(category.fill(static, draft, listed))} {scale}",
        tuple(choices[k] for k in picks.order),
        picks.order,
    )


def terms_of(facts: Facts, draft: Draft, names: Names) -> Terms:
    """What the mover and the landmarks are called, in the draft's order."""
    return Terms(names[facts.measured.roles.mover], tuple(names[k] for k in draft.landmarks))


def motion_text(facts: Facts, names: Names, phrasing: int) -> str:
    """The mover's move, then that of others."""
    mover = names[facts.measured.roles.mover]
    path = facts.measured.stated.words
    upright = any(stated.down_cm for stated in (facts.measured.stated, *facts.others.values()))
    seen = IN_THE_PICTURE if upright else DIRECTIONS
    told = [f"{MOTIONS[phrasing].format(a=mover, A=sentence(mover), path=path)[:-1]} {seen}."]
    told += [OTHER.format(A=sentence(names[k]), path=stated.words) for k, stated in sorted(facts.others.items())]
    return " ".join(told)


def scale_text(facts: Facts, names: Names) -> str:
    """The size of the reference."""
    return SCALE.format(ref=names[facts.scale.thing], size=facts.scale.width_cm)


def mentioned(facts: Facts, draft: Draft) -> tuple[int, ...]:
    """Everything that texts name, the mover first."""
    return tuple(
        dict.fromkeys((facts.measured.roles.mover, *draft.landmarks, *sorted(facts.others), facts.scale.thing))
    )


def badge_names(facts: Facts) -> Names:
    """``object 3``."""
    return {k: f"object {number}" for k, number in facts.numbers.items()}


def called(facts: Facts, things: Sequence[int]) -> Names | None:
    """``the mug``, where each of the things can be named; None where one cannot (B.4.9).

    A name must fit nothing else that is seen in either picture, and say what the thing is.
    """
    measured = facts.measured
    seen = [tuple(mask.label for mask in layer.masks) for layer in measured.layers]
    names = {}
    for k in things:
        thing = facts.thing(k)
        heads = [[_head(label) for label in labels] for labels in seen]
        head = _head(thing.label)
        if thing.generic or head in VAGUE or any(each.count(head) != 1 for each in heads):
            return None
        names[k] = f"the {thing.label}"
    return names


def _head(label: str) -> str:
    """The last word of a label, or the one that strangers would use for the same thing."""
    last = label.split()[-1]
    return ALIKE.get(last, last)


ALIKE: Mapping[str, str] = {"mug": "cup", "pan": "pot", "skillet": "pot"}
"""Head -> another that fits the same things for who sees them: where there are both, neither names one alone."""
VAGUE = frozenset(
    (
        *("object", "item", "container", "thing", "food", "tool", "toy", "piece", "part", "utensil", "stuff"),
        *("arm", "gripper", "hand", "robot", "cable", "wire", "cord"),
        *("moon", "pentagon", "hexagon"),
    )
)
"""Heads of names that say nothing, what is no thing on the table (B.4.9), and shapes that blocks do not show from
aside."""
