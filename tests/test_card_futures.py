"""The card of releases with selection and retrieval: read by `datasets`, its recipes run, its pictures seen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import polars as pl
import pytest
import yaml
from markdown_it import MarkdownIt
from support.decoded import own_cache
from support.synthetic import make_release
from support.synthetic_dynapix import (
    CONFIGS,
    HEIGHT,
    WIDTH,
    config_samples,
    dynapix_files,
    make_dynapix_release,
    painted,
)

from flowbench.builders.manifest import write_manifest
from flowbench.cards import card_text, write_card
from flowbench.cards.preview import preview
from flowbench.cards.tiles import framed, joined, reduced
from flowbench.encoding import decode_rgb
from flowbench.errors import ReleaseError
from flowbench.release import CARD, Manifest, preview_path, read_manifest
from flowbench.schema import CONFIGS as SPECS
from flowbench.schema import config_spec, describe, features, to_json

__all__ = ["own_cache"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
GREEN = (18, 140, 80)


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a release of all six configs called ``flowbench``. Read only."""
    folder = tmp_path_factory.mktemp("card")
    make_dynapix_release(folder / "flowbench", 3)
    return folder


def html(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(text.split("---\n", 2)[2])


def python_blocks(text: str) -> Iterator[str]:
    for part in text.split("```python\n")[1:]:
        yield part.split("```")[0]


def run_recipes(parent: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Every Python block of the card, in order, as a reader would run them."""
    monkeypatch.chdir(parent)
    names: dict[str, Any] = {}
    for block in python_blocks((parent / "flowbench" / CARD).read_text()):
        if "WebLoader" not in block:  # needs torch
            exec(block, names)
        else:
            exec(block.partition("loader =")[0] + "\nfirst = next(iter(data))", names)
    return names


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("streaming", [False, True])
def test_datasets_reads_every_column(
    parent: Path, config: str, streaming: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    monkeypatch.chdir(parent)
    spec = config_spec(config)
    data = datasets.load_dataset("flowbench", config, split=spec.splits[0], streaming=streaming)
    assert data.features == features(spec)
    rows, made = list(data), list(config_samples(config, range(3)))
    assert [row["__key__"].rsplit("/")[-1] for row in rows] == [sample.key for sample in made]
    for row, sample in zip(rows, made, strict=True):
        assert to_json(row["json"]) == sample.members["json"]  # nulls stay null, floats stay floats
        assert json.loads(row["meta.txt"]) == json.loads(sample.members["meta.txt"])
        assert row.get("video.mp4") == sample.members.get("video.mp4")
        for name in sample.members:
            if name.endswith(".png"):
                assert row[name].size == (WIDTH, HEIGHT)
                assert np.array_equal(np.asarray(row[name]), decode_rgb(sample.members[name]))


@pytest.mark.parametrize("first", CONFIGS)
def test_the_recipes_run_whichever_config_comes_first(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dynapix_release(tmp_path / "flowbench", 2, (first,))
    names = run_recipes(tmp_path, monkeypatch)
    assert isinstance(names["index"], pl.DataFrame)
    assert set(names["typed"]) >= {"key", "record", "meta"}
    assert names["first"]
    if first == "retrieval_corpus":
        assert names["frame"].shape == (HEIGHT, WIDTH, 3)
    elif first != "selection_matched":  # whose first sample shows nothing
        assert names["video"].shape == names["typed"]["video"].shape
        difference = names["video"].astype(int) - names["typed"]["video"]
        assert np.abs(difference).mean() < 2
    else:
        assert names["video"] is names["typed"]["video"] is None


def mixed_release(root: Path) -> Manifest:
    """Homes and collisions in one release."""
    manifest = make_release(root, 3, ("sim_test",))
    files = dynapix_files(root, 2, ("selection_test", "retrieval_test", "retrieval_corpus"))
    scenes = {**manifest.scenes, "collisions": 2}
    manifest = manifest.model_copy(update={"configs": {**manifest.configs, **files}, "scenes": scenes})
    write_card(root, manifest)
    write_manifest(root, manifest)
    return manifest


def test_a_release_of_homes_and_collisions_explains_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed_release(tmp_path / "flowbench")
    names = run_recipes(tmp_path, monkeypatch)
    assert names["flow"].shape == (24, 32, 2)
    assert names["video"].shape[1:] == (HEIGHT, WIDTH, 3)
    assert names["frame"].shape == (HEIGHT, WIDTH, 3)
    text = (tmp_path / "flowbench" / CARD).read_text()
    assert "- `sim_test`: every sample asks" in text
    assert "- `selection_test`: every sample shows" in text
    assert text.count("- World frame") == 1
    assert "--width 32 --height 24" in text
    assert html(text).count("<table>") == 2 + 2 + 1 + 1 + 3 + 4 * 2 + 1  # config, samples; pictures; columns; builders
    assert {"optical-flow", "image-retrieval"} <= set(yaml.safe_load(text.split("---\n")[1])["tags"])


def test_the_prose_documents_everything(parent: Path) -> None:
    text = (parent / "flowbench" / CARD).read_text()
    for config in CONFIGS:
        for column in config_spec(config).columns:
            assert f"| `{column.name}` |" in text
        for field in describe(config_spec(config).record):
            assert f"| `{field.path}` |" in text
    for wanted in (
        *("| `selection_train` | event | 1 | A 100% | 1 100% |", "| counterfactual | 0 | 1 | 1 |"),
        *("| event | future-order-10 | 1 | 1 |  |", "| the scene as it is | 15 |", "## Columns of `retrieval_corpus`"),
        *("title = {DynaPix:", "binary or null", "`json` has the fields listed above.", "--simulator bullet --out"),
    ):
        assert wanted in text
    assert "--width" not in text
    assert "optical flow" not in text
    assert "{{" not in text
    assert "{%" not in text
    assert html(text).count("<table>") == 1 + 2 + 1 + 1 + 5 + 2 + 2 + 1 + 2 + 1
    assert "|---" not in html(text)


def test_preset_paper_is_told_of_both_families(parent: Path) -> None:
    manifest = read_manifest(parent / "flowbench").model_copy(update={"preset": "paper"})
    text = card_text(parent / "flowbench", manifest)
    assert text.count("- The preset `paper` asks the paper's queries") == 2


def test_the_yaml_counts_what_there_is(parent: Path) -> None:
    data = yaml.safe_load((parent / "flowbench" / CARD).read_text().split("---\n")[1])
    assert [config["config_name"] for config in data["configs"]] == list(CONFIGS)
    assert data["tags"][0] == "webdataset"
    assert "optical-flow" not in data["tags"]
    assert len(set(data["tags"])) == len(data["tags"])


def test_every_config_has_its_picture(parent: Path) -> None:
    for config in CONFIGS:
        root = parent / "flowbench"
        data = (root / preview_path(config)).read_bytes()
        assert data == preview(root, read_manifest(root), config)
        assert f"]({preview_path(config)})" in (root / CARD).read_text()


def test_the_right_candidate_is_framed_below_the_observation(parent: Path) -> None:
    """Three samples: a row of six small frames, and below it four candidates with one framed."""
    shown = cv2.imread(str(parent / "flowbench" / preview_path("selection_test")))[..., ::-1]
    small, wide = (106, 160), (160, 240)
    assert shown.shape == (3 * (small[0] + 6 + wide[0]) + 2 * 24, 6 * small[1] + 5 * 6, 3)
    tops = [row * (small[0] + 6 + wide[0] + 24) + small[0] + 6 for row in range(3)]
    corners = [[tuple(shown[top, place * (wide[1] + 6)]) == GREEN for place in range(4)] for top in tops]
    assert sorted(corner.index(True) for corner in corners) == [0, 1, 2]
    assert all(sum(corner) == 1 for corner in corners)


def test_a_query_without_a_corpus_has_its_strip_alone(tmp_path: Path) -> None:
    make_dynapix_release(tmp_path, 1, ("retrieval_test",))
    assert decode_rgb((tmp_path / preview_path("retrieval_test")).read_bytes()).shape == (106, 990, 3)


def test_a_matched_sample_without_video_has_its_candidates_alone(tmp_path: Path) -> None:
    make_dynapix_release(tmp_path, 1, ("selection_matched",))
    assert decode_rgb((tmp_path / preview_path("selection_matched")).read_bytes()).shape == (160, 978, 3)


def test_the_card_is_the_same_text_every_time(parent: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(parent / "flowbench", tmp_path / "elsewhere"))
    write_card(copy, read_manifest(copy))
    for name in (CARD, *map(preview_path, CONFIGS)):
        assert (copy / name).read_bytes() == (parent / "flowbench" / name).read_bytes()


def test_what_texts_hold_stays_text(tmp_path: Path) -> None:
    evil = "a | b\n# c <script>alert(1)</script> ![x](http://x/y.png)?"
    make_dynapix_release(tmp_path, 1, ("selection_test",), query=evil, subtype=evil, category=evil)
    page = html((tmp_path / CARD).read_text())
    assert "<script>" not in page
    assert "<h1>c" not in page
    assert 'src="http' not in page
    assert page.count("<table>") == 6


def test_a_broken_video_is_told(parent: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(parent / "flowbench", tmp_path / "copy"))
    for shard in (copy / "data" / "selection_test").iterdir():
        shard.write_bytes(shard.read_bytes().replace(b"ftypisom", b"ftypnone").replace(b"moov", b"none"))
    with pytest.raises(ReleaseError, match=r"^video\.mp4 of sample '[^\n]*$"):
        preview(copy, read_manifest(copy), "selection_test")


def test_tiles() -> None:
    image = painted(0, 30)
    assert reduced(image, 160).shape == (106, 160, 3)
    assert reduced(image, 480) is not image
    marked = framed(image)
    assert tuple(marked[0, 0]) == tuple(marked[-1, -1]) == GREEN
    assert np.array_equal(marked[4:-4, 4:-4], image[4:-4, 4:-4])
    both = joined([image, image[:100, :90]], axis=1, gap=10)
    assert both.shape == (320, 480 + 10 + 90, 3)
    assert (both[100:, 480:] == 255).all()
    assert np.array_equal(both[:, :480], image)
    assert np.array_equal(joined([image], axis=0), image)


def test_every_config_has_a_look_and_tables() -> None:
    from flowbench.cards.preview import _LOOKS
    from flowbench.cards.recipes import _NAMES
    from flowbench.cards.tables import _COLUMNS, _TABLES

    for known in (_LOOKS, _NAMES, _COLUMNS, _TABLES):
        assert {spec.record for spec in SPECS.values()} <= known.keys()
