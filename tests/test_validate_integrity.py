"""The integrity suite: what it reads of files, members, card and index, and what it refuses to read."""

from __future__ import annotations

import os
import re
import shutil
import struct
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.validating import Reading, broken, change_shard, make_valid_release

from flowbench.encoding import encode_rgb
from flowbench.release import read_manifest
from flowbench.schema import SimRecord, record_from_json, to_json
from flowbench.validation.corruption import Draft, Rewriting
from flowbench.validation.corruption.rewriting import header, packed

Damage = Callable[[Path], object]
HUGE = 100 * 10**9


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_valid_release(tmp_path_factory.mktemp("clean") / "flowbench", 4, ("sim_test",))


@pytest.fixture
def root(clean: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(clean, tmp_path / "flowbench"))


def shard(root: Path, number: int = 0) -> Path:
    return root / read_manifest(root).configs["sim_test"]["test"].shards[number].path


def index(root: Path) -> Path:
    return root / "index" / "sim_test" / "test.parquet"


def in_sample(change: Callable[[Draft], object]) -> Damage:
    """Change the first sample; everything else agrees with it."""

    def damage(root: Path) -> None:
        def edit(drafts: list[Draft]) -> list[Draft]:
            change(drafts[0])
            return drafts

        change_shard(root, edit)

    return damage


def in_record(**changes: object) -> Damage:
    def change(draft: Draft) -> None:
        record = record_from_json(SimRecord, draft.members["json"], "the record").model_dump()
        draft.members["json"] = to_json(SimRecord.model_validate(record | changes))

    return in_sample(change)


def in_member(name: str, change: Callable[[bytes], bytes]) -> Damage:
    return in_sample(lambda draft: draft.members.update({name: change(draft.members[name])}))


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old, new)


