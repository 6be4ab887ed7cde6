"""Writing shards: what goes in comes back, and nothing half-written stays."""

from __future__ import annotations

import hashlib
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.synthetic import make_sample

from flowbench.builders.shards import write_shard
from flowbench.errors import UsageError
from flowbench.files import write_text
from flowbench.release import Sample, file_sha256, iter_samples, shard_path
from flowbench.schema import config_spec

SPEC = config_spec("sim_train")
SHARD = shard_path("sim_train", "train", 0, 1)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(f"s-{number}", number) for number in range(3)]


def test_samples_come_back(tmp_path: Path, samples: list[Sample]) -> None:
    receipt = write_shard(tmp_path, SHARD, SPEC, iter(samples))
    path = tmp_path / receipt.path
    assert path.name == "train-00000-of-00001.tar"
    assert list(iter_samples(path)) == samples
    assert receipt.samples == 3
    assert receipt.bytes == path.stat().st_size
    assert receipt.sha256 == hashlib.sha256(path.read_bytes()).hexdigest() == file_sha256(path)
    assert receipt.num_bytes == sum(len(s.key) + sum(map(len, s.members.values())) for s in samples)
    assert [s.members.keys() for s in iter_samples(path, frozenset({"json"}))] == [{"json"}] * 3


def test_tar_is_plain_and_fixed(tmp_path: Path, samples: list[Sample]) -> None:
    write_shard(tmp_path, SHARD, SPEC, samples)
    with tarfile.open(tmp_path / SHARD, "r:") as archive:
        members = archive.getmembers()
        assert [m.name for m in members] == [f"{s.key}.{c.name}" for s in samples for c in SPEC.columns]
        assert {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode) for m in members} == {
            (946684800, 0, 0, "", "", 0o644)
        }
        assert all(m.isreg() and not m.pax_headers for m in members)
    assert (tmp_path / SHARD).stat().st_size % tarfile.RECORDSIZE == 0


def test_member_order_in_memory_does_not_matter(tmp_path: Path, samples: list[Sample]) -> None:
    backwards = [Sample(s.key, dict(reversed(s.members.items()))) for s in samples]
    one = write_shard(tmp_path / "a", SHARD, SPEC, samples)
    assert write_shard(tmp_path / "b", SHARD, SPEC, backwards) == one


def test_an_empty_shard_is_a_tar(tmp_path: Path) -> None:
    assert write_shard(tmp_path, SHARD, SPEC, []).samples == 0
    assert list(iter_samples(tmp_path / SHARD)) == []


@pytest.mark.parametrize("key", ["", "a.b", "a/b", "../a", "a b", "ä", "a" * 65, "a\n"])
def test_bad_keys_are_refused(tmp_path: Path, samples: list[Sample], key: str) -> None:
    with pytest.raises(ValueError, match="a key is"):
        write_shard(tmp_path, SHARD, SPEC, [Sample(key, samples[0].members)])
    assert _names(tmp_path) == []


@pytest.mark.parametrize("keys", [("b", "a"), ("a", "a")])
def test_keys_must_ascend(tmp_path: Path, samples: list[Sample], keys: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="keys ascend"):
        write_shard(tmp_path, SHARD, SPEC, [Sample(key, samples[0].members) for key in keys])


@pytest.mark.parametrize("wrong", ["missing", "unknown"])
def test_columns_must_be_the_configs(tmp_path: Path, samples: list[Sample], wrong: str) -> None:
    members = dict(samples[0].members)
    if wrong == "missing":
        del members["flow.png16"]
    else:
        members["flow.npy"] = b""
    with pytest.raises(ValueError, match=r"flow\.(png16|npy)"):
        write_shard(tmp_path, SHARD, SPEC, [Sample("a", members)])


@pytest.mark.parametrize("numbers", [(-1, 1), (1, 1), (0, 100_000)])
def test_shard_numbers_out_of_range(numbers: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="shard"):
        shard_path("sim_train", "train", *numbers)


def test_an_interrupted_shard_leaves_nothing(tmp_path: Path, samples: list[Sample]) -> None:
    def interrupted() -> Iterator[Sample]:
        yield samples[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_shard(tmp_path, SHARD, SPEC, interrupted())
    assert _names(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_really_full_device_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, samples: list[Sample]) -> None:
    """The writer's file is the kernel's always-full device; the old shard stays, the temporary file goes."""
    write_text(tmp_path / SHARD, "old")
    real = os.open

    def full(path: Path, flags: int, mode: int = 0o777) -> int:
        descriptor = real(path, flags, mode)
        if str(path).endswith(".tmp"):
            os.close(descriptor)
            descriptor = real("/dev/full", os.O_WRONLY)
        return descriptor

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(
        UsageError, match=r"cannot write .*train-00000-of-00001\.tar: the disk is full: free some space"
    ):
        write_shard(tmp_path, SHARD, SPEC, samples)
    assert _names(tmp_path) == [SHARD]
    assert (tmp_path / SHARD).read_text() == "old"


def _names(root: Path) -> list[str]:
    """Files below a folder, relative, sorted."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
