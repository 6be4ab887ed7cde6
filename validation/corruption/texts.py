"""Corruptions of texts and marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from flowbench.marking import draw_marks
from flowbench.schema import LETTERS, Mark

from .base import Corruption, corruption
from .editing import MOMENTS, Record, ids, of, one, picture, put_picture, put_record, record_of, recorded
from .rewriting import Draft

Rng = np.random.Generator
_TURNED = {"left": "right", "right": "left", "away from": "toward", "toward": "away from"}


def _text(name: str, change: Callable[[str], str]) -> Callable[[Record], None]:
    def apply(record: Record) -> None:
        record[name] = change(record[name])

    return apply


def _thought(name: str, change: Callable[[str], str]) -> Callable[[Record], None]:
    def apply(record: Record) -> None:
        record["reasoning"][name] = change(record["reasoning"][name])

    return apply


def _longer(text: str) -> str:
    return re.sub(r"\d+\.\d\d", lambda found: f"{float(found[0]) + 0.1:.2f}", text, count=1)


def _turn(text: str) -> str:
    return re.sub("left|right|away from|toward", lambda found: _TURNED[found[0]], text, count=1)


def _other_letter(text: str) -> str:
    """The last letters of a text are others."""
    return re.sub(r"\b([A-F]+)(\.?)$", lambda found: _next(found[1]) + found[2], text)


def _next(letters: str) -> str:
    return "".join("BAFEDC"[LETTERS.index(each)] for each in letters)


def _ask(*pairs: tuple[str, str]) -> Callable[[Record], None]:
    """Both questions with words in place of others."""

    def apply(record: Record) -> None:
        for name in ("question", "static_question"):
            for word, other in pairs:
                record[name] = re.sub(word, other, record[name])

    return apply


def _conclude(record: Record) -> None:
    """The last name that reasoning from the picture before gives is a wrong choice's."""
    wrong = next(
        text for letter, text in zip(LETTERS, record["choices"], strict=False) if letter not in record["answer"]
    )
    text = record["reasoning"]["before"]
    right = max((each for each in record["choices"]), key=text.rfind)
    start = text.rfind(right)
    record["reasoning"]["before"] = text[:start] + wrong + text[start + len(right) :]


def _name(record: Record) -> None:
    """The mover goes by its landmark's name in the record."""
    record["mover"]["name"] = record["landmarks"][0]["name"]


def _unmarked(record: Record) -> None:
    """A mark that the texts speak of is not listed."""
    del record["marks"][0]


def _colour_word(record: Record) -> None:
    """The mover's colour is another one in all texts that speak of the motion."""
    colour = record["marks"][0]["colour"]
    other = next(each for each in ("red", "blue", "green") if each not in str([m["colour"] for m in record["marks"]]))
    record["motion_text"] = record["motion_text"].replace(f"marked {colour}", f"marked {other}")


def _many_marks(record: Mapping[str, Any]) -> bool:
    colours = {each["colour"] for each in record["marks"]}
    return bool(record["marks"]) and not {"red", "blue", "green"} <= colours


def _redraw(draft: Draft, record: Record) -> None:
    """Draw the marked pictures again from the record's marks, and keep the record."""
    marks = [Mark.model_validate(each) for each in record["marks"]]
    put_picture(draft, "before_marked", draw_marks(picture(draft, "before"), marks, "before"))
    put_picture(draft, "after_marked", draw_marks(picture(draft, "after"), marks, "after"))
    put_record(draft, record)


def _misplaced(draft: Draft, rng: Rng) -> None:
    """The mover's mark lies on the largest other object, in the pictures and in the record."""
    record = record_of(draft)
    mark = record["marks"][0]
    others = [each for each in record["segments"] if each["id"] != mark["id"] and each["before"] and each["after"]]
    largest = max(others, key=lambda each: each["before"]["area"])["id"]
    for moment in MOMENTS:
        v, u = np.nonzero(ids(draft, moment) == largest)
        middle = len(u) // 2
        mark[moment] = [float(u[middle]), float(v[middle])]
    _redraw(draft, record)


def _recoloured(draft: Draft, rng: Rng) -> None:
    """The mover's dot is drawn in another colour than its name, record and pictures agree."""
    record = record_of(draft)
    record["marks"][0]["rgb"] = [255 - value for value in record["marks"][0]["rgb"]]
    _redraw(draft, record)


