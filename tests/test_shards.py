"""Shards, index, manifest, and the files they are written through."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.synthetic import make_record, make_release, make_sample

from flowbench.builders.index import write_index
from flowbench.builders.shards import write_shard
from flowbench.encoding import decode_depth, decode_flow, decode_ids
from flowbench.errors import ReleaseError, UsageError
from flowbench.files import atomic_write, sweep, write_text
from flowbench.release import Sample, file_sha256, iter_samples, read_manifest, shard_files, shard_path
from flowbench.release import tar as release_tar
from flowbench.schema import config_spec

SPEC = config_spec("sim_train")
SHARD = shard_path("sim_train", "train", 0, 1)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(f"s-{number}", number) for number in range(3)]


@pytest.fixture(scope="module")
def manifest_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_release(tmp_path_factory.mktemp("manifest"), 2).to_bytes().decode()


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


def test_shard_files_passes_over_everything_else(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "sim_train"
    folder.mkdir(parents=True)
    wanted = ["train-00000-of-00002.tar", "train-00001-of-00002.tar", "validation-00000-of-00001.tar"]
    for name in [*reversed(wanted), "train.tar", "train-0-of-1.tar", ".flowbench-0123456789abcdef.tmp"]:
        (folder / name).touch()
    assert [path.name for path in shard_files(tmp_path, "sim_train")] == wanted
    assert [path.name for path in shard_files(tmp_path, "sim_train", "train")] == wanted[:2]
    assert shard_files(tmp_path, "sim_test") == []


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


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "permission is denied"), (errno.EDQUOT, "quota is used up")],
)
def test_other_refusals_say_what_to_do(tmp_path: Path, number: int, words: str) -> None:
    with pytest.raises(UsageError, match=words), atomic_write(tmp_path / "a"):
        raise OSError(number, "refused")


def test_other_system_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="odd"), atomic_write(tmp_path / "a"):
        raise OSError(errno.EIO, "odd")
    assert _names(tmp_path) == []


def test_a_file_changes_in_one_step(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "one")
    with atomic_write(tmp_path / "a") as file:
        file.write(b"two")
        assert (tmp_path / "a").read_text() == "one"
    assert (tmp_path / "a").read_text() == "two"


def test_writing_does_not_follow_a_link_at_the_final_name(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "a").symlink_to(tmp_path / "outside")
    write_text(tmp_path / "a", "new")
    assert (tmp_path / "outside").read_text() == "kept"
    assert not (tmp_path / "a").is_symlink()


def test_sweep_takes_our_files_only(tmp_path: Path) -> None:
    ours = ".flowbench-0123456789abcdef.tmp"
    inside, outside = tmp_path / "in", tmp_path / "out"
    (inside / "deep").mkdir(parents=True)
    outside.mkdir()
    for path in (inside / ours, inside / "deep" / ours, outside / ours, inside / "mine.tmp", inside / f"{ours}.txt"):
        path.touch()
    (inside / "link").symlink_to(outside)
    (inside / ".flowbench-ffffffffffffffff.tmp").symlink_to(outside / ours)
    (inside / ".flowbench-eeeeeeeeeeeeeeee.tmp").mkdir()
    assert sweep(inside) == 2
    assert (outside / ours).exists()
    assert sorted(os.listdir(inside)) == [
        ".flowbench-0123456789abcdef.tmp.txt",
        ".flowbench-eeeeeeeeeeeeeeee.tmp",
        ".flowbench-ffffffffffffffff.tmp",
        "deep",
        "link",
        "mine.tmp",
    ]


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


def test_index_holds_the_records_without_run_lengths(tmp_path: Path) -> None:
    manifest = make_release(tmp_path, 4)
    entry = manifest.configs["sim_train"]["train"].index
    frame = pl.read_parquet(tmp_path / entry.path)
    assert entry.sha256 == file_sha256(tmp_path / entry.path)
    assert frame.height == entry.samples == 4
    for number, row in enumerate(frame.iter_rows(named=True)):
        shard = row.pop("shard")
        assert shard == shard_path("sim_train", "train", number // 2, 2)
        expected = make_record(row["id"], number).model_dump()
        for segment in expected["segments"]:
            for side in ("before", "after"):
                if segment[side] is not None:
                    del segment[side]["counts"]
        assert row == expected


def test_index_of_a_broken_record_names_it(tmp_path: Path, samples: list[Sample]) -> None:
    broken = Sample("s-0", {**samples[0].members, "json": b"{}"})
    write_shard(tmp_path, SHARD, SPEC, [broken])
    with pytest.raises(ReleaseError, match=r"record of 's-0' in data/sim_train/train-00000-of-00001\.tar"):
        write_index(tmp_path, "index/sim_train/train.parquet", SPEC, [SHARD])


def test_an_empty_index_has_its_columns(tmp_path: Path) -> None:
    write_index(tmp_path, "index/sim_train/train.parquet", SPEC, [])
    frame = pl.read_parquet(tmp_path / "index/sim_train/train.parquet")
    assert frame.columns == [*SPEC.record.model_fields, "shard"]


def test_a_release_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    """In another process, with other hash seeds and thread counts."""
    make_release(tmp_path / "a")
    code = "import sys, pathlib; from support.synthetic import make_release; make_release(pathlib.Path(sys.argv[1]))"
    environment = os.environ | {
        "PYTHONHASHSEED": "7",
        "POLARS_MAX_THREADS": "1",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "b")], check=True, env=environment)
    assert _names(tmp_path / "a") == _names(tmp_path / "b")
    for name in _names(tmp_path / "a"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_manifest_comes_back_and_matches_the_files(tmp_path: Path) -> None:
    manifest = make_release(tmp_path, 4)
    assert read_manifest(tmp_path) == manifest
    assert manifest.samples("sim_train") == {"train": 4, "validation": 4}
    for splits in manifest.configs.values():
        for files in splits.values():
            for entry in [*files.shards, files.index]:
                assert file_sha256(tmp_path / entry.path) == entry.sha256
                assert (tmp_path / entry.path).stat().st_size == entry.bytes


def test_no_manifest_is_not_a_release(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a release"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), None),
        (("seed",), -1),
        (("seed",), "0"),
        (("constraints_sha256",), "abc"),
        (("configs", "sim_train", "train", "index", "path"), "/etc/passwd"),
        (("configs", "sim_train", "train", "index", "path"), "index/../../x"),
        (("configs", "sim_train", "train", "index", "path"), "index/x\n"),
        (("configs", "sim_train", "train", "index", "sha256"), "A" * 64),
        (("configs", "sim_train", "train", "index", "bytes"), 1.5),
        (("configs", "sim_train", "train", "extra"), 1),
    ],
)
def test_bad_manifests_get_a_sentence(tmp_path: Path, manifest_text: str, path: tuple[str, ...], value: object) -> None:
    content = json.loads(manifest_text)
    place = content
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match=rf"not a valid manifest: {'.'.join(path)}"):
        read_manifest(tmp_path)


def test_synthetic_samples_decode(samples: list[Sample]) -> None:
    members = samples[0].members
    depth, ids = decode_depth(members["depth_before.png16"]), decode_ids(members["seg_before.png16"])
    flow, valid = decode_flow(members["flow.png16"])
    assert np.array_equal(valid, depth > 0)
    assert np.array_equal(flow[..., 0] != 0, ids == 2)


def _names(root: Path) -> list[str]:
    """Files below a folder, relative, sorted."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
