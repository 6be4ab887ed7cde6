"""What all configs of four candidates have in common: one draft a slot is chosen over all scenes, then written."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

import polars as pl

from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.scenes import POOL
from flowbench.builders.dynapix.selection import finish, select
from flowbench.builders.dynapix.selection.blind import RULES
from flowbench.builders.producer import Rejects
from flowbench.release import Sample
from flowbench.schema import RewriterNote, to_json
from flowbench.schema.dynapix import SelectionRecord

from .base import NOT_REPRODUCED, AnyStage, Row, SceneProducer, Staged, pack, reproduced, unpack
from .gallery import Gallery
from .records import Origin, scene_name, selection_record


class ItemMeta(Protocol):
    """Writes ``meta.txt`` of a scene's items."""

    def selection(self, item: SelectionItem) -> bytes:
        """Of one item."""
        ...


class ItemProducer(SceneProducer[Staged]):
    """See the module.

    Attributes:
        totals: split -> items at most, at the paper's shares; None takes all.
    """

    totals: ClassVar[Mapping[str, int] | None] = None
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

    @abc.abstractmethod
    def origin_of(self, stage: Staged) -> Origin:
        """What records say of a scene."""

    @abc.abstractmethod
    def meta_of(self, stage: Staged) -> ItemMeta:
        """Writes the texts of a scene."""

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
        return [{"key": item_key(row, self.job.pool), "number": 0}]

    def items(self, draft: SelectionDraft, position: int) -> list[SelectionItem]:
        """The items of a draft."""
        return [finish(draft, position, self.job.seed)]

    def scene_samples(self, stage: Staged, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
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
            self.origin_of(stage).fps,
        )
        meta, origin = self.meta_of(stage), self.origin_of(stage)
        for row, item in zip(rows, items, strict=True):
            if item is None:
                yield NOT_REPRODUCED
            else:
                told, note = self.told(stage, item)
                yield _sample(
                    str(row["key"]), gallery, meta, told, selection_record(str(row["key"]), told, origin, note)
                )

    def told(self, stage: Staged, item: SelectionItem) -> tuple[SelectionItem, RewriterNote | None]:
        """An item with its final rationale, and which language model wrote it, if one did."""
        return item, None

    def _item(self, row: Mapping[str, object], draft: str) -> SelectionItem:
        made = self.items(SelectionDraft.from_payload(draft), int(str(row["position"])))
        return made[int(str(row["number"]))]


def _sample(key: str, gallery: Gallery, meta: ItemMeta, item: SelectionItem, record: SelectionRecord) -> Sample:
    members = {f"candidate_{number}.png": gallery.png(place) for number, place in enumerate(item.candidates)}
    members["json"] = to_json(record)
    members["meta.txt"] = meta.selection(item)
    if item.shown:
        members["video.mp4"] = gallery.video(item.shown)
    return Sample(key, members)


def item_key(row: Row, pool: str = POOL) -> str:
    """``collisions-000007-event-0`` of the slot ``event 1``."""
    family, _, number = str(row["slot"]).partition(" ")
    return f"{scene_name(row['scene'], pool)}-{family}-{int(number) - 1}"


def packed(stage: AnyStage, draft: SelectionDraft) -> str:
    """A draft as it travels, with the runs that its candidates are frames of."""
    return pack(stage, [place.variant for place in draft.places], draft=draft.payload())
