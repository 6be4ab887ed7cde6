"""Reading shards that may come from anywhere."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.synthetic import make_sample

from flowbench.builders.shards import write_shard
from flowbench.errors import ReleaseError
from flowbench.release import Sample, iter_samples, shard_files, shard_path
from flowbench.release import tar as release_tar
from flowbench.schema import config_spec

SPEC = config_spec("sim_train")
SHARD = shard_path("sim_train", "train", 0, 1)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(f"s-{number}", number) for number in range(3)]


def test_shard_files_passes_over_everything_else(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "sim_train"
    folder.mkdir(parents=True)
    wanted = ["train-00000-of-00002.tar", "train-00001-of-00002.tar", "validation-00000-of-00001.tar"]
    for name in [*reversed(wanted), "train.tar", "train-0-of-1.tar", ".flowbench-0123456789abcdef.tmp"]:
        (folder / name).touch()
    assert [path.name for path in shard_files(tmp_path, "sim_train")] == wanted
    assert [path.name for path in shard_files(tmp_path, "sim_train", "train")] == wanted[:2]
    assert shard_files(tmp_path, "sim_test") == []


def _add(name: str, data: bytes = b"x", **fields: object) -> Callable[[tarfile.TarFile], None]:
    def add(archive: tarfile.TarFile) -> None:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        for field, value in fields.items():
            setattr(info, field, value)
        archive.addfile(info, io.BytesIO(data))

    return add


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([_add("/etc/passwd")], "expected <key>.<column>"),
        ([_add("../a.json")], "expected <key>.<column>"),
        ([_add("d/a.json")], "expected <key>.<column>"),
        ([_add("a")], "expected <key>.<column>"),
        ([_add("a.json\n")], "expected <key>.<column>"),
        ([_add("a.b.c.json")], "expected <key>.<column>"),
        ([_add("a.json", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")], "not a plain file"),
        ([_add("a.json", b"", type=tarfile.LNKTYPE, linkname="a.txt")], "not a plain file"),
        ([_add("a.json", b"", type=tarfile.CHRTYPE)], "not a plain file"),
        ([_add("a.json", b"", type=tarfile.FIFOTYPE)], "not a plain file"),
        ([_add("a.json", b"", type=tarfile.DIRTYPE)], "not a plain file"),
        ([_add("a.json", b"", type=tarfile.GNUTYPE_SPARSE)], "not a plain file"),
        ([_add("a.json", pax_headers={"path": "/etc/passwd"})], "not a plain file"),
        ([_add("a.json"), _add("a.json")], "twice"),
        ([_add("a.json"), _add("b.json"), _add("a.txt")], "two places"),
    ],
)
def test_hostile_members_are_refused(
    tmp_path: Path, members: list[Callable[[tarfile.TarFile], None]], message: str
) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for add in members:
            add(archive)
    with pytest.raises(ReleaseError, match=message):
        list(iter_samples(path))


def test_oversized_members_are_refused_unread(tmp_path: Path) -> None:
    info = tarfile.TarInfo("a.json")
    info.size = 1 << 33
    (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(ReleaseError, match="8,589,934,592 bytes"):
        list(iter_samples(tmp_path / "x.tar"))
    info.size = -5
    (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(ReleaseError, match="-5 bytes"):
        list(iter_samples(tmp_path / "x.tar"))


@pytest.mark.parametrize("cut", [100, 512, 600, 1500, -10_300])
def test_truncated_shards_get_a_sentence(tmp_path: Path, samples: list[Sample], cut: int) -> None:
    write_shard(tmp_path, SHARD, SPEC, samples)
    path = tmp_path / SHARD
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ReleaseError, match="fetch or build it again"):
        list(iter_samples(path))


@pytest.mark.parametrize("data", [b"", b"not a tar" * 200, b"\x1f\x8b" + bytes(600)])
def test_other_files_are_not_shards(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.tar").write_bytes(data)
    with pytest.raises(ReleaseError, match="not a whole tar file"):
        list(iter_samples(tmp_path / "x.tar"))


def test_only_wanted_members_are_read(tmp_path: Path, samples: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    write_shard(tmp_path, SHARD, SPEC, samples)
    read: list[str] = []
    real = release_tar._content
    monkeypatch.setattr(
        release_tar, "_content", lambda path, file, info: read.append(info.name) or real(path, file, info)
    )
    list(iter_samples(tmp_path / SHARD, frozenset({"json"})))
    assert read == ["s-0.json", "s-1.json", "s-2.json"]


@pytest.mark.parametrize("place", [-1, -5000, -9 * 512])
def test_nothing_may_lie_behind_the_end(tmp_path: Path, samples: list[Sample], place: int) -> None:
    """Some readers stop at the two blocks of zeros, others look for more archives behind them."""
    write_shard(tmp_path, SHARD, SPEC, samples)
    path = tmp_path / SHARD
    whole = path.read_bytes()
    beyond = bytearray(bytes(tarfile.RECORDSIZE))
    beyond[place] = 1
    path.write_bytes(whole + beyond)
    with pytest.raises(ReleaseError, match="data after its end-of-archive"):
        list(iter_samples(path))
    path.write_bytes(whole + bytes(tarfile.RECORDSIZE))
    assert list(iter_samples(path)) == samples


def test_a_single_block_of_zeros_is_no_end(tmp_path: Path, samples: list[Sample]) -> None:
    write_shard(tmp_path, SHARD, SPEC, samples)
    path = tmp_path / SHARD
    with tarfile.open(path, "r:") as archive:
        last = archive.getmembers()[-1]
    end = last.offset_data + last.size + -last.size % tarfile.BLOCKSIZE
    path.write_bytes(path.read_bytes()[: end + tarfile.BLOCKSIZE + 3])
    with pytest.raises(ReleaseError, match="end-of-archive blocks: fetch or build it again"):
        list(iter_samples(path))
