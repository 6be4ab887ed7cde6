"""Records, metadata and other JSON that no builder wrote: read, or refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.drafts import draft_near_object
from support.fuzzing import MEGABYTE, ODD, Raw, changed_json, examine, json_text, memory_limited
from support.synthetic import make_record, make_release

from flowbench.builders.receipts import BlockReceipt
from flowbench.builders.rewriting.cache import Cache, Entry
from flowbench.errors import ReleaseError
from flowbench.release import MANIFEST, read_manifest, validation_path
from flowbench.schema import SimRecord, record_from_json, to_json, value_from_json
from flowbench.validation.recompute import HomeMeta
from flowbench.validation.results import ConfigResult, SuiteResult, read_result
from flowbench.validation.suites.base import Table, Violation

RECORD = json.loads(to_json(make_record("key", 1)))
META = draft_near_object().meta
RESULT = ConfigResult(
    suites_version=1,
    manifest_sha256="0" * 64,
    config="sim_train",
    preset="balanced",
    compared_with=("sim_test",),
    samples={"train": {"left_right": 3}},
    suites=(
        SuiteResult(
            name="integrity",
            about="All is there.",
            enforced=True,
            skipped=None,
            rules={"a rule": 1},
            by_category={"left_right": 1},
            kept=(Violation("a rule", "this", "that", key="key"),),
            tables=(Table("A table", ("one", "two"), (("1", "2"),)),),
            shares=(),
        ),
    ),
)
ENTRY = Entry(endpoint="http://127.0.0.1:1/v1", model="m", prompt="1", texts={"question": "Is it so?"})


def read_record(data: bytes) -> None:
    record = record_from_json(SimRecord, data, "the record")
    assert record_from_json(SimRecord, to_json(record), "the record") == record


def read_meta(data: bytes) -> None:
    HomeMeta.parse(data)


def read_value(data: bytes) -> None:
    json.dumps(value_from_json(data, "meta.txt"), allow_nan=False)


@pytest.mark.parametrize(
    ("valid", "read", "reasons"),
    [
        pytest.param(RECORD, read_record, 40, id="record"),
        pytest.param(META, read_meta, 20, id="metadata"),
        pytest.param(META, read_value, 5, id="any JSON"),
    ],
)
def test_json_of_a_sample(valid: Any, read: Callable[[bytes], None], reasons: int) -> None:
    read(json_text(valid))
    with memory_limited(200 * MEGABYTE):
        judge = examine(lambda rng: changed_json(rng, valid), read, 160, ReleaseError)
    assert judge.accepted > 10
    assert len(judge.reasons) >= reasons


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 400 + ".0", "NaN", "Infinity", "-Infinity"])
def test_plain_values_are_finite(text: str) -> None:
    with pytest.raises(ReleaseError, match="it holds"):
        value_from_json(json_text([Raw(text)]), "meta.txt")
    assert value_from_json(b"[1e-999,1.5e308,12]", "meta.txt") == [0.0, 1.5e308, 12]


def test_manifest(tmp_path: Path) -> None:
    valid = make_release(tmp_path, 2).model_dump()

    def read(data: bytes) -> None:
        (tmp_path / MANIFEST).write_bytes(data)
        manifest = read_manifest(tmp_path)
        for splits in manifest.configs.values():
            for files in splits.values():
                for receipt in (*files.shards, files.index):
                    assert (tmp_path / receipt.path).resolve().is_relative_to(tmp_path.resolve())

    judge = examine(lambda rng: changed_json(rng, valid), read, 160, ReleaseError)
    assert judge.accepted > 10
    assert len(judge.reasons) >= 25


def test_result_of_a_validation(tmp_path: Path) -> None:
    path = tmp_path / validation_path("sim_train")
    path.parent.mkdir()
    path.write_bytes(RESULT.to_bytes())
    assert read_result(tmp_path, "sim_train").to_bytes() == RESULT.to_bytes()

    def read(data: bytes) -> None:
        path.write_bytes(data)
        found = read_result(tmp_path, "sim_train")
        assert json.loads(found.to_bytes())["passed"] == found.passed
        assert found.passed is False or data.count(b'"a rule": 1') == 0

    judge = examine(lambda rng: changed_json(rng, json.loads(RESULT.to_bytes())), read, 160, ReleaseError)
    assert judge.accepted > 10
    assert len(judge.reasons) >= 25


def test_cache_of_the_rewriter_is_whole_or_not_there(tmp_path: Path) -> None:
    """A broken entry is asked for again; one that is read is written back as the same bytes' content."""
    cache, key = Cache(tmp_path), "ab" * 32
    cache.keep(key, ENTRY)
    (path,) = tmp_path.glob("??/*.json")
    read = []

    def reread(data: bytes) -> None:
        path.write_bytes(data)
        entry = cache.read(key)
        read.append(entry)
        assert entry is None or Entry.model_validate_json(entry.to_bytes()) == entry

    judge = examine(lambda rng: changed_json(rng, ENTRY.model_dump()), reread, 150)
    assert not judge.refused
    assert 10 < read.count(None) < len(read) - 10


def test_receipts_are_whole_or_not_there(tmp_path: Path) -> None:
    receipt = BlockReceipt(rejects={"no": 1}, scenes=(1, 2), candidates=3, sha256="0" * 64)
    path = tmp_path / "receipt.json"
    receipt.write(path)
    assert BlockReceipt.read(path) == receipt
    read = []

    def reread(data: bytes) -> None:
        path.write_bytes(data)
        read.append(BlockReceipt.read(path))

    judge = examine(lambda rng: changed_json(rng, receipt.model_dump()), reread, 150)
    assert not judge.refused
    assert 10 < read.count(None) < len(read) - 10


@pytest.mark.parametrize("odd", ODD, ids=[str(number) for number in range(len(ODD))])
def test_no_odd_value_is_taken_for_a_list_of_choices(odd: object) -> None:
    """Every odd value reaches the record's reader at least once."""
    data = json_text({**RECORD, "choices": odd})
    if odd == []:
        read_record(data)
    else:
        with pytest.raises(ReleaseError, match=r"choices|Invalid JSON"):
            read_record(data)
