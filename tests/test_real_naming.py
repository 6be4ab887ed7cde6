"""A model that sees crops names objects; a name that says little, fits several, or two, leaves an item its marks."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.chat import KEY, MODEL, ChatServer, chat, says
from support.measured import Flat, measured, scene
from support.plain_pairs import LAYOUT, Disc, samples

from flowbench.builders.real.asking import ask
from flowbench.builders.real.facts import Facts
from flowbench.builders.real.measuring.measure import Measured
from flowbench.builders.real.naming.namer import TRIES, Namer, crop
from flowbench.builders.real.naming.names import refuse_name, tidied
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.wording import Names
from flowbench.builders.rewriting import KEY_VARIABLE, RewriterSettings
from flowbench.builders.rewriting.cache import Cache
from flowbench.builders.rewriting.client import Limits
from flowbench.builders.sim.items import Reject
from flowbench.release import Sample
from flowbench.schema import RealRecord, record_from_json
from flowbench.validation.real.opened import OpenedReal
from flowbench.validation.registry import SUITES

__all__ = ["chat"]

NAMES = ("red mug", "green box", "soup can", "salad bowl", "jam jar", "tea cup", "dinner plate", "water bottle")
GENERIC = tuple(Disc("small object", each.before, each.after, each.radius) for each in LAYOUT)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def namer(chat: ChatServer, cache: Path, limits: Limits | None = None) -> Namer:
    return Namer(RewriterSettings.of(chat.url, MODEL, cache), limits)


def seeing(names: Sequence[object] = NAMES, counts: Mapping[str, object] | None = None, same: object = ()) -> Any:
    """A model that gives crops these names in order, and counts one of each unless told otherwise."""

    def model(told: dict[str, Any]) -> str:
        if "crops" in told:
            return "Sure!\n```json\n" + json.dumps({n + 1: names[n] for n in range(told["crops"])}) + "\n```"
        return json.dumps({"counts": {n: (counts or {}).get(n, 1) for n in told["names"]}, "same": same})

    return model


@pytest.fixture(scope="module")
def facts() -> Facts:
    found = measured(scene())
    assert isinstance(found, Measured)
    both = ask(found, preset_named("balanced"))
    assert not isinstance(both, Reject)
    return both[0]


def named(chat: ChatServer, cache: Path, facts: Facts, count: int = 3) -> Names | None:
    return namer(chat, cache).name(facts, list(facts.numbers)[:count]).names


def test_names_come_from_crops_and_are_counted_on_the_whole_picture(
    chat: ChatServer, tmp_path: Path, facts: Facts
) -> None:
    chat.model = seeing()
    found = named(chat, tmp_path, facts)
    assert found == dict(zip(list(facts.numbers)[:3], ["the red mug", "the green box", "the soup can"], strict=True))
    bodies = [body for _, body in chat.requests]
    assert [body["model"] for body in bodies] == [MODEL, MODEL]
    crops, (whole,) = (
        [_picture(part) for part in body["messages"][-1]["content"] if part["type"] == "image_url"] for body in bodies
    )
    before = facts.measured.pair.before
    assert np.array_equal(whole, before)
    for k, shown in zip(found, crops, strict=True):
        thing = facts.thing(k)
        colour = before[facts.measured.layers[0].mask(thing.masks[0])].mean(axis=0)
        middle = shown[shown.shape[0] // 2, shown.shape[1] // 2].astype(float)
        assert np.abs(middle - colour).max() < 20
        assert max(shown.shape) < 200
    told = json.dumps([body["messages"][0] for body in bodies])
    assert not any(word in told for word in ("closer", "cm", "Will"))


def _picture(part: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    head, _, data = part["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    found = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return found[..., ::-1]


def test_what_is_around_a_thing_is_half_as_bright() -> None:
    picture = np.full((50, 60, 3), 101, np.uint8)
    mask = np.zeros((50, 60), np.bool_)
    mask[0:10, 50:60] = True
    shown = crop(picture, mask)
    assert shown.shape == (26, 26, 3)
    assert (shown[:10, 16:] == 101).all()
    assert (shown[10:] == 50).all()


@pytest.mark.parametrize(
    ("model", "requests"),
    [
        (seeing(["red mug", "green box", "small object"]), TRIES),
        (seeing(["red mug", "green box", "storage containers"]), TRIES),
        (seeing(["red mug", "green box", "robot hand"]), TRIES),
        (seeing(["red mug", "green box", "usb cable"]), TRIES),
        (seeing(["red mug", "green box", "can on the left"]), TRIES),
        (seeing(["red mug", "green box", 7]), TRIES),
        (seeing(["red mug", "green box", "x" * 100_000]), TRIES),
        (seeing(["red mug", "red mug", "soup can"]), TRIES),
        (seeing(counts={"soup can": 2}), 2 * TRIES),
        (seeing(counts={"soup can": 0}), 2 * TRIES),
        (seeing(counts={"soup can": True}), 2 * TRIES),
        (seeing(counts={"soup can": "1"}), 2 * TRIES),
        (seeing(same=[["soup can", "red mug"]]), 2 * TRIES),
        (seeing(same=None), 2 * TRIES),
        (lambda _: "I see nothing.", TRIES),
        (lambda _: "[" * 5000, TRIES),
        (lambda _: "[1, 2]", TRIES),
    ],
)
def test_what_does_not_name_one_thing_alone_is_refused(
    model: Any, requests: int, chat: ChatServer, tmp_path: Path, facts: Facts
) -> None:
    chat.model = model
    assert named(chat, tmp_path, facts) is None
    assert len(chat.requests) == requests
    assert named(chat, tmp_path, facts) is None
    assert len(chat.requests) == requests  # that nothing came of it is remembered, too


def test_a_refused_name_may_be_mended(chat: ChatServer, tmp_path: Path, facts: Facts) -> None:
    chat.script = [says('{"1": "red mug", "2": "object", "3": "soup can"}')]
    chat.model = seeing()
    assert named(chat, tmp_path, facts) is not None
    told = json.loads(chat.requests[1][1]["messages"][-1]["content"][0]["text"])
    assert told["refused_before_because"] == {"2": "'object' does not say what it is"}


def test_a_long_reply_is_not_read(chat: ChatServer, tmp_path: Path, facts: Facts) -> None:
    chat.model = lambda _: "x" * 5000
    asking = namer(chat, tmp_path, Limits(reply_bytes=1000))
    assert asking.name(facts, list(facts.numbers)[:3]).names is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The **Red\u0000 Mug**.", "red mug"),
        ("<b>a tea-towel</b>", "tea-towel"),
        ("  an\n apple ", "apple"),
        ("`can`\u202e", "can"),
    ],
)
def test_names_are_tidied(text: str, name: str) -> None:
    assert tidied(text) == name
    assert refuse_name(name) is None


@pytest.mark.parametrize(
    "name", ["", "mug 2", "mug; yes", "mügchen", "a very big red tin mug", "dot", "no mug", "robot", "toys", "arm rest"]
)
def test_what_is_no_name(name: str) -> None:
    assert refuse_name(name) is not None


def test_a_changed_cache_is_held_to_the_same_checks(chat: ChatServer, tmp_path: Path, facts: Facts) -> None:
    chat.model = seeing()
    named(chat, tmp_path, facts)
    (path,) = tmp_path.glob("??/*.json")
    path.write_text(path.read_text().replace("soup can", "left thing"))
    assert named(chat, tmp_path, facts) is None
    assert Cache(tmp_path).read(path.stem) is not None


# In samples


@pytest.fixture(scope="module")
def plain() -> Mapping[str, Sample]:
    return samples(GENERIC)


def record_of(sample: Sample) -> RealRecord:
    return record_from_json(RealRecord, sample.members["json"], sample.key)


def broken(sample: Sample) -> set[str]:
    opened = OpenedReal(sample.key, sample.members)
    return {each.rule for suite in SUITES["real_train"].samples for each in suite.check(opened)}


def test_names_of_a_model_are_told_and_checked_and_answers_stay(
    plain: Mapping[str, Sample], chat: ChatServer, tmp_path: Path
) -> None:
    chat.model = seeing()
    made = samples(GENERIC, namer=namer(chat, tmp_path))
    asked = len(chat.requests)
    assert samples(GENERIC, namer=namer(chat, tmp_path)) == made
    assert len(chat.requests) == asked == 2 * len(list(tmp_path.glob("??/*.json")))
    by_name = {key for key, sample in made.items() if record_of(sample).named}
    assert by_name
    assert not any(record_of(sample).named for sample in plain.values())
    for key, sample in made.items():
        assert broken(sample) == set()
        record = record_of(sample)
        if key not in by_name:
            assert sample == plain[key]
            continue
        assert record.provenance.rewriter is not None
        assert record.provenance.rewriter.prompt == "namer 1"
        assert (record.marks, record.badges, record.badge_texts) == ([], [], None)
        assert (record.mover.name, record.mover.type) == ("the red mug", "small object")
        assert "the red mug" in record.motion_text.lower()
        if key in plain:
            old = record_of(plain[key])
            assert (record.answer, record.before_answer, record.margin) == (old.answer, old.before_answer, old.margin)
    sample = made[min(by_name)]
    for name in ("the left mug", "the small object", "the usb cable", "red mug", "the mug 2"):
        text = sample.members["json"].decode().replace("the red mug", name).replace("The red mug", name.capitalize())
        assert "names of things" in broken(Sample(sample.key, {**sample.members, "json": text.encode()}))


def test_where_a_name_is_refused_marks_stay(plain: Mapping[str, Sample], chat: ChatServer, tmp_path: Path) -> None:
    chat.model = seeing(counts=dict.fromkeys(NAMES, 2))
    made = samples(GENERIC, namer=namer(chat, tmp_path))
    assert made.keys() == plain.keys()
    noted = [key for key, sample in made.items() if record_of(sample).provenance.rewriter is not None]
    assert noted
    assert broken(made[noted[0]]) == set()
    for key, sample in made.items():
        record, old = record_of(sample), record_of(plain[key])
        assert record.model_copy(update={"provenance": old.provenance}) == old


def test_names_of_labels_need_no_model(chat: ChatServer, tmp_path: Path) -> None:
    things = [Flat("mug", 420, 220, end=(250, 220, 1.0)), Flat("box", 330, 320), Flat("can", 120, 220)]
    found = measured(things)
    assert isinstance(found, Measured)
    both = ask(found, preset_named("balanced"))
    assert not isinstance(both, Reject)
    assert not any(draft.may_be_named for draft in both[1])
