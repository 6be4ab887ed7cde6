"""Shards that no builder wrote: their headers, their ends, and what lies in them."""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from support.fuzzing import MEGABYTE, changed_bytes, changed_json, examine, memory_limited
from support.synthetic import HEIGHT, WIDTH, make_sample
from support.validating import make_valid_release

from flowbench import decode
from flowbench.builders.shards import write_shard
from flowbench.errors import FlowbenchError, ReleaseError
from flowbench.release import Sample, ShardReceipt, file_sha256, iter_samples, shard_path
from flowbench.release.tar import COLUMN, KEY
from flowbench.schema import config_spec, value_from_json
from flowbench.validation.registry import SUITES
from flowbench.validation.shards import UNFINISHED, ShardTask, check_shard

SPEC = config_spec("sim_train")
Member = tuple[bytes, bytes]
"""Header and content, unpadded."""

FIELDS = {
    "name": (0, 100),
    "mode": (100, 8),
    "size": (124, 12),
    "mtime": (136, 12),
    "type": (156, 1),
    "linkname": (157, 100),
    "magic": (257, 8),
    "prefix": (345, 155),
}
"""Name -> first byte and length of a header's fields."""
NAMES = (b"../a.json", b"/etc/passwd", b"a", b".json", b"a.json\0.png", b"a.b.c.json", b"\xff.json", b"A.json/", b"")
SIZES = (
    b"77777777777\0",
    b"00000000001\0",
    b"-0000000001\0",
    b"\x80" + b"\xff" * 11,
    b"\xff" * 12,
    b" " * 12,
    b"9" * 12,
)
SIZES_BEYOND = (b"\x80" + bytes(7) + b"\x1f\xff\xff\xff", b"\x80" + bytes(7) + b"\x20\0\0\1", b"00000000777\0")


def members_of(data: bytes) -> list[Member]:
    """The members of a tar of ours."""
    found, at = [], 0
    while data[at : at + 512] != bytes(512):
        size = int(data[at + 124 : at + 135], 8)
        found.append((data[at : at + 512], data[at + 512 : at + 512 + size]))
        at += 512 + size + -size % 512
    return found


def tar_of(members: Sequence[Member], end: bytes = bytes(tarfile.RECORDSIZE)) -> bytes:
    """The tar of members, whatever their headers say."""
    return b"".join(header + content + bytes(-len(content) % 512) for header, content in members) + end


def summed(header: bytes) -> bytes:
    """The header with the checksum that it should have."""
    blank = header[:148] + b" " * 8 + header[156:]
    return header[:148] + b"%06o\0 " % sum(blank) + header[156:]


