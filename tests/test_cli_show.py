"""What ``flowbench show`` refuses, and where it puts its page."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.synthetic import make_release

from flowbench.cli import main


@pytest.fixture
def release(tmp_path: Path) -> Path:
    make_release(tmp_path / "flowbench", n=2)
    return tmp_path / "flowbench"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["{tmp}", "sim_train"], "is not a release"),
        (["{tmp}/nothing", "sim_train"], "is not a release"),
        (["{release}", "sim_trian"], "has no config 'sim_trian'; it holds sim_test, sim_train"),
        (["{release}", "sim_train", "--n", "0"], "--n is 0"),
        (["{release}", "sim_train", "--n", "1000000"], "--n is 1,000,000"),
        (["{release}", "sim_train", "--n", "few"], "--n is 'few', but it must be a whole number"),
        (["{release}", "sim_train", "--out", "{tmp}"], "is the folder"),
        (["{release}", "sim_train", "--out", "{tmp}/nothing/.."], "is the folder"),
        (["{release}", "sim_train", "--out", "{release}/manifest.json/x/y.html"], "manifest.json is a file, not a"),
        (["{release}", "sim_train", "--out", "/proc/nothing/page.html"], "/proc/nothing"),
        (["{release}", "mine", "--profiles", "{tmp}/own.toml"], "own.toml, where no file is: name a TOML file"),
        (["{release}", "mine", "--profiles", "{release}"], "where no file is"),
    ],
)
def test_bad_arguments(
    arguments: list[str], sentence: str, release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = [argument.format(tmp=tmp_path, release=release) for argument in arguments]
    assert main(["show", *filled]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_link(path: Path) -> None:
    (path.parent / "target.html").write_text("theirs")
    path.symlink_to("target.html")


def put_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize("put", [put_pipe, put_link, put_dangling_link])
def test_only_a_plain_file_is_replaced(
    put: Callable[[Path], None], release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    put(path)
    before = path.lstat()
    assert main(["show", str(release), "sim_train", "--out", str(path)]) == 2
    assert re.fullmatch(r"flowbench: --out is .*, but it must name an \.html file.*\n", capsys.readouterr().err)
    assert (path.lstat().st_mode, path.lstat().st_ino) == (before.st_mode, before.st_ino)


def test_a_page_is_replaced(release: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("old")
    assert main(["show", str(release), "sim_train", "--n", "1", "--out", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_unfinished_build_is_not_taken_for_something_else(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / "manifest.json").unlink()
    (release / ".build").mkdir()
    assert main(["show", str(release), "sim_train", "--out", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == (
        f"flowbench: {release} holds an unfinished build: run the same 'flowbench build' command again.\n"
    )
