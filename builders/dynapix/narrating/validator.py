"""What a rationale may not say: anything that a student could recite instead of see (paper, section 5.1)."""

from __future__ import annotations

import re

LEAST_WORDS, MOST_WORDS = 80, 250
MOST_LETTERS = 4000
PARTS = ("Scene parse.", "Motion analysis.", "Prediction.", "Outcome.")
"""The paper's four parts, in its order (appendix K)."""
_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
)
_UNITS = "frame second millisecond pixel metre meter centimetre centimeter degree fps px cm ms"
_COUNTED = rf"\b(?:one|{'|'.join(_NUMBERS.split())}|half a|a|an)\s+(?:{'|'.join(_UNITS.split())})s?\b"
_FORBIDDEN = (
    ("digits", re.compile(r"\d")),
    ("digits", re.compile(rf"\b(?:{'|'.join(_NUMBERS.split()[3:])})\b", re.IGNORECASE)),
    ("a time or length", re.compile(_COUNTED, re.IGNORECASE)),
    ("a timestamp", re.compile(r"\b(?:timestamp|time stamp|frames?|fps|seconds?|milliseconds?)\b", re.IGNORECASE)),
    ("coordinates", re.compile(r"\bcoordinates?\b|\bpixels?\b|\b[xyzuv]\s*[=:]|[xyzuv]-axis", re.IGNORECASE)),
    ("coordinates", re.compile(r"[\[(]\s*[^\])]*,[^\])]*[\])]")),
    ("a candidate's letter", re.compile(r"\b(?i:candidate|option|image|choice|answer)(?:\s+is)?\s+[A-D]\b")),
    ("a hole", re.compile(r"[{}<>]|\bNone\b|\s\s")),
    ("signs that are no plain text", re.compile(r"[^A-Za-z0-9 .,;:'\"?!()+-]|\bnull\b")),
    ("signs out of place", re.compile(r"^\s|\s$|\s[,.;:?!]|[,.;:?!]{2}")),
)


def refuse(text: str) -> str | None:
    """Why a rationale won't do, or None.

    It has the four parts in order, 80 to 250 words, no digits, number words above four, coordinates, timestamps, units,
    nor a candidate's letter.
    """
    for what, pattern in _FORBIDDEN:
        if pattern.search(text):
            return f"rationale with {what}"
    places = [text.find(part) for part in PARTS]
    if places[0] != 0 or places != sorted(places) or any(text.count(part) != 1 for part in PARTS):
        return "rationale without the four parts in order"
    words = len(text.split())
    if words < LEAST_WORDS:
        return "rationale too short"
    if words > MOST_WORDS or len(text) > MOST_LETTERS:
        return "rationale too long"
    return None
