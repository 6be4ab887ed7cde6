"""Texts are plain sentences: no holes, no markup, nothing that a template or a language model left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from flowbench.schema import SimRecord

from ..recompute.rules import Finding

_HOLES = (
    ("text with braces", re.compile(r"[{}]")),
    ("text with double spaces", re.compile(r"\s\s")),
    ("text with a missing value", re.compile(r"\b(?:None|null|nan|NaN|undefined|TODO|inf)\b")),
    ("text with control characters", re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\ufeff]")),
    ("text with markup", re.compile(r"[<>\[\]*_`~#\\|^]|&\w+;|https?:")),
    ("text with a space out of place", re.compile(r"^\s|\s$|\s[,.;:?!]")),
    ("text with doubled signs", re.compile(r"[,.;:?!]{2}")),
)
_LETTERS = re.compile(r"[A-Za-z0-9 .,;:'\"?!()+-]*")
LONGEST = 2000
"""Characters of one text."""


def texts_of(record: SimRecord) -> Mapping[str, str]:
    """Every text of a record by its name."""
    reasoning = record.reasoning
    return {
        "motion_text": record.motion_text,
        "question": record.question,
        "static_question": record.static_question,
        "answer_text": record.answer_text,
        "reasoning.gt": reasoning.gt,
        "reasoning.after": reasoning.after,
        "reasoning.before": reasoning.before,
        **{f"choices {index}": text for index, text in enumerate(record.choices)},
        **{f"name of id {each.id}": each.name for each in (record.mover, *record.landmarks)},
    }


def check_plain(record: SimRecord) -> Iterator[Finding]:
    """Signs that no text may have, and how sentences begin and end."""
    for name, text in texts_of(record).items():
        yield from check_signs(name, text)
    yield from _check_sentences(record)


def check_signs(name: str, text: str, longest: int = LONGEST) -> Iterator[Finding]:
    """Signs that no text may have, and its length."""
    for rule, pattern in _HOLES:
        found = pattern.search(text)
        if found:
            yield Finding(rule, f"{name}: {_around(text, found.start())!r}", "a plain sentence")
    if not text or len(text) > longest:
        yield Finding("text length", f"{name} has {len(text)} characters", f"1 to {longest}")
    if not _LETTERS.fullmatch(text):
        odd = sorted(set(re.sub(_LETTERS.pattern[:-1], "", text)))[:5]
        yield Finding("text with other signs", f"{name}: {odd}", "letters, digits and plain punctuation")


def _check_sentences(record: SimRecord) -> Iterator[Finding]:
    """Statements end in a full stop, questions in their only question mark; both begin with a capital."""
    statements = {"motion_text": record.motion_text, "reasoning.gt": record.reasoning.gt}
    statements |= {"reasoning.after": record.reasoning.after, "reasoning.before": record.reasoning.before}
    questions = {"question": record.question, "static_question": record.static_question}
    for name, text in (statements | questions).items():
        if not text[:1].isupper():
            yield Finding("sentence", f"{name} begins with {text[:10]!r}", "a capital letter")
    for name, text in statements.items():
        if not text.endswith(".") or "?" in text:
            yield Finding("sentence", f"{name} ends with {text[-10:]!r}", "a statement that ends in a full stop")
    for name, text in questions.items():
        if not text.endswith("?") or text.count("?") != 1:
            yield Finding("sentence", f"{name} ends with {text[-10:]!r}", "one question that ends in its question mark")


def _around(text: str, place: int) -> str:
    return text[max(0, place - 15) : place + 15]
