"""Reasoning by rules (paper, "Annotating"): ``gt`` from metadata, ``after`` from I1, ``before`` from I0 and the motion.

The last two state what the pictures show and carry no numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.schema import LETTERS, Reasoning

from .items import YES_NO, Because
from .language import Wording, sentence

GT = (
    "{motion} {Measured}. {Result}, and this makes the answer {answer}.",
    "{motion} According to the simulator, {measured}. Hence {result}, and the answer is {answer}.",
    "{motion} The simulator reports that {measured}. This means that {result}, which makes the answer {answer}.",
    "Measurements tell what the move leads to. {motion} {Measured}. So {result}, and the answer is {answer}.",
    "{motion} In the simulator's figures, {measured}; that is why {result}. The answer is therefore {answer}.",
    "{motion} {Result}. The scene's geometry confirms it: {measured}. So the answer is {answer}.",
)
AFTER = (
    "In the picture after the move, {result}. So the answer is {answer}.",
    "Looking at the outcome, one sees that {result}. This makes the answer {answer}.",
    "The resulting picture shows that {result}; the answer is {answer}.",
    "{Result}, as the picture after the move shows. The answer must be {answer}.",
    "As can be seen once the move is done, {result}, and hence the answer is {answer}.",
    "What the final picture shows decides: {result}. The answer, then, is {answer}.",
)
BEFORE = (
    "In the picture, {start}. {Change}. Afterwards {result}, so the answer is {answer}.",
    "As things stand, {start}. {Change}, so that in the end {result}. The answer is {answer}.",
    "Picture the scene first: {start}. What happens then: {change}. In the end {result}, which gives {answer}.",
    "At first {start}. Since {change}, the outcome is that {result}. The answer is therefore {answer}.",
    "{Start} to begin with. {Change}; as a consequence, {result}. Hence the answer is {answer}.",
    "Before anything moves, {start}. Think it through: {change}. After that, {result}, and the answer is {answer}.",
)


def reason(
    because: Because, wording: Wording, letter: str, rng: np.random.Generator, metadata: Sequence[str] = GT
) -> Reasoning:
    """The three texts of an item; each ends in the letter and a full stop.

    Args:
        because: the facts.
        wording: the item in words; its motion is stated again in ``gt`` only.
        letter: the right choice or choices.
        rng: draws the phrasings.
        metadata: phrasings of ``gt``.
    """
    choice = wording.choices[LETTERS.index(letter[0])]
    holes = {"motion": wording.motion, "answer": f"{choice}: {letter}" if choice in YES_NO else letter}
    for name in ("start", "change", "result", "measured"):
        text = getattr(because, name)
        holes[name] = text
        holes[name.capitalize()] = sentence(text)
    gt, after, before = (
        phrasings[int(rng.integers(len(phrasings)))].format(**holes) for phrasings in (metadata, AFTER, BEFORE)
    )
    return Reasoning(gt=gt, after=after, before=before)
