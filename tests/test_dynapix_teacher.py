"""The teacher: what it is told, what of its texts is refused, what is remembered, and where its texts go."""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from support.chat import KEY, MODEL, ChatServer, chat, says, sends

from flowbench.builders.dynapix.narrating.grounding import refuse_told
from flowbench.builders.dynapix.narrating.predicates import Course, Predicates, State
from flowbench.builders.dynapix.narrating.teacher import TEMPERATURE, TRIES, Teacher, facts_of, teacher_of
from flowbench.builders.options import BuildOptions
from flowbench.builders.producer import Producer
from flowbench.builders.rewriting import KEY_VARIABLE, RewriterError, RewriterSettings
from flowbench.builders.rewriting.cache import Cache
from flowbench.builders.rewriting.client import Limits
from flowbench.builders.runner import producer_for
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import record_from_json, to_json
from flowbench.schema.dynapix import SelectionRecord
from flowbench.validation.dynapix.opened import OpenedSelection
from flowbench.validation.dynapix.questions import check_question
from flowbench.validation.dynapix.texts import check_rationale

__all__ = ["chat"]

RED, BLUE = "the red metal cube", "the blue rubber sphere"
FACTS = Predicates(
    states=(
        State(0, RED, "fast", "right", "left side", "centre", left=False, moves=True),
        State(1, BLUE, None, None, "centre", "right side", left=False, moves=True),
        State(2, "the green metal cylinder", None, None, "top", "top", left=False, moves=False),
    ),
    courses=(Course((RED, BLUE), "imminent"),),
    meetings=((RED, BLUE),),
    close=(),
)
GOOD = (
    "Scene parse. As the video stops, the red metal cube is near the left side and moves fast toward the right. The "
    "blue rubber sphere rests near the centre, and the green metal cylinder stands still near the top. "
    "Motion analysis. The red metal cube is on a collision course with the blue rubber sphere, and their meeting is "
    "imminent, so it will pass on much of its motion and slow down. What is not struck keeps its place. "
    "Prediction. At the target moment the red metal cube has come to the centre, the blue rubber sphere has been "
    "pushed on to the right side, and the green metal cylinder is still near the top. "
    "Outcome. The image shows the red metal cube near the centre and the blue rubber sphere near the right side."
)
RULES = "Scene parse. As the rules have it."


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def teacher(server: ChatServer, cache: Path) -> Teacher:
    return Teacher(RewriterSettings.of(server.url, MODEL, cache), Limits(seconds=5.0, tries=1, pause=0.0))


def test_a_good_text_is_taken_and_remembered(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says(f"**{GOOD}**".replace("Prediction.", "\n\nPrediction."))]
    told = teacher(chat, tmp_path).narrate(FACTS, RULES)
    assert told.text == GOOD
    assert list(check_rationale(told.text)) == []
    (headers, body), *others = chat.requests
    assert not others
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["temperature"] == TEMPERATURE == 0.7
    assert json.loads(body["messages"][-1]["content"]) == facts_of(FACTS)
    assert not any(digit in body["messages"][-1]["content"] for digit in "0123456789")
    chat.close()
    again = teacher(chat, tmp_path).narrate(FACTS, RULES)
    assert again == told
    note = told.source.note
    assert (note.model, note.prompt, note.endpoint) == (MODEL, "teacher 1", chat.url)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and KEY in path.read_text()] == []


def test_refused_texts_are_asked_for_again_with_the_reason(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says("Soon."), says(GOOD.replace("imminent", "in 3 frames")), says(GOOD)]
    assert teacher(chat, tmp_path).narrate(FACTS, RULES).text == GOOD
    reasons = [json.loads(body["messages"][-1]["content"]).get("refused_before_because") for _, body in chat.requests]
    assert reasons == [None, "rationale without the four parts in order", "rationale with digits"]


def test_after_a_few_tries_the_rules_text_stays(chat: ChatServer, tmp_path: Path) -> None:
    chat.model = lambda _: "Nothing of use."
    told = teacher(chat, tmp_path).narrate(FACTS, RULES)
    assert told.text == RULES
    assert len(chat.requests) == TRIES
    assert dict(told.source.texts) == {}
    assert teacher(chat, tmp_path).narrate(FACTS, RULES) == told
    assert len(chat.requests) == TRIES  # that it failed is remembered, too


@pytest.mark.parametrize("content", [None, "", "x" * 5000, "\x00\u202e", "{}", 7])
def test_nonsense_leaves_the_rules_text(chat: ChatServer, tmp_path: Path, content: object) -> None:
    chat.model = lambda _: content
    assert teacher(chat, tmp_path).narrate(FACTS, RULES).text == RULES


