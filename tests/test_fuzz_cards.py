"""Cards and changelogs that no builder wrote, with YAML that asks for time or memory among them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import yaml
from support.fuzzing import (
    MEGABYTE,
    ODD,
    PATIENCE,
    Raw,
    changed_bytes,
    changed_tree,
    examine,
    limited,
    memory_limited,
)
from support.synthetic import make_release

from flowbench.errors import ReleaseError
from flowbench.publishing.changelog import sections, updated_changelog
from flowbench.publishing.contract import declared_columns
from flowbench.publishing.version import Version
from flowbench.release import CARD, read_manifest, read_text
from flowbench.release.heads import card_head
from flowbench.release.texts import MAX_TEXT_BYTES
from flowbench.schema import config_spec
from flowbench.validation.cards import check_card

PLAIN = [each for each in ODD if not isinstance(each, Raw)]
LINES = (
    "? [a, b]\n: c",
    "x: !!python/object/apply:os.system [true]",
    "x: !!binary ====",
    "x: 2024-99-99",
    "\tx: 1",
    "x: &a [1]\ny: *a",
    "<<: 1",
    "x: 0x" + "f" * 400,
    "x: 1:1:1",
    "dataset_info: 1",
    "configs: {}",
    "- x",
    "x: @",
    "x: .nan",
    "dataset_info: [{config_name: [1], features: 2}]",
    "configs: [{config_name: sim_train}]",
)
BOMBS = {
    "sexagesimal": "x: 1" + ":1" * 500_000,
    "decimal": "x: " + "9" * 3_000_000,
    "hexadecimal": "x: 0x" + "f" * 3_000_000,
    "lists": "x: " + "[" * 1_000_000,
    "mappings": "x: " + "{a: " * 200_000,
    "laughs": "a0: &a0 [x]\n" + "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cards")
    make_release(root, 2, ("sim_train",))
    return root


def changed_card(rng: Random, text: str) -> str:
    """A card whose YAML holds odd values or is broken, or whose fences are."""
    _, head, prose = text.split("---\n", 2)
    what = rng.choice(["tree", "tree", "tree", "bytes", "line", "fence"])
    if what == "tree":
        head = yaml.dump(changed_tree(rng, yaml.safe_load(head), PLAIN), Dumper=yaml.CSafeDumper, sort_keys=False)
    elif what == "bytes":
        head = changed_bytes(rng, head.encode()).decode("latin-1")
    elif what == "line":
        lines = head.splitlines(keepends=True)
        lines.insert(rng.randrange(len(lines)), rng.choice(LINES) + "\n")
        head = "".join(lines)
    else:
        return rng.choice(["", "---\n", head, f"---\n{head}", f"--- \n{head}---\n", f"---\n---\n{prose}", f"x{text}"])
    return f"---\n{head}---\n{prose}"


def test_cards(root: Path) -> None:
    manifest = read_manifest(root)
    text = (root / CARD).read_text("utf-8")
    told: set[str] = set()

    def read(card: str) -> None:
        (root / CARD).write_text(card, "utf-8")
        told.update(f"{each.rule}: {each.found}" for each in check_card(root, manifest, config_spec("sim_train")))
        declared_columns(card)

    read(text)
    assert not told
    with memory_limited(100 * MEGABYTE):
        judge = examine(lambda rng: changed_card(rng, text), read, 50, ReleaseError)
    (root / CARD).write_text(text, "utf-8")
    assert judge.accepted > 3
    assert judge.refused > 3
    assert len(told) > 5


@pytest.mark.parametrize("name", BOMBS)
def test_cards_that_ask_for_time_or_memory(name: str) -> None:
    card = f"---\n{BOMBS[name]}\n---\n"
    with limited(PATIENCE), memory_limited(100 * MEGABYTE):
        with pytest.raises(ReleaseError, match="does not begin with YAML"):
            card_head(card, "the card")
        with pytest.raises(ReleaseError, match="declares no columns"):
            declared_columns(card)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\xff\xfe", "is not text"), (b"#" * (MAX_TEXT_BYTES + 1), "has over"), (None, "is missing")],
    ids=["no text", "endless", "missing"],
)
def test_files_that_are_no_texts(tmp_path: Path, data: bytes | None, message: str) -> None:
    if data is not None:
        (tmp_path / CARD).write_bytes(data)
    with pytest.raises(ReleaseError, match=message):
        read_text(tmp_path / CARD)


def test_changelogs(root: Path) -> None:
    """Any text may lie there: its sections are kept, and a second try gives the same."""
    manifest, version = read_manifest(root), Version(0, 2, 0)
    valid = updated_changelog(None, "## Unreleased\n\nA note.\n", Version(0, 1, 0), (), manifest)
    kept = 0

    def read(data: bytes) -> None:
        nonlocal kept
        former = data.decode("latin-1")
        text = updated_changelog(former, None, version, (), manifest)
        assert next(iter(sections(text))) == "0.2.0"
        assert updated_changelog(former, text, version, (), manifest) == text
        kept += sections(text).get("0.1.0", "") == sections(valid)["0.1.0"]

    judge = examine(lambda rng: changed_bytes(rng, valid.encode()), read, 100)
    assert judge.accepted == 100
    assert 5 < kept < 95


@pytest.mark.parametrize(
    "text", ["## a" + " " * 300_000 + "b", "##" + " " * 300_000, "## " * 100_000, "\n## x" * 50_000]
)
def test_sections_take_no_time(text: str) -> None:
    with limited(PATIENCE):
        assert len(sections(text)) <= 1
