"""``selection_movi`` and ``selection_physion``: items of four candidates over scenes that others filmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from flowbench._jit import require_numba
from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.presets import preset_named
from flowbench.builders.dynapix.producing.base import NOT_REPRODUCED, Row
from flowbench.builders.dynapix.producing.choices import ItemProducer, packed
from flowbench.builders.dynapix.producing.records import Origin
from flowbench.builders.dynapix.scenes import Film
from flowbench.builders.dynapix.selection import finish, plan_selection, row_of
from flowbench.builders.producer import Rejects
from flowbench.builders.sources.filmed import SceneError
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import config_spec

from .meta import FilmedMeta
from .picks import manner_of
from .profiles import PROFILES, Profile
from .stage import FilmedStage, source_of

FAMILIES = ("event", "time")
ITEMS = 3.0
"""Items a scene, as measured on synthetic files."""
BYTES = 600_000
"""Of a sample."""
RECORDED = "recorded"
"""What stands for the simulator's version, which the files do not tell."""


class TransferProducer(ItemProducer[FilmedStage]):
    """Producer of the transfer suites; all their scenes are for testing."""

    hint = "a scene gives items only if something in it moves visibly while nothing unforeseen happens"

    @property
    def profile(self) -> Profile:
        """What is asked of which source."""
        return PROFILES[self.job.config]

    @property
    def root(self) -> str:
        """Folder of the source's files.

        Raises:
            UsageError: none was given.
        """
        found = dict(self.job.sources).get(self.profile.source)
        if found is None:
            raise UsageError(
                f"{self.job.config} is made of scenes that others filmed, but none were given: add "
                f"--source {self.profile.source}=DIR, DIR being {self.profile.advice}."
            )
        return found

    def check(self) -> None:
        """There are scenes, the preset exists, and nothing is reworded.

        Raises:
            UsageError: it is otherwise.
        """
        preset_named(self.job.preset)
        require_numba("building")
        if self.job.rewriter is not None:
            raise UsageError(
                f"{self.job.config} was asked for with --rewriter, but it has no texts that one may reword: build it "
                "without."
            )
        source_of.cache_clear()  # the folder may have changed since another build of this process
        self.most_scenes()

    def most_scenes(self) -> int:
        """The scenes of the source, those that cannot be used among them.

        Raises:
            UsageError: there are none, or no folder was given.
        """
        root = Path(self.root)
        if not root.is_dir():
            raise UsageError(f"{root} is no folder, but {self.job.config} needs {self.profile.advice}: give one.")
        self.profile.reader.require()
        names = source_of(self.profile.reader, str(root), (self.job.width, self.job.height)).names
        if not names:
            raise UsageError(f"{root} holds no scenes, but {self.job.config} needs {self.profile.advice}: give one.")
        return len(names)

    def stage(self, scene: int) -> FilmedStage:
        """Read when it is asked."""
        size = (self.job.width, self.job.height)
        return FilmedStage(self.profile, self.root, size, self.job.seed, scene)

    def plan(self, stage: FilmedStage) -> tuple[list[Row], Rejects]:
        """Drafts of a scene, beside others of its scenario with ``paper``."""
        try:
            films = stage.films(beside=not self.preset.anchored and self.profile.cross > 0)
            manner = manner_of(stage.filmed, self.profile)
            drafts, dropped = plan_selection(films, self.preset, self.job.seed, FAMILIES, manner)
            _look_at_videos(films.factual.film, drafts)
        except SceneError as error:
            return [], Counter({f"scene: {error.reason}": 1})
        rows = [row_of(draft) | {"split": self.split, "payload": packed(stage, draft)} for draft in drafts]
        return rows, dropped

    def scene_samples(self, stage: FilmedStage, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """As of other scenes; none of one that can no longer be read: its pictures are all read before the first."""
        try:
            stage.filmed  # noqa: B018
            yield from super().scene_samples(stage, rows)
        except SceneError:
            yield from (NOT_REPRODUCED for _ in rows)

    def items(self, draft: SelectionDraft, position: int) -> list[SelectionItem]:
        """The item of a draft."""
        return [finish(draft, position, self.job.seed, self.job.pool, split=self.split)]

    def origin_of(self, stage: FilmedStage) -> Origin:
        """The source and the scene's frames a second."""
        simulator = config_spec(self.job.config).simulator or self.profile.source
        return Origin(self.job.seed, self.job.preset, simulator, RECORDED, pool=self.job.pool, fps=stage.filmed.fps)

    def meta_of(self, stage: FilmedStage) -> FilmedMeta:
        """What the source tells."""
        return FilmedMeta(stage)

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields."""
        return int(scenes * ITEMS), BYTES


def _look_at_videos(film: Film, drafts: Sequence[SelectionDraft]) -> None:
    """Read what the items' videos show, which planning has not looked at.

    Raises:
        SceneError: a picture is broken.
    """
    for frame in sorted({frame for each in drafts for frame in range(each.first, each.cut + 1)}):
        film.picture(frame)
