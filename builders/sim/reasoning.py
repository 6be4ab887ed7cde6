"""Reasoning by rules (paper, "Annotating"): ``gt`` from metadata, ``after`` from I1, ``before`` from I0 and the motion.

The last two state what the pictures show and carry no numbers.
"""

from __future__ import annotations

import numpy as np

from flowbench.schema import Reasoning

from .items import Because
from .language import sentence

GT = (
    "{motion} {Measured}. {Result}, so the answer is {letter}.",
    "{motion} According to the scene, {measured}. Hence {result}: the answer is {letter}.",
    "{motion} The simulator says that {measured}. That means that {result}, which makes it {letter}.",
)
AFTER = (
    "In the picture after the move, {result}. So the answer is {letter}.",
    "Looking at the outcome, {result}. This gives {letter}.",
    "The resulting picture shows that {result}; the answer is {letter}.",
)
BEFORE = (
    "In the picture, {start}. {Change}. Afterwards {result}, so the answer is {letter}.",
    "As things stand, {start}. {Change}, so that in the end {result}. The answer is {letter}.",
    "I picture the move: {start}; {change}. Then {result}, which makes it {letter}.",
)


def reason(because: Because, motion: str, letter: str, rng: np.random.Generator) -> Reasoning:
    """The three texts of an item.

    Args:
        because: the facts.
        motion: the motion sentence (stated again in ``gt`` only).
        letter: the right choice.
        rng: draws the phrasings.
    """
    holes = {"motion": motion, "letter": letter}
    for name in ("start", "change", "result", "measured"):
        text = getattr(because, name)
        holes[name] = text
        holes[name.capitalize()] = sentence(text)
    gt, after, before = (
        phrasings[int(rng.integers(len(phrasings)))].format(**holes) for phrasings in (GT, AFTER, BEFORE)
    )
    return Reasoning(gt=gt, after=after, before=before)