def changed_tar(rng: Random, members: Sequence[Member]) -> bytes:
    """Members with odd header fields, in another order, twice, or none; or bytes changed anywhere."""
    if rng.random() < 0.25:
        return changed_bytes(rng, tar_of(members))
    changed, end = list(members), bytes(1024)
    at = rng.randrange(len(changed))
    header, content = changed[at]
    what = rng.choice(["field", "field", "field", "lie", "delete", "double", "move", "content", "end"])
    if what == "field":
        name = rng.choice(list(FIELDS))
        odd = {"name": NAMES, "size": SIZES, "type": [bytes([kind]) for kind in b"\x001234567gxLKSDZ"]}
        start, length = FIELDS[name]
        value = rng.choice(odd.get(name, (*NAMES, b"\xff" * length, b"\0" * length, b"7" * length)))
        spoilt = header[:start] + value[:length].ljust(length, b"\0") + header[start + length :]
        changed[at] = summed(spoilt) if rng.random() < 0.9 else spoilt, content
    elif what == "lie":
        changed[at] = summed(header[:124] + rng.choice(SIZES_BEYOND) + header[136:]), content
    elif what == "delete":
        del changed[at]
    elif what == "double":
        changed.insert(rng.randrange(len(changed)), changed[at])
    elif what == "move":
        changed.insert(rng.randrange(len(changed)), changed.pop(at))
    elif what == "content":
        changed[at] = header, changed_bytes(rng, content)
    elif what == "end":
        end = rng.choice([b"", bytes(512), bytes(1023), bytes(1024) + b"x", bytes(4096)])
    return tar_of(changed, end)


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two samples."""
    root = tmp_path_factory.mktemp("shard")
    write_shard(root, shard_path("sim_train", "train", 0, 1), SPEC, [make_sample(f"s-{n}", n) for n in range(2)])
    return (root / shard_path("sim_train", "train", 0, 1)).read_bytes()


@pytest.mark.parametrize("columns", [None, frozenset({"json"})], ids=["all", "one column"])
def test_shards(shard: bytes, columns: frozenset[str] | None, tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    members = members_of(shard)
    assert tar_of(members, shard[len(tar_of(members, b"")) :]) == shard
    seen = 0

    def read(data: bytes) -> None:
        nonlocal seen
        path.write_bytes(data)
        for sample in iter_samples(path, columns):
            seen += 1
            assert KEY.fullmatch(sample.key)
            assert all(COLUMN.fullmatch(name) for name in sample.members)

    with memory_limited(40 * MEGABYTE):
        judge = examine(lambda rng: changed_tar(rng, members), read, 150, ReleaseError)
    assert seen > 2 * judge.accepted > 20, "no shard was read past a change"
    assert len(judge.reasons) >= 10


def test_every_shorter_shard_is_refused(shard: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    members = members_of(shard)
    whole = tar_of(members, bytes(1024))
    for end in [*range(0, 1600, 7), *range(len(whole) - 1600, len(whole), 7)]:
        path.write_bytes(whole[:end])
        for columns in (None, frozenset({"json"})):
            with pytest.raises(ReleaseError):
                list(iter_samples(path, columns))


def changed_sample(rng: Random, sample: Sample) -> Sample:
    """One or two members changed, taken from another column, or left out."""
    members = dict(sample.members)
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(sorted(members))
        what = rng.choice(["bytes", "bytes", "exchange", "delete", "empty"])
        if name in ("json", "meta.txt") and rng.random() < 0.8:
            members[name] = changed_json(rng, value_from_json(sample.members[name], name))
        elif what == "bytes":
            members[name] = changed_bytes(rng, members[name])
        elif what == "exchange":
            members[name] = rng.choice(sorted(members.items()))[1]
        elif what == "delete":
            del members[name]
        else:
            members[name] = b""
    return Sample(sample.key, members)


def test_samples_for_a_loader(tmp_path: Path) -> None:
    sample = make_sample("s-0", 0)

    def read(changed: Sample) -> None:
        assert decode(changed)["key"] == "s-0"

    with memory_limited(200 * MEGABYTE):
        judge = examine(lambda rng: changed_sample(rng, sample), read, 100, FlowbenchError)
    assert judge.accepted > 20
    assert len(judge.reasons) >= 20


def test_shards_being_validated(tmp_path: Path) -> None:
    """All suites over single samples: what is broken is counted, and no check breaks off itself."""
    root = make_valid_release(tmp_path / "release", 2, ("sim_train",))
    (relative,) = [path.relative_to(root).as_posix() for path in root.glob("data/*/train-00000-*.tar")]
    whole = (root / relative).read_bytes()
    (sample, *_) = iter_samples(root / relative)
    rules: set[str] = set()

    def change(rng: Random) -> bytes:
        if rng.random() < 0.2:
            return changed_tar(rng, members_of(whole))
        members = changed_sample(rng, sample).members
        info = [(tarfile.TarInfo(f"{sample.key}.{name}"), data) for name, data in sorted(members.items())]
        for header, data in info:
            header.size = len(data)
        return tar_of([(header.tobuf(tarfile.USTAR_FORMAT), data) for header, data in info])

    def read(data: bytes) -> None:
        (root / relative).write_bytes(data)
        receipt = ShardReceipt(
            path=relative, sha256=file_sha256(root / relative), bytes=len(data), samples=1, num_bytes=len(data)
        )
        suites = SUITES["sim_train"].samples
        report = check_shard(ShardTask(root, "train", receipt, None, (WIDTH, HEIGHT), suites, 5))
        found = {rule for tally in report.tallies.values() for rule in tally.counts}
        assert found, "hostile, and nothing was found"
        rules.update(found)
        assert UNFINISHED not in found, report.tallies

    with memory_limited(200 * MEGABYTE):
        judge = examine(change, read, 50)
    assert not judge.refused
    assert len(rules) >= 10
