"""``flowbench.load_dataset``: plain ``datasets`` whose rows are decoded on access."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.decoded import CONFIG, COUNT, SPLIT, check, expected, own_cache, root
from support.synthetic import make_release, make_sample

import flowbench
from flowbench.errors import ReleaseError, UsageError
from flowbench.loaders.places import local_shards
from flowbench.marking import draw_marks

__all__ = ["own_cache", "root"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
STREAMING = pytest.mark.parametrize("streaming", [False, True])


@STREAMING
def test_rows_are_typed_samples(root: Path, streaming: bool) -> None:
    data = flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=streaming)
    rows = list(data)
    assert len(rows) == COUNT
    for number, row in enumerate(rows):
        check(row, expected(number))


@STREAMING
def test_only_columns_asked_for_are_read(root: Path, streaming: bool) -> None:
    columns = ["record", "flow", "depth_before"]
    data = flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=streaming, columns=columns)
    wanted = {name: expected(0)[name] for name in ("key", "record", "flow", "valid", "depth_before")}
    check(next(iter(data)), wanted)
    undecoded = flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=streaming, columns=columns, decode=False)
    assert undecoded.column_names == ["__key__", "json", "flow.png16", "depth_before.png16"]


@STREAMING
def test_undecoded_rows_hold_the_bytes_of_the_shards(root: Path, streaming: bool) -> None:
    row = next(iter(flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=streaming, decode=False)))
    members = make_sample("train-00000", 0).members
    for name, data in members.items():
        if name.endswith((".png", ".png16")):
            assert (row[name] if isinstance(row[name], bytes) else row[name]["bytes"]) == data
    check(flowbench.decode(row), expected(0))


@STREAMING
def test_without_a_split_all_come(root: Path, streaming: bool) -> None:
    import datasets

    data = flowbench.load_dataset(CONFIG, root=root, streaming=streaming)
    assert list(data) == ["train", "validation"]
    assert isinstance(data, datasets.IterableDatasetDict if streaming else datasets.DatasetDict)
    assert next(iter(data["validation"]))["key"] == f"validation-{COUNT:05d}"


def test_what_datasets_can_do_still_works(root: Path) -> None:
    data = flowbench.load_dataset(CONFIG, "train+validation[:50%]", root=root)
    assert len(data) == COUNT + COUNT // 2
    check(data.shuffle(seed=0).select([0]).select([0])[0], expected(int(data.shuffle(seed=0)[0]["key"][-5:])))
    batch = data[1:3]
    assert [each.id for each in batch["record"]] == ["train-00001", "train-00002"]
    assert {each.shape for each in batch["flow"]} == {(24, 32, 2)}
    check(pickle.loads(pickle.dumps(data))[2], expected(2))
    assert data.filter(lambda row: row["record"].category == "closer_to").num_rows == 2
    streamed = flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True)
    assert [row["key"] for row in streamed.skip(1).take(2)] == ["train-00001", "train-00002"]
    assert sorted(row["key"] for row in streamed.shuffle(seed=1, buffer_size=3)) == [
        f"train-{i:05d}" for i in range(COUNT)
    ]


def test_nodes_and_workers_share_the_shards(root: Path) -> None:
    from datasets.distributed import split_dataset_by_node

    data = flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True, columns=["record"])
    assert data.num_shards == 2
    parts = [[row["key"] for row in split_dataset_by_node(data, rank, 2)] for rank in range(2)]
    assert parts == [["train-00000", "train-00001"], ["train-00002", "train-00003"]]


def test_the_release_need_not_be_named(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLOWBENCH_ROOT", str(root))
    assert len(flowbench.load_dataset(CONFIG, SPLIT)) == COUNT
    monkeypatch.delenv("FLOWBENCH_ROOT")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="no release found"):
        flowbench.load_dataset(CONFIG, SPLIT)
    monkeypatch.chdir(root.parent)
    assert len(flowbench.load_dataset(CONFIG, SPLIT)) == COUNT


def test_a_real_release_decodes_and_its_marks_are_drawn_again(release: Path) -> None:
    rows = flowbench.load_dataset("sim_train", "train", root=release, streaming=True)
    for row in rows.take(6):
        record, side = row["record"], (120, 160)
        for moment in ("before", "after"):
            drawn = flowbench.draw_marks(row[moment], record.marks, moment)
            assert np.array_equal(drawn, row[f"{moment}_marked"])
            assert row[f"depth_{moment}"].shape == row[f"ids_{moment}"].shape == side
            shown = {segment.id for segment in record.segments if getattr(segment, moment)}
            assert set(np.unique(row[f"ids_{moment}"]).tolist()) - {0} == shown
        assert np.array_equal(row["valid"], row["depth_before"] > 0)
        picture = flowbench.flow_to_rgb(row["flow"], row["valid"])
        assert (picture.dtype, picture.shape) == (np.uint8, (*side, 3))
        assert row["meta"]["moved"]
    assert flowbench.draw_marks is draw_marks


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"config": "sim_trian"}, "unknown config 'sim_trian': did you mean 'sim_train'"),
        ({"split": "test"}, "has the split train, validation, not 'test'"),
        ({"columns": ["depth"]}, "unknown column 'depth': did you mean"),
        ({"root": "/does/not/exist"}, "root names /does/not/exist, which is not a folder"),
        ({"root": "/"}, "/ is not a release: it has no manifest.json"),
        ({"repo": "org/flowbench"}, "give one or the other"),
    ],
)
def test_what_cannot_be_loaded_is_told_at_once(root: Path, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        flowbench.load_dataset(**{"config": CONFIG, "split": SPLIT, "root": root} | arguments)


def test_a_repository_that_cannot_be_reached_is_told() -> None:
    with pytest.raises(UsageError, match=r"^org/flowbench cannot be loaded: [^\n]*\.$"):
        flowbench.load_dataset(CONFIG, SPLIT, repo="org/flowbench")


def damaged(tmp_path: Path, damage: str) -> Path:
    """A release with one member broken in its first test shard, whose size stays what the manifest says."""
    folder = tmp_path / "flowbench"
    make_release(folder, COUNT, ("sim_test",))
    path = local_shards(folder, "sim_test")[0]
    data = bytearray(path.read_bytes())
    at = data.index(b"test-00001.after.png" if damage == "header" else b"test-00001.flow.png16")
    header = slice(at, at + tarfile.BLOCKSIZE)
    if damage == "header":
        data[header] = b"\xff" * tarfile.BLOCKSIZE
    elif damage == "column":
        info = tarfile.TarInfo.frombuf(bytes(data[header]), "ascii", "strict")
        info.name = "test-00001.flow.png8"
        data[header] = info.tobuf(tarfile.USTAR_FORMAT)
    else:
        data[at + tarfile.BLOCKSIZE + 60] ^= 255
    path.write_bytes(data)
    return folder


@STREAMING
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("pixels", "flow.png16 of sample 'test-00001' has a PNG chunk with a wrong checksum"),
        ("column", "flow.png16 of sample 'test-00001' is missing"),
    ],
)
def test_a_broken_sample_is_told_when_it_is_decoded(
    tmp_path: Path, damage: str, sentence: str, streaming: bool
) -> None:
    options = {"root": damaged(tmp_path, damage), "streaming": streaming, "cache_dir": str(tmp_path / "cache")}
    rows = iter(flowbench.load_dataset("sim_test", "test", **options))
    assert next(rows)["key"] == "test-00000"
    with pytest.raises(ReleaseError, match=f"^{sentence}[^\n]*$"):
        next(rows)
    assert len(list(flowbench.load_dataset("sim_test", "test", columns=["record"], **options))) == COUNT


def test_a_broken_shard_is_told_when_it_is_prepared(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"^[^\n]*sim_test in .* (cannot be read|is broken)[^\n]*$"):
        flowbench.load_dataset("sim_test", "test", root=damaged(tmp_path, "header"), cache_dir=str(tmp_path))
    shutil.rmtree(tmp_path / "flowbench" / "data")
    with pytest.raises(ReleaseError, match=r"test-00000-of-00002\.tar is missing"):
        flowbench.load_dataset("sim_test", "test", root=tmp_path / "flowbench", streaming=True)


def test_importing_offers_everything_and_loads_nothing() -> None:
    snippet = (
        "import sys, flowbench; print(sorted({'datasets', 'numpy', 'cv2', 'pydantic', 'inspect'} & set(sys.modules)));"
        "print(set(flowbench.__all__) <= set(dir(flowbench)), all(getattr(flowbench, n) for n in flowbench.__all__))"
    )
    done = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == "[]\nTrue True\n"
    with pytest.raises(AttributeError, match="no attribute 'load_datasets'"):
        flowbench.load_datasets  # type: ignore[attr-defined]  # noqa: B018
