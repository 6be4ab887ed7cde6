"""`flowbench build --rewriter`: its options, its place in a build's identity, and when it is asked."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.building import build, counting, published
from support.chat import KEY, MODEL, ChatServer, chat, sends
from support.reports import REPORT

from flowbench.builders import runner
from flowbench.builders.options import BuildOptions
from flowbench.builders.producer import Job
from flowbench.builders.rewriting import KEY_VARIABLE, RewriterError, RewriterSettings
from flowbench.builders.units import shard_digest
from flowbench.cli import main
from flowbench.errors import UsageError

__all__ = ["chat", "counting"]

LINE = "build sim_train --out {out} --rewriter {url} --rewriter-model {model}"


def line(chat: ChatServer, out: Path) -> list[str]:
    return LINE.format(out=out, url=chat.url, model=MODEL).split()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def settings(chat: ChatServer, cache: Path, model: str = MODEL) -> RewriterSettings:
    return RewriterSettings.of(chat.url, model, cache)


@pytest.mark.parametrize("cache", [None, "my/cache"])
def test_the_options_reach_the_runner(cache: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[BuildOptions] = []
    fake = SimpleNamespace(build=lambda options, _: calls.append(options) or REPORT)
    monkeypatch.setitem(sys.modules, "flowbench.builders.runner", fake)  # type: ignore[arg-type]
    more = [] if cache is None else ["--rewriter-cache", cache]
    arguments = LINE.format(out="x/flowbench", url="https://llm.example.org/v1/", model=MODEL).split()
    assert main([*arguments, *more]) == 0
    wanted = RewriterSettings(MODEL, "https://llm.example.org/v1", cache or "x/flowbench/.build/rewritten")
    assert calls[0].rewriter == wanted


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--rewriter https://llm.example.org/v1", "go together"),
        ("--rewriter-model tiny", "go together"),
        ("--rewriter-cache x", "go together"),
        ("--rewriter http://llm.example.org/v1 --rewriter-model tiny", "another machine"),
        ("--rewriter https://me:hunter2@llm.example.org/v1 --rewriter-model tiny", "a user, a password"),
        ("--rewriter https://llm.example.org/v1 --rewriter-model /tiny", "--rewriter-model"),
    ],
)
def test_wrong_options_are_one_sentence(
    arguments: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "sim_train", "--out", str(tmp_path / "r"), *arguments.split()]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.startswith("flowbench: --rewriter")
    assert error.count("\n") == 1
    assert "hunter2" not in error
    assert not (tmp_path / "r").exists()


def test_an_endpoint_that_does_not_answer_is_told_before_anything_is_built(
    chat: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    chat.close()
    assert main([*line(chat, tmp_path / "r"), "--debug"]) == 2
    captured = capsys.readouterr()
    sentence = captured.err.splitlines()[-1]
    assert re.match(r"flowbench: the rewriter at http://127\.0\.0\.1:\d+/v1 \(model tiny-model\) cannot be", sentence)
    assert KEY not in captured.err + captured.out
    assert not (tmp_path / "r").exists()


def test_a_refused_key_is_told_before_anything_is_built(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [sends(b"", 401)]
    with pytest.raises(RewriterError, match=KEY_VARIABLE) as caught:
        build(tmp_path / "r", rewriter=settings(chat, tmp_path / "cache"))
    assert KEY not in str(caught.value)
    assert not (tmp_path / "r").exists()


def test_a_directory_belongs_to_one_model(chat: ChatServer, tmp_path: Path) -> None:
    out, cache = tmp_path / "r", tmp_path / "cache"
    build(out, rewriter=settings(chat, cache))
    before = published(out)
    assert not build(out, rewriter=settings(chat, tmp_path / "elsewhere")).changed
    for other in (None, settings(chat, cache, "other-model")):
        with pytest.raises(UsageError, match=r"holds a build with rewriter tiny-model \(prompt 1\)"):
            build(out, rewriter=other)
    assert published(out) == before
    build(tmp_path / "plain")
    with pytest.raises(UsageError, match=r"tiny-model \(prompt 1\) was asked for"):
        build(tmp_path / "plain", rewriter=settings(chat, cache))


def test_what_a_shard_is_made_from_does_not_go_by_where_the_model_is(chat: ChatServer, tmp_path: Path) -> None:
    def digest(rewriter: RewriterSettings | None) -> str:
        return shard_digest(Job("c", "p", 0, "balanced", "bullet", 8, 6, rewriter), "x.tar", ())

    here, there = (
        RewriterSettings.of(url, MODEL, tmp_path / url[-4:]) for url in (chat.url, "https://llm.example.org")
    )
    assert digest(here) == digest(there)
    assert len({digest(here), digest(None), digest(settings(chat, tmp_path, "other-model"))}) == 3


def test_the_runner_hands_the_rewriter_on(chat: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    real = runner.producer_of
    monkeypatch.setattr(runner, "producer_of", lambda job: jobs.append(job) or real(job))
    build(tmp_path / "r", rewriter=settings(chat, tmp_path / "cache"))
    assert [job.rewriter for job in jobs] == [settings(chat, tmp_path / "cache")]
    assert len(chat.requests) == 1  # the check; the counting producer has no words
