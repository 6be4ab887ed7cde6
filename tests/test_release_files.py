"""Index, manifest and the release as a whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.synthetic import make_record, make_release, make_sample

from flowbench.builders.index import write_index
from flowbench.builders.shards import write_shard
from flowbench.encoding import decode_depth, decode_flow, decode_ids
from flowbench.errors import ReleaseError, UsageError
from flowbench.release import Sample, file_sha256, read_manifest, shard_path
from flowbench.schema import config_spec

SPEC = config_spec("sim_train")
SHARD = shard_path("sim_train", "train", 0, 1)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(f"s-{number}", number) for number in range(3)]


@pytest.fixture(scope="module")
def manifest_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_release(tmp_path_factory.mktemp("manifest"), 2).to_bytes().decode()


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
        (("width",), 0),
        (("shard_bytes",), 1e8),
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
    with pytest.raises(ReleaseError, match=rf"not a valid Manifest: {'.'.join(path)}"):
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
