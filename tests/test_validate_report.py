"""The report of a validation: complete, self-contained, deaf to what a release says."""

from __future__ import annotations

import base64
import dataclasses
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console
from support.pages import EVIL, Page, check_harmless, pixels
from support.synthetic import HEIGHT, WIDTH, make_release
from support.validating import Reading, Telling, Whole, change_shard, make_valid_release, with_integrity

from flowbench.progress import Silent
from flowbench.release import read_manifest
from flowbench.validation.corruption import Draft
from flowbench.validation.report import charts, pictures
from flowbench.validation.report.page import report_page
from flowbench.validation.report.plots import plots_of
from flowbench.validation.report.terminal import print_result, verdict
from flowbench.validation.results import ConfigResult
from flowbench.validation.runner import Validation, validate
from flowbench.validation.suites.base import Share, Violation

SHARES = [
    Share(category, rule, 0.5 + 0.1 * place, 0.4 + 0.1 * place, 0.6 + 0.1 * place, 0.5)
    for category in ("left_right", "near_object", "closer_to")
    for place, rule in enumerate(("majority", "before"))
]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_valid_release(tmp_path_factory.mktemp("clean") / "flowbench", 6, ("sim_train",))


@pytest.fixture(scope="module")
def telling(clean: Path) -> Validation:
    return validate(clean, [], 1, Silent(), with_integrity(Telling(), Whole()))


def images(page: Page) -> dict[str, str]:
    return {str(image["alt"]): str(image["src"]) for image in page.images()}


def svg(uri: str) -> ElementTree.Element:
    assert uri.startswith("data:image/svg+xml;base64,")
    return ElementTree.fromstring(base64.b64decode(uri.partition(",")[2]))


def check_still(root: ElementTree.Element) -> None:
    """Nothing in a plot runs or loads anything."""
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        assert tag not in ("script", "foreignObject", "a", "iframe")
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith(("#", "data:image/png"))


def test_the_page_of_a_good_release(clean: Path) -> None:
    found = validate(clean, [], 1, Silent(), with_integrity(Reading()))
    page = check_harmless(report_page(found))
    shown = page.shown()
    for text in ("Valid", "sim_train passes all 2 suites", "The flow can be read.", "closer to", "Margins", "Marks"):
        assert text in shown
    assert "Samples that break rules" not in shown
    assert len(page.images()) == 5
    for uri in images(page).values():
        check_still(svg(uri))


def test_the_page_says_what_is_wrong_with_both_values(telling: Validation) -> None:
    page = check_harmless(report_page(telling))
    shown = page.shown()
    for text in ("Not valid", "sim_train fails telling: 4 violations", "told so", "another category", "train-00003"):
        assert text in shown
    assert shown.count("telling: told so") == 4
    shots = [pixels(str(image["src"])) for image in page.images() if image["alt"] in ("before marked", "after marked")]
    assert [shot.shape for shot in shots] == [(HEIGHT, WIDTH, 3)] * 8
    assert np.abs(shots[0].astype(int) - shots[1]).max() > 20


def test_the_same_findings_give_the_same_page(telling: Validation) -> None:
    assert report_page(telling) == report_page(telling)


def test_a_picture_that_cannot_be_decoded_is_left_out(tmp_path: Path) -> None:
    root = make_valid_release(tmp_path / "flowbench", 2, ("sim_test",))

    def garble(drafts: list[Draft]) -> list[Draft]:
        drafts[0].members["after_marked.png"] = drafts[0].members["depth_after.png16"]
        return drafts

    change_shard(root, garble)
    page = check_harmless(report_page(validate(root, [], 1, Silent(), with_integrity())))
    assert "after marked cannot be shown" in page.shown()
    assert "before marked" in images(page)


def test_a_release_that_cannot_be_read_has_a_page(tmp_path: Path) -> None:
    root = make_valid_release(tmp_path / "flowbench", 2, ("sim_test",))
    for path in (*root.glob("data/*/*"), *root.glob("index/*/*"), root / "README.md"):
        path.write_bytes(b"x")
    page = check_harmless(report_page(validate(root, [], 1, Silent(), with_integrity(Whole()))))
    assert "shard cannot be read" in page.shown()
    assert "Not run: the index cannot be read." in page.shown()


