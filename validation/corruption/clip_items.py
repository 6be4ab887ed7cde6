"""Corruptions of selection items: candidates, videos, letters, moments, pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Corruption
from .clip_editing import (
    LETTERS,
    VIDEO,
    Rng,
    adding,
    cross,
    filmed,
    late,
    meta_of,
    pixel,
    put_both,
    question,
    row,
    setting,
    timed,
)
from .editing import Record, described, member, record_of, recorded
from .rewriting import Draft


def _shuffled(record: Mapping[str, Any]) -> bool:
    return record.get("control") == "shuffled_prefix"


def _swapped(draft: Draft, rng: Rng) -> None:
    """The pictures of two candidates change places."""
    names = "candidate_0.png", "candidate_1.png"
    draft.members[names[0]], draft.members[names[1]] = (draft.members[name] for name in reversed(names))


def _same_twice(draft: Draft, rng: Rng) -> None:
    draft.members["candidate_1.png"] = draft.members["candidate_0.png"]


def _patched(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A small grey patch in the middle of all frames."""
    frames = frames.copy()
    frames[:, 150:170, 230:250] = 128
    return frames


def _no_video(draft: Draft, rng: Rng) -> None:
    del draft.members[VIDEO]


def _letter(record: Record) -> None:
    record["answer"] = LETTERS[(LETTERS.index(record["answer"]) + 1) % 4]


def _letter_with_kinds(record: Record) -> None:
    """Another letter, and all in the record that follows from it but the target's frame."""
    _letter(record)
    right = record["candidates"][LETTERS.index(record["answer"])]
    for each in record["candidates"]:
        each["kind"] = "target" if each is right else "same_scene"
    record["target_frame"] = right["frame"]
    record["horizon"] = right["frame"] - record["prefix"]["last"]
    order = sorted((each["frame"], each["variant"]) for each in record["candidates"])
    record["rank"] = order.index((right["frame"], right["variant"])) + 1


def _other_frame(meta: Record, record: Record) -> None:
    """A distractor is said to be a frame later, in record and metadata."""
    place = next(n for n, each in enumerate(record["candidates"]) if each["kind"] != "target")
    record["candidates"][place]["frame"] += 1
    meta["frames"][place]["frame"] += 1


def _rank(record: Record) -> None:
    record["rank"] = record["rank"] % 4 + 1


def _kind(record: Record) -> None:
    wrong = next(each for each in record["candidates"] if each["kind"] == "same_scene")
    wrong["kind"] = "twin"


def _cut(record: Record) -> None:
    """The observation ends a frame later; the video still shows what it did."""
    record["prefix"]["last"] += 1


def _shown(record: Record) -> None:
    record["prefix"]["shown"] = record["prefix"]["shown"][:-1]


def _in_order(record: Record) -> None:
    record["prefix"]["shown"] = sorted(record["prefix"]["shown"])


def _subtype(record: Record) -> None:
    record["subtype"] = {"event": "contact-offset-7", "time": "time-9", "window": "G9-A-8-easy"}.get(
        record["category"], "matched-11"
    )


def _seconds(record: Record) -> None:
    """The stated time is a tenth of a second longer."""
    record["query"] = re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]) + 0.1:.2f}", record["query"], count=1)


def recolour(setup: Record) -> None:
    """The first body gets a colour that none has."""
    taken = {body["colour"] for body in setup["bodies"]}
    setup["bodies"][0]["colour"] = next(
        each for each in ("red", "blue", "green", "gray", "cyan", "brown", "purple") if each not in taken
    )


def _strange_twin(meta: Record, record: Record) -> None:
    """The twin has a body of another colour."""
    recolour(next(each["setup"] for each in meta["frames"] if each["setup"] is not None))


def _renumbered(draft: Draft, rng: Rng) -> None:
    """A scene for testing goes by the name of one for training, in record and metadata."""
    record, meta = record_of(draft), meta_of(draft)
    scene = record["provenance"]["scene"] - 1
    meta["setup"]["scene"] = record["provenance"]["scene"] = scene
    record["scene_id"] = f"collisions-{scene:06d}"
    put_both(draft, record, meta)


