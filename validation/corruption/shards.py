"""Corruptions of tar files and their members; manifest, index and card agree with what is left."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from .base import Break, Corruption, corruption
from .editing import member, one, recorded
from .rewriting import Draft, Entry, Rewriting, header, packed

Rng = np.random.Generator
HUGE = 100_000_000_000


def _shard(change: Callable[[list[Draft]], None]) -> Break:
    """A corruption of a shard's list of samples, of one with two at least."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        places = [place for place in release.places() if release.receipt(place).samples > 1]
        place = places[rng.integers(len(places))]
        drafts = release.read(place)
        change(drafts)
        release.write(place, drafts)
        release.finish()

    return apply


def _bytes(change: Callable[[bytes, Sequence[Draft]], bytes]) -> Break:
    """A corruption of a shard's bytes, which the manifest then vouches for."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        places = release.places()
        place = places[rng.integers(len(places))]
        drafts = release.read(place)
        data = (root / release.receipt(place).path).read_bytes()
        release.write_bytes(place, change(data, drafts), drafts)
        release.finish()

    return apply


def _with(make: Callable[[str], Entry]) -> Break:
    """A further member after the first sample's; ``make`` is given the sample's key."""

    def change(data: bytes, drafts: Sequence[Draft]) -> bytes:
        first, *rest = drafts
        entries = [*first.entries(), make(first.key), *(entry for draft in rest for entry in draft.entries())]
        return packed(entries)

    return _bytes(change)


def _named(name: str) -> Break:
    return _with(lambda key: (header(name.format(key=key), 5), b"hello"))


def _typed(kind: bytes, target: str = "", size: int = 0) -> Break:
    return _with(lambda key: (header(f"{key}.zzz", size, kind, target), b""))


def _repeat(drafts: list[Draft]) -> None:
    drafts.insert(1, Draft(drafts[0].key, dict(drafts[0].members)))


def _reverse(drafts: list[Draft]) -> None:
    drafts.reverse()


def _dropped(draft: Draft, rng: Rng) -> None:
    del draft.members["flow.png16"]


def _added(draft: Draft, rng: Rng) -> None:
    draft.members["thumbs.db"] = b"hello"


def _unsorted(draft: Draft, rng: Rng) -> None:
    draft.members = dict(reversed(draft.members.items()))


def _not_a_number(data: bytes) -> bytes:
    value = json.loads(data)
    value["margin"] = float("nan")
    return json.dumps(value).encode()


def _meta_not_a_number(data: bytes) -> bytes:
    value = json.loads(data)
    value["objects"][0]["before"]["position"][0] = float("nan")
    return json.dumps(value).encode()


def _deep(data: bytes) -> bytes:
    return b"[" * 100_000 + b"]" * 100_000


def _renamed(draft: Draft, rng: Rng) -> None:
    recorded(lambda record: record.update(id=f"{record['id']}-x"))(draft, rng)


def _dotted(drafts: list[Draft]) -> None:
    drafts[0].key = drafts[0].key.replace("-", ".", 1)


def _unended(data: bytes, drafts: Sequence[Draft]) -> bytes:
    return data[: len(data.rstrip(b"\0")) + 1]


SHARDS: tuple[Corruption, ...] = (
    corruption("key repeated", "two samples of a shard have the same key", "integrity", _shard(_repeat)),
    corruption("keys out of order", "the samples of a shard are reversed", "integrity", _shard(_reverse)),
    corruption("key with a dot", "a key holds a dot, at which readers cut it", "integrity", _shard(_dotted)),
    corruption("key of another", "the record's id is not the key", "integrity", one(_renamed)),
    corruption("member dropped", "a sample lacks its flow", "integrity", one(_dropped)),
    corruption("member added", "a sample has a member of no column", "integrity", one(_added)),
    corruption("members out of order", "a sample's members are reversed", "integrity", one(_unsorted)),
    corruption("NaN in the record", "the record's margin is NaN", "integrity", one(member("json", _not_a_number))),
    corruption("NaN in the metadata", "a position is NaN", "integrity", one(member("meta.txt", _meta_not_a_number))),
    corruption("nested metadata", "the metadata is nested 100,000 deep", "integrity", one(member("meta.txt", _deep))),
    corruption(
        "record is no JSON", "the record is cut in half", "integrity", one(member("json", lambda d: d[: len(d) // 2]))
    ),
    corruption(
        "tar cut in half",
        "a shard ends in the middle",
        "integrity",
        _bytes(lambda data, drafts: data[: len(data) // 2]),
    ),
    corruption("tar without end", "a shard ends without its end-of-archive blocks", "integrity", _bytes(_unended)),
    corruption(
        "data after the end",
        "something follows the end of a tar",
        "integrity",
        _bytes(lambda data, drafts: data + b"hello" * 200),
    ),
    corruption("absolute path", "a member is called /etc/passwd", "integrity", _named("/etc/passwd")),
    corruption("path upward", "a member is called ../../passwd", "integrity", _named("../../passwd")),
    corruption("member twice", "a sample has a member twice", "integrity", _named("{key}.json")),
    corruption(
        "symbolic link", "a member is a link to /etc/passwd", "integrity", _typed(tarfile.SYMTYPE, "/etc/passwd")
    ),
    corruption("hard link", "a member is a hard link", "integrity", _typed(tarfile.LNKTYPE, "/etc/passwd")),
    corruption("device", "a member is a device", "integrity", _typed(tarfile.CHRTYPE)),
    corruption(
        "sparse member", "a member is sparse and of 100 GB", "integrity", _typed(tarfile.GNUTYPE_SPARSE, size=HUGE)
    ),
    corruption("huge member", "a member's header claims 100 GB", "integrity", _typed(tarfile.REGTYPE, size=HUGE)),
)
