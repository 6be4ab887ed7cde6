"""Corruptions of what collision scenes are asked and told: anchors of queries, the truth of rationales."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from .base import Corruption, corruption
from .clip_editing import Rng, counterfactual, query, question, reasoned, row, timed
from .editing import Change, Record, put_record, record_of, recorded
from .rewriting import Rewriting

_SIDES: Final = (("left", "right"), ("upper", "lower"), ("top", "bottom"))
_OTHER_SIDE: Final = {one: other for pair in _SIDES for one, other in (pair, pair[::-1])}
_OTHER_PACE: Final = {
    "quickly": "slowly",
    "fast": "without haste",
    "at high speed": "at a slow pace",
    "slowly": "quickly",
    "without haste": "fast",
    "at a slow pace": "at high speed",
}
_BODY: Final = re.compile(r"[Tt]he (\w+ (?:metal|rubber) (?:cube|sphere|cylinder))")
_COLLISION: Final = re.compile(r"[^.]*(?: will meet, and|runs into contact|[Aa] collision between)[^.]*\.")


def _asked(change: Callable[[str], str]) -> Change:
    return recorded(lambda record: record.update(query=change(record["query"])))


def _told(change: Callable[[str], str]) -> Change:
    return recorded(lambda record: record.update(rationale=change(record["rationale"])))


def _exchanging(words: Mapping[str, str]) -> Callable[[str], str]:
    """Words become their opposites, all at once."""
    pattern = re.compile(rf"\b({'|'.join(sorted(words, key=len, reverse=True))})\b")
    return lambda text: pattern.sub(lambda found: words[found[0]], text)


def _has(*words: str) -> Callable[[Mapping[str, Any]], bool]:
    """Selection items suit whose rationale has one of these words."""
    return lambda record: reasoned(record) and any(re.search(rf"\b{word}\b", record["rationale"]) for word in words)


def _by_event(record: Mapping[str, Any]) -> bool:
    return question(record) and "next collision" in record["query"]


def _ending(record: Mapping[str, Any]) -> bool:
    """Queries suit that count from the end of the video."""
    return "query" in record and "after the video ends" in record["query"] and (timed(record) or query(record))


def _swapped(text: str) -> str:
    """Two bodies change places from the prediction on."""
    head, mark, rest = text.partition("Prediction.")
    one, other = list(dict.fromkeys(_BODY.findall(rest)))[:2]
    return head + mark + rest.replace(one, "?").replace(other, one).replace("?", other)


def _two_told(record: Mapping[str, Any]) -> bool:
    return reasoned(record) and len({*_BODY.findall(record["rationale"].partition("Prediction.")[2])}) > 1


def _colliding(record: Mapping[str, Any]) -> bool:
    return reasoned(record) and bool(_COLLISION.search(record["rationale"]))


def _no_collision(text: str) -> str:
    instead = " Nothing collides until the moment in question, so every path goes on as it is."
    return _COLLISION.sub(instead, text, count=1)


def _siblings(root: Path, rng: Rng) -> None:
    """Two items of a scene with other moments change rationales."""
    release = Rewriting(root)
    for place in release.places():
        drafts = release.read(place)
        found: dict[str, tuple[Any, Record]] = {}
        for draft in drafts:
            record = record_of(draft)
            if not reasoned(record):
                continue
            first = found.setdefault(record["scene_id"], (draft, record))
            if first[1]["prefix"]["last"] != record["prefix"]["last"] and first[1]["rationale"] != record["rationale"]:
                texts = record["rationale"], first[1]["rationale"]
                put_record(first[0], {**first[1], "rationale": texts[0]})
                put_record(draft, {**record, "rationale": texts[1]})
                release.write(place, drafts)
                return release.finish()
    raise ValueError(f"{root} has no two items of a scene with rationales: take a larger release")


def _time_alone(record: Record) -> None:
    """An event item asks by the elapsed time."""
    record["query"] = f"Which image shows the scene {record['horizon'] / 25:.2f} seconds after the video ends?"


SAID: tuple[Corruption, ...] = (
    row(
        "before the end",
        "a query asks for a time before the end of the video",
        "text",
        _asked(lambda text: text.replace("after the video ends", "before the video ends")),
        _ending,
    ),
    row(
        "after the beginning",
        "a query counts from the beginning of the video",
        "text",
        _asked(lambda text: text.replace("the video ends", "the video begins")),
        _ending,
    ),
    row(
        "collision after the next",
        "a query asks for the collision after the next one",
        "text",
        _asked(lambda text: text.replace("next collision", "collision after the next one")),
        _by_event,
    ),
    row(
        "words after a query",
        "a query tells an image beside what it asks",
        "text",
        _asked(lambda text: text + " It is the second one."),
        question,
    ),
    row(
        "event asked by time",
        "what is asked by its event is asked by the time alone",
        "text",
        recorded(_time_alone),
        _by_event,
    ),
    row(
        "collision that is none",
        "a query by the time speaks of a collision at the end of the video",
        "text",
        recorded(
            lambda record: record.update(
                query=f"Two objects collide as the video ends. Pick the image that was taken "
                f"{record['horizon'] / 25:.2f} seconds afterwards."
            )
        ),
        lambda record: timed(record) and record["category"] in ("time", "window"),
    ),
    row(
        "removal denied",
        "a query says that the removed body was there",
        "text",
        _asked(lambda text: re.sub(r" had never been| were absent| away from", " was always part of", text) + " "),
        counterfactual,
    ),
    row(
        "target in a query",
        "a query names its target",
        "text",
        recorded(
            lambda record: record.update(
                query=f"{record['query'][:-1]} ({record['target_frame_id']}){record['query'][-1]}"
            )
        ),
        query,
    ),
    row(
        "sides exchanged",
        "left and right, top and bottom change places in a rationale",
        "text",
        _told(_exchanging(_OTHER_SIDE)),
        _has(*_OTHER_SIDE),
    ),
    row(
        "paces exchanged",
        "quick and slow change places in a rationale",
        "text",
        _told(_exchanging(_OTHER_PACE)),
        _has(*_OTHER_PACE),
    ),
    row(
        "bodies exchanged", "two bodies change places in what a rationale foresees", "text", _told(_swapped), _two_told
    ),
    row("collision denied", "a rationale says that nothing collides", "text", _told(_no_collision), _colliding),
    row(
        "sentence of another kind",
        "a rationale says more than is known of",
        "text",
        _told(lambda text: text.replace("Prediction.", "All of them are made of glass. Prediction.")),
        reasoned,
    ),
    corruption("rationale of a sibling", "two items of a scene change rationales", "text", _siblings),
)
