"""Corruptions of retrieval, and of what training and testing may not share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .base import Break, Corruption, corruption
from .clip_editing import Rng, adding, counterfactual, filmed, frame, late, meta_of, moved, pixel, put_both, query, row
from .editing import Record, described, put_record, record_of, recorded
from .rewriting import Draft, Place, Rewriting


def _other_body(meta: Record, record: Record) -> None:
    """Record and metadata call another body the removed one."""
    body = (meta["removed"] + 1) % len(meta["setup"]["bodies"])
    own = meta["setup"]["bodies"][body]
    meta["removed"] = body
    record["intervention"] = {"removed": f"the {own['colour']} {own['material']} {own['shape']}", "body": body}


def _misnamed(record: Record) -> None:
    record["intervention"]["removed"] = "the body in the middle"


def _as_it_was(meta: Record, record: Record) -> None:
    """The run without a body is the true one, the body left out."""
    removed = meta["removed"]
    without = json.loads(json.dumps(meta["factual"]))
    for name in ("poses", "velocities", "spins", "pixels"):
        for values in without[name]:
            values[removed] = None
    for name in ("visible", "whole"):
        for values in without[name]:
            values[removed] = 0
    without["collisions"] = [each for each in without["collisions"] if removed not in each["pair"]]
    meta["without"] = without


def _undecoyed(record: Record) -> None:
    record["negatives"] = [text for text in record["negatives"] if "erased" not in text]


def _reordered(record: Record) -> None:
    """The erased picture comes first."""
    record["negatives"].sort(key=lambda text: "erased" not in text)


def _other_target(record: Record) -> None:
    record["target_frame_id"], record["negatives"][0] = record["negatives"][0], record["target_frame_id"]
    record["target_frame"] = int(record["target_frame_id"][-3:])
    record["horizon"] = record["target_frame"] - record["prefix"]["last"]


def _builder(record: Record) -> None:
    record["builder"] = {1: 2, 2: 1, 3: 5, 5: 3}.get(record["builder"], 3)


def _known(record: Mapping[str, Any]) -> bool:
    return query(record) and record["builder"] > 0


def _shifted_body(meta: Record, record: Record) -> None:
    meta["poses"][0][0] += 0.05


def _place(config: str) -> Callable[[Rewriting], Place]:
    def of(release: Rewriting) -> Place:
        found = [place for place in release.places() if place.config == config]
        if not found:
            raise ValueError(f"{release.root} has no {config}: build it too")
        return found[0]

    return of


def _corpus(change: Callable[[list[Draft], Mapping[str, Any]], list[Draft]]) -> Break:
    """The corpus is another list of frames; ``change`` is given it and a query's record."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        asked = record_of(release.read(_place("retrieval_test")(release))[0])
        place = _place("retrieval_corpus")(release)
        release.write(place, sorted(change(release.read(place), asked), key=lambda draft: draft.key))
        release.finish()

    return apply


def _no_target(drafts: list[Draft], asked: Mapping[str, Any]) -> list[Draft]:
    return [draft for draft in drafts if draft.key != asked["target_frame_id"]]


def _no_negative(drafts: list[Draft], asked: Mapping[str, Any]) -> list[Draft]:
    return [draft for draft in drafts if draft.key != asked["negatives"][0]]


def _beside(drafts: list[Draft], asked: Mapping[str, Any]) -> list[Draft]:
    """The target once more, as the frame two before it."""
    target = next(draft for draft in drafts if draft.key == asked["target_frame_id"])
    record, number = record_of(target), asked["target_frame"] - 2
    key = f"{target.key[:-3]}{number:03d}"
    copy = Draft(key, dict(target.members))
    put_both(copy, {**record, "id": key, "frame_id": key, "frame_index": number}, {**meta_of(target), "frame": number})
    return [*drafts, copy]


def _again(drafts: list[Draft], asked: Mapping[str, Any]) -> list[Draft]:
    """A negative once more, as the frame three after it."""
    name = next(text for text in asked["negatives"] if "erased" not in text)
    first = next(draft for draft in drafts if draft.key == name)
    record, number = record_of(first), int(name[-3:]) + 3
    key = f"{name[:-3]}{number:03d}"
    copy = Draft(key, dict(first.members))
    put_both(copy, {**record, "id": key, "frame_id": key, "frame_index": number}, {**meta_of(first), "frame": number})
    return [*drafts, copy]


