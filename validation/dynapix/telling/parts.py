"""The four parts of a rationale with all that each of them may say (see :mod:`.grammar`)."""

from __future__ import annotations

import re
from typing import Final

from .grammar import Part, kinds

_AND: Final = re.compile(r" and ")
_LISTED: Final = re.compile(r", | and ")
_NONE: Final = re.compile(r"")
_STAYS: Final = {
    "stays": (
        r"@a is still near the @region",
        r"@a remains near the @region",
        r"@a keeps its place near the @region",
    ),
    "goes": (
        r"@a will be near the @region",
        r"@a has come to the @region",
        r"@a is found near the @region",
    ),
    "shifts": (
        r"@a has shifted but is still near the @region",
        r"@a has moved on within the @region",
        r"@a lies a bit farther along near the @region",
    ),
    "gone": (r"@a has left the picture", r"@a is out of the picture"),
    "covered": (r"@a is hidden from view", r"@a can hardly be seen behind what stands before it"),
    "as it was": (r"every object is where it was",),
}

SCENE: Final = Part(
    "Scene parse.",
    re.compile(
        r"(?:at the end of the observation|when the video stops|as the observation ends|in the last moment that can be "
        r"seen|once the video has come to its end), "
    ),
    1,
    _AND,
    kinds(
        **{
            "moving": (
                r"@a is near the @region, moving @pace toward the @heading",
                r"@a moves @pace toward the @heading near the @region",
                r"near the @region, @a travels @pace toward the @heading",
                r"@a is on its way toward the @heading, @pace, near the @region",
            ),
            "drifting": (r"@a is near the @region, moving @pace", r"@a moves @pace near the @region"),
            "resting": (
                r"@a (?:rests|stands still|is at rest) near the @region",
                r"@a is near the @region and stationary",
            ),
            "resting together": (r"@names (?:are at rest|stand still|do not move)",),
            "moving together": (r"@names (?:move as well|are in motion, too)",),
            "nothing seen": (r"no object can be made out",),
            "course": (
                r"@a and @b are (?:on a collision course|heading into each other) @when",
                r"the ways of @a and @b lead to a collision @when",
            ),
            "no course": (
                r"no objects are on a collision course",
                r"nothing is heading for a collision yet",
                r"no two of the objects in sight are about to meet",
            ),
            "met": (
                r"@a and @b have (?:just collided|only just met)",
                r"a collision between @a and @b has just taken place",
            ),
        }
    ),
)
MOTION: Final = Part(
    "Motion analysis.",
    _NONE,
    0,
    re.compile(r"(?!)"),
    kinds(
        keeps=(
            r"@a is moving @pace, so it will @way",
            r"given its speed and direction, @a will @way",
            r"@a travels @pace and will therefore @way",
            r"since @a moves @pace, it will @way",
        ),
        struck=(
            r"@a and @b will meet, and the impact changes how both of them move",
            r"@a runs into contact with @b, so neither keeps its present motion",
            r"a collision between @a and @b passes motion from one to the other",
        ),
        free=(
            r"nothing collides until the moment in question, so every path goes on as it is",
            r"no collision comes before the moment asked about, and so nothing is deflected",
            r"until then there is no contact, so all motion simply goes on and fades with friction",
        ),
        later=(
            r"what is on a collision course meets only after the moment asked about, so until then every path goes on "
            r"as it is",
            r"nothing collides until the moment in question; what is on a collision course meets only afterwards",
            r"no collision comes before the moment asked about, and so nothing is deflected yet",
        ),
        always=(
            r"objects at rest remain where they are unless struck",
            r"what stands still stays where it is as long as nothing hits it",
            r"whatever rests keeps its place until something runs into it",
            r"friction with the ground slows everything that moves, and nothing gains speed by itself",
            r"the camera stands still, so a change of place in the picture is a change of place in the scene",
            r"what moves keeps its direction until something stands in its way, while the ground takes away some of "
            r"its speed",
            r"colour, shape and material of the objects stay as they are; it is their places that tell one moment from "
            r"another",
        ),
    ),
)
PREDICTION: Final = Part(
    "Prediction.",
    re.compile(r"(?:at the moment asked about|at the target moment|when that moment comes|by then), "),
    1,
    _AND,
    kinds(**_STAYS),
)
OUTCOME: Final = Part(
    "Outcome.",
    re.compile(
        r"(?:the image to look for shows that|so the scene to look for is the one in which|the right image, then, is "
        r"one where|what tells the right image from the others is that) "
    ),
    1,
    _LISTED,
    kinds(
        close=(r"@a and @b are (?:very close together|next to each other)",),
        there=(r"@a is near the @region", r"@a has its place near the @region", r"@a is seen near the @region"),
        **{kind: _STAYS[kind] for kind in ("gone", "covered", "as it was")},
    ),
)
PARTS: Final = (SCENE, MOTION, PREDICTION, OUTCOME)
