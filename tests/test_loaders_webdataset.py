"""``flowbench.webdataset``: the shards as a pipeline of decoded samples."""

from __future__ import annotations

import pickle
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.decoded import CONFIG, COUNT, SPLIT, check, expected, own_cache, root
from support.synthetic import make_release, make_sample

import flowbench
from flowbench.errors import ReleaseError, UsageError
from flowbench.loaders.places import local_shards

__all__ = ["own_cache", "root"]  # fixtures
KEYS = [f"train-{number:05d}" for number in range(COUNT)]


def keys(pipeline: Any) -> list[str]:
    return [sample["key"] for sample in pipeline]


def test_samples_are_decoded_in_their_order(root: Path) -> None:
    samples = list(flowbench.webdataset(CONFIG, SPLIT, root=root))
    assert len(samples) == COUNT
    for number, sample in enumerate(samples):
        check(sample, expected(number))


def test_nothing_of_16_bits_is_left_to_cut(root: Path) -> None:
    """Undecoded samples are ``webdataset``'s usual ones, whose ``.decode("pil")`` leaves ``.png16`` alone."""
    undecoded = flowbench.webdataset(CONFIG, SPLIT, root=root, decode=False)
    members = dict(make_sample("train-00000", 0).members)
    first = next(iter(undecoded))
    assert {name: first[name] for name in members} == members
    check(flowbench.decode(next(iter(undecoded.decode("pil")))), expected(0))


def test_only_columns_asked_for_are_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flowbench.release import tar

    read: list[str] = []
    real = tar._content
    monkeypatch.setattr(tar, "_content", lambda path, file, info: read.append(info.name) or real(path, file, info))
    sample = next(iter(flowbench.webdataset(CONFIG, SPLIT, root=root, columns=["ids_after", "record"])))
    check(sample, {name: expected(0)[name] for name in ("key", "ids_after", "record")})
    assert {name.partition(".")[2] for name in read} == {"json", "seg_after.png16"}


def test_stages_of_webdataset_follow(root: Path) -> None:
    pipeline = flowbench.webdataset(CONFIG, SPLIT, root=root, columns=["before_marked", "record"])
    pairs = pipeline.to_tuple("before_marked", "record").map_tuple(lambda image: image.shape, lambda record: record.id)
    assert list(pairs) == [((24, 32, 3), key) for key in KEYS]
    batches = list(flowbench.webdataset(CONFIG, SPLIT, root=root).map(lambda s: (s["key"], s["flow"])).batched(3))
    assert [len(batch[0]) for batch in batches] == [3, 1]
    assert keys(pickle.loads(pickle.dumps(pipeline))) == KEYS


def test_shuffling_depends_on_seed_and_epoch_alone(root: Path) -> None:
    def epochs(seed: int) -> list[list[str]]:
        pipeline = flowbench.webdataset(CONFIG, SPLIT, root=root, columns=["record"], shuffle=10, seed=seed)
        return [keys(pipeline) for _ in range(8)]

    assert epochs(0) == epochs(0) != epochs(1)
    assert all(sorted(epoch) == KEYS for epoch in epochs(0))
    assert len({tuple(epoch) for epoch in epochs(0)}) > 2
    assert keys(flowbench.webdataset(CONFIG, SPLIT, root=root, columns=["record"])) == KEYS


@pytest.mark.parametrize("shuffle", [0, 10])
def test_nodes_and_workers_share_the_shards(root: Path, monkeypatch: pytest.MonkeyPatch, shuffle: int) -> None:
    parts = []
    for rank in range(2):
        monkeypatch.setenv("RANK", str(rank))
        monkeypatch.setenv("WORLD_SIZE", "2")
        parts.append(keys(flowbench.webdataset(CONFIG, SPLIT, root=root, columns=["record"], shuffle=shuffle)))
    assert [len(part) for part in parts] == [2, 2]
    assert sorted(parts[0] + parts[1]) == KEYS
    if not shuffle:
        assert parts == [KEYS[:2], KEYS[2:]]
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("RANK", "3")
    assert keys(flowbench.webdataset(CONFIG, SPLIT, root=root)) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"config": "sim_trian"}, "unknown config 'sim_trian': did you mean 'sim_train'"),
        ({"split": "test"}, "has the split train, validation, not 'test'"),
        ({"columns": ["depth"]}, "unknown column 'depth'"),
        ({"root": "/does/not/exist"}, "not a folder"),
        ({"root": None, "repo": "org/flowbench"}, r"^org/flowbench cannot be read from the Hub \([^\n]*\)\.$"),
    ],
)
def test_what_cannot_be_loaded_is_told_at_once(
    root: Path, arguments: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(UsageError, match=sentence):
        flowbench.webdataset(**{"config": CONFIG, "split": SPLIT, "root": root} | arguments)


def test_a_missing_webdataset_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "webdataset", None)
    with pytest.raises(UsageError, match="needs webdataset, which is not installed"):
        flowbench.webdataset(CONFIG, SPLIT, root=root)


def _flip(data: bytearray) -> None:
    data[data.index(b"test-00001.flow.png16") + 512 + 60] ^= 255


def _overwrite(data: bytearray) -> None:
    at = data.index(b"test-00001.flow.png16")
    data[at : at + 512] = b"\xff" * 512


def _rename(data: bytearray) -> None:
    at = data.index(b"test-00001.flow.png16")
    info = tarfile.TarInfo.frombuf(bytes(data[at : at + 512]), "ascii", "strict")
    info.name = "../../../etc/passwd"
    data[at : at + 512] = info.tobuf(tarfile.USTAR_FORMAT)


def _cut(data: bytearray) -> None:
    del data[data.index(b"test-00001.flow.png16") + 520 :]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_flip, "flow.png16 of sample 'test-00001' has a PNG chunk with a wrong checksum"),
        (_overwrite, "test-00000-of-00002.tar is not a whole tar file"),
        (_rename, "test-00000-of-00002.tar has a member named '../../../etc/passwd'"),
        (_cut, "test-00000-of-00002.tar ends in the middle of 'test-00001.flow.png16'"),
    ],
)
def test_damage_is_told_in_a_sentence(tmp_path: Path, damage: Callable[[bytearray], None], sentence: str) -> None:
    make_release(tmp_path, COUNT, ("sim_test",))
    path = local_shards(tmp_path, "sim_test")[0]
    samples = iter(flowbench.webdataset("sim_test", "test", root=tmp_path))
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    assert next(samples)["key"] == "test-00000"
    with pytest.raises(ReleaseError, match=f"^[^\n]*{sentence}[^\n]*$"):
        next(samples)
