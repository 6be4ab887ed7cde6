"""One typed sample, whichever reader it comes from."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from support.decoded import COUNT, READERS, check, expected, own_cache, root
from support.synthetic import HEIGHT, WIDTH, make_sample

import flowbench
from flowbench.encoding import encode_rgb
from flowbench.errors import ReleaseError, UsageError
from flowbench.loaders.decoding import Decoder
from flowbench.loaders.kinds import KINDS, SIM, SampleKind, fields_of
from flowbench.release import Sample
from flowbench.schema import CONFIGS, SIM_COLUMNS, to_json

__all__ = ["own_cache", "root"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def raw(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A sample as ``webdataset`` yields it, some members replaced; ``None`` leaves one out."""
    sample = make_sample(f"train-{number:05d}", number)
    members = dict(sample.members) | {name.replace("__", "."): value for name, value in changes.items()}
    return {"__key__": sample.key} | {name: value for name, value in members.items() if value is not None}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_s_samples_decode_to_the_same(root: Path, reader: str) -> None:
    samples = [flowbench.decode(sample) for sample in READERS[reader](root)]
    assert len(samples) == COUNT
    for number, sample in enumerate(samples):
        check(sample, expected(number))
        check(flowbench.decode(sample), expected(number))  # once more changes nothing


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.record.__name__)
def test_every_column_has_its_field(kind: SampleKind) -> None:
    specs = [spec for spec in CONFIGS.values() if spec.record is kind.record]
    all_columns = [column for spec in specs for column in spec.columns]
    columns = {
        column.name: any(each.optional for each in all_columns if each.name == column.name) for column in all_columns
    }
    assert {column: field.optional for field in kind.fields for column in field.columns} == columns
    names = [name for field in kind.fields for name in field.names]
    assert sorted(["key", *names]) == sorted(kind.sample.__annotations__)


def test_every_config_has_its_kind() -> None:
    assert {spec.record for spec in CONFIGS.values()} == {kind.record for kind in KINDS}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("columns", [["flow"], ["flow.png16"], ["valid", "flow"], ["flow", "key"]])
def test_only_what_is_asked_for_is_decoded(root: Path, reader: str, columns: list[str]) -> None:
    wanted = {name: expected(0)[name] for name in ("key", "flow", "valid")}
    sample = next(iter(READERS[reader](root)))
    check(flowbench.decode(sample, columns), wanted)
    check(flowbench.decode(flowbench.decode(sample), columns), wanted)


def test_what_is_not_asked_for_may_be_broken_or_absent() -> None:
    sample = raw(before__png=b"broken", after__png=None)
    check(flowbench.decode(sample, ["record"]), {name: expected(0)[name] for name in ("key", "record")})
    assert set(expected(0)) - set(flowbench.decode(raw(after__png=None))) == {"after"}


def test_arrays_may_be_written_to() -> None:
    sample = flowbench.decode(raw())
    sample["before"][:] = 0
    sample["depth_before"][:] = 0.0
    picture = PIL.Image.fromarray(np.zeros((2, 2, 3), np.uint8))
    flowbench.decode(raw(before__png=picture), ["before"])["before"][:] = 1


@pytest.mark.parametrize("column", [c.name for c in SIM_COLUMNS if c.name.endswith((".png", ".png16"))])
@pytest.mark.parametrize("damage", [b"", b"GIF89a", "cut", "flipped"])
def test_a_broken_picture_is_told_in_a_sentence(column: str, damage: Any) -> None:
    data = bytearray(make_sample("k", 0).members[column])
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "flipped":
        data[-30] ^= 255
    else:
        data = bytearray(damage)
    with pytest.raises(ReleaseError, match=rf"^{column.replace('.', '[.]')} of sample 'train-00000' [^\n]*$"):
        flowbench.decode(raw(**{column.replace(".", "__"): bytes(data)}))


