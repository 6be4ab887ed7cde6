"""The rewriter: what it makes of a model's answers, what it remembers, and what it never touches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.cases import CATEGORIES
from support.chat import KEY, MODEL, ChatServer, asked, chat, other_words, reworded, says, sends
from support.told import every

from flowbench.builders.rewriting import (
    KEY_VARIABLE,
    ChatRewriter,
    Kind,
    NoRewriter,
    RewriterError,
    RewriterSettings,
    Rewritten,
    Text,
    rewriter_of,
)
from flowbench.builders.rewriting.cache import Cache, Entry
from flowbench.builders.rewriting.client import Limits
from flowbench.builders.rewriting.rewriter import ROUNDS
from flowbench.builders.sim.rewording import STATEMENTS, reword
from flowbench.errors import UsageError

__all__ = ["chat"]

QUICK = Limits(seconds=5.0, tries=2, pause=0.0)
NAMES = ("the mug marked red", "the object marked blue")
TEXTS = (
    Text("motion", Kind.MOTION, "Suppose the mug marked red is moved 0.40 m to the left.", NAMES),
    Text("question", Kind.QUESTION, "Will the mug marked red be left of the object marked blue?", NAMES),
    Text("why", Kind.REASONING, "The mug marked red is left of the object marked blue. So it is yes: B.", NAMES, "B"),
)
RULES = {text.slot: text.text for text in TEXTS}
OTHERS = {text.slot: other_words(text.text) for text in TEXTS}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def rewriter(server: ChatServer, cache: Path, limits: Limits = QUICK) -> ChatRewriter:
    return ChatRewriter(RewriterSettings.of(server.url, MODEL, cache), limits)


def content(**changes: object) -> str:
    """A good answer, but for these texts."""
    return json.dumps(OTHERS | changes)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_without_a_rewriter_texts_stay() -> None:
    assert rewriter_of(None).rewrite(TEXTS) == NoRewriter().rewrite(TEXTS) == Rewritten(RULES, None)


def test_good_answers_are_taken_and_their_source_is_told(chat: ChatServer, tmp_path: Path) -> None:
    made = rewriter(chat, tmp_path).rewrite(TEXTS)
    assert made.texts == OTHERS
    assert made.source == Entry(endpoint=chat.url, model=MODEL, prompt="1", texts=OTHERS)
    [(_, body)] = chat.requests
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    entries = asked(body)
    assert {slot: entry["text"] for slot, entry in entries.items()} == RULES
    assert entries["why"]["keep"] == ["the mug marked red", "left", "the object marked blue", "yes", "B."]


def test_a_second_build_asks_nobody_and_says_the_same(chat: ChatServer, tmp_path: Path) -> None:
    first = rewriter(chat, tmp_path).rewrite(TEXTS)
    chat.close()
    files = bytes_of(tmp_path)
    assert rewriter(chat, tmp_path).rewrite(TEXTS) == first
    assert bytes_of(tmp_path) == files
    assert len(chat.requests) == 1
    with pytest.raises(RewriterError, match="cannot be reached"):
        rewriter(chat, tmp_path).rewrite(TEXTS[:2])


def test_other_models_and_texts_are_other_requests(chat: ChatServer, tmp_path: Path) -> None:
    rewriter(chat, tmp_path).rewrite(TEXTS)
    ChatRewriter(RewriterSettings.of(chat.url, "other-model", tmp_path), QUICK).rewrite(TEXTS)
    rewriter(chat, tmp_path).rewrite(TEXTS[:1])
    assert len(chat.requests) == len(list(tmp_path.glob("??/*.json"))) == 3


BAD = {
    "wrong number": {"motion": "Say that the mug marked red is moved 0.50 m to the left."},
    "wrong unit": {"motion": "Say that the mug marked red is moved 0.40 cm to the left."},
    "wrong direction": {"question": "Say, will the mug marked red be right of the object marked blue?"},
    "another object": {"question": "Say, will the mug marked red be left of the object marked green?"},
    "changed letter": {"why": "The mug marked red is left of the object marked blue, so it is yes: C."},
    "no letter": {"why": "The mug marked red is left of the object marked blue, so it is yes."},
    "answer given away": {"question": "Yes, will the mug marked red be left of the object marked blue?"},
    "no text": {"why": 7},
    "empty": {"why": ""},
    "link": {"question": OTHERS["question"].replace("?", " (see www://evil.example)?")},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_fails_the_checks_is_asked_for_again_and_then_keeps_its_words(
    bad: dict[str, object], chat: ChatServer, tmp_path: Path
) -> None:
    chat.script = [says(content(**bad))] * ROUNDS
    [slot] = bad
    expected = OTHERS | {slot: RULES[slot]}
    assert rewriter(chat, tmp_path).rewrite(TEXTS).texts == expected
    assert len(chat.requests) == ROUNDS
    for _, body in chat.requests[1:]:
        assert list(asked(body)) == [slot]
        assert asked(body)[slot]["refused_before_because"]
    chat.close()  # the outcome is remembered, not only what was good
    assert rewriter(chat, tmp_path).rewrite(TEXTS).texts == expected


def test_a_second_try_may_do_it(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says(content(**BAD["wrong number"])), says(content())]
    assert rewriter(chat, tmp_path).rewrite(TEXTS).texts == OTHERS
    assert len(chat.requests) == 2


@pytest.mark.parametrize(
    "said",
    [
        None,
        "",
        "I am sorry, but no.",
        "{",
        "[" * 50_000,
        "{}",
        "[1, 2]",
        '{"motion": {"motion": 1}}',
        "{" * 50_000 + "}",
    ],
)
def test_a_model_that_talks_nonsense_changes_nothing(said: str | None, chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says(said)] * ROUNDS
    made = rewriter(chat, tmp_path).rewrite(TEXTS)
    assert made.texts == RULES
    assert made.source is not None
    assert made.source.texts == {}


def test_a_huge_answer_changes_nothing(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says(content(extra="x" * 200_000))] * ROUNDS
    limits = Limits(tries=1, reply_bytes=100_000)
    assert rewriter(chat, tmp_path, limits).rewrite(TEXTS).texts == RULES


def test_fences_markup_and_control_characters_are_stripped(chat: ChatServer, tmp_path: Path) -> None:
    dirty = {slot: f"<p>**{text[:9]}\u202e\x07{text[9:]}**</p>\n" for slot, text in OTHERS.items()}
    chat.script = [says(f"Here you are:\n```json\n{json.dumps(dirty)}\n```")]
    assert rewriter(chat, tmp_path).rewrite(TEXTS).texts == OTHERS


def test_an_endpoint_that_fails_ends_the_build_and_nothing_is_remembered(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [sends(b"", 500)] * 2
    with pytest.raises(RewriterError, match="status 500"):
        rewriter(chat, tmp_path).rewrite(TEXTS)
    assert Cache(tmp_path).is_empty
    assert rewriter(chat, tmp_path).rewrite(TEXTS).texts == OTHERS


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b'{"texts": {}}', b"\xff", b" " * 2_000_000])
def test_a_spoilt_cache_file_is_asked_for_again(spoilt: bytes, chat: ChatServer, tmp_path: Path) -> None:
    first = rewriter(chat, tmp_path).rewrite(TEXTS)
    [path] = tmp_path.glob("??/*.json")
    whole = path.read_bytes()
    path.write_bytes(spoilt)
    assert rewriter(chat, tmp_path).rewrite(TEXTS) == first
    assert path.read_bytes() == whole
    assert len(chat.requests) == 2


def test_a_cache_that_was_tampered_with_can_change_no_meaning(chat: ChatServer, tmp_path: Path) -> None:
    rewriter(chat, tmp_path).rewrite(TEXTS)
    [path] = tmp_path.glob("??/*.json")
    path.write_text(path.read_text().replace("0.40 m", "0.90 m").replace("yes: B", "yes: C"))
    made = rewriter(chat, tmp_path).rewrite(TEXTS)
    assert made.texts == RULES | {"question": OTHERS["question"]}
    path.write_text(path.read_text().replace("http://127", "http://me:hunter2@127"))
    assert "hunter2" not in str(rewriter(chat, tmp_path).rewrite(TEXTS).source)


def test_of_two_workers_the_first_one_s_answer_counts(tmp_path: Path) -> None:
    first, second = (Entry(endpoint="https://x.org", model=MODEL, prompt="1", texts={"a": t}) for t in ("One.", "Two."))
    assert Cache(tmp_path).keep("ab12", first) == first
    assert Cache(tmp_path).keep("ab12", second) == first
    assert Cache(tmp_path).read("ab12") == first
    assert (tmp_path / "ab" / "ab12.json").read_bytes() == first.to_bytes()
    assert first.sha256 != second.sha256


def test_a_cache_that_cannot_be_is_one_sentence(chat: ChatServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="choose another --rewriter-cache"):
        rewriter(chat, tmp_path / "file").rewrite(TEXTS)


def test_the_key_is_in_no_file_and_no_setting(chat: ChatServer, tmp_path: Path) -> None:
    one = rewriter(chat, tmp_path)
    one.rewrite(TEXTS)
    assert chat.requests[0][0]["Authorization"].endswith(KEY)
    assert not any(KEY.encode() in data for data in bytes_of(tmp_path).values())
    assert KEY not in repr(vars(one)) + repr(RewriterSettings.of(chat.url, MODEL, tmp_path))
    assert KEY not in json.dumps(chat.requests[0][1])


def test_a_check_asks_once_where_the_cache_is_empty(chat: ChatServer, tmp_path: Path) -> None:
    settings = RewriterSettings.of(chat.url, MODEL, tmp_path / "cache")
    settings.check()
    assert len(chat.requests) == 1
    ChatRewriter(settings).rewrite(TEXTS)
    chat.close()
    settings.check()
    assert len(chat.requests) == 2


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_s_texts_can_be_reworded(category: str, chat: ChatServer, tmp_path: Path) -> None:
    """A model that only begins otherwise passes the checks everywhere, and nothing but those texts changes."""
    each = next(iter(every(category)))
    wording, reasoning, note = reword(rewriter(chat, tmp_path), each.wording, each.reasoning, each.letter)
    assert len(chat.requests) == 1
    assert note is not None
    [path] = tmp_path.glob("??/*.json")
    assert (note.endpoint, note.model, note.prompt) == (chat.url, MODEL, "1")
    assert note.cache_sha256 == Entry.model_validate_json(path.read_bytes()).sha256
    assert (wording.choices, wording.order, wording.names) == (
        each.wording.choices,
        each.wording.order,
        each.wording.names,
    )
    for field in ("motion", "question", "static_question"):
        assert getattr(wording, field) == other_words(getattr(each.wording, field))
    for field in STATEMENTS:
        assert getattr(reasoning, field) == other_words(getattr(each.reasoning, field))
    assert reword(NoRewriter(), each.wording, each.reasoning, each.letter) == (each.wording, each.reasoning, None)


def test_the_choices_are_not_shown_where_the_question_does_not_name_them(chat: ChatServer, tmp_path: Path) -> None:
    told = next(iter(every("closer_to")))
    said: dict[str, Any] = {}

    def giving_away(entries: dict[str, Any]) -> str:
        said.update(entries)
        good = json.loads(reworded(entries))
        if "question" in good:
            good["question"] = good["question"].replace("?", f", perhaps {told.wording.choices[0]}?")
        return json.dumps(good)

    chat.model = giving_away
    wording, _, _ = reword(rewriter(chat, tmp_path), told.wording, told.reasoning, told.letter)
    assert wording.question == told.wording.question
    assert not any(choice in json.dumps(said["question"]["text"]) for choice in told.wording.choices)
