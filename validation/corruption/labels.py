"""Corruptions of what a record claims: answers, thresholds, margins, landmarks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flowbench.schema import LETTERS

from .base import Corruption, corruption
from .editing import Record, known_before, of, one, recorded, yes_no

STEP = 0.25
"""By which thresholds and distances are changed, metres."""


def other_letters(letters: str, choices: int) -> str:
    """Other letters, as many and in order."""
    return "".join(sorted(LETTERS[(LETTERS.index(each) + 1) % choices] for each in letters))


def answer_text(record: Record) -> str:
    """The answer in words."""
    return "; ".join(record["choices"][LETTERS.index(letter)] for letter in record["answer"])


def _flip(record: Record) -> None:
    """Another answer, and everything in the record that follows from it."""
    record["answer"] = other_letters(record["answer"], len(record["choices"]))
    record["answer_text"] = answer_text(record)
    if record["before_answer"] is not None:
        record["flipped"] = record["before_answer"] != record["answer"]


def _flip_with_reasons(record: Record) -> None:
    """The same, and the reasoning ends in the other answer."""
    old = record["answer"], record["answer_text"]
    _flip(record)
    ends = re.compile(rf"\b{old[1]}: {old[0]}\.$")
    for name, text in record["reasoning"].items():
        record["reasoning"][name] = ends.sub(f"{record['answer_text']}: {record['answer']}.", text)


def _letter(record: Record) -> None:
    record["answer"] = other_letters(record["answer"], len(record["choices"]))


def _no_letter(record: Record) -> None:
    record["answer"] = LETTERS[len(record["choices"])]


def _before(record: Record) -> None:
    record["before_answer"] = other_letters(record["before_answer"], len(record["choices"]))
    record["flipped"] = record["before_answer"] != record["answer"]


def _no_before(record: Record) -> None:
    record["before_answer"] = record["flipped"] = None


def _flipped(record: Record) -> None:
    record["flipped"] = not record["flipped"]


def _choices(record: Record) -> None:
    """Two choices change places, and nothing follows."""
    record["choices"][:2] = record["choices"][1::-1]


def _one_choice_twice(record: Record) -> None:
    record["choices"][0] = record["choices"][1]


def _put_threshold(record: Record, threshold: float) -> None:
    """Another threshold in the record and in both texts."""
    for text in ("question", "static_question"):
        record[text] = record[text].replace(f"{record['threshold']:.2f} m", f"{threshold:.2f} m")
    record["threshold"] = threshold


def _threshold(record: Record) -> None:
    _put_threshold(record, record["threshold"] + STEP)


def _at_the_boundary(record: Record) -> None:
    """The threshold is the landmark's distance, to a centimetre."""
    _put_threshold(record, round(record["landmarks"][0]["distance_after"], 2))


def _threshold_alone(record: Record) -> None:
    record["threshold"] += STEP


def _margin(record: Record) -> None:
    record["margin"] *= 1.1


def _no_margin(record: Record) -> None:
    record["margin"] = 0.0


def _margin_unit(record: Record) -> None:
    record["margin_unit"] = "px" if record["margin_unit"] == "m" else "m"


def _landmark(record: Record) -> None:
    """The landmark's identity is another object's of the picture, its name stays."""
    named = {record["mover"]["id"], record["landmarks"][0]["id"]}
    structure = ("Wall", "Floor", "Ceiling", "Door", "Window")
    other = next(
        each
        for each in record["segments"]
        if each["id"] not in named and each["before"] and each["after"] and each["type"] not in structure
    )
    record["landmarks"][0].update({name: other[name] for name in ("id", "object", "type")})


def _landmarks_swapped(record: Record) -> None:
    """Two listed objects change identities, names stay."""
    first, second = record["landmarks"][:2]
    for name in ("id", "object", "type"):
        first[name], second[name] = second[name], first[name]


def _distance(record: Record) -> None:
    record["landmarks"][0]["distance_after"] += STEP


def _direction(record: Record) -> None:
    turned = {"left": "right", "right": "left", "away": "toward", "toward": "away"}
    record["motion"]["direction"] = "+".join(turned[part] for part in record["motion"]["direction"].split("+"))


def _length(record: Record) -> None:
    record["motion"]["distance"] += STEP


def _band(record: Record) -> None:
    bands = ("0.20-0.34", "0.35-0.54")
    record["motion"]["length_band"] = bands[record["motion"]["length_band"] == bands[0]]


def _displacement(record: Record) -> None:
    record["motion"]["world"][0] += 0.01


def _category(record: Record) -> None:
    record["category"] = "contact_wall" if record["category"] != "contact_wall" else "occlusion"


def _relation(record: Record) -> None:
    record["relation"] = "left" if record["relation"] == "right" else "right"


def _probe(record: Record) -> None:
    """The further motion asked about is turned round in the record, the texts stay."""
    probe = record["probe"]
    probe["right"], probe["away"] = -probe["right"], -probe["away"]


