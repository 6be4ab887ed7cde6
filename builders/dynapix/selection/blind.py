"""What rules that understand nothing pick among four candidates: the select pass makes them worth a guess.

Each pick is told as four signs in order of time, ``1`` for a candidate that the rule picks: ``"0100"``, or several
``1`` where it cannot decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import seen_bodies
from flowbench.builders.dynapix.items import Place, factual
from flowbench.collisions.oracle import Oracle

RULES = ("medoid", "odd_one_out", "nearest", "most_visible", "closest_pair")
"""The last picks where two objects are closest together: what comes right after a collision would give itself away."""


def picks(album: Album, places: Sequence[Place], cut: int) -> tuple[tuple[str, str], ...]:
    """Every rule's pick.

    Args:
        album: of the scene.
        places: the four candidates in order of time.
        cut: last observed frame, of the true run.
    """
    apart = [sum(int(album.distance(one, other)) for other in places) for one in places]
    near = [album.distance(place, factual(cut)) for place in places]
    visible = [len(seen_bodies(album.films.oracles[place.variant], place.frame)) for place in places]
    gaps = [closest(album.films.oracles[place.variant], place.frame) for place in places]
    best: tuple[Sequence[float], ...] = (apart, [-far for far in apart], near, [-count for count in visible], gaps)
    return tuple((rule, _signs(values)) for rule, values in zip(RULES, best, strict=True))


def closest(oracle: Oracle, frame: int) -> float:
    """Metres between the centres of the two objects in sight that are closest together; infinite where there is one."""
    places = [oracle.poses[frame, body, :3].tolist() for body in seen_bodies(oracle, frame)]
    gaps = [math.inf]
    for (x, y, z), (a, b, c) in combinations(places, 2):
        gaps.append(math.sqrt((x - a) * (x - a) + (y - b) * (y - b) + (z - c) * (z - c)))
    return min(gaps)


def _signs(values: Sequence[float]) -> str:
    """Where the least value stands."""
    return "".join("1" if value == min(values) else "0" for value in values)
