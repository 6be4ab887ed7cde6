"""Releases built from house files: refused before anything is made, or built, published and validated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.thor_houses import three_rooms

from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build, producer_for
from flowbench.errors import UsageError
from flowbench.release import file_sha256, iter_samples, read_manifest, shard_files
from flowbench.validation.runner import validate

DATA = Path(__file__).parent / "data" / "three_rooms.json"


def options(out: Path, houses: Path, scenes: int = 1) -> BuildOptions:
    """``sim_train`` from a house file, small pictures, in this process."""
    return BuildOptions(
        ("sim_train",), out, scenes=scenes, width=320, height=240, engine="serial", sources={"houses": houses}
    )


def test_no_more_scenes_than_houses(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^2 scenes of sim_train were asked for, but .* has 1: ask for at most 1 "):
        producer_for(options(tmp_path / "out", DATA, scenes=2), "sim_train")
    assert producer_for(options(tmp_path / "out", DATA), "sim_train").most_scenes() == 1


def test_a_file_without_a_house_to_build_from_says_why(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"rooms": []}\n', "utf-8")
    with pytest.raises(UsageError, match=r"1 scene gave nothing to ask \(house 0 of a\.jsonl lacks") as caught:
        build(options(tmp_path / "out", tmp_path / "a.jsonl"), Silent())
    assert caught.value.exit_code == 2
    assert not list((tmp_path / "out").glob("data/**/*.tar"))


@pytest.mark.slow
def test_a_release_of_houses_passes_every_suite(tmp_path: Path) -> None:
    houses, out = tmp_path / "houses.jsonl", tmp_path / "out"
    houses.write_text("{}\n" + json.dumps(three_rooms()) + "\n", "utf-8")
    report = build(options(out, houses, scenes=2), Silent())
    kept = json.loads((out / ".build" / "sim_train" / "complete.json").read_text("utf-8"))
    broken = [reason for reason in kept["rejects"]["propose"] if reason.startswith("scene: house 0 of houses.jsonl")]
    assert len(broken) == 1
    assert report.configs
    samples = [sample for path in shard_files(out, "sim_train") for sample in iter_samples(path)]
    assert len(samples) > 12
    for sample in samples:
        house = json.loads(sample.members["meta.txt"])["scene"]["house"]
        assert (house["index"], house["file_sha256"]) == (1, file_sha256(houses))
    assert read_manifest(out).sources["sim_train"]
    result = validate(out, ("sim_train",), workers=1, progress=Silent()).results["sim_train"]
    assert {suite.name: suite.rules for suite in result.suites if suite.enforced and suite.rules} == {}
