"""Recorded datasets: read back by the reader of LeRobot's format, the truth beside them, nothing half-written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from support.cpu_variation import QUICK, assert_same_under_cpu_variation
from support.tabletop import EPISODES, episode, excerpt

from flowbench.builders.simulators.tabletop import recording
from flowbench.builders.simulators.tabletop.recording import record, record_scene
from flowbench.builders.simulators.tabletop.scene import POOL, Setup
from flowbench.builders.simulators.tabletop.truth import Truth, as_text, episodes_of, read_truth
from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.profiles import profile_named
from flowbench.cli.app import main
from flowbench.errors import FlowbenchError, UsageError

SHOWN = [0, 30]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two frames an episode, of scenes that were drawn already."""

    def drawn(seed: int, pool: str, index: int, setup: Setup) -> Truth:
        del seed, pool
        which = [name for name in EPISODES if name[1] == setup][index % 2]
        return excerpt(episode(*which), SHOWN)

    monkeypatch.setattr(recording, "draw", drawn)


def files_of(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(("setup", "profile"), [("bridge", "tabletop"), ("topdown", "tabletop_down")])
def test_a_recorded_dataset_is_read_back(tmp_path: Path, setup: Setup, profile: str) -> None:
    made = record(tmp_path / "out", 2, 0, setup)
    assert (made.episodes, made.frames, made.testing) == (2, 4, 0)
    dataset = open_dataset(tmp_path / "out", profile_named(profile))
    assert list(dataset.episodes) == [0, 1]
    for number in (0, 1):
        truth = read_truth(tmp_path / "out", number)
        found = dataset.episode(number)
        assert found.task == truth.task
        assert found.length == len(truth) == 2
        assert found.intrinsics is not None
        assert found.intrinsics == pytest.approx(truth.camera.intrinsics)
        assert found.opening is not None
        assert found.opening == pytest.approx(truth.opening / 0.08, abs=1e-6)
        assert found.effector is not None
        hand = truth.links[:, 8, :3]
        assert np.sqrt(((found.effector - hand) ** 2).sum(axis=-1)) == pytest.approx(0.1034, abs=1e-4)
        for frame, picture in zip(range(2), dataset.frames(found, [0, 1]), strict=True):
            assert np.abs(picture.astype(int) - truth.rgb(frame)).mean() < 3.0
    assert episodes_of(tmp_path / "out") == [0, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    record(tmp_path / "a", 1, 0, "topdown")
    record(tmp_path / "b", 1, 0, "topdown")
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


def test_a_scene_alone_is_a_dataset_of_one_episode(tmp_path: Path) -> None:
    truth = record_scene(tmp_path / "one", 0, POOL, 1, "bridge")
    assert as_text(read_truth(tmp_path / "one", 0)) == as_text(truth)
    assert truth.task == episode(*EPISODES[1]).task


def test_what_stands_there_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        record(tmp_path / "out", 1, 0, "bridge")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = recording.draw

    def fails(seed: int, pool: str, index: int, setup: Setup) -> Truth:
        if index == 1:
            raise FlowbenchError("no draw was good")
        return good(seed, pool, index, setup)

    monkeypatch.setattr(recording, "draw", fails)
    with pytest.raises(FlowbenchError, match="no draw"):
        record(tmp_path / "out", 2, 0, "topdown")
    assert list(tmp_path.iterdir()) == []


def test_the_command_records_both_set_ups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(tmp_path / "out"), "--episodes", "1", "--setup", "both"]) == 0
    said = capsys.readouterr()
    assert "1 episode (0 for testing), 2 frames" in said.out
    assert f"flowbench show {tmp_path / 'out' / 'bridge'} tabletop" in said.out
    assert f"--source tabletop_down={tmp_path / 'out' / 'topdown'}" in said.out
    assert "record topdown: 1/1 episode, 2 frames" in said.err
    assert main(["record", str(tmp_path / "out"), "--episodes", "1"]) == 2
    assert "not an empty folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "match"),
    [("--episodes 0", "--episodes is 0"), ("--episodes x", "--episodes is 'x'"), ("--setup side", "'side'")],
)
def test_bad_arguments_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: str, match: str) -> None:
    assert main(["record", str(tmp_path / "out"), *arguments.split()]) == 2
    assert match in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_episodes_are_the_same_on_every_cpu() -> None:
    snippet = """
        import hashlib
        from flowbench.builders.simulators.tabletop.drawing import draw
        from flowbench.builders.simulators.tabletop.truth import as_text
        for index, setup in ((4, "bridge"), (3, "topdown")):
            truth = draw(0, "tabletop", index, setup)
            pictures = b"".join(truth.rgb(frame).tobytes() for frame in (0, 30, len(truth) - 1))
            positions, visible = truth.tracks(0, 30)
            for data in (as_text(truth).encode(), pictures, positions.tobytes(), visible.tobytes()):
                print(hashlib.sha256(data).hexdigest())
    """
    assert_same_under_cpu_variation(snippet, (*QUICK, "kernels for any x86-64"))
