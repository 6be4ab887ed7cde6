"""``selection_train``, ``selection_test`` and ``selection_matched``: items of four candidates, written."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.narrating import observe
from flowbench.builders.dynapix.narrating.teacher import teacher_of
from flowbench.builders.dynapix.scenes import TEST_OF
from flowbench.builders.dynapix.selection import matched_items, plan_selection, row_of
from flowbench.builders.dynapix.selection.matched import ANCHORS, CONTROLS
from flowbench.builders.dynapix.selection.subtypes import FAMILIES
from flowbench.builders.producer import Rejects
from flowbench.errors import UsageError
from flowbench.schema import RewriterNote

from .base import CollisionProducer, Row
from .choices import ItemProducer, item_key, packed
from .meta import SceneMeta
from .records import Origin
from .stage import OTHERS, Beside, Stage, draw_rejects

TOTALS: Mapping[str, int] = {"train": 9_368, "test": 2_208}
"""Items at most; the paper's numbers, and from there on its shares of each subtype."""
TWINS = 1
ITEMS = 9.0
"""Items a scene, as measured (docs/benchmarks.md)."""
MATCHED_ITEMS = 5.0
BYTES = 850_000
"""Of a sample, as measured."""


class SelectionProducer(ItemProducer[Stage], CollisionProducer):
    """Producer of ``selection_train`` and ``selection_test``."""

    narrates = True
    families: ClassVar[tuple[str, ...]] = FAMILIES
    totals: ClassVar[Mapping[str, int] | None] = TOTALS

    def plan(self, stage: Stage) -> tuple[list[Row], Rejects]:
        """Drafts of a scene beside a twin (``balanced``) or other scenes (``paper``)."""
        beside = self.beside()
        good, rejects = draw_rejects(stage.seed, stage.scene, beside)
        if not good:
            return [], rejects
        drafts, dropped = plan_selection(stage.films(beside), self.preset, self.job.seed, self.families)
        rejects.update(dropped)
        return [row_of(draft) | {"payload": packed(stage, draft)} for draft in drafts], rejects

    def origin_of(self, stage: Stage) -> Origin:
        """The same of all scenes."""
        return self.origin

    def meta_of(self, stage: Stage) -> SceneMeta:
        """Set-ups and runs."""
        return SceneMeta(stage)

    def told(self, stage: Stage, item: SelectionItem) -> tuple[SelectionItem, RewriterNote | None]:
        """A teacher may tell the rationale anew, from the same predicates."""
        teacher = teacher_of(self.job.rewriter)
        if teacher is None or not item.rationale:
            return item, None
        told = teacher.narrate(observe(stage.oracle(), item.cut, item.target), item.rationale)
        return dataclasses.replace(item, rationale=told.text), told.source.note

    def beside(self) -> Beside:
        """Where its preset's distractors are frames of."""
        return Beside(twins=TWINS) if self.preset.anchored else Beside(others=OTHERS)

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
            {"key": f"{item_key(row, self.job.pool)}-{anchor}-{control}", "number": n}
            for n, (anchor, control) in enumerate(names)
        ]

    def items(self, draft: SelectionDraft, position: int) -> list[SelectionItem]:
        """The six items of a draft."""
        return matched_items(draft, position, self.preset, self.job.seed)

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields."""
        return int(scenes // TEST_OF * MATCHED_ITEMS), BYTES
