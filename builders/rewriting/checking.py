"""Whether a reworded text still says the same, as far as words show it.

The pieces that carry a text's meaning (names, numbers with their units, directions, negations, the letter) must be
there unchanged and in the same order, and no word may come in that turns an answer round or gives it away. That is
strict on purpose: a good text refused costs nothing, since the rule-based one stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a text is, which decides how it ends and what it may not mention."""

    MOTION = "motion"
    QUESTION = "question"
    STATIC_QUESTION = "static question"
    REASONING = "reasoning"


@dataclass(frozen=True)
class Text:
    """A text to reword.

    Attributes:
        slot: its name among the texts that are reworded together.
        kind: what it is.
        text: as the rules wrote it.
        names: what objects are called, here or in the other texts.
        letter: the right choice in which a reasoning text ends, e.g. ``"B"`` or ``"ABD"``; None elsewhere.
    """

    slot: str
    kind: Kind
    text: str
    names: Sequence[str] = ()
    letter: str | None = None


_NUMBER = r"\d[\d.,]*\d|\d"
_UNIT = r"(?: ?(?:m|cm|mm|km|metres?|meters?|feet|foot|inch(?:es)?|pixels?|px|degrees?|%)\b)?"
_COUNTS = "zero two three four five six seven eight nine ten eleven twelve dozen twice thrice half third quarter double"
_WAYS = "left right leftward rightward away toward forward backward back sideways clockwise"
_NEGATIONS = "not no never none nothing nobody nowhere cannot without neither nor hardly barely unless except"
_VERDICTS = "yes"
_MEASURES = "centre centres bounding"
"""What distances lie between, where that is not the nearest points."""
_TURNING = """farther further farthest furthest beyond outside exceed exceeds exceeding opposite reverse reversed
    visible uncovered exposed unobstructed obstructed obstruct obstructs blocked blocking collide collides colliding hit
    hits impede impedes impeded fail fails failing avoid avoids avoiding miss misses missing behind front above below
    beneath upward downward north south east west outnumber most least fewest largest smallest"""
_OUTCOMES = """wall walls touch touches touching contact hide hides hiding hidden cover covers covering covered block
    blocks near nearer nearest close closer closest within collision collisions bump bumps free reach reaches pass
    passes beside against next"""
_AFTERWARDS = "after afterwards then once will would move moves moved moving motion ends"
_KEPT_OUT: Mapping[Kind, str] = {
    Kind.MOTION: f"{_TURNING} {_OUTCOMES}",
    Kind.QUESTION: _TURNING,
    Kind.STATIC_QUESTION: f"{_TURNING} {_AFTERWARDS}",
    Kind.REASONING: _TURNING,
}
"""Words that a text of a kind may use only where the rule-based one does."""
_SYNONYMS = {
    **{"towards": "toward", "forwards": "forward", "backwards": "backward", "thirds": "third", "halves": "half"},
    **{"center": "centre", "centers": "centres"},
}
_PIECE_WORDS = f"{_COUNTS} {_WAYS} {_NEGATIONS} {_VERDICTS} {_MEASURES} {' '.join(_SYNONYMS)}".split()
_ALLOWED = re.compile(r"[A-Za-z0-9 .,;:'\"?!()-]+")
_TYPOGRAPHY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"})
_MARKUP = (
    (re.compile(r"<[^<>]*>"), ""),
    (re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)"), r"\1"),
    (re.compile(r"[*_`~#\\]+"), ""),
)
_SHORTEST, _LONGEST, _SLACK = 0.4, 2.0, 60
"""Of a rewording: shares of the text's length, and letters more."""


def clean(text: str) -> str:
    """A text without control characters, markup and typography, its spaces single."""
    text = unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY)
    text = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    for pattern, instead in _MARKUP:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def pieces(text: str, names: Sequence[str]) -> list[str]:
    """What must stay as it is, in order: names, numbers with units, directions, negations; in small letters."""
    called = [re.escape(name) for name in sorted(names, key=len, reverse=True)]
    words = [re.escape(word) for word in sorted(_PIECE_WORDS, key=len, reverse=True)]
    pattern = "|".join([*called, r"marked \w+", rf"(?:{_NUMBER}){_UNIT}", r"\w+n't", *words])
    found = [match.lower() for match in re.findall(rf"(?<![\w])(?:{pattern})(?![\w])", text, re.IGNORECASE)]
    return [
        "not" if piece.endswith("n't") or piece in _NEGATIONS.split() else _SYNONYMS.get(piece, piece)
        for piece in found
    ]


def refuse(text: Text, reworded: str) -> str | None:
    """Why a cleaned rewording may not stand for a text; None where nothing speaks against it."""
    if not _ALLOWED.fullmatch(reworded):
        return "it is empty or holds signs other than letters, digits and plain punctuation"
    if not _SHORTEST * len(text.text) <= len(reworded) <= _LONGEST * len(text.text) + _SLACK:
        return "it is much shorter or longer than the text"
    if not (reworded[0].isupper() or reworded[0] in "\"'("):
        return "it does not begin with a capital letter"
    return _refuse_end(text, reworded) or _refuse_pieces(text, reworded) or _refuse_words(text, reworded)


def _refuse_end(text: Text, reworded: str) -> str | None:
    """Questions end in their only question mark, statements in a full stop, reasoning in its letter."""
    if text.kind in (Kind.QUESTION, Kind.STATIC_QUESTION):
        alone = reworded.count("?") == 1 and reworded.endswith("?")
        return None if alone else "it is not one question that ends in its only question mark"
    if not reworded.endswith(".") or "?" in reworded:
        return "it does not end in a full stop, or asks something"
    if text.letter is not None and not re.search(rf"(?<!\w){text.letter}\.$", reworded):
        return f"it does not end in the letter {text.letter} and a full stop"
    return None


def _refuse_pieces(text: Text, reworded: str) -> str | None:
    """The pieces are those of the text; the letters too."""
    wanted, found = pieces(text.text, text.names), pieces(reworded, text.names)
    if wanted != found:
        return f"it must hold exactly these pieces in this order: {wanted}, but holds {found}"
    if _letters(text.text) != _letters(reworded):
        return "it names other letters than the text"
    return None


def _refuse_words(text: Text, reworded: str) -> str | None:
    """No word of those that its kind keeps out comes in."""
    came = set(_words(reworded)) - set(_words(text.text))
    bad = [word for word in _KEPT_OUT[text.kind].split() if word in came]
    return f"it may not use the words {bad}" if bad else None


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _letters(text: str) -> list[str]:
    """Choice letters in a text: capitals standing alone or together, but for the pronoun and a sentence's article."""
    return [word for word in re.findall(r"(?<!^)(?<![.!?] )\b[A-Z]+\b|\b(?!A\b)[A-Z]+\b", text) if word != "I"]
