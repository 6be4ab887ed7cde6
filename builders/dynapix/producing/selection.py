"""``selection_train``, ``selection_test`` and ``selection_matched``: items of four candidates, written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import polars as pl

from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.scenes import TEST_OF
from flowbench.builders.dynapix.selection import finish, matched_items, plan_selection, row_of, select
from flowbench.builders.dynapix.selection.blind import RULES
from flowbench.builders.dynapix.selection.matched import ANCHORS, CONTROLS
from flowbench.builders.dynapix.selection.subtypes import FAMILIES
from flowbench.builders.producer import Rejects
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import to_json

from .base import NOT_REPRODUCED, CollisionProducer, Row, pack, reproduced, unpack
from .gallery import Gallery
from .meta import SceneMeta
from .records import scene_name, selection_record
from .stage import OTHERS, Beside, Stage, draw_rejects

TOTALS: Mapping[str, int] = {"train": 9_368, "test": 2_208}
"""Items at most; the paper's numbers, and from there on its shares of each subtype."""
TWINS = 1
ITEMS = 9.5
"""Items a scene, as measured (docs/benchmarks.md)."""
MATCHED_ITEMS = 10.0
BYTES = 850_000
"""Of a sample, as measured."""


class SelectionProducer(CollisionProducer):
    """Producer of ``selection_train`` and ``selection_test``."""

    families: ClassVar[tuple[str, ...]] = FAMILIES
    totals: ClassVar[Mapping[str, int] | None] = TOTALS
    schema: ClassVar[Mapping[str, pl.DataType]] = {
        "scene": pl.Int64(),
        "split": pl.String(),
        "slot": pl.String(),
        "ordinal": pl.Int64(),
        "family": pl.String(),
        "subtype": pl.String(),
        "horizon": pl.Int64(),
        "answer": pl.String(),
        **dict.fromkeys(RULES, pl.String()),
        **dict.fromkeys((f"source_{rule}" for rule in RULES), pl.String()),
        "payload": pl.String(),
    }

    def plan(self, stage: Stage) -> tuple[list[Row], Rejects]:
        """Drafts of a scene beside a twin (``balanced``) or other scenes (``paper``)."""
        beside = self.beside()
        good, rejects = draw_rejects(stage.seed, stage.scene, beside)
        if not good:
            return [], rejects
        drafts, dropped = plan_selection(stage.films(beside), self.preset, self.job.seed, self.families)
        rejects.update(dropped)
        return [row_of(draft) | {"payload": _packed(stage, draft)} for draft in drafts], rejects

    def beside(self) -> Beside:
        """Where its preset's distractors are frames of."""
        return Beside(twins=TWINS) if self.preset.anchored else Beside(others=OTHERS)

    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """One draft a slot, balanced over all scenes, with its letter, split and key."""
        rows = candidates.drop("payload").to_dicts()
        totals = None if self.totals is None else {self.split: self.totals[self.split]}
        choices, rejects = select(rows, self.job.seed, self.preset, totals) if rows else ([], Rejects())
        chosen = candidates.select("scene", "split", "slot", "payload", category="family")[[c.row for c in choices]]
        placed = chosen.with_columns(pl.Series("position", [c.position for c in choices], dtype=pl.Int64))
        table = pl.DataFrame(
            [row | made for row in placed.iter_rows(named=True) for made in self.variants(row)],
            schema={**placed.schema, "key": pl.String(), "number": pl.Int64()},
        )
        return table.sort("split", "key"), rejects

    def variants(self, row: Row) -> list[Row]:
        """Key, and number among the items of one draft, of each."""
        return [{"key": item_key(row), "number": 0}]

    def items(self, draft: SelectionDraft, position: int) -> list[SelectionItem]:
        """The items of a draft."""
        return [finish(draft, position, self.job.seed)]

    def scene_samples(self, stage: Stage, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Film what the scene's items show, then write them."""
        contents = [unpack(row) for row in rows]
        items: list[SelectionItem | None] = [
            self._item(row, content["draft"]) if reproduced(stage, content) else None
            for row, content in zip(rows, contents, strict=True)
        ]
        kept = [item for item in items if item is not None]
        gallery = Gallery(
            stage,
            (place for item in kept for place in item.candidates),
            (frame for item in kept for frame in item.shown),
        )
        meta = SceneMeta(stage)
        for row, item in zip(rows, items, strict=True):
            yield NOT_REPRODUCED if item is None else self._sample(str(row["key"]), item, gallery, meta)

    def _item(self, row: Mapping[str, object], draft: str) -> SelectionItem:
        made = self.items(SelectionDraft.from_payload(draft), int(str(row["position"])))
        return made[int(str(row["number"]))]

    def _sample(self, key: str, item: SelectionItem, gallery: Gallery, meta: SceneMeta) -> Sample:
        members = {f"candidate_{number}.png": gallery.png(place) for number, place in enumerate(item.candidates)}
        members["json"] = to_json(selection_record(key, item, self.origin))
        members["meta.txt"] = meta.selection(item)
        if item.shown:
            members["video.mp4"] = gallery.video(item.shown)
        return Sample(key, members)

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields, and the paper's totals."""
        tests = scenes // TEST_OF
        of_split = tests if self.split == "test" else scenes - tests
        return min(TOTALS[self.split], int(of_split * ITEMS)), BYTES


class MatchedProducer(SelectionProducer):
    """Producer of ``selection_matched``: each draft asked by its event and by the elapsed time, with two controls."""

    families = ("matched",)
    totals = None

    def check(self) -> None:
        """Also, the preset states its anchors."""
        super().check()
        if not self.preset.anchored:
            raise UsageError(
                f"selection_matched was asked for with preset {self.job.preset}, whose queries name no anchor to "
                "match: build it with --preset balanced."
            )

    def beside(self) -> Beside:
        """Nothing: all candidates are the scene's own."""
        return Beside()

    def variants(self, row: Row) -> list[Row]:
        """Two anchors by three conditions, as :func:`matched_items` makes them."""
        names = [(anchor, control) for anchor in ANCHORS for control in CONTROLS]
        return [
            {"key": f"{item_key(row)}-{anchor}-{control}", "number": n} for n, (anchor, control) in enumerate(names)
        ]

    def items(self, draft: SelectionDraft, position: int) -> list[SelectionItem]:
        """The six items of a draft."""
        return matched_items(draft, position, self.preset, self.job.seed)

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields."""
        return int(scenes // TEST_OF * MATCHED_ITEMS), BYTES


def item_key(row: Row) -> str:
    """``collisions-000007-event-0`` of the slot ``event 1``."""
    family, _, number = str(row["slot"]).partition(" ")
    return f"{scene_name(row['scene'])}-{family}-{int(number) - 1}"


def _packed(stage: Stage, draft: SelectionDraft) -> str:
    """A draft as it travels, with the runs that its candidates are frames of."""
    return pack(stage, [place.variant for place in draft.places], draft=draft.payload())
