"""Changing a release and making the rest of it agree: a small writer of its own, apart from the one that is checked.

Shards are written in their order with the index rows of their records; manifest and the head of the card follow.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from flowbench.cards import card_data, card_text, published_in
from flowbench.errors import FlowbenchError, ReleaseError
from flowbench.release import (
    CARD,
    MANIFEST,
    FileReceipt,
    Manifest,
    ShardReceipt,
    SplitFiles,
    index_path,
    iter_samples,
    read_manifest,
    shard_path,
)
from flowbench.schema import config_spec, record_from_json
from flowbench.schema.rows import row_of, row_schema

MTIME, MODE = 946_684_800, 0o644
_FENCE = "---\n"

Entry = tuple[tarfile.TarInfo, bytes]


@dataclass
class Draft:
    """A sample that may be changed.

    Attributes:
        key: in its shard.
        members: column -> bytes, in the order in which they are written.
    """

    key: str
    members: dict[str, bytes]

    def entries(self) -> Iterator[Entry]:
        """Its members with their headers."""
        for column, data in self.members.items():
            yield header(f"{self.key}.{column}", len(data)), data


@dataclass(frozen=True)
class Place:
    """Where a shard lies."""

    config: str
    split: str
    number: int


@dataclass
class Rewriting:
    """A release that is being changed; :meth:`finish` makes manifest, indexes and card agree with its shards.

    Attributes:
        root: the release.
        manifest: as it was read, then as it will be.
    """

    root: Path
    manifest: Manifest = field(init=False)
    _touched: set[tuple[str, str]] = field(default_factory=set)
    _rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.manifest = read_manifest(self.root)

    def places(self) -> list[Place]:
        """Every shard."""
        return [
            Place(config, split, number)
            for config, splits in self.manifest.configs.items()
            for split, files in splits.items()
            for number in range(len(files.shards))
        ]

    def receipt(self, place: Place) -> ShardReceipt:
        """What the manifest says of a shard."""
        return self.manifest.configs[place.config][place.split].shards[place.number]

    def read(self, place: Place) -> list[Draft]:
        """The samples of a shard."""
        path = self.root / self.receipt(place).path
        return [Draft(sample.key, dict(sample.members)) for sample in iter_samples(path)]

    def write(self, place: Place, drafts: Sequence[Draft]) -> None:
        """Write a shard anew, its samples and members in the order given."""
        entries = [entry for draft in drafts for entry in draft.entries()]
        self.write_bytes(place, packed(entries), drafts)

    def write_bytes(self, place: Place, data: bytes, drafts: Sequence[Draft]) -> None:
        """Write a shard's bytes; ``drafts`` are the samples it counts as holding."""
        path = self.receipt(place).path
        (self.root / path).write_bytes(data)
        self._put(place, _receipt(path, data, drafts))
        self._rows[path] = [*self._rows_of(place, path, drafts)]

    def put_split(self, config: str, split: str, shards: Sequence[Sequence[Draft]]) -> None:
        """Make a split of these shards, in place of what it was; a split without shards goes."""
        splits = dict(self.manifest.configs.get(config, {}))
        for old in splits.pop(split).shards if split in splits else ():
            (self.root / old.path).unlink()
        if not shards:
            (self.root / index_path(config, split)).unlink(missing_ok=True)
            self._put_splits(config, splits)
            return
        receipts = []
        for number, drafts in enumerate(shards):
            path = shard_path(config, split, number, len(shards))
            data = packed([entry for draft in drafts for entry in draft.entries()])
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(data)
            receipts.append(_receipt(path, data, drafts))
            self._rows[path] = [*self._rows_of(Place(config, split, number), path, drafts)]
        empty = FileReceipt(path=index_path(config, split), sha256="0" * 64, bytes=0, samples=0)
        self._put_splits(config, {**splits, split: SplitFiles(shards=receipts, index=empty)})
        self._touched.add((config, split))

    def drop_config(self, config: str) -> None:
        """Leave a config out of the release, its files too."""
        for split in list(self.manifest.configs[config]):
            self.put_split(config, split, [])
        rest = {name: splits for name, splits in self.manifest.configs.items() if name != config}
        self.manifest = self.manifest.model_copy(update={"configs": rest})

    def finish(self) -> None:
        """Write the indexes of what was changed, then manifest and card."""
        for config, split in sorted(self._touched):
            files = self.manifest.configs[config][split]
            rows = [row for shard in files.shards for row in self._kept_rows(files.index.path, shard.path)]
            self.put_index(config, split, pl.DataFrame(rows, schema=row_schema(config_spec(config)), orient="row"))
        self.publish()

    def put_index(self, config: str, split: str, frame: pl.DataFrame) -> None:
        """Write the index of a split."""
        path = index_path(config, split)
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(self.root / path)
        data = (self.root / path).read_bytes()
        receipt = FileReceipt(path=path, sha256=_sha256(data), bytes=len(data), samples=frame.height)
        files = self.manifest.configs[config][split].model_copy(update={"index": receipt})
        self._put_splits(config, {**self.manifest.configs[config], split: files})

    def publish(self) -> None:
        """Write the manifest as it stands and the card after it; of an index that cannot be read, the head alone."""
        (self.root / MANIFEST).write_bytes(self.manifest.to_bytes())
        try:
            card = card_text(self.root, self.manifest, published_in(self.root, self.manifest))
        except FlowbenchError:
            body = (self.root / CARD).read_text("utf-8").split(_FENCE, 2)[2]
            card = f"{_FENCE}{card_data(self.manifest).to_yaml()}\n{_FENCE}{body}"
        (self.root / CARD).write_text(card, "utf-8")

    def _put(self, place: Place, receipt: ShardReceipt) -> None:
        files = self.manifest.configs[place.config][place.split]
        shards = [*files.shards[: place.number], receipt, *files.shards[place.number + 1 :]]
        changed = {**self.manifest.configs[place.config], place.split: files.model_copy(update={"shards": shards})}
        self._put_splits(place.config, changed)
        self._touched.add((place.config, place.split))

    def _put_splits(self, config: str, splits: Mapping[str, SplitFiles]) -> None:
        self.manifest = self.manifest.model_copy(update={"configs": {**self.manifest.configs, config: dict(splits)}})

    def _rows_of(self, place: Place, path: str, drafts: Sequence[Draft]) -> Iterator[dict[str, Any]]:
        """The index rows of samples; the old row where a record can no longer be read."""
        spec = config_spec(place.config)
        for draft in drafts:
            try:
                yield row_of(record_from_json(spec.record, draft.members.get("json", b""), "the record"), path)
            except ReleaseError:
                old = self._kept_rows(index_path(place.config, place.split), path)
                yield from (row for row in old if row["id"] == draft.key)

    def _kept_rows(self, index: str, shard: str) -> list[dict[str, Any]]:
        if shard in self._rows:
            return self._rows[shard]
        return pl.scan_parquet(self.root / index).filter(pl.col("shard") == shard).collect().to_dicts()


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    """The header of a member."""
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode, info.type, info.linkname = size, MTIME, MODE, kind, target
    return info


def packed(entries: Iterable[Entry]) -> bytes:
    """The bytes of a tar file; a header may lie about the size of its content."""
    parts = []
    for info, data in entries:
        parts += [info.tobuf(tarfile.GNU_FORMAT), data, bytes(-len(data) % tarfile.BLOCKSIZE)]
    parts.append(bytes(2 * tarfile.BLOCKSIZE))
    body = b"".join(parts)
    return body + bytes(-len(body) % tarfile.RECORDSIZE)


def _receipt(path: str, data: bytes, drafts: Sequence[Draft]) -> ShardReceipt:
    size = sum(len(draft.key) + sum(map(len, draft.members.values())) for draft in drafts)
    return ShardReceipt(path=path, sha256=_sha256(data), bytes=len(data), samples=len(drafts), num_bytes=size)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
