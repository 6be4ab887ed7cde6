"""The candidate table: a row a question that could be asked, with what the select pass must know of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from .categories import Draft
from .facts import Facts
from .wording import letterings, right_options

SCHEMA: Mapping[str, pl.DataType] = {
    "scene": pl.Int64(),
    "ordinal": pl.Int64(),
    "category": pl.String(),
    "named": pl.Boolean(),
    "flipped": pl.Boolean(),
    "clear": pl.Boolean(),
    "label": pl.String(),
    "answer": pl.String(),
    "before": pl.String(),
    "direction": pl.String(),
    "band": pl.String(),
    "relation": pl.String(),
    "threshold": pl.String(),
    "toward": pl.Boolean(),
    "letterings": pl.Int64(),
    "mover_type": pl.String(),
    "landmark_type": pl.String(),
    "words": pl.List(pl.String()),
    "task": pl.String(),
    "most_per_task": pl.Int64(),
    "payload": pl.String(),
}
"""``label`` is the answer in words, ``answer`` the outcome that is kept even: the same, or where it is no word how it
stands to what was before (``"rank 2"``); ``words`` are what a reader of the texts alone is told."""


def row_of(facts: Facts, ordinal: int, draft: Draft) -> dict[str, Any]:
    """The row of a draft; ``ordinal`` counts the pair's drafts."""
    stated = facts.measured.stated
    threshold = "" if draft.threshold is None else f"{draft.threshold:g}"
    types = [facts.mover.label, facts.thing(draft.landmarks[0]).label if len(draft.landmarks) == 1 else ""]
    relation = draft.relation or ""
    spoken = [f"move {part}" for part in stated.direction.split("+")]
    spoken += [f"band {stated.band}", f"relation {relation}", f"threshold {threshold}", f"also {len(facts.others)}"]
    spoken += [
        f"{relation} {stated.direction}",
        f"{relation} {threshold} {stated.band}",
        f"scale {facts.scale.width_cm}",
    ]
    return {
        "scene": facts.measured.pair.scene,
        "ordinal": ordinal,
        "category": draft.category,
        "named": draft.named,
        "flipped": draft.flipped,
        "clear": draft.clear,
        "label": draft.answer,
        "answer": outcome(facts, draft),
        "before": "" if not draft.options else draft.before,
        "direction": stated.direction,
        "band": stated.band,
        "relation": claim(draft),
        "threshold": threshold,
        "toward": _toward(draft, stated.right_cm),
        "letterings": letterings(draft),
        "mover_type": types[0],
        "landmark_type": types[1],
        "words": spoken + ([f"mover {types[0]}", f"landmark {types[1]}"] if draft.named else []),
        "payload": to_payload(draft),
    }


def claim(draft: Draft) -> str:
    """What of a question tells two of one category apart without any picture: its relation, or the counts it offers."""
    return " ".join(draft.options) if draft.category == "count_near" else draft.relation or ""


def outcome(facts: Facts, draft: Draft) -> str:
    """What is kept even: a word, or how the right choices stood before the move."""
    if draft.category == "count_near":
        return f"place {draft.options.index(draft.answer)} of {len(draft.options)}"
    if draft.options:
        return draft.answer
    ranks = sorted(
        range(len(draft.landmarks)), key=lambda i: (facts.gaps[draft.landmarks[i]].before, draft.landmarks[i])
    )
    right = right_options(draft, draft.answer)
    if len(right) == 1:
        return f"rank {ranks.index(right[0]) + 1} of {len(ranks)}"
    return f"{len(set(right) - set(right_options(draft, draft.before)))} new"


def _toward(draft: Draft, right_cm: int) -> bool:
    """Whether a left-right question's mover ends on the side toward which it is said to move."""
    if draft.category != "left_right" or right_cm == 0:
        return False
    ends_left = (draft.answer == "yes") == (draft.relation == "left")
    return ends_left == (right_cm < 0)


def to_table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The table of some rows."""
    return pl.DataFrame(list(rows), schema=dict(SCHEMA))


def to_payload(draft: Draft) -> str:
    """What is needed to recognise a draft when the pair is measured again."""
    return json.dumps(asdict(draft), sort_keys=True)


def matches(draft: Draft, payload: str) -> bool:
    """Whether a draft is the one that a payload was made of."""
    return to_payload(draft) == payload
