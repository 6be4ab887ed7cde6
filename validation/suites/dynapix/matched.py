"""Matched items: a pair's six differ in nothing but the wording and what of the observation is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, final

import polars as pl

from ...dynapix.questions import ANCHORS, CONTROLS
from ..base import ConfigSuite, Findings, OpenedConfig, Violation
from .labels import ABOUT, NAME

SAME: Final = ("scene_id", "subtype", "answer", "target_frame", "horizon", "rank", "candidates", "margin")
"""Fields that a pair's items share."""


@final
class Matched(ConfigSuite):
    """Of ``selection_matched``."""

    name = NAME
    about = ABOUT

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Pairs that are incomplete or not alike."""
        if config.index.is_empty() or config.facts.is_empty():
            return Findings()
        columns = [name for name in config.facts.columns if name.startswith("candidate_") and name.endswith("_sha256")]
        joined = config.index.join(config.facts.select("key", "file", *columns), left_on="id", right_on="key")
        found: list[Violation] = []
        for (_,), own in joined.sort("pair", "id").group_by("pair", maintain_order=True):
            found.extend(_pair(own, columns))
        return Findings(found)


def _pair(own: pl.DataFrame, columns: list[str]) -> Iterator[Violation]:
    rows = list(own.iter_rows(named=True))
    first = rows[0]
    place = {"key": first["id"], "split": first["split"], "file": first["file"]}
    held = sorted((str(row["anchor"]), str(row["control"])) for row in rows)
    if held != sorted((anchor, control) for anchor in ANCHORS for control in CONTROLS):
        yield Violation("items of a pair", f"{held}", "each anchor with each control, once", **place)
    for row in rows[1:]:
        odd = [name for name in (*SAME, *columns) if row[name] != first[name]]
        odd += [f"prefix.{name}" for name in ("first", "last") if row["prefix"][name] != first["prefix"][name]]
        if odd:
            found = f"{', '.join(odd)} differ from {first['id']}'s"
            yield Violation(
                "items of a pair", found, "the same but for wording and video", **{**place, "key": row["id"]}
            )
    yield from _queries(rows, place)


def _queries(rows: list[dict[str, Any]], place: Mapping[str, Any]) -> Iterator[Violation]:
    """One wording an anchor, and two in all."""
    wordings = {anchor: {row["query"] for row in rows if row["anchor"] == anchor} for anchor in ANCHORS}
    if any(len(each) != 1 for each in wordings.values()) or wordings["event"] == wordings["time"]:
        yield Violation("wording of a pair", f"{wordings}", "one by the event, another by the time", **place)
