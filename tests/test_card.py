"""The dataset card, read by the real ``datasets`` and beside the real ``webdataset``."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import polars as pl
import pytest
import yaml
from huggingface_hub import DatasetCard
from support.synthetic import HEIGHT, STEP, WIDTH, depth_map, flow_map, instance_ids, make_record, make_release, picture

from flowbench.cards import card_text, write_card
from flowbench.encoding import decode_depth, decode_flow
from flowbench.errors import UsageError
from flowbench.release import Manifest, shard_files
from flowbench.schema import config_spec, describe, features, to_json

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SPLITS = [("sim_train", "train", 0), ("sim_train", "validation", 3), ("sim_test", "test", 6)]


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a release called ``flowbench``."""
    folder = tmp_path_factory.mktemp("card")
    make_release(folder / "flowbench", 3)
    return folder


@pytest.fixture
def load(parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """``load_dataset`` as users call it, from the folder that holds ``./flowbench``; offline, with its own cache."""
    import datasets

    monkeypatch.chdir(parent)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)

    def load(config: str, split: str, **options: Any) -> Any:
        return datasets.load_dataset("flowbench", config, split=split, cache_dir=str(tmp_path / "cache"), **options)

    return load


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("config", "split", "first"), SPLITS)
def test_datasets_reads_every_column(load: Any, config: str, split: str, first: int, streaming: bool) -> None:
    data = load(config, split, streaming=streaming)
    assert data.features == features(config_spec(config))
    rows = list(data)
    assert [row["__key__"].rsplit("/")[-1] for row in rows] == [f"{split}-{first + i:05d}" for i in range(3)]
    for number, row in enumerate(rows, first):
        record = make_record(row["json"]["id"], number, config_spec(config).pools[0])
        assert list(row) == list(features(config_spec(config)))
        assert to_json(row["json"]) == to_json(record)  # nulls stay null, floats stay floats, fields keep their order
        assert json.loads(row["meta.txt"])["odd"] == [number, 1.0, None]
        _check_pictures(row, number)


def _check_pictures(row: dict[str, Any], number: int) -> None:
    before, after = instance_ids(0), instance_ids(STEP)
    for name, ids, marked in (("before", before, ""), ("after", after, ""), ("before", before, "_marked")):
        image = row[f"{name}{marked}.png"]
        assert (image.mode, image.size) == ("RGB", (WIDTH, HEIGHT))
        assert np.array_equal(np.asarray(image), picture(ids, number, marked=bool(marked)))
    for name, ids in (("before", before), ("after", after)):
        seg, depth = row[f"seg_{name}.png16"], row[f"depth_{name}.png16"]
        assert seg.mode == depth.mode == "I;16"
        assert np.array_equal(np.asarray(seg), ids)
        assert np.array_equal(np.asarray(depth), np.rint(depth_map(ids).astype(np.float64) * 1000))
    flow, valid = decode_flow(row["flow.png16"])
    assert np.array_equal(valid, depth_map(before) > 0)
    assert np.array_equal(flow, flow_map())


def test_webdataset_reads_the_shards(parent: Path) -> None:
    import webdataset

    shards = [str(path) for path in shard_files(parent / "flowbench", "sim_train", "train")]
    rows = list(webdataset.WebDataset(shards, shardshuffle=False).decode("pil"))
    assert [row["__key__"] for row in rows] == ["train-00000", "train-00001", "train-00002"]
    for number, row in enumerate(rows):
        assert {column.name for column in config_spec("sim_train").columns} <= row.keys()
        assert np.array_equal(np.asarray(row["before.png"]), picture(instance_ids(0), number))
        assert row["json"] == make_record(row["__key__"], number).model_dump()
        sixteen = {name: value for name, value in row.items() if name.endswith(".png16")}
        assert len(sixteen) == 5
        assert all(isinstance(value, bytes) for value in sixteen.values())
        assert np.array_equal(np.asarray(PIL.Image.open(io.BytesIO(row["seg_before.png16"]))), instance_ids(0))
        assert np.array_equal(decode_flow(row["flow.png16"])[0], flow_map())
        assert decode_depth(row["depth_before.png16"])[0, 0] == 0.0


@pytest.mark.parametrize(
    "change", [{"answer": "B"}, {"question": "Is the mug still left of the box when it has moved?"}]
)
def test_a_rebuilt_release_is_not_read_from_the_old_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str]
) -> None:
    """The first change leaves every count and size as it was."""
    import datasets

    monkeypatch.chdir(tmp_path)

    def answers() -> list[str]:
        data = datasets.load_dataset("flowbench", "sim_test", split="test", cache_dir=str(tmp_path / "cache"))
        return [row[field] for row in data["json"] for field in change]

    make_release(tmp_path / "flowbench", 3, ("sim_test",))
    assert not set(change.values()) & set(answers())
    make_release(tmp_path / "flowbench", 3, ("sim_test",), **change)
    assert answers() == list(change.values()) * 3


