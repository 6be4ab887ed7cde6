"""The optional rewriter's place: after the rules have put an item into words, and before anything is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flowbench.builders.rewriting import Kind, Rewriter, Text
from flowbench.schema import Reasoning, RewriterNote

from .language import Wording

STATEMENTS = {"gt": "reasoning_gt", "after": "reasoning_after", "before": "reasoning_before"}
"""Field of the reasoning -> slot."""


def reword(
    rewriter: Rewriter, wording: Wording, reasoning: Reasoning, letter: str
) -> tuple[Wording, Reasoning, RewriterNote | None]:
    """Let a rewriter put an item's texts into other words; names, choices and letters are not shown to it to change.

    Args:
        rewriter: which; the one that does nothing leaves everything as it is.
        wording, reasoning: as the rules wrote them.
        letter: the right choice or choices.

    Returns:
        both, reworded as far as the rewordings passed the checks, and what the provenance says of it.
    """
    made = rewriter.rewrite(_texts(wording, reasoning, letter))
    texts = made.texts
    worded = replace(
        wording, motion=texts["motion"], question=texts["question"], static_question=texts["static_question"]
    )
    reasoned = Reasoning(**{field: texts[slot] for field, slot in STATEMENTS.items()})
    return worded, reasoned, None if made.source is None else made.source.note


def _texts(wording: Wording, reasoning: Reasoning, letter: str) -> Sequence[Text]:
    names = tuple(sorted(wording.names.values()))
    return (
        Text("motion", Kind.MOTION, wording.motion, names),
        Text("question", Kind.QUESTION, wording.question, names),
        Text("static_question", Kind.STATIC_QUESTION, wording.static_question, names),
        *(Text(slot, Kind.REASONING, getattr(reasoning, field), names, letter) for field, slot in STATEMENTS.items()),
    )
