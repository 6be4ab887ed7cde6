"""The questions: several phrasings that state their anchor (``balanced``), or the paper's one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .slots import Slot

EVENT = (
    "Which image shows the scene right after the next collision?",
    "The video stops before two objects collide. Which image shows the scene right after that next collision?",
    "Think ahead to the next collision. Which image shows the scene immediately after it?",
    "Which of the images shows what the scene looks like right after the next collision takes place?",
    "Soon after the video stops, two objects collide. Which image was taken right after that, the next collision?",
    "Pick the image that shows the scene immediately after the next collision.",
)
DELAYED = (
    "Which image shows the scene {seconds} seconds after the next collision?",
    "The video stops before two objects collide. Which image shows the scene {seconds} seconds after that next "
    "collision?",
    "Think ahead to the next collision. Which image shows the scene {seconds} seconds after it?",
    "Which of the images shows what the scene looks like {seconds} seconds after the next collision takes place?",
    "Soon after the video stops, two objects collide. Which image was taken {seconds} seconds after that, the next "
    "collision?",
    "Pick the image that shows the scene {seconds} seconds after the next collision.",
)
"""Where other candidates, too, come right after the collision."""
TIME = (
    "Which image shows the scene {seconds} seconds after the video ends?",
    "What does the scene look like {seconds} seconds after the video ends? Pick the image that shows it.",
    "The scene goes on after the video ends. Which image was taken {seconds} seconds later?",
    "Imagine that the video went on. Which image would it show {seconds} seconds after its present end?",
    "Which of the images shows the state of the scene {seconds} seconds after the end of the video?",
    "Pick the image that was taken {seconds} seconds after the video ends.",
)
CONTACT = (
    "The video ends just as two objects collide. Which image shows the scene {seconds} seconds after the video ends?",
    "At the end of the video two objects have just met. Which image shows the scene {seconds} seconds later?",
    "Which image shows the scene {seconds} seconds after the collision at which the video ends?",
    "The last thing in the video is a collision. What does the scene look like {seconds} seconds after it?",
    "Two objects collide as the video ends. Pick the image that was taken {seconds} seconds afterwards.",
)
BALANCED: Mapping[str, Sequence[str]] = {
    "future": EVENT,
    "delayed": DELAYED,
    "contact": CONTACT,
    "time": TIME,
    "window": TIME,
}
PAPER_EVENT = "Which image is closest to the correct future state of the whole scene?"
PAPER_TIME = (
    "Watch the 1-second observation video. Which image best shows what the scene will look like {count} after the "
    "observation ends?"
)
PAPER_WINDOW = "Which image best matches the next scene state?"
PAPER: Mapping[str, str] = {
    "future": PAPER_EVENT,
    "contact": PAPER_EVENT,
    "time": PAPER_TIME,
    "window": PAPER_WINDOW,
}


def seconds_text(seconds: float) -> str:
    """``"1.0"``, ``"0.4"`` or ``"0.32"``: as many decimals as it takes, and one at least."""
    text = f"{seconds:.2f}"
    return text[:-1] if text.endswith("0") else text


def ask(slot: Slot, anchored: bool, rng: np.random.Generator) -> str:
    """The question of a slot.

    Args:
        slot: the moment.
        anchored: whether the anchor is stated, in one of several phrasings.
        rng: draws the phrasing.
    """
    if not anchored:
        return PAPER[slot.phrasing].format(count="1 second" if slot.seconds <= 1.0 else f"{slot.seconds:.0f} seconds")
    texts = BALANCED[slot.phrasing]
    return texts[int(rng.integers(len(texts)))].format(seconds=seconds_text(slot.seconds))
