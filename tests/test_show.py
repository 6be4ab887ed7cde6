"""The page of ``flowbench show``: complete, self-contained, deaf to what a record says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.pages import EVIL, Page, check_harmless, pixels
from support.synthetic import HEIGHT, WIDTH, instance_ids, make_record, make_release, make_sample

from flowbench.cli import main
from flowbench.errors import ReleaseError, UsageError
from flowbench.release import MANIFEST, Sample, index_path
from flowbench.viewing.cards import COLUMNS, make_card
from flowbench.viewing.gallery import make_gallery
from flowbench.viewing.page import Heading, render_page
from flowbench.viewing.picking import Entry, spread
from flowbench.viewing.segmentation import id_colour


def evil_strings(value: Any) -> Any:
    """The same value with every text replaced."""
    if isinstance(value, dict):
        return {key: evil_strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [evil_strings(item) for item in value]
    return EVIL if isinstance(value, str) else value


@pytest.fixture
def release(tmp_path: Path) -> Path:
    make_release(tmp_path / "flowbench", n=6)
    return tmp_path / "flowbench"


def test_the_page_shows_everything_of_a_sample() -> None:
    sample = make_sample("train-00001", 1)
    record = make_record("train-00001", 1)
    page = check_harmless(render_page(Heading("sim_train", {"seed": "0"}, {}), [make_card(sample, "train")]))
    shown = page.shown().replace("\N{NO-BREAK SPACE}", " ")
    for text in (
        *(record.id, record.motion_text, record.question, *record.choices, record.static_question),
        *(record.reasoning.gt, record.reasoning.after, record.reasoning.before),
        *("Answer A: left", "6 px past the ambiguous band, threshold 0.50 m", "the motion keeps it"),
        *("near object", "train", "synthetic", "Mug", "Box", "Wall", '"camera_from_world"'),
        *("full at 4.0 px", "1.7", "5.0 m"),
    ):
        assert text in shown
    alts = [image["alt"] for image in page.images()]
    assert alts == [
        *("before the motion", "before the motion, with marks", "after the motion", "after the motion, with marks"),
        *("optical flow", "colour wheel of directions", "depth before the motion", "depth after the motion"),
        *("depth colours, near to far", "segmentation before the motion", "segmentation after the motion"),
    ]
    by_alt = {image["alt"]: image["src"] for image in page.images()}
    assert pixels(by_alt["before the motion"]).shape == (HEIGHT, WIDTH, 3)
    segmentation = pixels(by_alt["segmentation after the motion"])
    ids = instance_ids(4)
    assert tuple(segmentation[ids == 2][0]) == id_colour(2)
    assert tuple(segmentation[ids == 700][0]) == id_colour(700, muted=True)
    flow = pixels(by_alt["optical flow"])
    assert tuple(flow[15, 7]) == (255, 0, 0), "to the right is red"
    assert tuple(flow[20, 20]) == (255, 255, 255), "rest is white"


def test_the_answer_is_hidden_until_it_is_asked_for() -> None:
    page = Page(render_page(Heading("sim_train", {}, {}), [make_card(make_sample("a-1", 1), "train")]))
    details = [attributes for tag, attributes in page.tags if tag == "details"]
    assert details
    assert all("open" not in attributes for attributes in details)
    checked = [attributes["id"] for tag, attributes in page.tags if tag == "input" and "checked" in attributes]
    assert checked == ["mode-1-before", "marks-1", "depth-1-before", "seg-1-before"]


def test_a_sample_without_before_answer_or_threshold() -> None:
    page = Page(render_page(Heading("sim_train", {}, {}), [make_card(make_sample("a-2", 2), "train")]))
    shown = page.shown()
    assert "no answer of its own" in shown
    assert "threshold 0" not in shown
    assert "the motion" not in shown.partition("Margin")[0].rpartition("no answer of its own")[2]


def test_script_in_every_text_field_stays_text(tmp_path: Path) -> None:
    record = evil_strings(make_record("x", 1).model_dump())
    meaning = {"id", "answer", "before_answer"}  # these are looked up, and refused where they name nothing
    changes = {name: value for name, value in record.items() if name not in meaning}
    manifest = make_release(tmp_path / "flowbench", n=2, configs=("sim_train",), **changes)
    evil = manifest.model_copy(update={"preset": EVIL, "simulator": EVIL, "builder_version": EVIL, "version": EVIL})
    (tmp_path / "flowbench" / MANIFEST).write_bytes(evil.to_bytes())
    text, shown = make_gallery(tmp_path / "flowbench", "sim_train", 4)
    page = check_harmless(text)
    assert shown == 4
    assert page.shown().count("<script>alert(1)</script>") > 4 * 15
    assert "49" not in page.shown()


def test_hostile_numbers_in_a_record_do_not_break_out_of_a_style() -> None:
    changes = {
        "marks": [make_record("x", 0).marks[0].model_copy(update={"rgb": [-5, 10**30, 7, 8]}).model_dump()],
        "segments": [
            {"id": 2, "object": "Mug|2", "type": "Mug", "after": None}
            | {"before": {"area": 99, "bbox": bbox, "size": size, "counts": "0"}}
            for bbox, size in [([1e308, -1e308, 0.0, 5.0], [24, 32]), ([1.0], [24, 32]), ([1.0, 2.0, 3.0, 4.0], [0, 0])]
        ],
    }
    card = make_card(make_sample("a-1", 1, **changes), "train")
    check_harmless(render_page(Heading("sim_train", {}, {}), [card]))
    assert card.legend[0].mark == "#00ff07"
    assert [entry.before is None for entry in card.legend] == [False, True, True]


@pytest.mark.parametrize(
    ("margin", "text"), [(291.2, "291 px"), (1e6, "1,000,000 px"), (0.3134, "0.31 px"), (1e-9, "less than 0.0001 px")]
)
def test_margins_read_well(margin: float, text: str) -> None:
    card = make_card(make_sample("a-1", 1, margin=margin), "train")
    shown = Page(render_page(Heading("sim_train", {}, {}), [card])).shown()
    assert f"Margin {text} past the ambiguous band" in shown


def test_the_same_release_gives_the_same_page(release: Path, tmp_path: Path) -> None:
    first = make_gallery(release, "sim_train", 5)
    release.rename(tmp_path / "elsewhere")
    assert make_gallery(tmp_path / "elsewhere", "sim_train", 5) == first


def test_samples_are_spread_over_categories(release: Path) -> None:
    text, shown = make_gallery(release, "sim_train", 6)
    assert shown == 6
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert sorted(headings) == ["closer to"] * 2 + ["left right"] * 2 + ["near object"] * 2
    assert make_gallery(release, "sim_train", 200)[1] == 12


def test_spreading_depends_on_ids_alone() -> None:
    entries = [Entry(f"s-{i}", "ab"[i % 7 == 0], "train", "x.tar") for i in range(40)]
    chosen = spread(entries, 6)
    assert [entry.category for entry in chosen] == ["a", "b"] * 3
    assert spread(entries[::-1], 6) == chosen
    assert [entry.category for entry in spread(entries, 40)][-1] == "a"
    assert len({entry.id for entry in spread(entries, 40)}) == 40


def test_the_command_writes_the_page_and_says_where(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", str(release), "sim_test", "--n", "2"]) == 0
    page = tmp_path / "flowbench-sim_test.html"
    assert str(page) in capsys.readouterr().out
    assert check_harmless(page.read_text(encoding="utf-8")).shown().count("Reveal the answer") == 2
    assert main(["show", str(release), "sim_train", "--out", str(tmp_path / "new" / "page.html")]) == 0
    assert (tmp_path / "new" / "page.html").is_file()


def break_index(root: Path) -> None:
    (root / index_path("sim_train", "train")).write_bytes(b"PAR1 no PAR1")


def remove_index(root: Path) -> None:
    (root / index_path("sim_train", "train")).unlink()


def cut_shards(root: Path) -> None:
    for shard in (root / "data" / "sim_train").iterdir():
        shard.write_bytes(shard.read_bytes()[:3000])


def empty_shards(root: Path) -> None:
    for shard in (root / "data" / "sim_train").iterdir():
        shard.write_bytes(bytes(10240))


@pytest.mark.parametrize("harm", [break_index, remove_index, cut_shards, empty_shards])
def test_a_broken_release_is_told_in_one_sentence(
    harm: Callable[[Path], None], release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    harm(release)
    assert main(["show", str(release), "sim_train", "--out", str(tmp_path / "page.html")]) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "again" in captured.err
    assert captured.out == ""
    assert not (tmp_path / "page.html").exists()


def test_an_index_that_names_a_foreign_shard_is_refused(release: Path) -> None:
    import polars as pl

    path = release / index_path("sim_train", "train")
    pl.read_parquet(path).with_columns(shard=pl.lit("../../etc/passwd")).write_parquet(path)
    with pytest.raises(ReleaseError, match="shard of the manifest"):
        make_gallery(release, "sim_train", 2)


def test_a_config_without_samples_is_told(release: Path) -> None:
    import polars as pl

    for split in ("train", "validation"):
        path = release / index_path("sim_train", split)
        pl.read_parquet(path).head(0).write_parquet(path)
    with pytest.raises(UsageError, match="has no samples to show"):
        make_gallery(release, "sim_train", 2)


def test_a_sample_without_a_member_is_told() -> None:
    sample = make_sample("a-1", 1)
    members = {column: data for column, data in sample.members.items() if column != "flow.png16"}
    with pytest.raises(ReleaseError, match=r"^sample 'a-1' has no 'flow.png16' member"):
        make_card(Sample("a-1", members), "train")


@pytest.mark.parametrize("column", sorted(COLUMNS))
def test_a_broken_member_is_told_with_its_sample(column: str) -> None:
    broken = Sample("a-1", {**make_sample("a-1", 1).members, column: b"{}"})
    with pytest.raises(ReleaseError, match=f"{re.escape(column)} of sample 'a-1' "):
        make_card(broken, "train")


@pytest.mark.parametrize("field", ["answer", "before_answer"])
@pytest.mark.parametrize("answer", ["E", "AZ", "a", "", "A, B"])
def test_an_answer_that_no_choice_has_is_told(field: str, answer: str) -> None:
    with pytest.raises(ReleaseError, match=f"^the {field} of sample 'a-1' is '{answer}', which none of its . choices"):
        make_card(make_sample("a-1", 1, **{field: answer}), "train")
