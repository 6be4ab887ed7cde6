"""The end of a build: index files, manifest and card of everything that is complete in the directory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pydantic

from flowbench._version import __version__
from flowbench.cards import card_text, write_card
from flowbench.errors import FlowbenchError, UsageError
from flowbench.files import write_text
from flowbench.release import (
    CARD,
    MANIFEST,
    Manifest,
    ShardReceipt,
    SplitFiles,
    index_path,
    read_manifest,
)
from flowbench.release.manifest import UNRELEASED
from flowbench.schema import config_spec

from .index import write_index
from .manifest import constraints_sha256, write_manifest
from .receipts import WrittenShard, has_size, holds
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
    rejects: Mapping[str, Mapping[str, int]]

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
    """Before anything of a config changes: it is no longer complete, and the directory no release.

    The card goes too: plain ``datasets`` goes by it, and would stream old and new shards together.
    """
    for path in (state.out / MANIFEST, state.out / CARD, state.complete(config)):
        path.unlink(missing_ok=True)


def complete(
    state: State,
    config: str,
    scenes: int,
    receipts: Mapping[str, WrittenShard],
    rejects: Mapping[str, Mapping[str, int]],
) -> Complete:
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
        splits[split] = _indexed(state, config, split, [receipt.shard for receipt in mine])
        counts: Counter[str] = Counter()
        for receipt in mine:
            counts.update(receipt.categories)
        categories[split] = dict(sorted(counts.items()))
    whole = Complete(scenes=scenes, pool=spec.pools[0], splits=splits, categories=categories, rejects=rejects)
    _note(state, config, whole)
    return whole


def _indexed(state: State, config: str, split: str, shards: list[ShardReceipt]) -> SplitFiles:
    """Write the index of a split's shards."""
    path = index_path(config, split)
    index = write_index(state.out, path, config_spec(config), [shard.path for shard in shards])
    return SplitFiles(shards=shards, index=index)


def _note(state: State, config: str, whole: Complete) -> None:
    write_text(state.complete(config), whole.model_dump_json(indent=1) + "\n")


def _mended(state: State, config: str, whole: Complete) -> Complete:
    """What is complete of a config, after lost or damaged indexes have been written again.

    Raises:
        UsageError: a shard is lost or cut short. A config that is being built has none such by now.
    """
    for shard in whole.shards:
        if not has_size(state.out, shard):
            raise UsageError(f"{state.out / shard.path} is lost or cut short: build {config} as well, to mend it.")
    splits = dict(whole.splits)
    for split, files in whole.splits.items():
        if not (has_size(state.out, files.index) and holds(state.out / files.index.path, files.index.sha256)):
            (state.out / MANIFEST).unlink(missing_ok=True)
            splits[split] = _indexed(state, config, split, files.shards)
    mended = whole.model_copy(update={"splits": splits})
    if mended != whole:
        _note(state, config, mended)
    return mended


def finish(state: State) -> bool:
    """Mend indexes, write manifest and card of all complete configs; returns whether anything changed.

    The manifest is written last: it makes the directory a release. What has been published and is still the same keeps
    its version and its card.
    """
    record = state.read()
    assert record is not None, "a build records itself before it begins"
    found = {name: read_complete(state, name) for name in record.scenes}
    whole = {name: _mended(state, name, config) for name, config in found.items() if config is not None}
    identity = record.identity
    sizes = {config_spec(name).size or (identity.width, identity.height) for name in whole}
    width, height = sizes.pop() if len(sizes) == 1 else (identity.width, identity.height)
    manifest = Manifest(
        version=UNRELEASED,
        builder_version=__version__,
        constraints_sha256=constraints_sha256(),
        seed=identity.seed,
        preset=identity.preset,
        simulator=identity.simulator,
        width=width,
        height=height,
        shard_bytes=identity.shard_bytes,
        scenes={config.pool: config.scenes for config in whole.values()},
        sources={name: found for name, found in record.sources.items() if name in whole},
        configs={name: config.splits for name, config in whole.items()},
    )
    if _is_published(state.out, manifest):
        return False
    card = card_text(state.out, manifest).encode()
    if _reads(state.out / MANIFEST, manifest.to_bytes()) and _reads(state.out / CARD, card):
        return False
    (state.out / MANIFEST).unlink(missing_ok=True)
    write_card(state.out, manifest)
    write_manifest(state.out, manifest)
    return True


def _is_published(root: Path, manifest: Manifest) -> bool:
    """Whether the directory holds its card and this manifest under a version that ``flowbench release`` gave it."""
    try:
        there = read_manifest(root)
    except FlowbenchError:
        return False
    published = there.version != UNRELEASED and (root / CARD).is_file()
    return published and there.model_copy(update={"version": UNRELEASED}) == manifest


def _reads(path: Path, data: bytes) -> bool:
    """Whether a file is there and holds just this."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False
