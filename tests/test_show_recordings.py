"""``flowbench show`` of recorded datasets: one page with pairs, strips, and what was left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.recordings import FPS, change_info, recorded, small_profile, write_recordings

from flowbench.builders.sources.lerobot.writing import write_dataset
from flowbench.builders.sources.showing import make_source_page, spread, strip_frames
from flowbench.cli import main

EVIL = "<script>alert(1)</script>\"'>"
OWN = """
[profiles.own]
title = "Ours"
licence = "CC-BY-4.0"
width = 96
height = 64
camera_keys = ["observation.images.front"]
changed_high = 0.9
drop_tasks = ["fold"]
"""


def test_the_page_shows_pairs_and_rejects(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "recordings")
    (root / "videos/observation.images.front/chunk-000/file-001.mp4").unlink()
    page, shown = make_source_page(root, small_profile(changed_high=1.0, drop_tasks={"left": "to the left"}), 8)
    assert shown == 2
    assert page.count('class="chosen"') == 4  # before and after of both
    assert "push the red block" in page
    for text in ("task: left", "not readable: video missing", "file-001.mp4: no such video", "episodes looked at"):
        assert text in page
    assert str(tmp_path) not in page
    assert make_source_page(root, small_profile(changed_high=1.0, drop_tasks={"left": "to the left"}), 8)[0] == page


def test_nothing_of_a_dataset_breaks_out_of_the_page(tmp_path: Path) -> None:
    write_dataset(tmp_path / "d", [recorded(0, 5, EVIL), recorded(1, 1, EVIL)], FPS)
    change_info(tmp_path / "d", lambda info: info.update(robot_type=EVIL))
    page, shown = make_source_page(tmp_path / "d", small_profile(changed_high=1.0, title=EVIL, licence=EVIL), 3)
    assert shown == 1
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page
    assert not re.findall(r"(?:src|href)=\"(?!data:|#)", page)


def test_a_dataset_without_pairs_says_so(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    page, shown = make_source_page(root, small_profile(changed_low=0.98, changed_high=0.99), 3)
    assert shown == 0
    assert "No episode that was looked at gives a pair" in page
    assert "too little changed" in page


def test_the_command_tells_recordings_from_releases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_recordings(tmp_path / "d")
    (tmp_path / "own.toml").write_text(OWN)
    out = tmp_path / "page.html"
    arguments = ["show", str(root), "own", "--profiles", str(tmp_path / "own.toml"), "--n", "1", "--out", str(out)]
    assert main(arguments) == 0
    assert "1 pair of own" in capsys.readouterr().out
    assert "Ours" in out.read_text()
    for given, sentence in (
        (["show", str(root), "bridge"], "did you mean 'bridge_v2'"),
        (["show", str(root), "other", *arguments[3:]], "unknown profile 'other'"),
        (["show", str(tmp_path / "nothing"), "own", *arguments[3:]], "no such folder"),
    ):
        assert main(given) == 2
        error = capsys.readouterr().err
        assert sentence in error
        assert error.count("\n") == 1


def test_strips_are_spread_and_hold_what_is_marked() -> None:
    assert strip_frames(4, [0, 3]) == [0, 1, 2, 3]
    assert strip_frames(100, [0, 57]) == [0, 11, 22, 33, 44, 55, 57, 66, 77, 88, 99]
    assert strip_frames(1, [0]) == [0]
    assert spread(range(10), 3) == [0, 3, 6]
    assert spread([1, 2], 5) == [1, 2]