def _testing(record: Mapping[str, Any]) -> bool:
    return "candidates" in record and record["provenance"]["scene"] % 5 == 4


def _relettered(draft: Draft, rng: Rng) -> None:
    """Two candidates change places in everything that speaks of them; every label stays true."""
    _swapped(draft, rng)
    record, meta = record_of(draft), meta_of(draft)
    for listing in (record["candidates"], meta["frames"]):
        listing[0], listing[1] = listing[1], listing[0]
    for letter, each in zip(LETTERS, record["candidates"], strict=True):
        each["letter"] = letter
    record["answer"] = record["answer"].translate(str.maketrans("AB", "BA"))
    put_both(draft, record, meta)


def _matched(record: Mapping[str, Any]) -> bool:
    return "candidates" in record and record["category"] == "matched"


def _reworded(record: Record) -> None:
    record["query"] = record["query"].replace("Which image", "Which of the images", 1) + " Think."


ITEMS: tuple[Corruption, ...] = (
    row("candidates swapped", "the pictures of two candidates change places", "geometry", _swapped, question),
    row("pixel of a candidate", "one pixel of a candidate is a level off", "geometry", pixel("candidate_2"), question),
    row("candidate twice", "two candidates are the same picture", "geometry ambiguity", _same_twice, question),
    row("video a frame late", "the video shows every frame a frame late", "geometry", filmed(late), question),
    row("video backward", "the video runs backward", "geometry", filmed(lambda frames: frames[::-1]), question),
    row("video with a patch", "something small is painted into the video", "geometry", filmed(_patched), question),
    row("video too short", "the video lacks its last frame", "geometry", filmed(lambda frames: frames[:-1]), question),
    row("video missing", "a sample lacks its video", "labels", _no_video, question),
    row(
        "video damaged",
        "a video is cut in half",
        "integrity",
        member(VIDEO, lambda data: data[: len(data) // 2]),
        question,
    ),
    row("wrong letter", "the answer is another letter", "labels", recorded(_letter), question),
    row(
        "wrong letter, all follows",
        "another candidate is the target in all the record",
        "labels",
        recorded(_letter_with_kinds),
        question,
    ),
    row(
        "frame of a distractor",
        "a distractor is said to be the next frame",
        "labels",
        described(_other_frame),
        question,
    ),
    row("place in time", "the rank is another", "labels", recorded(_rank), question),
    row("kind of a distractor", "a frame of the scene is called a twin's", "labels", recorded(_kind), question),
    row("later cut", "the observation is said to end a frame later", "labels", recorded(_cut), question),
    row("frames shown", "the record leaves out the last frame shown", "labels geometry", recorded(_shown), question),
    row("longer horizon", "the horizon is a frame longer", "labels", recorded(adding("horizon", 1)), question),
    row("margin of an item", "the margin is half a pixel larger", "labels", recorded(adding("margin", 0.5)), question),
    row(
        "margin within the band",
        "the margin is two pixels",
        "ambiguity labels",
        recorded(setting(margin=2.0)),
        question,
    ),
    row("no such subtype", "the subtype is one that does not exist", "labels", recorded(_subtype), question),
    row("time in a query", "the stated time is a tenth of a second longer", "labels", recorded(_seconds), timed),
    row("twin of other bodies", "a body of the twin has another colour", "labels", described(_strange_twin), cross),
    row("test scene for training", "a scene for testing has a number for training", "labels", _renumbered, _testing),
    row(
        "other wording in a pair",
        "one of a pair's queries is worded otherwise",
        "labels",
        recorded(_reworded),
        _matched,
    ),
    row(
        "other letters in a pair", "one of a pair has its candidates in another order", "labels", _relettered, _matched
    ),
    row(
        "shuffled in order",
        "a shuffled video is said to be in order",
        "labels geometry",
        recorded(_in_order),
        _shuffled,
    ),
)
