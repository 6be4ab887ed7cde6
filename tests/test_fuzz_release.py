"""Whole releases of which one file is hostile: what goes over them ends with a result or one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.fuzzing import changed_bytes, examine, json_text, places
from support.validating import make_valid_release, with_integrity

from flowbench.builders.engines import read_options, settings_of
from flowbench.cards import card_text
from flowbench.errors import FlowbenchError, UsageError
from flowbench.progress import Silent
from flowbench.release import CARD, MANIFEST, index_path, read_manifest, shard_path
from flowbench.validation.runner import validate
from flowbench.validation.shards import UNFINISHED
from flowbench.viewing.picking import read_entries

FILES = (
    MANIFEST,
    CARD,
    index_path("sim_train", "train"),
    index_path("sim_train", "validation"),
    shard_path("sim_train", "train", 0, 2),
)

pytestmark = pytest.mark.slow
OPTIONS = {
    "local": "block_seconds = 60.0\n",
    "ray": 'block_seconds = 60.0\ncpus = 2.0\naddress = "auto"\n',
    "slurm": "minutes = 60\nmemory_gb = 4.0\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that passes."""
    return make_valid_release(tmp_path_factory.mktemp("hostile") / "release", 2, ("sim_train",))


def test_manifests_that_lie(root: Path) -> None:
    """A manifest of the right shape about other files: nothing goes astray over it."""
    whole = (root / MANIFEST).read_bytes()
    valid = json.loads(whole)
    well_formed = 0

    def read(data: bytes) -> None:
        nonlocal well_formed
        (root / MANIFEST).write_bytes(data)
        manifest = read_manifest(root)
        well_formed += 1
        card_text(root, manifest)
        for config in manifest.configs:
            read_entries(root, manifest, config)

    try:
        judge = examine(lambda rng: json_text(_lie(rng, valid)), read, 80, FlowbenchError)
    finally:
        (root / MANIFEST).write_bytes(whole)
    assert well_formed > judge.accepted > 1


def _lie(rng: Random, valid: dict[str, Any]) -> dict[str, Any]:
    """The manifest with one value replaced by another of its type."""
    lies: dict[type, list[Any]] = {
        dict: [{}],
        list: [[]],
        int: [0, 1, 3, 10**30],
        str: ["sim_test", "data/sim_train/x.tar", FILES[2], FILES[4], CARD, "f" * 64],
    }
    manifest = json.loads(json.dumps(valid))
    holder, key = rng.choice([place for place in places(manifest) if place[0][place[1]] is not None])
    holder[key] = rng.choice(lies[type(holder[key])])
    return manifest


def test_validation(root: Path) -> None:
    """The whole check, with one file changed here and there: it ends, with violations or a sentence."""
    whole = {name: (root / name).read_bytes() for name in FILES}

    def change(rng: Random) -> tuple[str, bytes]:
        name = rng.choice(FILES)
        return name, changed_bytes(rng, whole[name])

    def read(changed: tuple[str, bytes]) -> None:
        name, data = changed
        (root / name).write_bytes(data)
        try:
            result = validate(root, ["sim_train"], 1, Silent(), with_integrity()).results["sim_train"]
        finally:
            (root / name).write_bytes(whole[name])
        rules = {rule for suite in result.suites for rule in suite.rules}
        assert rules or data.split(b"---\n", 2)[:2] == whole[name].split(b"---\n", 2)[:2]
        assert UNFINISHED not in rules

    judge = examine(change, read, 12, FlowbenchError)
    assert judge.accepted > 2


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_an_engine(tmp_path: Path, name: str) -> None:
    path = tmp_path / "options.toml"
    odd = [
        "nan",
        "inf",
        "-1",
        "1e400",
        "9" * 5_000,
        "0x" + "f" * 5_000,
        "true",
        '"a b"',
        '"\\n"',
        "[" * 3_000,
        "{a=" * 3_000,
        "1979-05-27",
    ]

    def change(rng: Random) -> bytes:
        lines = OPTIONS[name].splitlines()
        if rng.random() < 0.4:
            return changed_bytes(rng, OPTIONS[name].encode())
        at = rng.randrange(len(lines))
        lines[at] = f"{lines[at].partition('=')[0]}= {rng.choice(odd)}"
        return "\n".join(lines).encode()

    def read(data: bytes) -> None:
        path.write_bytes(data)
        settings_of(name, read_options(path))

    judge = examine(change, read, 120, UsageError)
    assert judge.accepted
    assert len(judge.reasons) >= 8
