"""``scripts/perceive.py``: files are whole and about the pair, whatever an earlier run left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.recordings import write_recordings

ROOT = Path(__file__).resolve().parents[1]


def laid_down(dataset: Path) -> str:
    command = [sys.executable, str(ROOT / "scripts/perceive.py"), "tabletop", str(dataset), "--pictures"]
    done = subprocess.run([*command, "--episodes", "1"], capture_output=True, text=True, check=True)
    return done.stdout.partition(" pairs in ")[0]


def test_what_is_of_another_pair_is_written_again(tmp_path: Path) -> None:
    dataset = write_recordings(tmp_path / "d")
    folder = dataset / "perception/episode_000000"
    assert laid_down(dataset) == "1"
    pair = json.loads((folder / "pair.json").read_text())
    assert pair == {"before": 0, "after": 8, "camera": "observation.images.front"}
    assert len(list((folder / "frames").iterdir())) == 9
    (folder / "masks.npz").write_bytes(b"found by others")
    assert laid_down(dataset) == "0"
    assert (folder / "masks.npz").exists()
    (folder / "pair.json").write_text(json.dumps({**pair, "after": 7}))
    assert laid_down(dataset) == "1"
    assert json.loads((folder / "pair.json").read_text()) == pair
    assert not (folder / "masks.npz").exists()