def _mask(record: Record) -> None:
    """The mover's run lengths before are those after, with area and box."""
    mover = next(each for each in record["segments"] if each["id"] == record["mover"]["id"])
    mover["before"] = dict(mover["after"])


def _counts(record: Record) -> None:
    """Run lengths of half the mover, area and box unchanged."""
    mover = next(each for each in record["segments"] if each["id"] == record["mover"]["id"])
    mover["before"]["counts"] = mover["after"]["counts"]


def _garbled(record: Record) -> None:
    record["segments"][0]["before" if record["segments"][0]["before"] else "after"]["counts"] = "0~~"


def _unlisted(record: Record) -> None:
    record["segments"] = [each for each in record["segments"] if each["id"] != record["mover"]["id"]]


def _listing(record: Mapping[str, Any]) -> bool:
    return len(record["landmarks"]) > 1


_DISTANCES = of("near_object", "closer_to", "closest_three", "count_near")
_THRESHOLDS = of("near_object", "count_near")

LABELS: tuple[Corruption, ...] = (
    corruption(
        "answer flipped", "yes and no change places, all that follows too", "labels", one(recorded(_flip), yes_no)
    ),
    corruption(
        "answer flipped, reasoning too",
        "yes and no change places, the reasoning ends accordingly",
        "labels",
        one(recorded(_flip_with_reasons), yes_no),
    ),
    corruption(
        "label at its boundary",
        "the distance asked about is the distance there is",
        "ambiguity",
        one(recorded(_at_the_boundary), of("near_object")),
    ),
    corruption(
        "answer changed", "another of several choices is said to be right", "labels", one(recorded(_flip), _listing)
    ),
    corruption("letter changed", "the answer's letter is another, its text is not", "labels", one(recorded(_letter))),
    corruption("no such letter", "the answer's letter names no choice", "labels", one(recorded(_no_letter))),
    corruption("before-answer flipped", "the before-answer is another", "labels", one(recorded(_before), known_before)),
    corruption("before-answer gone", "the before-answer is null", "labels", one(recorded(_no_before), known_before)),
    corruption("flipped turned", "'flipped' says the opposite", "labels", one(recorded(_flipped), known_before)),
    corruption(
        "choices swapped", "two choices change places, the answer stays", "labels", one(recorded(_choices), yes_no)
    ),
    corruption(
        "objects swapped", "two of the listed choices change places", "labels", one(recorded(_choices), of("closer_to"))
    ),
    corruption("choice twice", "two choices are the same", "labels", one(recorded(_one_choice_twice))),
    corruption(
        "threshold changed",
        "the distance asked about is 0.25 m longer",
        "labels",
        one(recorded(_threshold), _THRESHOLDS),
    ),
    corruption(
        "threshold of the record",
        "the record's threshold is 0.25 m longer, the texts' is not",
        "labels",
        one(recorded(_threshold_alone), _THRESHOLDS),
    ),
    corruption("margin changed", "the margin is a tenth larger", "labels", one(recorded(_margin))),
    corruption("margin of zero", "the label lies on its boundary", "labels", one(recorded(_no_margin))),
    corruption("unit of the margin", "the margin has another unit", "labels", one(recorded(_margin_unit))),
    corruption(
        "landmark swapped", "the landmark is another object", "labels", one(recorded(_landmark), of("near_object"))
    ),
    corruption(
        "landmarks swapped",
        "two listed objects change identities",
        "labels",
        one(recorded(_landmarks_swapped), _listing),
    ),
    corruption(
        "distance changed", "a landmark's distance is 0.25 m longer", "labels", one(recorded(_distance), _DISTANCES)
    ),
    corruption("displacement changed", "the displacement is a centimetre off", "labels", one(recorded(_displacement))),
    corruption("direction changed", "the record's direction is the opposite", "text", one(recorded(_direction))),
    corruption("length changed", "the record's length is 0.25 m more", "text", one(recorded(_length))),
    corruption("length band changed", "the length lies in another band", "text", one(recorded(_band))),
    corruption("category changed", "a sample is said to be of another category", "labels", one(recorded(_category))),
    corruption("relation turned", "left is right in the record", "labels", one(recorded(_relation), of("left_right"))),
    corruption(
        "probe turned",
        "the further motion asked about is turned round",
        "labels",
        one(recorded(_probe), of("feasibility")),
    ),
    corruption("region of the other moment", "the mover's region before is that after", "labels", one(recorded(_mask))),
    corruption("run lengths wrong", "the mover's run lengths before are those after", "labels", one(recorded(_counts))),
    corruption("run lengths garbled", "run lengths are no numbers", "labels", one(recorded(_garbled))),
    corruption("segment unlisted", "the mover's id is not listed", "labels", one(recorded(_unlisted))),
)
