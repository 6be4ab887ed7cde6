"""The card that a push writes anew: words that people wrote in it are never lost without asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.hub import LocalHub
from support.hub.client import hub
from support.publishing import Told, root, small_release

from flowbench.errors import UsageError
from flowbench.publishing import push
from flowbench.release import CARD

__all__ = ["hub", "root", "small_release"]

REPO = "org/flowbench"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def publish(root: Path, version: str, **options: Any) -> Any:
    return push(root, REPO, version, Told(), say=lambda _: None, **options)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda card: card + "\nAsk me for more.\n", ""),
        (lambda card: card.replace("## Files", "## All the files"), "'## All the files'"),
        (lambda card: card.replace("pretty_name: FlowBench", "pretty_name: Mine"), "'pretty_name: Mine'"),
        (lambda card: card.rpartition("## Citation")[0], ""),
    ],
    ids=["added", "changed", "yaml", "removed"],
)
def test_words_in_the_card_are_never_lost_without_asking(hub: LocalHub, root: Path, edit: Any, line: str) -> None:
    card = root / CARD
    mine = edit(card.read_text())
    card.write_text(mine)
    before = contents(root)
    sentence = (
        rf"README\.md differs from the card that flowbench writes \(line \d+: .*{line}.*push with --overwrite-card"
    )
    with pytest.raises(UsageError, match=sentence):
        publish(root, "0.1.0")
    assert contents(root) == before
    assert hub.store.repos == {}
    publish(root, "0.1.0", overwrite_card=True)
    assert "Version 0.1.0, built by" in card.read_text() != mine
    card.write_text(mine)
    assert not publish(root, "0.1.0").published  # nothing to do, and nothing lost
    assert card.read_text() == mine


@pytest.mark.slow
def test_a_card_of_before_the_validation_is_no_edited_one(hub: LocalHub, root: Path) -> None:
    (root / "validation").mkdir()
    (root / "validation" / "sim_train.json").write_text("{}")
    publish(root, "0.1.0")
    assert b"validation/<config>.json" in hub.files(REPO, "v0.1.0")[CARD]
    assert publish(root, "0.2.0").published


@pytest.mark.parametrize("stop", ["stamping.write_bytes", "hub.Repository.upload"])
def test_a_push_that_stops_while_it_writes_takes_its_own_card_for_nobody_s(
    hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"flowbench.publishing.{stop}", interrupt)
        with pytest.raises(KeyboardInterrupt):
            publish(root, "0.1.0")
    hub.store.repos.clear()
    assert publish(root, "0.1.0").published
