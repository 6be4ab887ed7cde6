"""Integrity of a config (quality.md, 1): manifest, card, index and files agree, and nothing else lies among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from flowbench.release import Manifest, SplitFiles, index_path, preview_path, shard_path
from flowbench.release.tables import reading_index
from flowbench.schema import ConfigSpec

from ..cards import check_body, check_card
from .base import ConfigSuite, Findings, OpenedConfig, Violation
from .members import INTEGRITY

SHADOWS: Final = ("flowbench.py", "flowbench")
"""Names in a release that would be imported in the package's place by whoever stands in its folder."""
_LISTED: Final = 20
RECORDED: Final = "recorded"
"""What stands for a simulator where videos were recorded elsewhere."""


class Integrity(ConfigSuite):
    """The part of the integrity suite that looks at the release as a whole."""

    name = INTEGRITY
    about = "Files, members, columns and counts are what manifest, card and index say, and everything can be read."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Everything in which manifest, card, index and shards differ."""
        return Findings([*_violations(config)])


def _violations(config: OpenedConfig) -> Iterator[Violation]:
    splits = config.manifest.configs[config.spec.name]
    yield from _listing(config.spec, splits)
    yield from _files(config.root, config.manifest, config.spec)
    yield from _counts(config.facts, splits)
    yield from _keys(config.facts)
    yield from _origins(config, splits)
    yield from check_body(config.root, config.manifest, config.spec)
    yield from check_card(config.root, config.manifest, config.spec)  # last: it differs wherever a file does


def _listing(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> Iterator[Violation]:
    """The manifest names its files as a release does."""
    for split in sorted(splits.keys() - set(spec.splits)):
        yield Violation("splits of the manifest", split, f"only {', '.join(spec.splits)}", split=split)
    for split in sorted(splits.keys() & set(spec.splits)):
        files = splits[split]
        expected = [shard_path(spec.name, split, i, len(files.shards)) for i in range(len(files.shards))]
        for found, name in [(each.path, path) for each, path in zip(files.shards, expected, strict=True)]:
            if found != name:
                yield Violation("names of shards", found, name, split=split)
        if files.index.path != index_path(spec.name, split):
            yield Violation("name of the index", files.index.path, index_path(spec.name, split), split=split)
        total = sum(shard.samples for shard in files.shards)
        if files.index.samples != total:
            expected_total = f"{total:,} as the shards together"
            yield Violation("samples of the index", f"{files.index.samples:,}", expected_total, split=split)


def _files(root: Path, manifest: Manifest, spec: ConfigSpec) -> Iterator[Violation]:
    """Nothing lies among the data that the manifest does not list."""
    for name in SHADOWS:
        if (root / name).exists() or (root / name).is_symlink():
            yield Violation("files of the release", name, "no module that shadows the package", file=name)
    listed = {
        receipt.path
        for splits in manifest.configs.values()
        for files in splits.values()
        for receipt in (*files.shards, files.index)
    }
    listed |= {preview_path(name) for name in manifest.configs}
    first = min(manifest.configs) == spec.name  # what belongs to no config is told once
    for top in ("data", "index"):
        for path in sorted(_entries(root / top)):
            relative = path.relative_to(root).as_posix()
            if path.name in manifest.configs and path.is_dir():
                inside = sorted(_entries(path)) if path.name == spec.name else []
            else:
                inside = [path] if first else []
            for each in inside:
                relative = each.relative_to(root).as_posix()
                if relative not in listed:
                    yield Violation("files of the release", relative, "only files of the manifest", file=relative)


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _counts(facts: pl.DataFrame, splits: Mapping[str, SplitFiles]) -> Iterator[Violation]:
    """As many samples were read as the index has rows."""
    found = dict(facts.group_by("split").len().iter_rows()) if facts.height else {}
    for split, files in splits.items():
        if found.get(split, 0) != files.index.samples:
            expected = f"{files.index.samples:,} as in the index"
            yield Violation("samples of a split", f"{found.get(split, 0):,}", expected, split=split)


def _keys(facts: pl.DataFrame) -> Iterator[Violation]:
    """Keys are unique in the config."""
    if not facts.height:
        return
    twice = facts.filter(pl.col("key").is_duplicated()).sort("key", "file")
    for (key,), rows in twice.group_by("key", maintain_order=True):
        files = rows["file"].to_list()
        yield Violation("keys of the config", f"in {', '.join(files[:_LISTED])}", "once", key=str(key), file=files[1])


def _origins(config: OpenedConfig, splits: Mapping[str, SplitFiles]) -> Iterator[Violation]:
    """Every record says of its origin what the manifest says."""
    manifest = config.manifest
    stated = {
        "builder_version": manifest.builder_version,
        "seed": manifest.seed,
        "preset": manifest.preset,
        "simulator": _simulator(config),
    }
    readable = set(config.index["split"])  # of the others it is told where they are opened
    for split, files in splits.items():
        for found in _combinations(config, files) if split in readable else ():
            place = {"key": found["id"], "split": split, "file": found["shard"]}
            for name, expected in stated.items():
                if found[name] != expected:
                    yield Violation(f"{name} of the provenance", f"{found[name]}", f"{expected}", **place)
            pool, last = found["pool"], found["last"]
            if pool not in config.spec.pools:
                yield Violation("pool of the provenance", pool, " or ".join(config.spec.pools), **place)
            elif not 0 <= found["first"] <= last < manifest.scenes.get(pool, 0):
                expected = f"below {manifest.scenes.get(pool, 0):,} as in the manifest"
                yield Violation("scene of the provenance", f"{last:,}", expected, **place)


def _simulator(config: OpenedConfig) -> str:
    """What records call their simulator: of recorded videos that a build was given nothing simulated them."""
    return RECORDED if config.recorded else config.spec.simulator or config.manifest.simulator


def _combinations(config: OpenedConfig, files: SplitFiles) -> Iterator[dict[str, Any]]:
    """Distinct provenances of a split with the first sample of each, read as a stream."""
    names = ("builder_version", "seed", "preset", "simulator", "pool")
    provenance = pl.col("provenance").struct
    with reading_index(files.index.path):
        table = (
            pl.scan_parquet(config.root / files.index.path)
            .select("id", "shard", *(provenance.field(name) for name in names), provenance.field("scene"))
            .group_by(names)
            .agg(
                pl.col("id").min(),
                pl.col("shard").min(),
                pl.col("scene").min().alias("first"),
                pl.col("scene").max().alias("last"),
            )
            .sort("id")
            .head(_LISTED)
            .collect(engine="streaming")
        )
    yield from table.iter_rows(named=True)