def test_a_wrong_count_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the counts are really checked is why they have to be true."""
    import datasets
    from datasets.exceptions import DatasetGenerationError
    from datasets.utils.info_utils import NonMatchingSplitsSizesError

    monkeypatch.chdir(tmp_path)
    make_release(tmp_path / "flowbench", 3, ("sim_test",))
    card = tmp_path / "flowbench" / "README.md"
    card.write_text(card.read_text().replace("num_examples: 3", "num_examples: 4"))
    with pytest.raises((NonMatchingSplitsSizesError, DatasetGenerationError)):
        datasets.load_dataset("flowbench", "sim_test", split="test", cache_dir=str(tmp_path / "cache"))


def test_a_split_without_samples_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    monkeypatch.chdir(tmp_path)
    manifest = make_release(tmp_path / "flowbench", 2, ("sim_train",))
    for path in shard_files(tmp_path / "flowbench", "sim_train", "validation"):
        path.unlink()
    write_card(tmp_path / "flowbench", _without(manifest, "sim_train", "validation"))
    assert len(datasets.load_dataset("flowbench", "sim_train", cache_dir=str(tmp_path / "cache"))["train"]) == 2


def test_a_release_without_samples_gets_no_card(tmp_path: Path) -> None:
    manifest = make_release(tmp_path, 2, ("sim_test",))
    with pytest.raises(UsageError, match="no samples"):
        card_text(tmp_path, _without(manifest, "sim_test", "test"))


def test_counts_in_the_yaml_are_true(parent: Path) -> None:
    data = DatasetCard.load(parent / "flowbench" / "README.md").data.to_dict()
    assert data["license"] == "cc-by-4.0"
    assert [config["config_name"] for config in data["configs"]] == ["sim_train", "sim_test"]
    for info in data["dataset_info"]:
        shards = shard_files(parent / "flowbench", info["config_name"])
        assert info["download_size"] == sum(path.stat().st_size for path in shards)
        assert info["dataset_size"] == sum(split["num_bytes"] for split in info["splits"])
        assert all(split["num_examples"] == 3 for split in info["splits"])


def test_the_prose_documents_everything(parent: Path) -> None:
    text = (parent / "flowbench" / "README.md").read_text()
    for column in config_spec("sim_train").columns:
        assert f"| `{column.name}` |" in text
    for field in describe(config_spec("sim_train").record):
        assert f"| `{field.path}` |" in text
    assert "| `sim_train` | left_right |" in text
    assert "{{" not in text
    assert "{%" not in text
    assert "pip install flowbench" not in text
    assert str(Path.home()) not in text


def test_the_recipes_run(parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python block of the card, in order, as a reader would run them."""
    import datasets

    monkeypatch.chdir(parent)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    names: dict[str, Any] = {}
    blocks = list(_python_blocks((parent / "flowbench" / "README.md").read_text()))
    assert len(blocks) == 7
    for block in blocks:
        if "WebLoader" not in block:  # needs torch
            exec(block, names)
    assert np.array_equal(names["ids"], instance_ids(0))
    assert np.array_equal(names["flow"][names["valid"]], flow_map()[names["valid"]])
    assert np.array_equal(names["depth"] > 0, names["valid"])
    assert isinstance(names["index"], pl.DataFrame)
    assert np.array_equal(names["typed"]["flow"], flow_map())


def test_the_card_is_the_same_text_every_time(parent: Path, tmp_path: Path) -> None:
    shutil.copytree(parent / "flowbench", tmp_path / "elsewhere")
    manifest = make_release(tmp_path / "again", 3)
    write_card(tmp_path / "elsewhere", manifest)
    assert (tmp_path / "elsewhere" / "README.md").read_bytes() == (parent / "flowbench" / "README.md").read_bytes()


def test_the_yaml_is_plain(parent: Path) -> None:
    """Readable by a safe loader: no Python tags."""
    text = (parent / "flowbench" / "README.md").read_text()
    assert yaml.safe_load(text.split("---\n")[1])["pretty_name"] == "FlowBench"


def _without(manifest: Manifest, config: str, split: str) -> Manifest:
    """The manifest with one split emptied."""
    content = manifest.model_dump()
    files = content["configs"][config][split]
    files["shards"] = []
    files["index"]["samples"] = 0
    return Manifest.model_validate(content)


def _python_blocks(text: str) -> Iterator[str]:
    for part in text.split("```python\n")[1:]:
        yield part.split("```")[0]
