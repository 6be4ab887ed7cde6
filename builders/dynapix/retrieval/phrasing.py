"""What retrieval queries ask, in several phrasings (``balanced``) or the first (``paper``, which prints none)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

TIME = (
    "Find the image that shows the scene {seconds} seconds after the video ends.",
    "Which image was taken {seconds} seconds after the end of the video?",
    "The scene goes on after the video ends. Find what it looks like {seconds} seconds later.",
    "Retrieve the state of the scene {seconds} seconds after the video ends.",
    "Look for the image that the video would show {seconds} seconds after its present end.",
)
NEXT = (
    "Find the image that shows the scene at the moment of the next collision.",
    "Which image was taken at the very moment of the next collision?",
    "The video stops before two objects collide. Find the image of the moment in which they meet.",
    "Retrieve the state of the scene just as the next collision happens.",
    "Look for the image in which the next collision has just happened.",
)
CONTACT = (
    "The video ends just as two objects collide. Find the image that shows the scene {seconds} seconds later.",
    "Which image was taken {seconds} seconds after the collision at which the video ends?",
    "At the end of the video two objects have just met. Find what the scene looks like {seconds} seconds later.",
    "Retrieve the state of the scene {seconds} seconds after the collision that ends the video.",
    "Two objects collide as the video ends. Look for the image taken {seconds} seconds afterwards.",
)
AFTER_NEXT = (
    "Find the image that shows the scene {seconds} seconds after the next collision.",
    "Which image was taken {seconds} seconds after the next collision?",
    "The video stops before two objects collide. Find what the scene looks like {seconds} seconds after they meet.",
    "Retrieve the state of the scene {seconds} seconds after the collision that comes next.",
    "Wait for the next collision and then {seconds} seconds more. Look for the image of that moment.",
)
WITHOUT = (
    "Suppose {name} had never been there. Find the image that shows the scene {seconds} seconds after the video ends.",
    "If {name} were absent, what would the scene look like {seconds} seconds after the video ends?",
    "Take {name} away from the scene. Which image would be taken {seconds} seconds after the end of the video?",
    "Imagine the same scene without {name}. Retrieve its state {seconds} seconds after the video ends.",
    "Were it not for {name}, how would things stand {seconds} seconds after the video ends? Find that image.",
)
TEXTS: Mapping[str, Sequence[str]] = {
    "time": TIME,
    "next": NEXT,
    "contact": CONTACT,
    "after_next": AFTER_NEXT,
    "without": WITHOUT,
}


def ask(kind: str, anchored: bool, rng: np.random.Generator, **holes: str) -> str:
    """A query's text.

    Args:
        kind: a key of :data:`TEXTS`.
        anchored: whether one of several phrasings is drawn.
        rng: draws it.
        holes: ``seconds``, ``name``.
    """
    texts = TEXTS[kind]
    return texts[int(rng.integers(len(texts))) if anchored else 0].format(**holes)
