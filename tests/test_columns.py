"""Configs, columns, features and the JSON of records."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.synthetic import make_record

from flowbench.errors import ReleaseError, UsageError
from flowbench.schema import (
    CONFIGS,
    ConfigSpec,
    Kind,
    SimRecord,
    config_spec,
    describe,
    features,
    jsontext,
    record_from_json,
    struct_of,
    to_json,
    value_from_json,
)

SPECS = pytest.mark.parametrize("spec", CONFIGS.values(), ids=CONFIGS)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@SPECS
def test_columns_are_sorted_unique_and_documented(spec: ConfigSpec) -> None:
    names = [column.name for column in spec.columns]
    assert names == sorted(set(names))
    assert all(column.description.endswith(".") or column.kind is Kind.STRUCT for column in spec.columns)
    kinds = {column.name: column.kind for column in spec.columns}
    assert (kinds["json"], kinds["meta.txt"]) == (Kind.STRUCT, Kind.TEXT)
    assert not any(
        column.name.endswith((".npy", ".npz", ".gz", ".py")) for column in spec.columns
    )  # readers act on them


@SPECS
def test_sixteen_bit_members_are_not_called_png(spec: ConfigSpec) -> None:
    """webdataset's ``.decode("pil")`` would cut them to 8 bits without a word."""
    sixteen = [name for name in (column.name for column in spec.columns) if name.startswith(("depth", "seg", "flow"))]
    assert bool(sixteen) == (spec.family in ("sim", "real"))
    assert all(name.endswith(".png16") for name in sixteen)


@SPECS
def test_splits_and_pools(spec: ConfigSpec) -> None:
    trains = spec.name.endswith("_train")
    assert spec.splits == (("train", "validation") if spec.name == "sim_train" else ("train",) if trains else ("test",))
    others = [other for other in CONFIGS.values() if other.family == "sim" and other is not spec]
    assert all(set(spec.pools).isdisjoint(other.pools) for other in others)
    assert (spec.size is None) == (spec.family == "sim")


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'sim_train'"):
        config_spec("sim_trian")


@SPECS
def test_features_follow_columns_and_record(spec: ConfigSpec) -> None:
    built = features(spec)
    assert list(built) == [column.name for column in spec.columns] + ["__key__", "__url__"]
    assert list(built["json"]) == list(spec.record.model_fields)


def test_features_of_each_kind() -> None:
    import datasets

    built = features(config_spec("sim_train"))
    record = built["json"]
    assert built["seg_before.png16"] == datasets.Image()
    assert built["flow.png16"] == datasets.Value("binary")
    assert built["meta.txt"] == datasets.Value("string")
    assert record["flipped"] == datasets.Value("bool")
    assert record["threshold"] == datasets.Value("float64")
    assert record["camera"]["width"] == datasets.Value("int64")
    assert record["camera"]["k"] == datasets.List(datasets.List(datasets.Value("float64")))
    assert record["segments"].feature["before"]["counts"] == datasets.Value("string")


def test_schema_does_not_import_datasets() -> None:
    code = "import sys, flowbench.schema; sys.exit('datasets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unsupported_field_is_refused() -> None:
    class Bad(pydantic.BaseModel):
        when: dict[str, int]

    with pytest.raises(TypeError, match="a record field cannot be"):
        struct_of(Bad)


@SPECS
def test_every_field_is_described(spec: ConfigSpec) -> None:
    docs = {doc.path: doc for doc in describe(spec.record)}
    assert all(doc.description for doc in docs.values())
    assert len(docs) > len(spec.record.model_fields)


def test_types_of_fields_are_told() -> None:
    docs = {doc.path: doc for doc in describe(SimRecord)}
    assert docs["segments[].before.area"].type_name == "int"
    assert docs["segments[].before"].nullable
    assert docs["camera.k"].type_name == "list of list of float"


@pytest.mark.parametrize("number", [0, 1, 2])
def test_records_come_back(number: int) -> None:
    record = make_record("a-1", number)
    data = to_json(record)
    assert record_from_json(SimRecord, data, "it") == record
    assert list(json.loads(data)) == list(SimRecord.model_fields)


@given(PLAIN)
def test_plain_values_come_back_with_their_types(value: Any) -> None:
    back = value_from_json(to_json(value), "it")
    assert back == value
    assert repr(back) == repr(value)  # 1.0 and 1, -0.0 and 0.0 are equal but not the same


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_have_a_point_and_are_exact(value: float) -> None:
    text = to_json(value).decode()
    assert "." in text
    assert math.copysign(1.0, float(text)) == math.copysign(1.0, value)
    assert float(text) == value


@pytest.mark.parametrize(
    ("value", "text"), [(1e-5, "1.0e-05"), (1e22, "1.0e+22"), (-2.5e-300, "-2.5e-300"), (3.0, "3.0")]
)
def test_floats_without_a_point_in_python_get_one(value: float, text: str) -> None:
    assert to_json(value).decode() == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_neither_written_nor_read(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        to_json({"a": [value]})
    with pytest.raises(ReleaseError, match=r"NaN|Infinity"):
        value_from_json(json.dumps({"a": [value]}).encode(), "it")
    with pytest.raises(ReleaseError, match="margin"):
        record_from_json(SimRecord, _with(margin=value), "it")


def test_values_without_a_json_word_are_refused() -> None:
    import numpy as np

    for value in (np.float64(1.0), np.int64(1), {1: 2}, {"a"}, b"a"):
        with pytest.raises(TypeError, match="JSON"):
            to_json([value])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "Invalid JSON"),
        (b"[" * 100_000, "SimRecord"),
        (b"\xff\xfe", "SimRecord"),
        (b"{}", "id"),
    ],
)
def test_broken_records_get_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(ReleaseError, match=f"^the record of 'a' .*{message}"):
        record_from_json(SimRecord, data, "the record of 'a'")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"extra": 1}, "extra"),
        ({"answer": 3}, "answer"),
        ({"threshold": "0.5"}, "threshold"),
        ({"choices": None}, "choices"),
        ({"mover": {"id": 1.5}}, r"mover\.id"),
    ],
)
def test_records_are_strict(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ReleaseError, match=field):
        record_from_json(SimRecord, _with(**changes), "it")


@pytest.mark.parametrize("data", [b"[" * 1_000_000, b"1" * 10_000, b"{'a': 1}", b"\xff", b""])
def test_broken_values_get_a_sentence(data: bytes) -> None:
    with pytest.raises(ReleaseError, match=r"^meta of 'a' is not valid JSON"):
        value_from_json(data, "meta of 'a'")


def test_huge_texts_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "MAX_JSON_BYTES", 10)
    for read in (value_from_json, lambda data, name: record_from_json(SimRecord, data, name)):
        with pytest.raises(ReleaseError, match="11 bytes, expected at most 10"):
            read(b'"123456789"', "it")


def _with(**changes: Any) -> bytes:
    """A record's JSON with some fields replaced, valid or not."""
    return json.dumps(json.loads(to_json(make_record("a-1", 0))) | changes).encode()
