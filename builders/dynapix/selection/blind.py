"""What rules that understand nothing pick among four candidates: the select pass makes them worth a guess.

Each pick is told as four signs in order of time, ``1`` for a candidate that the rule picks: ``"0100"``, or several
``1`` where it cannot decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import seen_bodies
from flowbench.builders.dynapix.items import Place, factual

RULES = ("medoid", "odd_one_out", "nearest", "most_visible")


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
    best = (apart, [-far for far in apart], near, [-count for count in visible])
    return tuple((rule, _signs(values)) for rule, values in zip(RULES, best, strict=True))


def _signs(values: Sequence[int]) -> str:
    """Where the least value stands."""
    return "".join("1" if value == min(values) else "0" for value in values)
