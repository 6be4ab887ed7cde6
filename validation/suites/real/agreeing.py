"""The questions of a pair are about one pair: what was measured, and where it comes from, is the same in all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final, final

import polars as pl

from ..base import ConfigSuite, Findings, OpenedConfig, Violation
from .labels import ABOUT, NAME

SAME: Final = ("meta_sha256", "before_sha256", "after_sha256", "scene_id")
"""Facts that questions of a pair share, beside their origin."""


@final
class OnePair(ConfigSuite):
    """Of ``real_*``; true distances, which ``meta.txt`` holds, are among what is compared."""

    name = NAME
    about = ABOUT

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Samples that differ from the first of their pair."""
        if not {"pair", "origin", *SAME} <= set(config.facts.columns):
            return Findings()
        known = config.facts.filter(pl.col("pair").is_not_null()).sort("pair", "key")
        found: list[Violation] = []
        for (pair,), own in known.group_by("pair", maintain_order=True):
            if own.height > 1:
                found.extend(_differing(str(pair), own))
        return Findings(found)


def _differing(pair: str, own: pl.DataFrame) -> Iterator[Violation]:
    first, *rest = own.iter_rows(named=True)
    origin = json.loads(first["origin"])
    for row in rest:
        other = json.loads(row["origin"])
        odd = [name.removesuffix("_sha256") for name in SAME if row[name] != first[name]]
        odd += [f"provenance.{name}" for name in sorted(origin) if other[name] != origin[name]]
        if odd:
            found = f"{pair}: {', '.join(odd)} not as in {first['key']}"
            yield Violation(
                "questions of one pair", found, "the same", key=row["key"], split=row["split"], file=row["file"]
            )