def test_an_endpoint_that_fails_is_told_without_the_key(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [sends(b"", 500)]
    with pytest.raises(RewriterError, match="status 500") as caught:
        teacher(chat, tmp_path).narrate(FACTS, RULES)
    assert KEY not in str(caught.value)
    assert not list(tmp_path.rglob("*.json"))


def test_what_lies_in_the_cache_is_checked_again(chat: ChatServer, tmp_path: Path) -> None:
    chat.script = [says(GOOD)]
    teacher(chat, tmp_path).narrate(FACTS, RULES)
    (path,) = tmp_path.rglob("??/*.json")
    path.write_text(path.read_text().replace("near the top.", "at (1, 2)."))
    assert teacher(chat, tmp_path).narrate(FACTS, RULES).text == RULES
    assert Cache(tmp_path).read(path.stem) is not None


@pytest.mark.parametrize(
    ("former", "instead", "why"),
    [
        ("the red metal cube", "the yellow metal cube", "which is not among the objects"),
        ("the red metal cube", "the red cube", "which is not among the objects"),
        ("blue rubber sphere", "ball", "rationale without the blue rubber sphere"),
        ("has come to the centre", "has come to the top-right", "region top-right"),
        ("near the right side.", "near the bottom.", "region bottom"),
        ("toward the right", "toward the bottom", "motion toward the bottom"),
        ("toward the right", "towards the upper right", "motion toward the upper right"),
        (
            "What is not struck keeps its place.",
            "The green metal cylinder hits the blue rubber sphere.",
            "the blue rubber sphere meets the green metal cylinder",
        ),
        ("imminent", "imminent in a second", "a time"),
        ("Outcome.", "Answer.", "four parts"),
        ("The image shows", "Choice B shows", "letter"),
        ("still near the top", "still near the top (as before, of course)", "coordinates"),
        ("Outcome. The", "Outcome. See https://example.org: the", "signs"),
    ],
)
def test_what_the_record_does_not_hold_is_refused(former: str, instead: str, why: str) -> None:
    assert refuse_told(GOOD, FACTS) is None
    changed = GOOD.replace(former, instead)
    assert changed != GOOD
    assert why in str(refuse_told(changed, FACTS))


def test_directions_are_no_regions() -> None:
    down = dataclasses.replace(FACTS.states[0], heading="bottom")
    facts = dataclasses.replace(FACTS, states=(down, *FACTS.states[1:]))
    for way in ("bottom", "lower edge", "viewer"):
        assert refuse_told(GOOD.replace("toward the right", f"toward the {way}"), facts) is None


# In a build


SCENE = 4


def producer(config: str, rewriter: RewriterSettings | None) -> Producer:
    return producer_for(BuildOptions((config,), Path("unused"), 5, 3, rewriter=rewriter), config)


@functools.cache
def rows() -> tuple[dict[str, Any], ...]:
    """Of the pairs' items of one scene, those of the first draft."""
    kind = producer("selection_matched", None)
    return tuple(kind.select(kind.propose([SCENE])[0])[0].head(6).to_dicts())


def records(settings: RewriterSettings | None) -> list[SelectionRecord]:
    made = list(producer("selection_matched", settings).samples(rows()))
    return [
        record_from_json(SelectionRecord, each.members["json"], each.key) for each in made if isinstance(each, Sample)
    ]


def plainly(facts: dict[str, Any]) -> str:
    """What a model says that keeps to its facts."""
    objects = facts.get("objects", [])
    now = " ".join(f"{each['name']} is near the {each['region at the end of the video']}." for each in objects)
    then = " ".join(
        f"{each['name']} is near the {each['region at the target moment']}."
        for each in objects
        if each["region at the target moment"] not in ("out of the picture", "hidden from view")
    )
    pairs = [*facts["meet before the target moment"], *facts["close together at the target moment"]]
    met = " ".join(f"{one} meets {other}." for one, other in pairs)
    fill = "What moves goes on along its way until something is in it, and what rests stays where it is. " * 4
    text = f"Scene parse. {now} Motion analysis. {met} {fill}Prediction. {then} Outcome. So it is, as far as one sees."
    return " ".join(text.split())


@pytest.mark.slow
def test_a_build_gives_rationales_to_a_teacher_and_says_so(chat: ChatServer, tmp_path: Path) -> None:
    chat.model = plainly
    settings = RewriterSettings.of(chat.url, MODEL, tmp_path)
    before, after = records(None), records(settings)
    assert len(before) == len(after) == 6
    for old, new in zip(before, after, strict=True):
        assert new.model_copy(update={"rationale": None, "provenance": None}) == old.model_copy(
            update={"rationale": None, "provenance": None}
        )
        assert (new.rationale is None) == (old.rationale is None)
        if new.rationale is None:
            assert new.provenance.rewriter is None
        else:
            assert new.rationale != old.rationale
            assert new.provenance.rewriter is not None
            assert new.provenance.rewriter.model == MODEL
            assert list(check_rationale(new.rationale)) == []
        assert old.provenance.rewriter is None
    assert len(chat.requests) == 1  # both items with a video tell the same
    chat.close()
    teacher_of.cache_clear()
    assert records(settings) == after


def test_a_model_that_wrote_nothing_is_found() -> None:
    made = [each for each in producer("selection_matched", None).samples(rows()[:1]) if isinstance(each, Sample)]
    plain = json.loads(made[0].members["json"])
    assert plain["rationale"] is None
    plain["provenance"]["rewriter"] = {"endpoint": "https://x.org", "model": "m", "prompt": "1", "cache_sha256": "0"}
    members = {**made[0].members, "json": to_json(SelectionRecord.model_validate(plain))}
    for changed, rules in ((made[0].members, set()), (members, {"rewriter"})):
        assert {each.rule for each in check_question(OpenedSelection(made[0].key, changed))} == rules


@pytest.mark.parametrize("config", ["retrieval_train", "retrieval_test", "retrieval_corpus"])
def test_what_has_no_rationale_refuses_a_teacher(config: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no texts that one may reword"):
        producer(config, RewriterSettings.of("https://llm.example.org/v1", MODEL, tmp_path))
