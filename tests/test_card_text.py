"""What the card says: tables, pictures, limits, and the repository once it is published; as Markdown that renders."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from markdown_it import MarkdownIt
from support.publishing import root, small_release
from support.synthetic import HEIGHT, WIDTH, instance_ids, make_release, picture

from flowbench.cards import card_text, published_in, write_card
from flowbench.cards.tiles import MOST_WIDTH, reduced
from flowbench.errors import ReleaseError
from flowbench.release import CARD, Manifest, preview_path, read_manifest

__all__ = ["root", "small_release"]

REPO = "org/flowbench"


def body(text: str) -> str:
    """The card without its YAML."""
    return text.split("---\n", 2)[2]


def html(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(body(text))


def published(root: Path, version: str = "0.1.0") -> Manifest:
    return read_manifest(root).model_copy(update={"version": version})


@pytest.mark.parametrize("repo", [None, REPO])
def test_every_table_renders(small_release: Path, repo: str | None) -> None:
    text = card_text(small_release, published(small_release), repo)
    page = html(text)
    assert page.count("<table>") == 2 + 2 + 2  # splits, categories; samples of both configs; columns, fields
    assert "|---" not in page
    assert page.count("```") == 0
    assert "<h1>FlowBench</h1>" in page


def test_answers_and_changes_are_counted(tmp_path: Path) -> None:
    make_release(tmp_path / "a", 3, ("sim_test",), category="left_right", answer="B", flipped=True)
    text = card_text(tmp_path / "a", read_manifest(tmp_path / "a"))
    assert "| `sim_test` | left_right | 3 | B 100% | 100% |" in text
    make_release(tmp_path / "b", 1, ("sim_test",), category="closest_three", answer="ABD", flipped=None)
    text = card_text(tmp_path / "b", read_manifest(tmp_path / "b"))
    assert "| `sim_test` | closest_three | 1 | ABD 100% |  |" in text


def test_many_answers_are_summed_up() -> None:
    from collections import Counter

    from flowbench.cards.tables import _answers

    assert _answers(Counter({"B": 1, "A": 2})) == "A 67%, B 33%"
    counts = Counter({"ABC": 3, "ABD": 3, "ABE": 2, "ACD": 2, "ACE": 1, "ADE": 1})
    assert _answers(counts) == "6 different, ABC the commonest with 25%"


def test_the_picture_shows_the_samples_that_the_table_tells_of(small_release: Path) -> None:
    text = (small_release / CARD).read_text()
    path = preview_path("sim_train")
    assert f"]({path})" in text
    shown = cv2.imread(str(small_release / path))[..., ::-1]
    rows, gap = 3, 6
    assert shown.shape == (rows * HEIGHT + (rows - 1) * gap, 3 * WIDTH + 2 * gap, 3)
    pictures = [picture(instance_ids(0), number, marked=True) for number in range(8)]
    tops = [shown[row * (HEIGHT + gap) :][:HEIGHT, :WIDTH] for row in range(rows)]
    assert all(any(np.array_equal(top, each) for each in pictures) for top in tops)
    assert (shown[:, WIDTH : WIDTH + gap] == 255).all()
    assert text.count("Suppose the mug marked red is moved 0.40 m to the right") == 2 * rows


def test_large_pictures_are_reduced_by_a_whole_factor() -> None:
    image = np.zeros((600, 800, 3), np.uint8)
    image[::2, ::2] = 255
    small = reduced(image)
    assert small.shape == (300, 400, 3)
    assert (small == 64).all()
    assert reduced(image[:, :MOST_WIDTH]).shape == (600, 400, 3)


def test_a_card_without_its_picture_shows_none_and_is_mended(root: Path) -> None:
    picture = root / preview_path("sim_test")
    before = picture.read_bytes()
    picture.unlink()
    assert "sim_test/preview.png)" not in card_text(root, read_manifest(root))
    write_card(root, read_manifest(root))
    assert picture.read_bytes() == before
    assert "sim_test/preview.png)" in (root / CARD).read_text()


def test_card_and_pictures_are_the_same_bytes_wherever_they_are_written(small_release: Path, root: Path) -> None:
    write_card(root, read_manifest(root))
    for name in (CARD, preview_path("sim_train"), preview_path("sim_test")):
        assert (root / name).read_bytes() == (small_release / name).read_bytes()


def test_a_published_card_loads_from_the_repository_by_version(small_release: Path) -> None:
    text = card_text(small_release, published(small_release, "1.2.3"), REPO)
    assert f'load_dataset("{REPO}", "sim_train", split="train", revision="v1.2.3", streaming=True)' in text
    assert f'snapshot_download("{REPO}", repo_type="dataset", revision="v1.2.3")' in text
    assert f"flowbench release verify {REPO} --version 1.2.3" in text
    assert 'load_dataset("flowbench"' not in text
    here = card_text(small_release, read_manifest(small_release))
    assert REPO not in here
    assert "revision=" not in here


def test_a_card_knows_where_it_was_published(root: Path) -> None:
    assert published_in(root, read_manifest(root)) is None
    write_card(root, published(root), REPO)
    assert published_in(root, published(root)) == REPO
    assert published_in(root, published(root, "0.2.0")) is None
    (root / CARD).unlink()
    assert published_in(root, published(root)) is None


def test_limits_licence_and_citation_are_told(small_release: Path) -> None:
    text = card_text(small_release, published(small_release), REPO)
    assert "### Known limits of these samples" in text
    assert "They are not\n  photographs" in text
    assert "licensed under CC-BY-4.0" in text
    assert "note = {Data set org/flowbench, version 0.1.0}" in text
    assert "can be guessed without looking" not in text
    paper = published(small_release).model_copy(update={"preset": "paper"})
    assert "can be guessed without looking" in card_text(small_release, paper, REPO)


def test_what_texts_hold_stays_text(tmp_path: Path) -> None:
    make_release(tmp_path, 1, ("sim_test",), question="a | b\n# c <script>alert(1)</script> ![x](http://x/y.png)?")
    text = card_text(tmp_path, read_manifest(tmp_path))
    page = html(text)
    assert "<script>" not in page
    assert "<h1>c" not in page
    assert 'src="http' not in page
    assert page.count("<table>") == 5
    assert "a | b # c" in page


@pytest.mark.parametrize("damage", ["missing", "no parquet"])
def test_a_broken_index_is_told(small_release: Path, tmp_path: Path, damage: str) -> None:
    copy = Path(shutil.copytree(small_release, tmp_path / "copy"))
    index = copy / "index/sim_test/test.parquet"
    if damage == "missing":
        index.unlink()
    else:
        index.write_bytes(b"PAR1")
    with pytest.raises(ReleaseError, match=r"test\.parquet cannot be read as an index"):
        card_text(copy, read_manifest(copy))
