"""A release of both transfer suites: built twice, checked whole, shown and loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from support.building import published
from support.filmed import billiard, short_clip, write_movi, write_physion

from flowbench import decode
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build
from flowbench.schema import config_spec
from flowbench.validation.runner import validate
from flowbench.viewing.gallery import make_gallery

CONFIGS = ("selection_movi", "selection_physion")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["balanced", "paper"])
def test_a_release_is_built_and_checked_whole(tmp_path: Path, preset: str) -> None:
    movi, physion = tmp_path / "movi", tmp_path / "physion"
    for number in range(4):
        write_movi(movi / f"{number}", short_clip(number) if number else billiard(number))
    for number in range(2):
        write_physion(physion / "drop" / f"{number}.hdf5", billiard(number, 95, 512))
    (movi / "9").mkdir()  # no scene

    def built(out: Path, workers: int) -> dict[str, str]:
        report: dict[str, Any] = {}
        for config, scenes, source in zip(CONFIGS, (5, 2), ({"movi": movi}, {"physion": physion}), strict=True):
            options: dict[str, Any] = {"preset": preset, "sources": source, "workers": workers, "engine": "serial"}
            report |= build(BuildOptions((config,), out, scenes, 3, **options), Silent()).configs
        assert report["selection_movi"].rejects["propose"]["scene: no metadata.json"] == 1
        assert [report[config].used for config in CONFIGS] == [(4, 5), (2, 2)]
        return published(out)

    first = built(tmp_path / "a", 1)
    assert built(tmp_path / "b", 2) == first
    found = validate(tmp_path / "a", [], 1, Silent())
    assert found.passed, [each for result in found.results.values() for suite in result.suites for each in suite.kept]
    for config in CONFIGS:
        assert found.results[config].samples["test"]
        assert not config_spec(config).redistributable
        page, shown = make_gallery(tmp_path / "a", config, 2)
        assert shown == 2
        assert "the same run" in page
        row = next(iter(load_dataset(str(tmp_path / "a"), config, split="test", streaming=True)))
        width, height = config_spec(config).size or (0, 0)
        assert decode(row)["candidates"].shape == (4, height, width, 3)
        assert decode(row)["video"].shape[1:] == (height, width, 3)