def with_member(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> Damage:
    """A shard with one more member of this name, type and stated size."""

    def damage(root: Path) -> None:
        release = Rewriting(root)
        place = release.places()[0]
        drafts = release.read(place)
        entries = [entry for draft in drafts for entry in draft.entries()]
        release.write_bytes(place, packed([*entries, (header(name, size, kind, "/etc/passwd"), b"")]), drafts)
        release.finish()

    return damage


def bomb(width: int, height: int) -> bytes:
    """A small PNG that says it is large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1 << 20))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def grow(path: Path, size: int) -> None:
    os.truncate(path, size)


def edit_card(pattern: str, new: str) -> Damage:
    def damage(root: Path) -> None:
        card = root / "README.md"
        text, count = re.subn(pattern, new, card.read_text("utf-8"), count=1)
        assert count == 1
        card.write_text(text, "utf-8")

    return damage


def put_body(root: Path, body: str) -> None:
    card = root / "README.md"
    head = card.read_text("utf-8").split("---\n", 2)[1]
    card.write_text(f"---\n{head}---\n\n{body}\n", "utf-8")


def put_index(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Damage:
    def damage(root: Path) -> None:
        release = Rewriting(root)
        release.put_index("sim_test", "test", change(pl.read_parquet(index(root))))
        release.publish()

    return damage


DAMAGES: dict[str, tuple[Damage, set[str]]] = {
    "shard missing": (lambda root: shard(root).unlink(), {"shard is missing", "samples of a split"}),
    "shard is a pipe": (lambda root: replace_by_pipe(shard(root)), {"shard is missing", "samples of a split"}),
    "shard is a folder": (
        lambda root: (shard(root).unlink(), shard(root).mkdir()),
        {"shard is missing", "samples of a split"},
    ),
    "shard of 100 GB": (lambda root: grow(shard(root), HUGE), {"bytes of a shard", "samples of a split"}),
    "shard cut": (
        lambda root: grow(shard(root), 2000),
        {"bytes of a shard", "shard cannot be read", "samples of a split"},
    ),
    "absolute path": (with_member("/etc/passwd"), {"shard cannot be read"}),
    "path upward": (with_member("../../passwd"), {"shard cannot be read"}),
    "link": (with_member("zzz.json", tarfile.SYMTYPE), {"shard cannot be read"}),
    "device": (with_member("zzz.json", tarfile.CHRTYPE), {"shard cannot be read"}),
    "sparse member": (with_member("zzz.json", tarfile.GNUTYPE_SPARSE, HUGE), {"shard cannot be read"}),
    "huge member": (with_member("zzz.json", size=7 * 10**9), {"shard cannot be read"}),
    "key out of order": (with_member("aaa.json"), {"order of keys", "columns of a sample", "member cannot be read"}),
    "NaN": (in_member("meta.txt", lambda data: data[:-1] + b',"more":NaN}'), {"member cannot be read"}),
    "nested metadata": (in_member("meta.txt", lambda _: b"[" * 100_000), {"member cannot be read"}),
    "another size": (
        in_member("before.png", lambda _: encode_rgb(np.zeros((8, 8, 3), np.uint8))),
        {"member cannot be read"},
    ),
    "decompression bomb": (in_member("flow.png16", lambda _: bomb(16_000, 4_000)), {"member cannot be read"}),
    "absurd size": (in_member("after.png", lambda _: bomb(2**31 - 1, 2**31 - 1)), {"member cannot be read"}),
    "depth in RGB": (
        in_sample(lambda draft: draft.members.update({"depth_after.png16": draft.members["after.png"]})),
        {"member cannot be read"},
    ),
    "unordered members": (
        in_sample(lambda draft: draft.members.update(json=draft.members.pop("json"))),
        {"order of members"},
    ),
    "member missing": (in_sample(lambda draft: draft.members.pop("flow.png16")), {"columns of a sample"}),
    "member unknown": (in_sample(lambda draft: draft.members.update({"zzz.txt": b""})), {"columns of a sample"}),
    "whole floats": (
        in_member("json", lambda data: data.replace(b'"margin":6.0', b'"margin":6')),
        {"text of the record"},
    ),
    "spaces": (in_member("json", lambda data: data.replace(b'"margin":', b'"margin": ')), {"text of the record"}),
    "id": (in_record(id="another"), {"id of the record"}),
    "view": (in_record(view_id="homes_test-000009-v00"), {"view of the record"}),
    "row missing": (
        put_index(lambda frame: frame[:-1]),
        {"row of the index", "samples of the index", "splits of the card"},
    ),
    "row changed": (
        put_index(lambda frame: frame.with_columns(question=pl.lit("Why?"))),
        {"row of the index"},
    ),
    "index column": (put_index(lambda frame: frame.drop("margin")), {"index cannot be read"}),
    "index is a pipe": (lambda root: replace_by_pipe(index(root)), {"index cannot be read"}),
    "index cut": (lambda root: grow(index(root), 100), {"index cannot be read"}),
    "unlisted shard": (
        lambda root: (root / "data" / "sim_test" / "test-00009-of-00010.tar").write_bytes(b""),
        {"files of the release"},
    ),
    "unlisted config": (lambda root: (root / "data" / "other").mkdir(), {"files of the release"}),
    "shadowing module": (lambda root: (root / "flowbench.py").write_text(""), {"files of the release"}),
    "no card": (lambda root: (root / "README.md").unlink(), {"card cannot be read"}),
    "card without YAML": (lambda root: (root / "README.md").write_text("# Hello"), {"card cannot be read"}),
    "card with aliases": (edit_card("---\n", "---\na: &a [1]\nb: *a\n"), {"card cannot be read"}),
    "card counts": (edit_card(r"num_examples: \d+", "num_examples: 77"), {"splits of the card"}),
    "card features": (edit_card("dtype: int64", "dtype: string"), {"features of the card"}),
    "card content": (edit_card("content sha256 ", "content sha256 0"), {"description of the card"}),
    "card body": (lambda root: put_body(root, "# Another data set"), {"card text"}),
    "card table": (edit_card(r"(\n\| [^\n]*?)\b\d+( \|[^\n]*\n)", r"\g<1>77777\2"), {"card text"}),
    "card picture": (lambda root: (root / "index/sim_test/preview.png").unlink(), {"picture of the card"}),
    "card config": (edit_card("config_name: sim_test", "config_name: sim_toast"), {"configs of the card"}),
}


def test_a_good_release_breaks_nothing(clean: Path) -> None:
    assert broken(clean, Reading(), config="sim_test") == {}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_told(root: Path, name: str) -> None:
    damage, expected = DAMAGES[name]
    damage(root)
    found = broken(root, config="sim_test")
    assert set(found) == {"integrity"}
    counts = {"samples of a split", "num_bytes of a shard", "samples of a shard"}  # follow from what is not read
    assert set(found["integrity"]) - counts == expected - counts


def test_a_sample_in_two_shards_is_told(root: Path) -> None:
    release = Rewriting(root)
    one, two = release.places()
    release.write(two, [*release.read(one)[:1], *release.read(two)])
    release.finish()
    assert broken(root, config="sim_test") == {"integrity": {"keys of the config": 1}}


def test_origins_are_those_of_the_manifest(root: Path) -> None:
    release = Rewriting(root)
    changes = {"seed": 8, "simulator": "thor", "scenes": {"homes_test": 1}}
    release.manifest = release.manifest.model_copy(update=changes)
    release.publish()
    assert broken(root, config="sim_test") == {
        "integrity": {
            "seed of the provenance": 1,
            "simulator of the provenance": 1,
            "scene of the provenance": 1,
        }
    }


def test_texts_of_a_release_cannot_steer_the_terminal(root: Path) -> None:
    from flowbench.progress import Silent
    from flowbench.validation.runner import validate

    in_record(id="\x1b[2J\nflowbench: fine" + "x" * 1000)(root)
    kept = validate(root, [], 1, Silent()).results["sim_test"].suites[0].kept
    told = next(each.found for each in kept if each.rule == "id of the record")
    assert told.isprintable()
    assert len(told) == 300
