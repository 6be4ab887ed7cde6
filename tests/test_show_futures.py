"""The pages of selection, retrieval and its corpus: complete, self-contained, deaf to what a record says."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.pages import EVIL, VIDEOS, Page, check_harmless, pixels
from support.synthetic_dynapix import (
    SHOWN,
    clip,
    corpus_sample,
    frame_id,
    make_dynapix_release,
    matched_changes,
    painted,
    retrieval_record,
    retrieval_sample,
    selection_record,
    selection_sample,
)

from flowbench.cli import main
from flowbench.encoding.video import decode_video, encode_video
from flowbench.errors import ReleaseError
from flowbench.release import MANIFEST, Sample, index_path, read_manifest
from flowbench.schema.dynapix import SelectionRecord
from flowbench.viewing.corpus import CorpusFrame, read_frames
from flowbench.viewing.futures import (
    CORPUS_COLUMNS,
    RETRIEVAL_COLUMNS,
    SELECTION_COLUMNS,
    corpus_card,
    retrieval_card,
    selection_card,
)
from flowbench.viewing.gallery import make_gallery
from flowbench.viewing.page import Heading, render_page

SELECTION, RETRIEVAL, CORPUS = "selection.html.j2", "retrieval.html.j2", "corpus.html.j2"
FRAMES = ("selection_test", "selection_matched", "retrieval_train", "retrieval_test", "retrieval_corpus")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three scenes of each config. Read only."""
    folder = tmp_path_factory.mktemp("futures") / "flowbench"
    make_dynapix_release(folder, 3)
    return folder


def page_of(card: Any, name: str = SELECTION) -> Page:
    return check_harmless(render_page(Heading("x", {"seed": "0"}, {}), [card], name), videos=name != CORPUS)


def tags(page: Page, name: str) -> list[dict[str, str | None]]:
    return [attributes for tag, attributes in page.tags if tag == name]


def test_the_page_of_a_selection_shows_everything() -> None:
    sample, record = selection_sample("a-1", 1), selection_record("a-1", 1)
    page = page_of(selection_card(sample, "test"))
    shown = page.shown().replace("\N{NO-BREAK SPACE}", " ")
    for text in (
        *(record.id, record.query, record.subtype, str(record.rationale), "Answer B", "time", "test", "synthetic"),
        *("41, 20 frames (0.80 s) after the cut", "2 of 4", "30.0 px to the nearest distractor", "frames 16 to 21"),
        *("the same run, frame 31: 10 frames early", "the true future, frame 41", "frame 51: 10 frames late"),
        *("6 frames, 0.24 s", '"target_frame": 41'),
    ):
        assert text in shown
    stills = [image for image in page.images() if str(image["alt"]).startswith("frame ")]
    assert [image["alt"] for image in stills] == [f"frame {number}" for number in SHOWN]
    assert [image["alt"] for image in page.images()][len(stills) :] == list("ABCD")
    for place, image in enumerate(page.images()[len(stills) :]):
        difference = pixels(image["src"]).astype(int) - painted(1, record.candidates[place].frame)
        assert np.abs(difference).mean() < 2


def test_the_right_candidate_alone_is_marked() -> None:
    for number in range(4):
        page = page_of(selection_card(selection_sample("a", number), "test"))
        marked = [attributes["class"] for attributes in tags(page, "figure")]
        assert [name == "shot right" for name in marked] == [place == number for place in range(4)]


def test_the_answer_is_hidden_until_it_is_asked_for() -> None:
    for card, name in (
        (selection_card(selection_sample("a", 1), "test"), SELECTION),
        (retrieval_card(retrieval_sample("a", 1, train=True), "train", {}), RETRIEVAL),
    ):
        details = tags(page_of(card, name), "details")
        assert len(details) == 2
        assert all("open" not in attributes for attributes in details)


def test_the_video_plays_and_is_not_the_release_s_own() -> None:
    (video,) = tags(page_of(selection_card(selection_sample("a", 1), "test")), "video")
    assert {"controls", "loop", "muted"} <= set(video)
    data = base64.b64decode(str(video["src"]).removeprefix(VIDEOS))
    assert data != clip(1)
    difference = decode_video(data).astype(int) - decode_video(clip(1))
    assert np.abs(difference).mean() < 2
    poster = pixels(video["poster"]).astype(int)
    assert np.abs(poster - painted(1, SHOWN[-1])).mean() < 3


def test_controls_say_what_they_show() -> None:
    silent = page_of(selection_card(selection_sample("a", 0, **matched_changes(0)), "test"))
    assert tags(silent, "video") == []
    assert "Nothing is shown." in silent.shown()
    assert "Control candidates_only" in silent.shown()
    shuffled = page_of(selection_card(selection_sample("a", 2, **matched_changes(2)), "test"))
    assert "frames 16 to 21, shuffled" in shuffled.shown()
    assert [image["alt"] for image in shuffled.images()][:2] == ["frame 21", "frame 20"]


