"""What may be asked and told of a recorded pair: this package's own list; a test holds the builders to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

SEEN_FROM: Final = "(directions as seen from the camera)"
SEEN_UPRIGHT: Final = "(directions as seen from the camera; up and down are those of the picture)"
"""Of texts that tell anything to go up or down."""
MOTIONS: Final[Sequence[str]] = (
    "Suppose {a} is moved by {path} {seen}.",
    "Imagine that {a} is moved by {path} {seen}.",
    "{A} is now moved {path} {seen}.",
    "Someone moves {a} by {path} {seen}.",
)
OTHER: Final = "{A} is moved by {path} as well."
SCALE: Final = "For scale, {a} measures {size} cm at its longest, as seen here."

_NEAR: Final = ", measured between their nearest points?"
_LISTED: Final = ", measured between nearest points: {listed}?"
Phrasings = Sequence[tuple[str, str]]
"""Question and static question, which go together."""
QUESTIONS: Final[Mapping[tuple[str, str | None], Phrasings]] = {
    ("near_object", "within"): (
        ("After the move, will {a} be within {t} of {l}" + _NEAR, "Is {a} within {t} of {l}" + _NEAR),
        (
            "Once it has moved, will {a} be less than {t} away from {l}" + _NEAR,
            "Is {a} less than {t} away from {l}" + _NEAR,
        ),
    ),
    ("near_object", "beyond"): (
        (
            "After the move, will {a} be more than {t} away from {l}" + _NEAR,
            "Is {a} more than {t} away from {l}" + _NEAR,
        ),
        (
            "Once it has moved, will there be more than {t} between the nearest points of {a} and {l}?",
            "Is there more than {t} between the nearest points of {a} and {l}?",
        ),
    ),
    ("closer_to", None): (
        (
            "Which of these objects will {a} end up closest to: {listed}?",
            "Which of these objects is {a} closest to: {listed}?",
        ),
        (
            "After the move, which of these objects will be nearest to {a}: {listed}?",
            "Which of these objects is nearest to {a}: {listed}?",
        ),
    ),
    ("closest_three", None): (
        (
            "Which three of these objects will {a} end up closest to: {listed}?",
            "Which three of these objects is {a} closest to: {listed}?",
        ),
        (
            "After the move, which three of these objects will be nearest to {a}: {listed}?",
            "Which three of these objects are nearest to {a}: {listed}?",
        ),
    ),
    ("count_near", "within"): (
        (
            "How many of these objects will end up within {t} of {a}" + _LISTED,
            "How many of these objects are within {t} of {a}" + _LISTED,
        ),
        (
            "After the move, how many of these objects will lie within {t} of {a}" + _LISTED,
            "How many of these objects lie within {t} of {a}" + _LISTED,
        ),
    ),
    ("occlusion", None): (
        (
            "After the move, will {l} be fully visible, or partly blocked by {a}?",
            "Is {l} fully visible, or partly blocked by {a}?",
        ),
        (
            "Once {a} has moved, will {l} be fully visible, or will {a} partly block it?",
            "Is {l} fully visible, or does {a} partly block it?",
        ),
    ),
    **{
        ("left_right", side): (
            (
                f"Will {{a}} end up to the {side} of {{l}}, from the camera's viewpoint?",
                f"Is {{a}} to the {side} of {{l}}, from the camera's viewpoint?",
            ),
            (
                f"After the move, will {{a}} be to the {side} of {{l}}, as seen from the camera?",
                f"Is {{a}} to the {side} of {{l}}, as seen from the camera?",
            ),
        )
        for side in ("left", "right")
    },
    **{
        ("depth_order", relation): (
            (
                f"Will {{a}} end up {order} the camera than {{l}}?",
                f"Is {{a}} {order} the camera than {{l}}?",
            ),
            (
                f"After the move, will {{a}} be {order} the camera than {{l}}?",
                f"Seen from the camera, is {{a}} {seen} than {{l}}?",
            ),
        )
        for relation, order, seen in (("closer", "closer to", "nearer"), ("farther", "farther from", "farther away"))
    },
}
"""Category and relation -> what may be asked."""
VISIBILITY: Final = ("fully visible", "partly blocked")
WORDS: Final[Mapping[str, Sequence[str]]] = {
    "near_object": ("yes", "no"),
    "left_right": ("yes", "no"),
    "depth_order": ("yes", "no"),
    "occlusion": VISIBILITY,
}
"""Category -> its choices where these are words, in any order."""
