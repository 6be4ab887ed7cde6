"""Reasoning ends in the answer, and speaks in numbers only where they come from the metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flowbench.schema import LETTERS, SimRecord

from ..recompute.rules import Finding

_END = re.compile(r"(?:\b(yes|no)\W+)?\b([A-Z]+)\.$")


def check_reasoning(record: SimRecord) -> Iterator[Finding]:
    """The three texts end in the letters of the answer; those about pictures carry no numbers."""
    offered = dict(zip(LETTERS, record.choices, strict=False))
    choice = offered.get(record.answer[:1], "").strip(" .").casefold()
    for name in ("gt", "after", "before"):
        text = getattr(record.reasoning, name)
        end = _END.search(text)
        if end is None or end[2] != record.answer:
            yield Finding("reasoning ends in the answer", f"{name}: {text[-25:]!r}", f"…{record.answer}.")
        elif end[1] and end[1] != choice:
            yield Finding("reasoning ends in the answer", f"{name}: {text[-25:]!r}", f"…{choice}: {record.answer}.")
        if name != "gt" and re.search(r"\d", text):
            yield Finding("numbers in qualitative reasoning", f"{name}: {text[:60]!r}", "no digits")


def check_answer(record: SimRecord) -> Iterator[Finding]:
    """The answer's text is its letters' choices."""
    offered = dict(zip(LETTERS, record.choices, strict=False))
    text = "; ".join(offered.get(letter, "?") for letter in record.answer)
    if record.answer_text != text:
        yield Finding("answer in words", record.answer_text, text)
