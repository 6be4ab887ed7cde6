"""The questions about filmed scenes: several phrasings that state their anchor, or the paper's one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flowbench.builders.dynapix.selection.phrasing import PAPER_EVENT, PAPER_TIME, TIME, seconds_text
from flowbench.builders.dynapix.selection.slots import Slot

CONTACT = (
    "Which image shows the scene right after two objects that are apart next touch each other?",
    "After the video ends, two objects that are apart come into contact. Which image shows the scene right after that?",
    "Think ahead to the next time that one object runs into another. Which image shows the scene right after it?",
    "Pick the image that shows the scene immediately after an object next comes into contact with another one.",
    "The video stops before two objects meet. Which image shows the scene right after they first touch?",
)
MOTION = (
    "Which image shows the scene right after an object at rest next starts to move?",
    "After the video ends, an object that rests is set in motion. Which image shows the scene right after that?",
    "Think ahead to the moment in which a resting object begins to move. Which image shows the scene right after it?",
    "Pick the image that shows the scene immediately after a stationary object next starts moving.",
    "The video stops before something that stands still starts to move. Which image shows the scene right after that?",
)
LANDING = (
    "Which image shows the scene right after an object next lands on the ground?",
    "After the video ends, an object comes down on the ground. Which image shows the scene right after it lands?",
    "Think ahead to the next time that an object hits the ground. Which image shows the scene right after it?",
    "Pick the image that shows the scene immediately after an object next reaches the ground.",
    "The video stops before an object lands on the ground. Which image shows the scene right after the landing?",
)
EVENTS: Mapping[str, Sequence[str]] = {"contact": CONTACT, "motion": MOTION, "landing": LANDING}
DELAYED: Mapping[str, Sequence[str]] = {
    f"{kind} delayed": tuple(
        text.replace("right after", "{seconds} seconds after").replace("immediately after", "{seconds} seconds after")
        for text in texts
    )
    for kind, texts in EVENTS.items()
}
"""Where other candidates, too, come right after the event."""
TEXTS: Mapping[str, Sequence[str]] = {**EVENTS, **DELAYED, "time": TIME}
"""Kind of a slot -> ways to ask; seconds are stated where they alone say when."""


def ask(slot: Slot, anchored: bool, rng: np.random.Generator) -> str:
    """The question of a slot.

    Args:
        slot: the moment.
        anchored: whether the anchor is stated, in one of several phrasings.
        rng: draws the phrasing.
    """
    if not anchored:
        count = "1 second" if slot.seconds <= 1.0 else f"{slot.seconds:.0f} seconds"
        return PAPER_TIME.format(count=count) if slot.family == "time" else PAPER_EVENT
    texts = TEXTS[slot.phrasing]
    return texts[int(rng.integers(len(texts)))].format(seconds=seconds_text(slot.seconds))
