"""Corruptions of one question of a pair, which the pair's other questions give away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .base import Break, Corruption, corruption
from .editing import Record, put_record, record_of
from .real_editing import meta_of, put_meta
from .rewriting import Rewriting


def _one_of_several(change: Callable[[Record, Record], None]) -> Break:
    """Record and metadata of one sample are changed, of a pair that has others."""

    def apply(root: Path, rng: np.random.Generator) -> None:
        release = Rewriting(root)
        for place in release.places():
            drafts = release.read(place)
            views = Counter(record_of(draft)["view_id"] for draft in drafts)
            suited = [draft for draft in drafts if views[record_of(draft)["view_id"]] > 1]
            if suited:
                draft = suited[rng.integers(len(suited))]
                record, meta = record_of(draft), meta_of(draft)
                change(record, meta)
                put_record(draft, record)
                put_meta(draft, meta)
                release.write(place, drafts)
                return release.finish()
        raise ValueError(f"{root} has no pair with two questions: take a release of real_train")

    return apply


def _origin(name: str, value: object) -> Callable[[Record, Record], None]:
    def change(record: Record, meta: Record) -> None:
        record["provenance"][name] = value

    return change


def _truth(record: Record, meta: Record) -> None:
    meta["truth"] = [{"id": each["id"], "before": 0.1, "after": 0.2} for each in meta["objects"][:1]]


REAL_PAIRS: tuple[Corruption, ...] = (
    *(
        corruption(f"{name} of one question", f"one question of a pair tells another {name}", "labels", broken)
        for name, broken in (
            ("episode", _one_of_several(_origin("episode", 977))),
            ("frame", _one_of_several(_origin("frame_after", 9770))),
            ("task", _one_of_several(_origin("task", "sing a song"))),
            ("dataset", _one_of_several(_origin("dataset", "elsewhere"))),
            ("setting of perception", _one_of_several(_origin("knobs", '{"erosion": 3}'))),
        )
    ),
    corruption(
        "true distances of one question",
        "one question of a pair knows other true distances",
        "labels",
        _one_of_several(_truth),
    ),
)
"""Of releases of ``real_train``."""
