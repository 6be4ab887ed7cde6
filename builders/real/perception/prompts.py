"""What segmentation is prompted with (paper, B.2): the arm, common nouns, the task's nouns, generic fallbacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["arm", "task", "common", "generic"]

ARM = ("robot arm", "robot gripper")
GENERIC = ("small object", "toy food", "kitchen item", "handheld object")
"""Labels that say little: a match needs a better likeness (B.2, "Matching objects across frames")."""
KITCHEN = (
    *("can", "cup", "mug", "bowl", "plate", "pot", "pan", "spoon", "fork", "knife", "spatula", "ladle", "whisk"),
    *("bottle", "jar", "box", "towel", "sponge", "apple", "banana", "carrot", "corn", "eggplant", "mushroom", "potato"),
    *("lemon", "pepper", "bread"),
)
"""28 of them."""
HOUSEHOLD = (
    *KITCHEN,
    *("book", "pen", "marker", "tape", "scissors", "remote control", "toy", "block", "ball", "candle", "glasses"),
    *("phone", "charger", "brush", "glove", "bag", "tissue box", "lid"),
)
"""46 of them."""
NOUNS: Mapping[str, tuple[str, ...]] = {"kitchen": KITCHEN, "household": HOUSEHOLD}
FIXTURES = frozenset(
    (
        *(
            "table",
            "tabletop",
            "desk",
            "counter",
            "countertop",
            "wall",
            "floor",
            "knob",
            "faucet",
            "tap",
            "sink",
            "stove",
            "burner",
            "oven",
        ),
        *("drawer", "cabinet", "cupboard", "shelf", "door", "window", "board", "mat", "cloth", "towel", "tablecloth"),
        *("cable", "outlet", "rail", "handle", "hinge", "dish rack", "fridge", "refrigerator", "microwave"),
    )
)
"""Surfaces and fixtures that are no landmarks (B.4, "Landmarks"), nor is what has one of these words in its label."""
_NO_NOUNS = frozenset(
    (
        *(
            "a",
            "an",
            "the",
            "and",
            "or",
            "to",
            "of",
            "on",
            "in",
            "into",
            "onto",
            "at",
            "by",
            "from",
            "with",
            "it",
            "its",
        ),
        *("this", "that", "up", "down", "left", "right", "top", "bottom", "front", "back", "side", "middle", "centre"),
        *("center", "edge", "corner", "next", "near", "behind", "beside", "between", "over", "under", "away", "toward"),
        *("towards", "closer", "put", "place", "move", "push", "pick", "take", "slide", "pull", "bring", "drop", "set"),
        *("lay", "lift", "grasp", "then", "please", "red", "green", "blue", "yellow", "orange", "purple", "pink"),
        *("white", "black", "brown", "grey", "gray", "silver", "small", "large", "big", "little", "cm", "robot", "arm"),
        *("gripper", "object", "thing", "item", "table"),
    )
)


@dataclass(frozen=True)
class Prompt:
    """A text prompt and why it is asked."""

    text: str
    kind: Kind


def prompts_for(nouns: str, task: str) -> tuple[Prompt, ...]:
    """All prompts of a pair: arm, the task's nouns, the profile's list, generic ones; each text once.

    Args:
        nouns: name of the profile's list, see :data:`NOUNS`.
        task: what the robot was told.
    """
    found: dict[str, Prompt] = {}
    for texts, kind in ((ARM, "arm"), (task_nouns(task), "task"), (NOUNS[nouns], "common"), (GENERIC, "generic")):
        for text in texts:
            found.setdefault(text, Prompt(text, kind))  # type: ignore[arg-type]
    return tuple(found.values())


def task_nouns(task: str) -> tuple[str, ...]:
    """Words of a task text that may name things, in their order, in the singular, each once."""
    words = re.findall(r"[a-z]+", task.lower())
    return tuple(dict.fromkeys(singular(word) for word in words if word not in _NO_NOUNS and len(word) > 2))


def singular(word: str) -> str:
    """``mugs`` -> ``mug``, ``boxes`` -> ``box``; what does not look like a plural stays."""
    if word.endswith(("ses", "xes", "shes", "ches", "toes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def mention(label: str, task: str) -> int | None:
    """Where a task names a label, by its last word, in the singular; None where it does not."""
    words = [singular(word) for word in re.findall(r"[a-z]+", task.lower())]
    wanted = [singular(word) for word in re.findall(r"[a-z]+", label.lower())]
    if not wanted:
        return None
    whole = [k for k in range(len(words)) if words[k : k + len(wanted)] == wanted]
    heads = [k for k, word in enumerate(words) if word == wanted[-1]]
    found = whole or heads
    return found[0] if found else None
