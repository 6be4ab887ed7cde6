"""Questions ask what their category asks: one of its phrasings, with the names and numbers of the record.

The phrasings are this package's own list of what may be asked (sim.md, "Categories"); a test holds the builders to it.
Of a text that a language model reworded only key words are held: those without which it does not ask for the label, and
those that make it ask for another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flowbench.schema import SimRecord

from ..recompute.rules import Finding
from .ways import components, without_names

TERMS: Final[Mapping[str | None, tuple[str, str, str]]] = {
    None: ("", "", ""),
    "nearest": ("nearest points", "gap", "gap"),
    "centres": ("centres", "distance", "centre-to-centre distance"),
    "boxes": ("bounding boxes", "gap", "bounding-box gap"),
}
"""Measure -> what is measured between, what lies between those, and both in one."""
TOWARD: Final = {
    "left": "to the left",
    "right": "to the right",
    "away": "away from the camera",
    "toward": "toward the camera",
}

QUESTIONS: Final[Mapping[str, Sequence[str]]] = {
    "left_right": (
        "After this move, will {mover} be to the {relation} of {a} in the picture?",
        "Seen from the camera, does {mover} end up to the {relation} of {a}?",
        "Once it has moved, is {mover} {relation} of {a} from the camera's viewpoint?",
        "From where the camera stands, would {mover} then be on the {relation} side of {a}?",
        "In the resulting picture, will {mover} appear to the {relation} of {a}?",
    ),
    "near_object": (
        "After this move, will {mover} be within {threshold} m of {a}, measured between their {points}?",
        "Measured between their {points}, does {mover} end up within {threshold} m of {a}?",
        "Once it has moved, is the {apart} between the {points} of {mover} and {a} less than {threshold} m?",
        "Will {mover} then be closer than {threshold} m to {a}, taking the {points} of both?",
        "After moving, would {mover} be less than {threshold} m from {a}, going by the {apart} between their {points}?",
    ),
    "closer_to": (
        "After this move, which of these will {mover} be closest to, measured between {points}?",
        "Measured between {points}, to which of these does {mover} end up closest?",
        "Once it has moved, which of the listed objects has the smallest {gap} to {mover}?",
        "Which of these objects will then be nearest to {mover}, taking the {points} of both?",
        "Which of the following would lie closest to {mover} after the move, going by the {apart} between {points}?",
    ),
    "occlusion": (
        "After this move, will {mover} hide a third or more of {a} from the camera?",
        "Does {mover} end up hiding at least a third of {a} from view?",
        "Once it has moved, does {mover} stand in front of a third or more of what can now be seen of {a}?",
        "Seen from the camera, will at least a third of {a} then be covered by {mover}?",
        "In the resulting picture, would {mover} block the view of a third or more of {a}?",
    ),
    "contact_wall": (
        "After this move, will {mover} be touching a wall, no more than 0.03 m from it?",
        "Does {mover} end up in contact with a wall of the room, within 0.03 m of it?",
        "Once it has moved, is there a wall within 0.03 m of {mover}?",
        "Will {mover} then stand against a wall, with a gap of at most 0.03 m?",
        "Would {mover} be touching one of the walls after moving, with 0.03 m or less between the two?",
    ),
    "feasibility": (
        "After this move, could {mover} be moved a further {probe}, without bumping into anything or changing height?",
        "From there, is the way free to slide {mover} another {probe}, keeping its height?",
        "Once it has moved, would {mover} stay free of collisions, at the same height, if shifted {probe}?",
        "Would there then be room to move {mover} on by {probe}, without lifting it and without hitting anything?",
        "Starting from its new place at constant height, is there a collision-free way for {mover} to go {probe}?",
    ),
    "closest_three": (
        "After this move, which three of these will be closest to {mover}, measured between {points}?",
        "Measured between {points}, which three of these does {mover} end up closest to?",
        "Once it has moved, which three of the listed objects have the smallest {gap}s to {mover}?",
        "Which three of these objects will then be nearest to {mover}, taking the {points} of both?",
        "Which three of the following would lie closest to {mover} after the move, going by the {apart} between "
        "{points}?",
    ),
    "count_near": (
        "After this move, how many of these will be within {threshold} m of {mover}, measured between {points}: "
        "{listed}?",
        "How many of these does {mover} end up within {threshold} m of, measured between {points}: {listed}?",
        "Once it has moved, how many of the following lie less than {threshold} m from {mover}, taking the {points} of "
        "both: {listed}?",
        "Take {listed}: measured between {points}, how many of them will then be closer than {threshold} m to {mover}?",
        "Of {listed}, how many would be within {threshold} m of {mover} after the move, going by the {apart} between "
        "{points}?",
    ),
}
"""Category -> what it may ask."""
STATIC_QUESTIONS: Final[Mapping[str, Sequence[str]]] = {
    "left_right": (
        "Is {mover} to the {relation} of {a} in the picture?",
        "Seen from the camera, is {mover} to the {relation} of {a}?",
        "Is {mover} {relation} of {a} from the camera's viewpoint?",
        "From where the camera stands, is {mover} on the {relation} side of {a}?",
        "In this picture, does {mover} appear to the {relation} of {a}?",
    ),
    "near_object": (
        "Is {mover} within {threshold} m of {a}, measured between their {points}?",
        "Measured between their {points}, is {mover} within {threshold} m of {a}?",
        "Is the {apart} between the {points} of {mover} and {a} less than {threshold} m?",
        "Is {mover} closer than {threshold} m to {a}, taking the {points} of both?",
        "Is {mover} less than {threshold} m from {a}, going by the {apart} between their {points}?",
    ),
    "closer_to": (
        "Which of these is {mover} closest to, measured between {points}?",
        "Measured between {points}, to which of these is {mover} closest?",
        "Which of the listed objects has the smallest {gap} to {mover}?",
        "Which of these objects is nearest to {mover}, taking the {points} of both?",
        "Which of the following lies closest to {mover}, going by the {apart} between {points}?",
    ),
    "occlusion": (
        "Does {mover} hide a third or more of {a} from the camera?",
        "Is at least a third of {a} hidden from view by {mover}?",
        "Does {mover} stand in front of a third or more of {a}, as seen from here?",
        "Seen from the camera, is at least a third of {a} covered by {mover}?",
        "In this picture, does {mover} block the view of a third or more of {a}?",
    ),
    "contact_wall": (
        "Is {mover} touching a wall, no more than 0.03 m from it?",
        "Is {mover} in contact with a wall of the room, within 0.03 m of it?",
        "Is there a wall within 0.03 m of {mover}?",
        "Does {mover} stand against a wall, with a gap of at most 0.03 m?",
        "Is {mover} touching one of the walls, with 0.03 m or less between the two?",
    ),
    "feasibility": (
        "Could {mover} be moved {probe}, without bumping into anything or changing height?",
        "Is the way free to slide {mover} {probe}, keeping its height?",
        "Would {mover} stay free of collisions, at the same height, if shifted {probe}?",
        "Is there room to move {mover} by {probe}, without lifting it and without hitting anything?",
        "Starting from its place at constant height, is there a collision-free way for {mover} to go {probe}?",
    ),
    "closest_three": (
        "Which three of these are closest to {mover}, measured between {points}?",
        "Measured between {points}, which three of these is {mover} closest to?",
        "Which three of the listed objects have the smallest {gap}s to {mover}?",
        "Which three of these objects are nearest to {mover}, taking the {points} of both?",
        "Which three of the following lie closest to {mover}, going by the {apart} between {points}?",
    ),
    "count_near": (
        "How many of these are within {threshold} m of {mover}, measured between {points}: {listed}?",
        "How many of these is {mover} within {threshold} m of, measured between {points}: {listed}?",
        "How many of the following lie less than {threshold} m from {mover}, taking the {points} of both: {listed}?",
        "Take {listed}: measured between {points}, how many of them are closer than {threshold} m to {mover}?",
        "Of {listed}, how many are within {threshold} m of {mover}, going by the {apart} between {points}?",
    ),
}
"""The same about the after picture alone."""


@dataclass(frozen=True)
class Words:
    """Of a reworded question: patterns of which one word must occur, and of words that may not."""

    needed: str
    barred: str


_NOT = r"\b(?:never|outside|(?:not|\w+n't)(?! (?:more|farther|further|over|exceed\w*|beyond)\b))\b"
_BEYOND = r"(?<!no )(?<!not )\b(?:more|farther|further) than\b|\b(?:at least|farthest|furthest)\b"
_NEAREST = Words(
    r"\b(?:closest|nearest|smallest|shortest|tiniest|lowest|least|minim\w+)\b",
    r"\b(?:not|\w+n't|farthest|furthest|largest|greatest|longest|biggest|most distant)\b",
)
_WITHIN = Words(
    r"\b(?:within|inside|under|below|at most|(?:less|closer|nearer|smaller|shorter) than)\b"
    r"|\b(?:no|not) (?:more|farther|further) than\b",
    f"{_NOT}|{_BEYOND}",
)
REWORDED: Final[Mapping[str, Words]] = {
    "left_right": Words(r"\b(?:left|right)\b", r"\b(?:not|never|\w+n't)\b"),
    "near_object": _WITHIN,
    "closer_to": _NEAREST,
    "closest_three": Words(rf"\bthree\b.*{_NEAREST.needed}|{_NEAREST.needed}.*\bthree\b", _NEAREST.barred),
    "occlusion": Words(r"\bthird\b", r"\b(?:not|never|\w+n't|half|quarter|less than|at most|two[ -]thirds)\b"),
    "contact_wall": Words(r"\bwalls?\b", r"\b(?:ceilings?|floors?|doors?|windows?|(?:not|\w+n't)\b(?! more)|never)\b"),
    "feasibility": Words(
        r"\b(?:free\w*|room|space|clear|possible|able|can|could|\w*collision\w*|collid\w+|bump\w*|hit\w*)\b",
        r"\b(?:blocked|impossible|unable|cannot)\b",
    ),
    "count_near": Words(rf"\bhow many\b.*{_WITHIN.needed}|{_WITHIN.needed}.*\bhow many\b", _WITHIN.barred),
}
"""Category -> what a reworded question of it is held to."""


def check_questions(record: SimRecord) -> Iterator[Finding]:
    """Both questions are phrasings of the category with what the record names; reworded ones keep its key words."""
    if record.category not in QUESTIONS or record.measure not in TERMS:
        return  # told where labels are derived again
    for name, text, phrasings in (
        ("question", record.question, QUESTIONS[record.category]),
        ("static_question", record.static_question, STATIC_QUESTIONS[record.category]),
    ):
        if record.provenance.rewriter is not None:
            yield from _check_words(name, text, record)
        elif text.casefold() not in {each.casefold() for each in asked(phrasings, record)}:
            yield Finding(
                "question of its category", f"{name} {text[:300]!r}", f"a phrasing of {record.category} as recorded"
            )


def asked(phrasings: Sequence[str], record: SimRecord) -> list[str]:
    """Phrasings with the names, the relation, the threshold, the measure and the further motion of a record."""
    points, apart, gap = TERMS[record.measure]
    names = [each.name for each in record.landmarks]
    holes = {
        "mover": record.mover.name,
        "a": names[0] if names else "",
        "listed": " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names),
        "relation": record.relation or "",
        "threshold": "" if record.threshold is None else f"{record.threshold:.2f}",
        "probe": _probe(record),
        "points": points,
        "apart": apart,
        "gap": gap,
    }
    return [each.format(**holes) for each in phrasings]


def _probe(record: SimRecord) -> str:
    if record.probe is None:
        return ""
    parts = [f"{length:.2f} m {TOWARD[word]}" for word, length in components(record.probe)]
    return " and ".join(parts) + ("" if record.probe.away else ", as seen from the camera")


def _check_words(name: str, text: str, record: SimRecord) -> Iterator[Finding]:
    """The key words of a reworded question; words of names are passed over."""
    rest = without_names(text, [each.name for each in (record.mover, *record.landmarks)])
    words = REWORDED[record.category]
    barred = re.search(words.barred, rest)
    if barred:
        yield Finding("question of its category", f"{name} says {barred[0]!r}", f"a question of {record.category}")
    elif not re.search(words.needed, rest):
        yield Finding("question of its category", f"{name} {text[:300]!r}", f"a question of {record.category}")