def test_a_picture_that_pillow_cannot_finish_is_told_too() -> None:
    data = encode_rgb(np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8))
    with pytest.raises(ReleaseError, match=r"before\.png of sample 'train-00000' cannot be decoded"):
        flowbench.decode(raw(before__png=PIL.Image.open(io.BytesIO(data[: len(data) // 2]))))


@pytest.mark.parametrize("absent", ["none", "null"])
def test_a_missing_member_is_told(absent: str) -> None:
    sample = raw(flow__png16=None) if absent == "none" else raw() | {"flow.png16": None}
    with pytest.raises(ReleaseError, match=r"flow\.png16 of sample 'train-00000' is missing"):
        flowbench.decode(sample, ["flow"])
    with pytest.raises(ReleaseError, match=r"before\.png of sample 'a' is missing"):
        flowbench.decode(Sample("a", {}), ["before"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"flow__png16": PIL.Image.new("RGB", (4, 4))}, "flow.png16 .* of mode RGB, expected the bytes"),
        ({"depth_before__png16": PIL.Image.new("L", (4, 4))}, "depth_before.png16 .* of mode L, expected .* I;16"),
        ({"before__png": np.zeros((4, 4, 3), np.float32)}, r"ndarray float32 \(4, 4, 3\), expected 8-bit RGB"),
        ({"before__png": np.zeros((4, 4), np.uint8)}, "expected 8-bit RGB"),
        ({"seg_after__png16": np.zeros((4, 4), np.uint8)}, "expected 16-bit gray"),
        ({"meta__txt": 3}, "meta.txt .* is int, expected JSON text"),
    ],
)
def test_what_a_reader_spoiled_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence + r".*leave the decoding of this column to flowbench\.decode"):
        flowbench.decode(raw(**changes))


@pytest.mark.parametrize(
    ("sample", "columns", "sentence"),
    [
        (raw(), ["flwo"], "unknown column 'flwo': did you mean 'flow'"),
        (raw(), "flow", "expected a list of names"),
        ([raw()], None, "was given list, expected a sample"),
        ({"image": 1, "label": 2}, None, "holds image, label, expected key or the columns"),
        ({"key": "a", "before": 1}, ["after"], "holds key, before, expected after"),
    ],
)
def test_what_is_no_sample_is_refused(sample: Any, columns: Any, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        flowbench.decode(sample, columns)


@pytest.mark.parametrize("changes", [{"answer": 3}, {"margin": "0.5"}, {"more": 1}, {"choices": None}])
def test_a_broken_record_is_told(changes: dict[str, Any]) -> None:
    record = expected(0)["record"].model_dump() | changes
    with pytest.raises(ReleaseError, match=f"json of sample 'train-00000' .*{next(iter(changes))}"):
        flowbench.decode(raw(json=record))
    with pytest.raises(ReleaseError, match=f"json of sample 'train-00000' .*{next(iter(changes))}"):
        flowbench.decode(raw(json=to_json(record)))
    with pytest.raises(ReleaseError, match=r"meta\.txt of sample 'train-00000' is not valid JSON"):
        flowbench.decode(raw(meta__txt=b"{"))


def test_a_sample_without_key_can_be_decoded() -> None:
    sample = raw()
    del sample["__key__"]
    assert flowbench.decode(sample, ["record"])["key"] == ""


def test_a_decoder_can_be_sent_to_a_worker() -> None:
    decoder = pickle.loads(pickle.dumps(Decoder(("flow",))))
    assert set(decoder(raw())) == {"key", "flow", "valid"}
    batch = decoder.batch({"__key__": ["a", "b"], "flow.png16": [raw()["flow.png16"]] * 2})
    assert batch["key"] == ["a", "b"]
    assert [each.shape for each in batch["flow"]] == [(HEIGHT, WIDTH, 2)] * 2
    assert decoder.batch({"__key__": [], "flow.png16": []}) == {}


def test_columns_come_once_and_in_the_order_asked_for() -> None:
    fields = fields_of(["valid", "record", "flow", "json", "key"], SIM)
    assert [field.columns for field in fields] == [("flow.png16",), ("json",)]
    assert fields_of(None, SIM) == SIM.fields