def test_pictures_are_few_and_small(telling: Validation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST", 3)
    monkeypatch.setattr(pictures, "_WIDTH", 16)
    result = telling.results["sim_train"]
    shown, left_out = pictures.culprits_of(telling.root, telling.manifest, result)
    assert [culprit.key for culprit in shown] == ["train-00000", "train-00003", "validation-00006"]
    assert left_out == 1
    assert {pixels(uri).shape for culprit in shown for _, uri in culprit.pictures} == {(12, 16, 3)}


def test_every_rule_has_its_turn(telling: Validation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST", 2)
    result = telling.results["sim_train"]
    suite = next(each for each in result.suites if each.name == "telling")
    last = dataclasses.replace(suite.kept[-1], rule="another")
    changed = suite.model_copy(update={"kept": (*suite.kept[:-1], last)})
    shown, _ = pictures.culprits_of(telling.root, telling.manifest, result.model_copy(update={"suites": (changed,)}))
    assert [culprit.key for culprit in shown] == [suite.kept[0].key, suite.kept[-1].key]


def test_files_that_the_manifest_does_not_list_are_not_opened(telling: Validation, tmp_path: Path) -> None:
    result = telling.results["sim_train"]
    place = Violation("rule", "found", "expected", key="key", file="../../../etc/passwd")
    suite = result.suites[0].model_copy(update={"kept": (place,)})
    shown, _ = pictures.culprits_of(telling.root, telling.manifest, result.model_copy(update={"suites": (suite,)}))
    assert [uri for culprit in shown for _, uri in culprit.pictures] == [None, None]


def test_texts_of_a_release_stay_texts(tmp_path: Path) -> None:
    root = tmp_path / "flowbench"
    motion = {"direction": EVIL, "distance": 1.0, "length_band": EVIL, "right": 1.0, "away": 0.0}
    make_release(
        root,
        2,
        ("sim_test",),
        category=EVIL,
        motion_text=EVIL,
        question=EVIL,
        choices=[EVIL, EVIL],
        margin_unit=EVIL,
        motion={**motion, "world": [1.0, 0.0, 0.0], "camera": [1.0, 0.0, 0.0]},
    )
    found = validate(root, [], 1, Silent(), with_integrity(Telling(frozenset({EVIL}), EVIL)))
    page = check_harmless(report_page(found))
    assert "<script>alert(1)</script>" in page.shown()
    plots = [svg(uri) for uri in images(page).values() if "svg" in uri]
    assert len(plots) == 5
    for plot in plots:
        check_still(plot)


def test_shares_are_drawn_against_chance(telling: Validation) -> None:
    result = telling.results["sim_train"]
    suite = result.suites[0].model_copy(update={"shares": tuple(SHARES)})
    titles = [plot.title for plot in plots_of(telling.configs["sim_train"], result)]
    more = [
        plot.title for plot in plots_of(telling.configs["sim_train"], result.model_copy(update={"suites": (suite,)}))
    ]
    assert more == [*titles, "What pays without looking"]
    check_still(svg(charts.against_chance(SHARES, 0.03)))


def test_bars_have_the_colour_of_the_verdict() -> None:
    verdicts = {"yes": charts.BAD, "no": charts.ACCENT, "not seen": charts.ACCENT}
    verdicts |= {"too few to tell": charts.UNTOLD, "perhaps luck": charts.UNTOLD}
    for verdict_, colour in verdicts.items():
        uri = charts.against_chance([Share("left_right", "majority", 0.9, 0.8, 0.95, 0.5, verdict_)], 0.03)
        drawn = base64.b64decode(uri.partition(",")[2]).decode()
        filled = {each for each in (charts.BAD, charts.ACCENT, charts.UNTOLD) if f"fill: {each}" in drawn}
        assert filled == {colour}


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0], [np.inf, np.nan, 1.0]])
def test_odd_numbers_are_drawn(values: list[float]) -> None:
    check_still(svg(charts.histograms({"left_right": ("px", np.array(values, np.float64))})))
    check_still(svg(charts.lengths({"left": np.array(values, np.float64)}, "metres")))


def test_an_empty_config_has_no_plots(telling: Validation) -> None:
    config = telling.configs["sim_train"]
    empty = dataclasses.replace(config, index=config.index.clear(), facts=pl.DataFrame())
    bare: ConfigResult = telling.results["sim_train"].model_copy(update={"suites": ()})
    assert list(plots_of(empty, bare)) == []


def test_the_terminal_shows_suites_and_examples(telling: Validation) -> None:
    stream = io.StringIO()
    print_result(telling.results["sim_train"], Console(file=stream, width=100))
    text = stream.getvalue()
    for part in ("sim_train: 12 samples (train 6, validation 6)", "left_right", "telling: told so, 4 times", "found"):
        assert part in text
    assert verdict(telling.results["sim_train"]) == "sim_train fails telling: 4 violations"
    assert read_manifest(telling.root) == telling.manifest