def test_a_rationale_is_told_in_its_parts() -> None:
    text = "Scene parse. A cube rests. Motion analysis. A ball rolls. Prediction. It hits. Outcome. The cube slides."
    card = selection_card(selection_sample("a", 0, rationale=text), "test")
    assert [part.partition(".")[0] for part in card.rationale] == [
        *("Scene parse", "Motion analysis", "Prediction", "Outcome")
    ]
    assert " ".join(card.rationale) == text
    assert "How it follows" not in page_of(selection_card(selection_sample("a", 0, rationale=None), "t")).shown()


def test_a_query_is_shown_with_its_frames_from_the_corpus(release: Path) -> None:
    manifest = read_manifest(release)
    record = retrieval_record("a", 2)
    frames = read_frames(release, manifest, [record.target_frame_id, *record.negatives])
    page = page_of(retrieval_card(retrieval_sample("a", 2), "test", frames), RETRIEVAL)
    shown = page.shown()
    for text in (
        *(record.query, record.target_frame_id, *record.negatives, "Taken away the red rubber disc", "Frame 41"),
        *("the frame to be found: run without body 1, frame 41", "looks like it: the scene as it is, frame 29"),
        *("without the red rubber disc", "24.0 px"),
    ):
        assert text in shown.replace("\N{NO-BREAK SPACE}", " ")
    target = next(image for image in page.images() if image["alt"] == record.target_frame_id)
    assert np.abs(pixels(target["src"]).astype(int) - painted(2, 41, 1)).mean() < 2


def test_a_query_without_a_corpus_names_its_frames(tmp_path: Path) -> None:
    make_dynapix_release(tmp_path / "flowbench", 1, ("retrieval_test",))
    text, shown = make_gallery(tmp_path / "flowbench", "retrieval_test", 1)
    assert shown == 1
    page = check_harmless(text, videos=True)
    assert page.shown().count("not in this release") == 5
    assert frame_id(0, "factual", 41) in page.shown()


def test_a_training_query_shows_its_own_pictures() -> None:
    page = page_of(retrieval_card(retrieval_sample("a", 0, train=True), "train", {}), RETRIEVAL)
    assert "builder 3" in page.shown()
    assert [image["alt"] for image in page.images()][-5:] == [
        *(frame_id(0, "factual", frame) for frame in (41, 29, 49, 57, 65)),
    ]


def test_the_corpus_is_a_contact_sheet(release: Path) -> None:
    text, shown = make_gallery(release, "retrieval_corpus", 9)
    page = check_harmless(text, videos=False)
    assert shown == 9
    assert len(page.images()) == 9
    assert "the scene as it is, frame" in page.shown()


