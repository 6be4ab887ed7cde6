"""Rationales that a model wrote: what is found in their words of regions, directions and collisions is compared.

Sentences are not known beforehand, so that nothing is said against what is not found. Names are checked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...recompute.rules import Finding
from .grammar import HEADINGS, NAME, REGIONS
from .viewed import JUST, SOON, Viewed

_SENTENCE: Final = re.compile(r"(?<=[.!?;]) ")
_WORDS: Final = sorted((word for row in REGIONS for word in row), key=len, reverse=True)
_REGION: Final = re.compile(rf"(?<!toward the )(?<!towards the )\b({'|'.join(map(re.escape, _WORDS))})\b")
_TOWARD: Final = re.compile(
    rf"\btowards? the ({'|'.join(sorted((w for ways in HEADINGS.values() for w in ways), key=len, reverse=True))})\b"
    r"(?!-| (?:left|right|side|of))"
)
_MEETS: Final = re.compile(
    r"\b(?:collid(?:es?|ing)|collisions?|meets?|meeting|hits?|hitting|strikes?|runs? into|impacts?)\b"
)
_DENIES: Final = re.compile(r"\b(?:no|not|never|without|unless|if|until|neither|nor|n't|nothing|avoids?|miss(?:es)?)\b")


def check_free(text: str, viewed: Viewed) -> Iterator[Finding]:
    """What a model's rationale says that is not true."""
    for sentence in _SENTENCE.split(text.replace("center", "centre")):
        plain = sentence[:1].lower() + sentence[1:]
        about = [viewed.names[name] for name in dict.fromkeys(re.findall(NAME, plain)) if name in viewed.names]
        if about:
            yield from (
                Finding("untrue rationale", f"{sentence[:80]!r}", why) for why in _against(plain, about, viewed)
            )


def _against(sentence: str, about: list[int], viewed: Viewed) -> Iterator[str]:
    theirs = {viewed.region(body, frame) for body in about for frame in (viewed.cut, viewed.target)}
    strange = [found for found in _REGION.findall(sentence) if found not in theirs]
    if strange:
        yield f"{' or '.join(sorted(theirs))}, where its bodies are"
    if len(about) == 1:
        true = {viewed.heading(about[0]), viewed.sector(about[0], viewed.cut, viewed.target)}
        for words in _TOWARD.findall(sentence):
            told = next(meant for meant, ways in HEADINGS.items() if words in ways)
            if told not in true:
                yield f"toward the {' or '.join(sorted(str(each or 'same place') for each in true))}"
    if len(about) == 2 and _MEETS.search(sentence) and not _DENIES.search(sentence):
        until = max(viewed.target, viewed.cut + SOON)
        if {*about} not in [{*hit.objects} for hit in viewed.between(viewed.cut - JUST - 1, until)]:
            yield "no such collision"
