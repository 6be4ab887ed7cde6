"""Corruptions of the texts of recorded pairs, of their metadata's form, and of what no single sample shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .base import Break, Corruption, corruption
from .editing import Record, every, member, picture, put_picture, put_record, record_of, recorded, yes_no
from .real_editing import Rng, SampleBreak, edited, marked, row, sideways, worded
from .rewriting import Draft, Place, Rewriting


def _said(change: Callable[[str], str], *names: str) -> Callable[[Record], None]:
    """Some texts of the record are changed."""

    def apply(record: Record) -> None:
        for name in names:
            record[name] = change(record[name])

    return apply


def _other_centimetres(text: str) -> str:
    """The first number of centimetres is one more."""
    return re.sub(r"(\d+) cm", lambda found: f"{int(found[1]) + 1} cm", text, count=1)


def _fraction(text: str) -> str:
    return re.sub(r"(\d+) cm", r"\1.5 cm", text, count=1)


def _other_side(record: Record) -> None:
    """The text tells the other side, the record does not."""
    swap = {"to the left": "to the right", "to the right": "to the left"}
    pattern = re.compile(r"(?<=cm )to the (?:left|right)")
    record["motion_text"] = pattern.sub(lambda found: swap[found[0]], record["motion_text"], count=1)


def _no_scale(record: Record) -> None:
    worded(lambda text: text.replace(record["scale"]["text"], "").strip())(record)


def _badge_number(record: Record) -> None:
    texts = record["badge_texts"]
    texts["question"] = re.sub(r"object (\d)", lambda found: f"object {int(found[1]) + 1}", texts["question"])


def _badge_choices(record: Record) -> None:
    texts = record["badge_texts"]
    texts["choices"] = texts["choices"][::-1]


def _reason(record: Record) -> None:
    for name, text in record["reasoning"].items():
        record["reasoning"][name] = re.sub(r"\b[A-F]+\.$", "F.", text)


def _numbers(record: Record) -> None:
    record["reasoning"]["before"] = f"It moves 3 cm. {record['reasoning']['before']}"


def _named(record: Record) -> None:
    record["named"] = True


def _type(record: Record) -> None:
    record["landmarks"][0]["type"] = "zebra"


def _pixel_short(meta: Record, record: Record) -> None:
    meta["objects"][0]["before" if meta["objects"][0]["before"] else "after"]["pixel"] = [1.0]


def _huge(meta: Record, record: Record) -> None:
    meta["certification"]["ratio"] = 1e300


def _text_for_number(meta: Record, record: Record) -> None:
    meta["rules"]["margin"] = "three"


def _twice(meta: Record, record: Record) -> None:
    meta["objects"].append(dict(meta["objects"][0]))


def _format(meta: Record, record: Record) -> None:
    meta["format"] = "flowbench-home/1"


def _nan(data: bytes) -> bytes:
    return re.sub(rb'("ratio":)[0-9.]+', rb"\1NaN", data, count=1)


def _always_yes(draft: Draft, rng: Rng) -> None:
    """Every yes-no answer is yes."""
    record = record_of(draft)
    if yes_no(record):
        record["answer"] = "AB"[record["choices"].index("yes")]
        record["answer_text"] = "yes"
        put_record(draft, record)


def _goes_its_way(draft: Draft, rng: Rng) -> None:
    """Every left-right mover ends on the side toward which it is said to move."""
    record = record_of(draft)
    if record["category"] == "left_right" and record["motion"]["right"]:
        toward = (record["motion"]["right"] > 0.0) == (record["relation"] == "right")
        word = "yes" if toward else "no"
        record["answer"], record["answer_text"] = "AB"[record["choices"].index(word)], word
        put_record(draft, record)


def _unchanged(draft: Draft, rng: Rng) -> None:
    record = record_of(draft)
    record["flipped"] = False
    put_record(draft, record)


def _places(release: Rewriting) -> tuple[Place, Place]:
    """The first shards of training and testing."""
    for name in ("real_train", "real_test"):
        if name not in release.manifest.configs:
            raise ValueError(f"{release.root} has no {name}: build it too")
    return Place("real_train", "train", 0), Place("real_test", "test", 0)


def _moved_over(change: Callable[[Record, Record], None]) -> Break:
    """A training sample once more among those to test on; ``change`` is given its record and one to test on."""

    def apply(root: Path, rng: np.random.Generator) -> None:
        release = Rewriting(root)
        source, target = _places(release)
        given, drafts = release.read(source)[-1], release.read(target)
        record, copy = record_of(given), Draft(f"{given.key}-again", dict(given.members))
        change(record, record_of(drafts[0]))
        record["id"] = copy.key
        put_record(copy, record)
        release.write(target, sorted([*drafts, copy], key=lambda draft: draft.key))
        release.finish()

    return apply


def _as_it_is(record: Record, other: Record) -> None:
    pass


def _other_name(record: Record, other: Record) -> None:
    """The pair goes by another scene's name."""
    record["scene_id"], record["view_id"] = "elsewhere-000001", "elsewhere-000001-p0"


