"""Putting an item into words: motion, question, choices. Phrasings are drawn by the seed; answers never change."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from flowbench.schema import LETTERS, Mark

from .categories.base import Category
from .distances import TERMS
from .items import Item
from .move import WAYS, Move
from .naming import enumeration, marked_name, unique_types
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

    def letters(self, picks: Sequence[int]) -> str:
        """The letters of options, ascending: ``"B"`` or ``"ABD"``."""
        return "".join(sorted(LETTERS[self.order.index(index)] for index in picks))


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
        right_position: which letters the right choices get (settled globally, so that letters are even): the index
            among all combinations of as many letters, in lexicographic order.
        rng: draws phrasings and the order of the wrong choices.
    """
    landmarks = [names[name] for name in item.landmarks]
    holes = {
        "mover": names[item.mover],
        "relation": item.relation or "",
        "threshold": "" if item.threshold is None else f"{item.threshold:.2f}",
        "a": landmarks[0] if landmarks else "",
        "listed": enumeration(landmarks),
        "probe": "" if item.probe is None else path_text(item.probe),
        **asdict(TERMS[item.measure]),
    }
    options = category.options(landmarks)
    right = category.picks(item.answer)
    shuffled = rng.permutation(len(options)).tolist()
    places = list(itertools.combinations(range(len(options)), len(right)))[right_position]
    rights, wrongs = (iter([i for i in shuffled if (i in right) == wanted]) for wanted in (True, False))
    order = tuple(next(rights) if place in places else next(wrongs) for place in range(len(options)))
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
