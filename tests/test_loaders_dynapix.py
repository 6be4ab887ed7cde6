"""Samples of selection, retrieval and its corpus, whichever reader they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.decoded import own_cache
from support.synthetic_dynapix import (
    CONFIGS,
    SHOWN,
    clip,
    config_samples,
    corpus_record,
    corpus_sample,
    make_dynapix_release,
    matched_changes,
    negative_frames,
    painted,
    retrieval_record,
    retrieval_sample,
    selection_record,
    selection_sample,
)

import flowbench
from flowbench.encoding import encode_rgb
from flowbench.encoding.video import decode_video
from flowbench.errors import ReleaseError, UsageError
from flowbench.loaders.decoding import Decoder
from flowbench.release import Sample, iter_samples, shard_files
from flowbench.schema import config_spec, to_json

__all__ = ["own_cache"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
COUNT = 3
RECORDS = {"selection": selection_record, "retrieval": retrieval_record}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand-made release of all six configs, three scenes each. Read only."""
    folder = tmp_path_factory.mktemp("dynapix") / "flowbench"
    make_dynapix_release(folder, COUNT)
    return folder


def _split(config: str) -> str:
    return config_spec(config).splits[0]


def _plain(root: Path, config: str, **options: Any) -> Any:
    import datasets

    return datasets.load_dataset(str(root), config, split=_split(config), **options)


def _webdataset(root: Path, config: str) -> Any:
    import webdataset

    shards = [str(path) for path in shard_files(root, config)]
    return webdataset.WebDataset(shards, shardshuffle=False)


READERS: Mapping[str, Callable[[Path, str], Any]] = {
    "flowbench": lambda root, config: flowbench.load_dataset(config, _split(config), root=root),
    "flowbench, streaming": lambda root, config: flowbench.load_dataset(
        config, _split(config), root=root, streaming=True
    ),
    "flowbench.webdataset": lambda root, config: flowbench.webdataset(config, _split(config), root=root),
    "datasets": _plain,
    "datasets, streaming": lambda root, config: _plain(root, config, streaming=True),
    "webdataset": _webdataset,
    "webdataset, pil": lambda root, config: _webdataset(root, config).decode("pil"),
    "iter_samples": lambda root, config: (each for path in shard_files(root, config) for each in iter_samples(path)),
}


def expected(config: str, sample: Sample) -> dict[str, Any]:
    """What a sample of the hand-made release holds."""
    if config == "retrieval_corpus":
        scene, variant, frame = int(sample.key[11:17]), sample.key[18:-4], int(sample.key[-3:])
        picture = painted(scene, frame, 2 if variant == "factual" else 1)
        record = corpus_record(scene, variant, frame)
        return {"key": sample.key, "record": record, "frame": picture, "meta": {"frame": frame}}
    number = int(sample.key[11:17])
    own = matched_changes(number) if config == "selection_matched" else {}
    made: Any = RECORDS[config.partition("_")[0]](sample.key, number, **own)
    shown = tuple(made.prefix.shown)
    found = {"key": sample.key, "record": made, "meta": {"setup": {}, "odd": [number, 1.0]}}
    found["video"] = decode_video(clip(number, shown)) if shown else None
    if config.startswith("selection"):
        found["candidates"] = np.stack([painted(number, each.frame) for each in made.candidates])
    if config == "retrieval_train":
        found["target"] = painted(number, made.target_frame)
        found["negatives"] = np.stack([painted(number, frame) for frame in negative_frames(number)])
    return found