def _exchanged(drafts: list[Draft], asked: Mapping[str, Any]) -> list[Draft]:
    """The target's picture and that of a negative change places."""
    pair = [draft for draft in drafts if draft.key in (asked["target_frame_id"], asked["negatives"][0])]
    pictures = [draft.members["frame.png"] for draft in pair]
    for draft, data in zip(pair, reversed(pictures), strict=True):
        draft.members["frame.png"] = data
    return drafts


def _leaked(change: Callable[[Draft, Draft], list[Draft]]) -> Break:
    """Something of a sample for testing gets among those for training; returned are the samples these hold more."""

    def apply(root: Path, rng: Rng) -> None:
        release = Rewriting(root)
        given = release.read(_place("selection_test")(release))[0]
        place = _place("selection_train")(release)
        drafts = release.read(place)
        drafts.extend(change(given, drafts[0]))
        release.write(place, sorted(drafts, key=lambda draft: draft.key))
        release.finish()

    return apply


def _same_scene(given: Draft, taken: Draft) -> list[Draft]:
    copy = Draft(f"{given.key}-again", dict(given.members))
    put_record(copy, {**record_of(given), "id": copy.key})
    return [copy]


def _renamed_scene(given: Draft, taken: Draft) -> list[Draft]:
    """The same scene goes by another number, in key, record and metadata."""
    record, meta = record_of(given), meta_of(given)
    scene = record["provenance"]["scene"] - 1
    old, new = record["scene_id"], f"collisions-{scene:06d}"
    copy = Draft(given.key.replace(old, new) + "-again", dict(given.members))
    record |= {"id": copy.key, "scene_id": new, "provenance": {**record["provenance"], "scene": scene}}
    meta["setup"]["scene"] = scene
    put_both(copy, record, meta)
    return [copy]


def _same_picture(given: Draft, taken: Draft) -> list[Draft]:
    taken.members["candidate_2.png"] = given.members["candidate_2.png"]
    return []


QUERIES: tuple[Corruption, ...] = (
    row(
        "wrong removed body",
        "another body is called the removed one",
        "labels simulation",
        described(_other_body),
        counterfactual,
    ),
    row(
        "name of the removed body",
        "the removed body goes by another name",
        "labels text",
        recorded(_misnamed),
        counterfactual,
    ),
    row(
        "nothing changed",
        "the run without a body is the true one without it",
        "labels simulation",
        described(_as_it_was),
        counterfactual,
    ),
    row("decoy missing", "the erased frame is no negative", "labels", recorded(_undecoyed), counterfactual),
    row("negatives in another order", "the erased frame comes first", "labels", recorded(_reordered), counterfactual),
    row("target exchanged", "a negative is called the target", "labels", recorded(_other_target), query),
    row("builder of a query", "the query is of another builder", "labels", recorded(_builder), _known),
    row("margin of a query", "the margin is half a pixel larger", "labels", recorded(adding("margin", 0.5)), query),
    row("video of a query", "the video shows every frame a frame late", "geometry", filmed(late), query),
    row(
        "corpus body elsewhere",
        "a body of a corpus frame lies 5 cm elsewhere",
        "geometry simulation",
        described(_shifted_body),
        moved,
    ),
    row(
        "corpus frame's number",
        "a corpus frame is said to be the next",
        "labels",
        recorded(adding("frame_index", 1)),
        frame,
    ),
    row("corpus pixel", "a pixel of a corpus frame is a level off", "geometry", pixel("frame"), frame),
    corruption("corpus pictures exchanged", "a target and a negative change pictures", "geometry", _corpus(_exchanged)),
    corruption("target not in the corpus", "the corpus lacks a target", "labels", _corpus(_no_target)),
    corruption("negative not in the corpus", "the corpus lacks a negative", "labels", _corpus(_no_negative)),
    corruption("corpus frame twice", "the corpus has a frame again three later", "labels", _corpus(_again)),
    corruption("frame beside a target", "the corpus has a frame two before a target", "labels", _corpus(_beside)),
    corruption(
        "test scene in training",
        "a sample for testing is among those for training",
        "leakage labels",
        _leaked(_same_scene),
    ),
    corruption("test scene renamed", "the same, and goes by another number", "leakage", _leaked(_renamed_scene)),
    corruption(
        "test picture in training", "a candidate is one of the test's", "leakage geometry", _leaked(_same_picture)
    ),
)
