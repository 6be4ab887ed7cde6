"""The narrator's phrases; every list holds ways to say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

OPENINGS = (
    "At the end of the observation, ",
    "When the video stops, ",
    "As the observation ends, ",
    "In the last moment that can be seen, ",
    "Once the video has come to its end, ",
)
MOVING = (
    "{name} is near the {region}, moving {pace} toward the {heading}",
    "{name} moves {pace} toward the {heading} near the {region}",
    "near the {region}, {name} travels {pace} toward the {heading}",
    "{name} is on its way toward the {heading}, {pace}, near the {region}",
)
DRIFTING = (
    "{name} is near the {region}, moving {pace}",
    "{name} moves {pace} near the {region}",
)
RESTING = (
    "{name} rests near the {region}",
    "{name} is near the {region} and stationary",
    "{name} stands still near the {region}",
    "{name} is at rest near the {region}",
)
REST_GROUP = ("{names} are at rest", "{names} stand still", "{names} do not move")
MOVING_GROUP = ("{names} move as well", "{names} are in motion, too")
PACE: Mapping[str, Sequence[str]] = {
    "slow": ("slowly", "at a slow pace", "without haste"),
    "medium": ("at a medium pace", "at a moderate speed", "steadily"),
    "fast": ("quickly", "fast", "at high speed"),
}
SLOWEST = "slow"
HEADING: Mapping[str, Sequence[str]] = {
    "right": ("right", "right edge"),
    "left": ("left", "left edge"),
    "top": ("top", "upper edge", "back of the scene"),
    "bottom": ("bottom", "lower edge", "viewer"),
    "upper right": ("upper right",),
    "upper left": ("upper left",),
    "lower right": ("lower right",),
    "lower left": ("lower left",),
}
COURSE = (
    "{one} and {other} are on a collision course",
    "{one} and {other} are heading into each other",
    "the ways of {one} and {other} lead to a collision",
)
WHEN: Mapping[str, Sequence[str]] = {
    "imminent": ("and their meeting is imminent", "and they are about to meet"),
    "soon": ("and they will meet soon if nothing comes between", "and without interference they meet before long"),
}
NO_COURSE = (
    "No objects are on a collision course.",
    "Nothing is heading for a collision yet.",
    "No two of the objects in sight are about to meet.",
)
MET = (
    "{one} and {other} have just collided",
    "{one} and {other} have only just met",
    "a collision between {one} and {other} has just taken place",
)
"""Right before the end of the observation."""
KEEPS = (
    "{name} is moving {pace}, so it will {way}",
    "given its speed and direction, {name} will {way}",
    "{name} travels {pace} and will therefore {way}",
    "since {name} moves {pace}, it will {way}",
)
WAYS: Mapping[str, Sequence[str]] = {
    "slow": ("go on no faster than that by itself", "keep to that pace at most"),
    "medium": (
        "cover some ground unless something is in its way",
        "come a fair way along its path unless something is in it",
    ),
    "fast": ("cover a lot of ground unless something stops it", "be well along its path unless something stops it"),
}
STRUCK = (
    "{one} and {other} will meet, and the impact changes how both of them move",
    "{one} runs into contact with {other}, so neither keeps its present motion",
    "a collision between {one} and {other} passes motion from one to the other",
)
UNTOUCHED = (
    "Objects at rest remain where they are unless struck.",
    "What stands still stays where it is as long as nothing hits it.",
    "Whatever rests keeps its place until something runs into it.",
)
FREE = (
    "Nothing collides until the moment in question, so every path goes on as it is.",
    "No collision comes before the moment asked about, and so nothing is deflected.",
    "Until then there is no contact, so all motion simply goes on and fades with friction.",
)
LATER = (
    "What is on a collision course meets only after the moment asked about, so until then every path goes on as it is.",
    "Nothing collides until the moment in question; what is on a collision course meets only afterwards.",
    "No collision comes before the moment asked about, and so nothing is deflected yet.",
)
"""Where nothing collides up to the target, but soon."""
REMARKS = (
    "Friction with the ground slows everything that moves, and nothing gains speed by itself.",
    "The camera stands still, so a change of place in the picture is a change of place in the scene.",
    "What moves keeps its direction until something stands in its way, while the ground takes away some of its speed.",
    "Colour, shape and material of the objects stay as they are; it is their places that tell one moment from another.",
)
AHEAD = ("At the moment asked about, ", "At the target moment, ", "When that moment comes, ", "By then, ")
STAYS = (
    "{name} is still near the {region}",
    "{name} remains near the {region}",
    "{name} keeps its place near the {region}",
)
GOES = ("{name} will be near the {region}", "{name} has come to the {region}", "{name} is found near the {region}")
SHIFTS = (
    "{name} has shifted but is still near the {region}",
    "{name} has moved on within the {region}",
    "{name} lies a bit farther along near the {region}",
)
GONE = ("{name} has left the picture", "{name} is out of the picture")
COVERED = ("{name} is hidden from view", "{name} can hardly be seen behind what stands before it")
IS_THERE = ("{name} is near the {region}", "{name} has its place near the {region}", "{name} is seen near the {region}")
"""Of the outcome, which tells a picture."""
CLOSE = ("{one} and {other} are very close together", "{one} and {other} are next to each other")
ENDINGS = (
    "The image to look for shows that {facts}.",
    "So the scene to look for is the one in which {facts}.",
    "The right image, then, is one where {facts}.",
    "What tells the right image from the others is that {facts}.",
)
"""Of the outcome."""
EVERYTHING_RESTS = ("every object is where it was",)
EMPTY_START = ("no object can be made out",)
