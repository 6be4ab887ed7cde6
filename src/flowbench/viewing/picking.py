"""Which samples of a config to show: spread over categories, the same ones every time, read from the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ..errors import ReleaseError, UsageError
from ..release import Manifest, Sample, iter_samples
from ..release.tables import reading_index
from ..seeding import rank


@dataclass(frozen=True)
class Entry:
    """A row of the index, as far as choosing needs it."""

    id: str
    category: str
    split: str
    shard: str


def read_entries(root: Path, manifest: Manifest, config: str) -> list[Entry]:
    """All samples of a config, split by split.

    Raises:
        ReleaseError: an index is missing or broken, or names a shard that the manifest does not.
    """
    entries = []
    for split, files in manifest.configs[config].items():
        path = root / files.index.path
        with reading_index(str(path)):
            frame = pl.read_parquet(path, columns=["id", "category", "shard"])
            rows = list(frame.cast(pl.String()).iter_rows())
        known = {receipt.path for receipt in files.shards}
        for key, category, shard in rows:
            if key is None or category is None or shard not in known:
                raise ReleaseError(f"{path} has a row without id, category or a shard of the manifest: build it again")
            entries.append(Entry(key, category, split, shard))
    return entries


def count_categories(entries: list[Entry]) -> dict[str, dict[str, int]]:
    """split -> category -> samples."""
    counts: dict[str, dict[str, int]] = {}
    for entry in entries:
        split = counts.setdefault(entry.split, {})
        split[entry.category] = split.get(entry.category, 0) + 1
    return counts


def spread(entries: list[Entry], count: int) -> list[Entry]:
    """Up to ``count`` entries, one category after the other, in an order that depends on their ids alone."""
    by_category: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: rank("show", entry.id)):
        by_category.setdefault(entry.category, []).append(entry)
    queues = [by_category[category] for category in sorted(by_category)]
    longest = max((len(queue) for queue in queues), default=0)
    chosen = [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]
    return chosen[:count]


def read_chosen(root: Path, chosen: list[Entry], columns: frozenset[str]) -> Iterator[tuple[Entry, Sample]]:
    """The samples of the chosen entries in their order, one shard open at a time.

    Raises:
        ReleaseError: a shard is broken or lacks a sample that the index promises.
    """
    wanted: dict[str, set[str]] = {}
    for entry in chosen:
        wanted.setdefault(entry.shard, set()).add(entry.id)
    found: dict[str, Sample] = {}
    for shard, keys in sorted(wanted.items()):
        found.update(_read_keys(root / shard, keys, columns))
    for entry in chosen:
        if entry.id not in found:
            raise ReleaseError(f"{root / entry.shard} lacks sample {entry.id!r} of the index: fetch or build it again")
        yield entry, found[entry.id]


def _read_keys(path: Path, keys: set[str], columns: frozenset[str]) -> Mapping[str, Sample]:
    """The samples with these keys; stops reading when it has them all."""
    found: dict[str, Sample] = {}
    for sample in iter_samples(path, columns):
        if sample.key in keys:
            found[sample.key] = sample
            if len(found) == len(keys):
                break
    return found


def check_config(root: Path, manifest: Manifest, config: str) -> None:
    """Raise :class:`UsageError` unless the release holds the config."""
    if config not in manifest.configs:
        held = ", ".join(sorted(manifest.configs)) or "none"
        raise UsageError(f"{root} has no config {config!r}; it holds {held}.")