def _drawn_otherwise(draft: Draft, rng: Rng) -> None:
    """The dots are drawn in another colour than the record says."""
    kept = draft.members["json"]
    record = record_of(draft)
    for mark in record["marks"]:
        mark["rgb"] = [255 - value for value in mark["rgb"]]
    _redraw(draft, record)
    draft.members["json"] = kept


def _undrawn(draft: Draft, rng: Rng) -> None:
    for moment in MOMENTS:
        draft.members[f"{moment}_marked.png"] = draft.members[f"{moment}.png"]


def _marked_clean(draft: Draft, rng: Rng) -> None:
    draft.members["before.png"] = draft.members["before_marked.png"]


TEXTS: tuple[Corruption, ...] = (
    corruption(
        "length in the text",
        "the motion text's length is 0.10 m more",
        "text",
        one(recorded(_text("motion_text", _longer))),
    ),
    corruption(
        "direction in the text",
        "the motion text's direction is turned",
        "text",
        one(recorded(_text("motion_text", _turn))),
    ),
    corruption(
        "template hole", "a question holds {mover}", "text", one(recorded(_text("question", lambda t: t + " {mover}?")))
    ),
    corruption("empty question", "a question is empty", "text", one(recorded(_text("question", lambda t: "")))),
    corruption("markup", "a question holds a tag", "text", one(recorded(_text("question", lambda t: f"<b>{t}</b>")))),
    corruption(
        "control character",
        "a text holds a character that is not shown",
        "text",
        one(recorded(_text("motion_text", lambda t: f"{t}\x07"))),
    ),
    corruption(
        "question of another",
        "a question is about something else",
        "text",
        one(recorded(_text("static_question", lambda t: "Is the lamp lit?"))),
    ),
    corruption(
        "farthest for closest",
        "both questions ask for the farthest",
        "text",
        one(
            recorded(_ask(("closest|nearest", "farthest"), ("smallest", "largest"))),
            of("closer_to", "closest_three"),
        ),
    ),
    corruption(
        "ceilings for walls",
        "both questions ask about ceilings",
        "text",
        one(recorded(_ask((r"\bwall", "ceiling"))), of("contact_wall")),
    ),
    corruption(
        "half for a third",
        "both questions ask about a half",
        "text",
        one(recorded(_ask((r"\ba third\b", "a half"))), of("occlusion")),
    ),
    corruption(
        "question negated",
        "both questions ask for the opposite",
        "text",
        one(recorded(_ask((r"\b(within|less than|closer than)\b", r"not \1"))), of("near_object")),
    ),
    corruption(
        "reasoning concludes another",
        "reasoning from the picture ends with a wrong choice's name and the right letter",
        "text",
        one(recorded(_conclude), of("closer_to")),
    ),
    corruption(
        "number in the reasoning",
        "reasoning from the picture states a length",
        "text",
        one(recorded(_thought("before", lambda t: f"It is 0.42 m away. {t}"))),
    ),
    corruption(
        "reasoning ends elsewhere",
        "reasoning ends with another letter",
        "text",
        one(recorded(_thought("gt", _other_letter))),
    ),
    corruption("reasoning empty", "a reasoning text is empty", "text", one(recorded(_thought("after", lambda t: "")))),
    corruption("name twice", "mover and landmark have the same name", "text", one(recorded(_name), of("near_object"))),
    corruption(
        "colour in the text",
        "the motion text speaks of a colour that no mark has",
        "text",
        one(recorded(_colour_word), _many_marks),
    ),
    corruption("mark unlisted", "the mover's mark is not in the record", "text", one(recorded(_unmarked))),
    corruption("mark on another object", "the mover's mark lies on another object", "text", one(_misplaced)),
    corruption("colour of a mark", "a mark called one colour has another", "text", one(_recoloured)),
    corruption(
        "dots of another colour", "dots are drawn in other colours than the record's", "text", one(_drawn_otherwise)
    ),
    corruption("dots missing", "the marked pictures are the clean ones", "text", one(_undrawn)),
    corruption("dots on the clean picture", "the clean picture holds the dots", "text", one(_marked_clean)),
)
