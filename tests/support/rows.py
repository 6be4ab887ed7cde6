"""Indexes made up for the suites that judge answers as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import polars as pl

from flowbench.release import Manifest
from flowbench.schema import config_spec
from flowbench.schema.rows import row_of, row_schema
from flowbench.validation.suites.base import OpenedConfig

from .synthetic import make_record

SPEC = config_spec("sim_train")
Row = dict[str, Any]


def yes_no(outcome: str, number: int, **changes: Any) -> Row:
    """Changes of a record that make a yes/no item of it, ``yes`` at A and at B in turn."""
    choices = ["yes", "no"] if number % 2 else ["no", "yes"]
    letter = "AB"[choices.index(outcome)]
    return {
        "category": "left_right",
        "choices": choices,
        "answer": letter,
        "answer_text": outcome,
        "before_answer": "A",
        "flipped": letter != "A",
        "threshold": None,
        "scene_id": f"homes_train-{number % 20:06d}",
        **changes,
    }


def objects(category: str, right: Sequence[int], order: Sequence[int], types: Sequence[str], number: int) -> Row:
    """The same of an item that lists objects.

    Args:
        category: its name.
        right: ranks before the motion of the right ones, 1 the nearest.
        order: the rank of each choice.
        types: of the objects by rank.
        number: of the item.
    """
    names = [f"the {types[rank - 1]} marked {rank}" for rank in order]
    landmarks = [
        {
            "id": rank + 10,
            "object": f"{types[rank - 1]}|{rank}",
            "type": types[rank - 1],
            "name": name,
            "distance_before": 0.3 * rank,
            "distance_after": 1.0,
        }
        for rank, name in zip(order, names, strict=True)
    ]
    letters = "".join("ABCDEF"[place] for place, rank in enumerate(order) if rank in right)
    before = "".join("ABCDEF"[place] for place, rank in enumerate(order) if rank <= len(right))
    return {
        "category": category,
        "choices": names,
        "landmarks": landmarks,
        "answer": letters,
        "before_answer": before,
        "flipped": letters != before,
        "threshold": None,
        "scene_id": f"homes_train-{number % 20:06d}",
    }


def moved(direction: str, band: str) -> Mapping[str, Any]:
    """A motion of this direction and band."""
    return {**make_record("k", 0).motion.model_dump(), "direction": direction, "length_band": band}


def opened(rows: Sequence[Mapping[str, Any]]) -> OpenedConfig:
    """A config with such an index."""
    base = row_of(make_record("k", 0), "data/sim_train/train-00000-of-00001.tar")
    made = [{**base, "id": f"k-{number:05d}", **row} for number, row in enumerate(rows)]
    index = pl.DataFrame(made, schema=row_schema(SPEC), orient="row").with_columns(split=pl.lit("train"))
    return OpenedConfig(Path(), cast(Manifest, SimpleNamespace(preset="balanced")), SPEC, index, pl.DataFrame())
