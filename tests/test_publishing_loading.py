"""What was pushed is loaded by version with plain ``datasets``, by the card's own recipes, and old versions stay."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.hub import LocalHub
from support.hub.client import child_environment, hub
from support.publishing import Told, root, small_release
from support.synthetic import make_release

from flowbench.publishing import push

__all__ = ["hub", "root", "small_release"]

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
REPO = "org/flowbench"
LOAD = """
import json, sys
from datasets import load_dataset
from huggingface_hub import HfApi

repo = "org/flowbench"
found = {"tags": sorted(tag.name for tag in HfApi().list_repo_refs(repo, repo_type="dataset").tags)}
for version in ("v0.1.0", "v0.2.0"):
    for streaming in (False, True):
        data = load_dataset(repo, "sim_train", revision=version, streaming=streaming)
        rows = {split: [row["json"]["id"] for row in part] for split, part in data.items()}
        found[f"{version} {streaming}"] = rows
row = next(iter(load_dataset(repo, "sim_test", split="test", revision="v0.1.0", streaming=True)))
found["modes"] = [row["before.png"].mode, row["depth_before.png16"].mode, type(row["flow.png16"]).__name__]
print(json.dumps(found))
"""

TYPED = """
import json
import flowbench
from flowbench.errors import UsageError

where = {"repo": "org/flowbench", "revision": "v0.1.0"}
loads = {
    "map-style": flowbench.load_dataset("sim_train", "train", **where),
    "streaming": flowbench.load_dataset("sim_train", "train", streaming=True, **where),
    "undecoded": flowbench.load_dataset("sim_train", "train", streaming=True, decode=False, **where),
    "webdataset": flowbench.webdataset("sim_train", "train", **where),
}
found = {}
for name, data in loads.items():
    rows = [flowbench.decode(row) for row in data]
    kinds = [str(rows[0][each].dtype) for each in ("before", "depth_before", "ids_before", "flow", "valid")]
    found[name] = [[row["record"].id for row in rows], kinds]
for revision, repo in (("v9.9.9", "org/flowbench"), ("v0.1.0", "org/nothing")):
    for load in (flowbench.load_dataset, flowbench.webdataset):
        try:
            load("sim_train", "train", repo=repo, revision=revision)
        except UsageError as error:
            found[f"{load.__name__} {repo} {revision}"] = str(error)
print(json.dumps(found))
"""


def child(hub: LocalHub, folder: Path, *arguments: str) -> str:
    """The output of a Python process that knows nothing but the environment."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=child_environment(hub, folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_version_loads_map_style_and_streaming(hub: LocalHub, root: Path, tmp_path: Path) -> None:
    push(root, REPO, "0.1.0", Told(), say=lambda _: None)
    make_release(root, 6)
    push(root, REPO, "0.2.0", Told(), say=lambda _: None)
    found: dict[str, Any] = json.loads(child(hub, tmp_path, "-c", LOAD).splitlines()[-1])
    assert found.pop("tags") == ["v0.1.0", "v0.2.0"]
    assert found.pop("modes") == ["RGB", "I;16", "bytes"]
    old = {split: [f"{split}-{first + i:05d}" for i in range(4)] for split, first in (("train", 0), ("validation", 4))}
    new = {split: [f"{split}-{first + i:05d}" for i in range(6)] for split, first in (("train", 0), ("validation", 6))}
    assert found == {"v0.1.0 False": old, "v0.1.0 True": old, "v0.2.0 False": new, "v0.2.0 True": new}


def test_our_loaders_read_a_version_from_the_hub(hub: LocalHub, root: Path, tmp_path: Path) -> None:
    push(root, REPO, "0.1.0", Told(), say=lambda _: None)
    make_release(root, 6)
    push(root, REPO, "0.2.0", Told(), say=lambda _: None)
    found: dict[str, Any] = json.loads(child(hub, tmp_path, "-c", TYPED).splitlines()[-1])
    ids = [f"train-{number:05d}" for number in range(4)]
    for name in ("map-style", "streaming", "undecoded", "webdataset"):
        assert found.pop(name) == [ids, ["uint8", "float32", "int32", "float32", "bool"]], name
    assert len(found) == 4
    for what, sentence in found.items():
        assert sentence.count("\n") == 0, what
        assert ("v9.9.9" if "v9.9.9" in what else "org/nothing") in sentence, what


def test_the_recipes_of_the_published_card_run(hub: LocalHub, root: Path, tmp_path: Path) -> None:
    """Every Python block, in order, as a reader would run them, from a folder that holds nothing."""
    push(root, REPO, "0.1.0", Told(), say=lambda _: None)
    card = hub.files(REPO, "v0.1.0")["README.md"].decode()
    blocks = [part.split("```")[0] for part in card.split("```python\n")[1:]]
    assert len(blocks) == 7
    assert sum(REPO in block for block in blocks) == 4
    program = "\n".join(block for block in blocks if "WebLoader" not in block)  # that one needs torch
    check = "print(flow.shape, index.height, sorted(sample['json'])[:2])"
    (tmp_path / "recipes.py").write_text(f"{program}\n{check}\n", "utf-8")
    assert child(hub, tmp_path, "recipes.py").splitlines()[-1] == "(24, 32, 2) 8 ['answer', 'answer_text']"


def test_a_push_by_the_command_line_in_a_process_of_its_own(hub: LocalHub, root: Path, tmp_path: Path) -> None:
    """Nothing patched but the validation, which synthetic samples would not pass."""
    program = (
        "import sys, flowbench.cli.checking as checking\n"
        "checking.StoredChecks.ensure = lambda *_: None\n"
        "checking.StoredChecks.bind = lambda *_: None\n"
        "from flowbench.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    arguments = ["release", "push", str(root), "--repo", REPO, "--version", "0.1.0"]
    out = child(hub, tmp_path, "-c", program, *arguments)
    assert out.splitlines()[0] == f"Published version 0.1.0: {hub.url}/datasets/{REPO}, 15 files."
    assert f'load_dataset("{REPO}", "sim_train", revision="v0.1.0")' in out
    again = child(hub, tmp_path, "-c", program, *arguments)
    assert again == f"Nothing to do: {REPO} has version 0.1.0 with the same content.\n"
    assert "are what manifest and SHA256SUMS say" in child(
        hub, tmp_path, "-m", "flowbench", "release", "verify", REPO, "--version", "0.1.0"
    )