@pytest.mark.parametrize("config", FRAMES)
def test_the_command_writes_every_page(config: str, release: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert main(["show", str(release), config, "--n", "2", "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    page = check_harmless(text, videos=config != "retrieval_corpus")
    assert config in page.shown()
    assert make_gallery(release, config, 2)[0] == text  # the same every time


def evil_strings(value: Any) -> Any:
    """The same value with every text replaced."""
    if isinstance(value, dict):
        return {key: evil_strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [evil_strings(item) for item in value]
    return EVIL if isinstance(value, str) else value


def test_script_in_every_text_field_stays_text(tmp_path: Path) -> None:
    meaning = {"id", "answer", "candidates", "target_frame_id", "negatives", "frame_id"}  # these are looked up
    for config, made in (
        ("selection_train", selection_record("x", 0)),
        ("retrieval_train", retrieval_record("x", 2)),
        ("retrieval_corpus", None),
    ):
        record = {} if made is None else evil_strings(made.model_dump())
        changes = {name: value for name, value in record.items() if name not in meaning}
        changes |= {"variant": EVIL, "source": EVIL, "scene_id": EVIL} if made is None else {}
        if isinstance(made, SelectionRecord):
            candidates = [{**each.model_dump(), "kind": EVIL, "variant": EVIL} for each in made.candidates]
            changes |= {"candidates": candidates, "answer": "A", "anchor": EVIL, "control": EVIL, "pair": EVIL}
        root = tmp_path / config
        manifest = make_dynapix_release(root, 2, (config,), **changes)
        evil = manifest.model_copy(update={"preset": EVIL, "simulator": EVIL, "builder_version": EVIL})
        (root / MANIFEST).write_bytes(evil.to_bytes())
        text, _ = make_gallery(root, config, 2)
        page = check_harmless(text, videos=made is not None)
        assert page.shown().count("<script>alert(1)</script>") > 4
        assert "{{ 7 * 7 }}" in page.shown()


@pytest.mark.parametrize("fps", [0, -5, 10**9])
def test_hostile_numbers_do_no_harm(fps: int) -> None:
    prefix = {"first": -(10**12), "last": 10**12, "fps": fps, "shown": list(SHOWN)}
    card = selection_card(selection_sample("a", 1, prefix=prefix, horizon=-7, margin=1e300), "test")
    assert card.clip is not None
    assert 0 < card.clip.seconds < 10
    page_of(card)


MAKERS: dict[str, tuple[Sample, frozenset[str], Callable[[Sample], Any]]] = {
    "selection": (selection_sample("a-1", 1), SELECTION_COLUMNS, lambda each: selection_card(each, "test")),
    "retrieval": (
        retrieval_sample("a-1", 1, train=True),
        RETRIEVAL_COLUMNS,
        lambda each: retrieval_card(each, "test", {}),
    ),
    "corpus": (corpus_sample(1, "factual", 41), CORPUS_COLUMNS, lambda each: corpus_card(each, "test")),
}


@pytest.mark.parametrize(
    ("kind", "column"), [(kind, column) for kind, (_, columns, _) in MAKERS.items() for column in sorted(columns)]
)
def test_a_broken_or_missing_member_is_told_with_its_sample(kind: str, column: str) -> None:
    sample, _, make = MAKERS[kind]
    with pytest.raises(ReleaseError, match=rf"^{re.escape(column)} of sample '{sample.key}' [^\n]*$"):
        make(Sample(sample.key, {**sample.members, column: b"{}"}))
    left = {name: data for name, data in sample.members.items() if name != column}
    if column == "target.png":  # of a test query: the corpus has it
        assert make(Sample(sample.key, left)).shots[0].uri is None
        return
    with pytest.raises(ReleaseError, match=rf"^sample '{sample.key}' has no '{re.escape(column)}' member"):
        make(Sample(sample.key, left))


@pytest.mark.parametrize("changes", [{"answer": "E"}, {"answer": ""}, {"answer": "AB"}, {"candidates": []}])
def test_an_answer_that_no_candidate_has_is_told(changes: dict[str, Any]) -> None:
    with pytest.raises(ReleaseError, match=r"^the answer of sample 'a' is .*expected one of four: build"):
        selection_card(selection_sample("a", 1, **changes) if "answer" in changes else _without_candidates(), "test")


def _without_candidates() -> Sample:
    sample = selection_sample("a", 1)
    text = selection_record("a", 1, candidates=[]).model_dump_json().encode()
    return Sample("a", {**sample.members, "json": text})


def test_a_video_of_another_length_is_told() -> None:
    members = {**selection_sample("a", 1).members, "video.mp4": encode_video(np.zeros((2, 8, 8, 3), np.uint8), 25)}
    with pytest.raises(ReleaseError, match=r"^video\.mp4 of sample 'a' has 2 frames, expected the 6 of its record"):
        selection_card(Sample("a", members), "test")


def test_a_frame_that_the_corpus_lacks_is_told(release: Path, tmp_path: Path) -> None:
    import shutil

    import polars as pl

    manifest = read_manifest(release)
    with pytest.raises(ReleaseError, match="lacks the frame 'nowhere' of a query"):
        read_frames(release, manifest, ["nowhere"])
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    path = copy / index_path("retrieval_corpus", "test")
    pl.read_parquet(path).with_columns(shard=pl.lit("../../etc/passwd")).write_parquet(path)
    with pytest.raises(ReleaseError, match="shard of the manifest"):
        make_gallery(copy, "retrieval_test", 1)
    path.write_bytes(b"PAR1")
    with pytest.raises(ReleaseError, match=r"test\.parquet cannot be read as an index"):
        make_gallery(copy, "retrieval_test", 1)


def test_frames_are_found_by_name(release: Path) -> None:
    name = frame_id(1, "erased-1", 41)
    frames = read_frames(release, read_manifest(release), [name, name])
    assert isinstance(frames[name], CorpusFrame)
    assert list(frames) == [name]
    assert np.array_equal(frames[name].picture, painted(1, 41, 1))


def test_more_negatives_than_pictures_are_named() -> None:
    names = [frame_id(0, "factual", frame) for frame in (29, 49, 57, 65, 80)]
    card = retrieval_card(retrieval_sample("a", 0, train=True, negatives=names), "train", {})
    assert [shot.uri is None for shot in card.shots] == [False] * 5 + [True]
    assert names[-1] in page_of(card, RETRIEVAL).shown()
