"""The end of a build: index files, manifest and card of everything that is complete in the directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pydantic

from flowbench._version import __version__
from flowbench.files import write_text
from flowbench.release import (
    CARD,
    MANIFEST,
    FileReceipt,
    Manifest,
    ShardReceipt,
    SplitFiles,
    index_path,
)
from flowbench.release.manifest import UNRELEASED
from flowbench.schema import config_spec

from .card import write_card
from .index import write_index
from .manifest import constraints_sha256, write_manifest
from .state import State


class Complete(pydantic.BaseModel):
    """``.build/<config>/complete.json``: a config whose shards and indexes all lie in the directory.

    Attributes:
        scenes: scenes it was made from.
        pool: the pool they are of.
        splits: split -> shards in order, and the index.
        categories: split -> category -> samples.
        rejects: pass -> reason -> count.
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    scenes: int
    pool: str
    splits: dict[str, SplitFiles]
    categories: dict[str, dict[str, int]]
    rejects: dict[str, dict[str, int]]

    @property
    def shards(self) -> list[ShardReceipt]:
        """All shards."""
        return [shard for files in self.splits.values() for shard in files.shards]


def read_complete(state: State, config: str) -> Complete | None:
    """What is complete of a config; None when it is not."""
    try:
        return Complete.model_validate_json(state.complete(config).read_bytes())
    except (OSError, pydantic.ValidationError):
        return None


def invalidate(state: State, config: str) -> None:
    """Before anything of a config changes: it is no longer complete, and the directory no release."""
    for path in (state.out / MANIFEST, state.complete(config)):
        path.unlink(missing_ok=True)


def complete(state: State, config: str, scenes: int, receipts: dict[str, dict[str, Any]], rejects: Any) -> Complete:
    """Write the indexes of a config whose shards are all there, and note that it is complete.

    Args:
        state: the directory's.
        config: whose.
        scenes: scenes it was made from.
        receipts: shard path -> its write receipt, in order.
        rejects: pass -> reason -> count.
    """
    spec = config_spec(config)
    splits: dict[str, SplitFiles] = {}
    categories: dict[str, dict[str, int]] = {}
    for split in spec.splits:
        mine = [receipt for path, receipt in receipts.items() if Path(path).name.startswith(f"{split}-")]
        if not mine:
            (state.out / index_path(config, split)).unlink(missing_ok=True)
            continue
        shards = [ShardReceipt.model_validate(receipt["shard"]) for receipt in mine]
        index: FileReceipt = write_index(state.out, index_path(config, split), spec, [shard.path for shard in shards])
        splits[split] = SplitFiles(shards=shards, index=index)
        counts: dict[str, int] = {}
        for receipt in mine:
            for category, count in receipt["categories"].items():
                counts[category] = counts.get(category, 0) + count
        categories[split] = dict(sorted(counts.items()))
    whole = Complete(scenes=scenes, pool=spec.pools[0], splits=splits, categories=categories, rejects=rejects)
    write_text(state.complete(config), whole.model_dump_json(indent=1) + "\n")
    return whole


def finish(state: State) -> bool:
    """Write manifest and card of all complete configs; returns whether anything changed.

    The manifest is written last: it makes the directory a release.
    """
    record = state.read()
    assert record is not None, "a build records itself before it begins"
    whole = {name: found for name in record.scenes if (found := read_complete(state, name)) is not None}
    identity = record.identity
    manifest = Manifest(
        version=UNRELEASED,
        builder_version=__version__,
        constraints_sha256=constraints_sha256(),
        seed=identity.seed,
        preset=identity.preset,
        simulator=identity.simulator,
        width=identity.width,
        height=identity.height,
        shard_bytes=identity.shard_bytes,
        scenes={found.pool: found.scenes for found in whole.values()},
        configs={name: found.splits for name, found in whole.items()},
    )
    path = state.out / MANIFEST
    if path.is_file() and path.read_bytes() == manifest.to_bytes() and (state.out / CARD).is_file():
        return False
    path.unlink(missing_ok=True)
    write_card(state.out, manifest)
    write_manifest(state.out, manifest)
    return True