def check(sample: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Equal in names, types, shapes and values."""
    assert set(sample) == set(wanted)
    for name, value in wanted.items():
        assert type(sample[name]) is type(value), name
        if isinstance(value, np.ndarray):
            assert (sample[name].dtype, sample[name].shape) == (value.dtype, value.shape), name
            assert np.array_equal(sample[name], value), name
        else:
            assert sample[name] == value, name


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_s_samples_decode_to_the_same(root: Path, reader: str, config: str) -> None:
    samples = [flowbench.decode(sample) for sample in READERS[reader](root, config)]
    made = list(config_samples(config, range(COUNT)))
    assert [sample["key"] for sample in samples] == [sample.key for sample in made]
    for sample, undecoded in zip(samples, made, strict=True):
        check(sample, expected(config, undecoded))
        check(flowbench.decode(sample), expected(config, undecoded))  # once more changes nothing


def test_shapes_are_those_that_are_documented() -> None:
    sample: flowbench.SelectionSample = flowbench.decode(selection_sample("a", 0))
    assert sample["candidates"].shape == (4, 320, 480, 3)
    assert sample["video"] is not None
    assert sample["video"].shape == (len(SHOWN), 320, 480, 3)
    difference = np.abs(sample["video"][0].astype(int) - painted(0, SHOWN[0]))
    assert difference.mean() < 2  # near lossless
    query: flowbench.RetrievalSample = flowbench.decode(retrieval_sample("a", 0, train=True))
    assert (query["target"].shape, query["negatives"].shape) == ((320, 480, 3), (4, 320, 480, 3))
    frame: flowbench.CorpusSample = flowbench.decode(corpus_sample(0, "factual", 41))
    assert frame["frame"].shape == (320, 480, 3)


@pytest.mark.parametrize("text", [str, bytes, dict])
@pytest.mark.parametrize(
    ("sample", "record"),
    [
        (selection_sample("a", 0), selection_record("a", 0)),
        (retrieval_sample("a", 2), retrieval_record("a", 2)),
        (corpus_sample(0, "factual", 41), corpus_record(0, "factual", 41)),
    ],
)
def test_a_record_alone_tells_what_it_is(sample: Sample, record: Any, text: Any) -> None:
    data = {str: to_json(record).decode(), bytes: to_json(record), dict: record.model_dump()}[text]
    assert flowbench.decode({"__key__": "a", "json": data}) == {"key": "a", "record": record}
    assert flowbench.decode({"key": "a", "record": record}) == {"key": "a", "record": record}
    assert flowbench.decode(sample, ["record"])["record"] == record


def test_what_all_kinds_share_decodes_without_a_record() -> None:
    members = selection_sample("a", 0).members
    assert flowbench.decode({"meta.txt": members["meta.txt"]}) == {"key": "", "meta": {"setup": {}, "odd": [0, 1.0]}}
    sample = flowbench.decode({"video.mp4": members["video.mp4"]})
    assert sample["video"].shape == (len(SHOWN), 320, 480, 3)
    assert set(flowbench.decode({"meta.txt": b"{}"}, ["meta"])) == {"key", "meta"}


def test_no_video_is_none_only_where_a_sample_is_whole() -> None:
    silent = selection_sample("a", 0, **matched_changes(0))
    assert "video.mp4" not in silent.members
    assert flowbench.decode(silent)["video"] is None
    assert flowbench.decode(silent, ["video"])["video"] is None
    narrowed = {name: silent.members[name] for name in ("json", "candidate_0.png")}
    with pytest.raises(ReleaseError, match=r"candidate_1\.png .*is missing"):
        flowbench.decode(narrowed)
    assert set(flowbench.decode({"json": silent.members["json"]})) == {"key", "record"}
    assert flowbench.decode(flowbench.decode(silent), ["video"]) == {"key": "a", "video": None}


@pytest.mark.parametrize("streaming", [False, True])
def test_only_columns_asked_for_are_read(root: Path, streaming: bool) -> None:
    options: dict[str, Any] = {"root": root, "streaming": streaming}
    rows = flowbench.load_dataset("selection_test", "test", columns=["candidates", "candidate_2.png"], **options)
    assert set(next(iter(rows))) == {"key", "candidates"}
    rows = flowbench.load_dataset("selection_matched", "test", columns=["video"], **options)
    assert [row["video"] is None for row in rows] == [True, False, False]
    plain = flowbench.load_dataset("retrieval_train", "train", columns=["negatives"], decode=False, **options)
    assert plain.column_names == ["__key__", *(f"negative_{n}.png" for n in range(4))]


def test_what_only_related_configs_have_is_told(root: Path) -> None:
    with pytest.raises(UsageError, match=r"^retrieval_test has no 'target', which is in retrieval_train: ask"):
        flowbench.load_dataset("retrieval_test", "test", root=root, columns=["target"])
    with pytest.raises(UsageError, match="unknown column 'candidate': did you mean 'candidates'"):
        flowbench.webdataset("selection_test", "test", root=root, columns=["candidate"])
    with pytest.raises(UsageError, match="unknown column 'before'"):
        flowbench.load_dataset("selection_test", "test", root=root, columns=["before"])


@pytest.mark.parametrize(
    ("column", "data", "sentence"),
    [
        ("video.mp4", b"no video", r"^video\.mp4 of sample 'a' [^\n]*$"),
        ("candidate_1.png", b"no picture", r"^candidate_1\.png of sample 'a' [^\n]*$"),
        ("candidate_1.png", None, r"^candidate_1\.png of sample 'a' is missing"),
        ("candidate_1.png", encode_rgb(np.zeros((4, 4, 3), np.uint8)), r"^the candidates of sample 'a' have the sizes"),
        ("json", b"{}", r"^json of sample 'a' is not a valid SelectionRecord"),
    ],
)
def test_a_broken_member_is_told_in_a_sentence(column: str, data: Any, sentence: str) -> None:
    members = {**selection_sample("a", 0).members, column: data}
    with pytest.raises(ReleaseError, match=sentence):
        flowbench.decode(Sample("a", {name: value for name, value in members.items() if value is not None}))


def test_a_video_that_a_reader_spoiled_is_refused() -> None:
    members = {**selection_sample("a", 0).members, "video.mp4": np.zeros((2, 4, 4), np.uint8)}
    with pytest.raises(UsageError, match=r"video\.mp4 is ndarray uint8 \(2, 4, 4\), expected the bytes of a video"):
        flowbench.decode(members)
    frames = np.zeros((2, 4, 4, 3), np.uint8)
    assert flowbench.decode(members | {"video.mp4": frames})["video"] is frames


def test_a_decoder_may_know_its_config() -> None:
    decoder = Decoder(config="retrieval_test")
    with pytest.raises(ReleaseError, match="is not a valid RetrievalRecord"):
        decoder(Sample("a", {"json": selection_sample("a", 0).members["json"]}))
