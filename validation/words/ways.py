"""Lengths and directions in words are those of the record's components."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from flowbench.schema import Motion, Probe, SimRecord

from ..recompute.rules import Finding

_PIECES = re.compile(r"(\d+(?:\.\d+)?)(?: ?(m|metres?|meters?)\b)?|\b(left|right|away|towards?)\b")
_POSITIVE, _NEGATIVE = ("right", "away"), ("left", "toward")
HALF_MILLIMETRE = 0.0005
BAND_SLACK = 0.005 + 1e-9
"""Lengths are compared with bands as they are told, in whole centimetres."""

_AFTER = r"after|afterwards|then|once|from there|ends? up|results?|resulting|new place|further|another|on by"
_MOVING = rf"{_AFTER}|will|would|mov\w+|motion|shift\w*|slid\w*|push\w*|imagine|suppose|picture (?:the|it)"
STATIC_WORDS = {"feasibility": re.compile(rf"\b(?:{_AFTER})\b")}
"""Categories whose static question speaks of a further motion: what it must not say still."""
OTHER_STATIC_WORDS = re.compile(rf"\b(?:{_MOVING})\b")
"""What no other static question says: it is about the picture as it is."""


def check_ways(record: SimRecord) -> Iterator[Finding]:
    """The motion text, the probe in both questions, and the words that a static question may not use."""
    names = [each.name for each in (record.mover, *record.landmarks)]
    yield from _check_text("motion_text", record.motion_text, names, record.motion)
    yield from _check_claim("motion", record.motion)
    yield from _check_band(record.motion)
    if record.probe is not None:
        yield from _check_claim("probe", record.probe)
        yield from _check_text("question", record.question, names, record.probe)
        yield from _check_text("static_question", record.static_question, names, record.probe)
    pattern = STATIC_WORDS.get(record.category, OTHER_STATIC_WORDS)
    told = pattern.search(without_names(record.static_question, names))
    if told:
        yield Finding("static question speaks of a motion", told[0], "a question about the picture as it is")


def told_ways(text: str, names: Sequence[str]) -> list[tuple[str, float]] | None:
    """The (direction, metres) that a text tells, in order; None where lengths and directions do not alternate.

    Names of objects are passed over.
    """
    found: list[tuple[str, float]] = []
    length: float | None = None
    for number, unit, word in _PIECES.findall(without_names(text, names)):
        if number:
            if length is not None or not unit:
                return None
            length = float(number)
        elif length is None:
            return None
        else:
            found.append(("toward" if word == "towards" else word, length))
            length = None
    return None if length is not None else found


def without_names(text: str, names: Sequence[str]) -> str:
    """The text in small letters, ``it`` in place of every name."""
    text = text.casefold()
    for each in sorted(names, key=len, reverse=True):
        text = text.replace(each.casefold(), "it")
    return text


def components(claim: Motion | Probe) -> list[tuple[str, float]]:
    """(direction, metres) of a claim's components that are not 0."""
    return [
        (positive if value > 0.0 else negative, abs(value))
        for value, positive, negative in zip((claim.right, claim.away), _POSITIVE, _NEGATIVE, strict=True)
        if value
    ]


def _check_text(name: str, text: str, names: Sequence[str], claim: Motion | Probe) -> Iterator[Finding]:
    told, expected = told_ways(text, names), components(claim)
    same = told is not None and len(told) == len(expected)
    if same:
        pairs = zip(sorted(told or ()), sorted(expected), strict=True)
        same = all(a == b and abs(x - y) <= HALF_MILLIMETRE for (a, x), (b, y) in pairs)
    if not same:
        shown = "no way" if told is None else _way(told)
        yield Finding("lengths and directions in words", f"{name} tells {shown}", _way(expected))


def _way(parts: Sequence[tuple[str, float]]) -> str:
    return " and ".join(f"{length:.2f} m {word}" for word, length in parts) or "nothing"


def _check_claim(name: str, claim: Motion | Probe) -> Iterator[Finding]:
    """Direction and distance are those of the components."""
    direction = "+".join(word for word, _ in components(claim))
    if claim.direction != direction:
        yield Finding(f"{name}.direction", claim.direction, direction)
    length = math.hypot(claim.right, claim.away)
    if abs(claim.distance - length) > 2.0 * HALF_MILLIMETRE / 1000.0:
        yield Finding(f"{name}.distance", f"{claim.distance} m", f"{length:.6f} m")
    if any(abs(part * 100.0 - round(part * 100.0)) > 1e-6 for part in (claim.right, claim.away)):
        yield Finding(f"{name} in whole centimetres", f"{claim.right} and {claim.away} m", "whole centimetres")


def _check_band(motion: Motion) -> Iterator[Finding]:
    """The length lies in its band."""
    match = re.fullmatch(r"(?:(\d+\.\d+)-(\d+\.\d+)|under (\d+\.\d+)|over (\d+\.\d+))", motion.length_band)
    if match is None:
        yield Finding("motion.length_band", motion.length_band, "a band like '0.35-0.54', 'under 0.20' or 'over 1.00'")
        return
    low, high = float(match[1] or match[4] or 0.0), float(match[2] or match[3] or math.inf)
    if not low - BAND_SLACK <= motion.distance <= high + BAND_SLACK:
        yield Finding("motion.length_band", f"{motion.distance} m in {motion.length_band}", "the band of its length")
