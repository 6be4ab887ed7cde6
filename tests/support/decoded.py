"""Samples of a small release as every reader hands them over, and what they have to be once decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowbench import SimSample
from flowbench.release import iter_samples, shard_files
from flowbench.schema import SimRecord

from .synthetic import STEP, depth_map, flow_map, instance_ids, make_record, make_release, picture

CONFIG, SPLIT = "sim_train", "train"
COUNT = 4


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand-made release of both configs, four samples a split; called ``flowbench``. Read only."""
    folder = tmp_path_factory.mktemp("decoded") / "flowbench"
    make_release(folder, COUNT)
    return folder


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """``datasets`` works offline and keeps its copies in a folder of the module's own."""
    import datasets

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
        patch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
        yield


def _plain(root: Path, **options: Any) -> Any:
    import datasets

    return datasets.load_dataset(str(root), CONFIG, split=SPLIT, **options)


def _webdataset(root: Path) -> Any:
    import webdataset

    return webdataset.WebDataset([str(path) for path in shard_files(root, CONFIG, SPLIT)], shardshuffle=False)


def _undecoded(root: Path) -> Any:
    import datasets

    data = _plain(root)
    for name, kind in data.features.items():
        if isinstance(kind, datasets.Image):
            data = data.cast_column(name, datasets.Image(decode=False))
    return data


READERS: Mapping[str, Callable[[Path], Any]] = {
    "datasets": _plain,
    "datasets, streaming": lambda root: _plain(root, streaming=True),
    "datasets, pictures undecoded": _undecoded,
    "webdataset": _webdataset,
    "webdataset, pil": lambda root: _webdataset(root).decode("pil"),
    "webdataset, rgb8": lambda root: _webdataset(root).decode("rgb8"),
    "iter_samples": lambda root: (each for path in shard_files(root, CONFIG, SPLIT) for each in iter_samples(path)),
}
"""Reader -> the undecoded samples of ``sim_train``, split ``train``, in their order."""


def expected(number: int) -> dict[str, Any]:
    """What sample ``number`` of the first split holds."""
    before, after = instance_ids(0), instance_ids(STEP)
    valid = depth_map(before) > 0
    key = f"{SPLIT}-{number:05d}"
    return {
        "key": key,
        "record": make_record(key, number),
        "before": picture(before, number),
        "after": picture(after, number),
        "before_marked": picture(before, number, marked=True),
        "after_marked": picture(after, number, marked=True),
        "depth_before": _kept(depth_map(before)),
        "depth_after": _kept(depth_map(after)),
        "ids_before": before.astype(np.int32),
        "ids_after": after.astype(np.int32),
        "flow": np.where(valid[..., None], flow_map(), 0.0).astype(np.float32),
        "valid": valid,
        "meta": {"m0": {"objects": [{"id": 2, "height": 0.1}]}, "m1": {}, "odd": [number, 1.0, None]},
    }


def _kept(depth: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Metres as the millimetres of a shard keep them."""
    return (np.rint(depth.astype(np.float64) * 1000.0) / 1000.0).astype(np.float32)


def check(sample: SimSample, wanted: Mapping[str, Any]) -> None:
    """Equal in names, types, shapes and values."""
    found: Mapping[str, Any] = sample  # type: ignore[assignment]
    assert set(found) == set(wanted)
    for name, value in wanted.items():
        assert type(found[name]) is type(value), name
        if isinstance(value, np.ndarray):
            assert (found[name].dtype, found[name].shape) == (value.dtype, value.shape), name
            assert np.array_equal(found[name], value), name
        else:
            assert found[name] == value, name
    assert isinstance(found.get("record", wanted.get("record")), SimRecord | None)