def _second_question(root: Path, rng: np.random.Generator) -> None:
    """A pair to test on has its question twice."""
    release = Rewriting(root)
    _, target = _places(release)
    drafts = release.read(target)
    record, copy = record_of(drafts[0]), Draft(f"{drafts[0].key}-again", dict(drafts[0].members))
    record["id"] = copy.key
    put_record(copy, record)
    release.write(target, sorted([*drafts, copy], key=lambda draft: draft.key))
    release.finish()


REAL_WORDS: tuple[SampleBreak, ...] = (
    row(
        "centimetres of the text",
        "the motion text tells a centimetre more",
        "text",
        recorded(_said(_other_centimetres, "motion_text")),
    ),
    row(
        "half centimetres", "the motion text tells half centimetres", "text", recorded(_said(_fraction, "motion_text"))
    ),
    row("side of the text", "the motion text tells the other side", "text", recorded(_other_side), sideways),
    row(
        "hole in a text",
        "a question has a hole",
        "text",
        recorded(_said(lambda text: text.replace("the", "{name}", 1), "question")),
    ),
    row(
        "question rephrased",
        "the question asks something else",
        "text",
        recorded(_said(lambda text: text.replace("?", " then?"), "question")),
    ),
    row(
        "static question rephrased",
        "the static question asks of the future",
        "text",
        recorded(_said(lambda text: f"After all, {text}", "static_question")),
    ),
    row("no scale", "the scale sentence is missing", "text", recorded(_no_scale)),
    row("number of a badge", "the badges' question names another object", "text", recorded(_badge_number), marked),
    row(
        "choices of the badges",
        "the badges' choices are in reverse order",
        "text",
        recorded(_badge_choices),
        lambda record: marked(record) and len(record["landmarks"]) > 1 and record["category"].startswith("close"),
    ),
    row("reasoning ends elsewhere", "the reasoning ends in another letter", "text", recorded(_reason)),
    row("numbers in the reasoning", "reasoning about the picture has numbers", "text", recorded(_numbers)),
    row("named with marks", "objects are said to go by names", "text", recorded(_named), marked),
    row("class of a landmark", "a landmark is of another class", "labels", recorded(_type)),
    row("pixel of one number", "a pixel has one number", "integrity", edited(_pixel_short)),
    row("number beyond bounds", "a ratio is 1e300", "integrity", edited(_huge)),
    row("text for a number", "a margin is a word", "integrity", edited(_text_for_number)),
    row("object twice", "an object is listed twice", "integrity", edited(_twice)),
    row("format of the metadata", "the metadata have a home's format", "integrity", edited(_format)),
    row("not a number", "a ratio is NaN", "integrity", member("meta.txt", _nan)),
    row(
        "metadata cut",
        "the metadata end in the middle",
        "integrity",
        member("meta.txt", lambda data: data[: len(data) // 2]),
    ),
    row(
        "metadata of nothing",
        "the metadata are an empty list",
        "integrity",
        member("meta.txt", lambda data: json.dumps([]).encode()),
    ),
)
"""Of releases of ``real_*``."""


def _alike(root: Path, rng: np.random.Generator) -> None:
    """A sample to test on has a training sample's pictures, brighter and noisy."""
    release = Rewriting(root)
    source, target = _places(release)
    given, drafts = release.read(source)[-1], release.read(target)
    for name in ("before", "after"):
        image = picture(given, name)
        noisy = image * 1.05 + rng.integers(-4, 5, image.shape)
        put_picture(drafts[0], name, noisy.clip(0, 255).astype(np.uint8))
    release.write(target, drafts)
    release.finish()


REAL_SPLITS: tuple[Corruption, ...] = (
    corruption(
        "training pair to test on", "a training sample is among those to test on", "leakage", _moved_over(_as_it_is)
    ),
    corruption(
        "training pair renamed", "a training pair is tested on by another name", "leakage", _moved_over(_other_name)
    ),
    corruption("near-duplicate pair", "a pair to test on looks like a training pair", "leakage", _alike),
    corruption("two questions of a pair", "a pair to test on has two questions", "leakage", _second_question),
)
"""Of releases of ``real_train`` and ``real_test``."""
REAL_SHARES: tuple[Corruption, ...] = (
    corruption("always yes", "every yes-no answer is yes", "caps", every(_always_yes)),
    corruption("always its way", "every mover ends on the side toward which it moves", "caps", every(_goes_its_way)),
    corruption("nothing changes", "no question is changed by the move", "caps", every(_unchanged)),
)
"""What no single sample shows; for a release of ``real_test`` with a few dozen samples."""
