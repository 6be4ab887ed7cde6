"""Building again in a folder that was published: what is the same keeps its version, what is not loses it."""

from __future__ import annotations

from pathlib import Path

from support.building import build, counting, published
from support.publishing import Told

from flowbench.cards import write_card
from flowbench.publishing.stamping import Stamp
from flowbench.publishing.version import Version
from flowbench.release import CARD, UNRELEASED, read_manifest

__all__ = ["counting"]


def stamped(out: Path) -> None:
    build(out)
    Stamp(Version(0, 1, 0), "org/flowbench", (), None).write(out, read_manifest(out), Told())


def test_the_same_build_again_keeps_version_and_card(tmp_path: Path) -> None:
    stamped(tmp_path)
    before = published(tmp_path)
    assert not build(tmp_path).changed
    assert published(tmp_path) == before
    assert read_manifest(tmp_path).version == "0.1.0"


def test_more_scenes_are_unpublished_again(tmp_path: Path) -> None:
    stamped(tmp_path)
    assert build(tmp_path, scenes=7).changed
    assert read_manifest(tmp_path).version == UNRELEASED
    assert "org/flowbench" not in (tmp_path / CARD).read_text()


def test_a_lost_card_comes_back(tmp_path: Path) -> None:
    stamped(tmp_path)
    (tmp_path / CARD).unlink()
    build(tmp_path)
    card = (tmp_path / CARD).read_text()
    write_card(tmp_path, read_manifest(tmp_path))
    assert (tmp_path / CARD).read_text() == card
