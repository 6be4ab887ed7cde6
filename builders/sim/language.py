"""Putting an item into words: motion, question, choices. Phrasings are drawn by the seed; answers never change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flowbench.schema import LETTERS, Mark

from .categories.base import Category
from .items import Item
from .move import WAYS, Move
from .naming import marked_name, unique_types
from .view import Sight

MOTIONS: Sequence[str] = (
    "Suppose {mover} is moved {path}.",
    "Imagine that {mover} is moved {path}.",
    "{Mover} is now moved {path}.",
    "Someone moves {mover} {path}.",
    "Now {mover} is shifted {path}.",
    "Picture {mover} being moved {path}.",
)


@dataclass(frozen=True)
class Wording:
    """An item in words.

    Attributes:
        names: object id -> what the texts call it.
        motion, question, static_question: sentences.
        choices: texts in letter order.
        order: for each letter, the index of its choice among the category's options.
    """

    names: Mapping[str, str]
    motion: str
    question: str
    static_question: str
    choices: tuple[str, ...]
    order: tuple[int, ...]

    def letter(self, index: int) -> str:
        """The letter of an option."""
        return LETTERS[self.order.index(index)]


def path_text(move: Move) -> str:
    """``0.40 m to the right and 0.25 m away from the camera``; sides alone are told as the camera sees them."""
    lengths = [abs(cm) / 100.0 for cm in (move.right_cm, move.away_cm) if cm]
    parts = [f"{length:.2f} m {WAYS[word]}" for length, word in zip(lengths, move.direction.split("+"), strict=True)]
    return " and ".join(parts) + ("" if move.away_cm else ", as seen from the camera")


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def object_names(marks: Sequence[Mark], before: Sight, after: Sight) -> dict[str, str]:
    """What the marked objects are called: by mark, and by type where that is unique in both pictures."""
    unique = unique_types(before.visible) & unique_types(after.visible)
    names = {}
    for mark in marks:
        item = before.arrangement.object(mark.object)
        names[mark.object] = marked_name(mark.colour, item.label, item.object_type in unique)
    return names


def put_into_words(
    category: Category, item: Item, names: Mapping[str, str], right_position: int, rng: np.random.Generator
) -> Wording:
    """Draw phrasings and the order of the choices.

    Args:
        category, item: what is asked.
        names: object id -> what it is called.
        right_position: letter position that the right choice gets (settled globally, so that letters are even).
        rng: draws phrasings and the order of the wrong choices.
    """
    landmarks = [names[name] for name in item.landmarks]
    holes = {
        "mover": names[item.mover],
        "relation": item.relation or "",
        "threshold": "" if item.threshold is None else f"{item.threshold:.2f}",
        **dict(zip("abcd", landmarks, strict=False)),
    }
    options = category.options(landmarks)
    right = category.index(item.answer)
    wrong = [index for index in rng.permutation(len(options)).tolist() if index != right]
    order = (*wrong[:right_position], right, *wrong[right_position:])
    phrasing = int(rng.integers(len(category.questions)))
    motion = MOTIONS[int(rng.integers(len(MOTIONS)))]
    return Wording(
        names,
        motion.format(mover=holes["mover"], Mover=sentence(holes["mover"]), path=path_text(item.move)),
        sentence(category.questions[phrasing].format(**holes)),
        sentence(category.static_questions[phrasing].format(**holes)),
        tuple(options[index] for index in order),
        order,
    )
