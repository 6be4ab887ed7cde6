"""The six builders of future-state queries (paper, appendix D; table 9 is lost, the numbers are ours)."""

from __future__ import annotations

from dataclasses import dataclass

from flowbench.builders.dynapix.happenings import LAST

LEAST_OBSERVED = 16
"""Frames of an event builder's observation at least."""
MOST_OBSERVED = 50
"""And at most: it reaches back two seconds where the video does."""


@dataclass(frozen=True)
class Builder:
    """What fixes the target, and where the observation ends.

    Attributes:
        number: 1 to 6.
        anchor: ``time`` or ``event``.
        observed: frames observed from the video's beginning, one of them for a query; of the time builders.
        ahead: frames from the cut to the target, one of them for a query; none where the target is the last frame.
        lead: frames from the cut to the collision; of the event builders.
        after: frames from the collision to the target.
        events: collisions of a video asked about at most.
    """

    number: int
    anchor: str
    observed: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    lead: int = 0
    after: int = 0
    events: int = 1

    def moments(self) -> list[tuple[int, int]]:
        """(cut, target) of every query that a time builder can make of a video."""
        return [
            (observed - 1, target)
            for observed in self.observed
            for target in ([observed - 1 + ahead for ahead in self.ahead] or [LAST])
        ]


BUILDERS = (
    Builder(1, "time", observed=(25, 50, 75)),
    Builder(2, "time", observed=(50,), ahead=(12, 25, 38, 50)),
    Builder(3, "event", lead=10, events=3),
    Builder(4, "event", lead=0, after=25),
    Builder(5, "event", lead=25),
    Builder(6, "event", lead=13, after=13),
)
