"""What a viewer could say of an item, by the published run: places, ways, paces, meetings (docs/dynapix.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flowbench.collisions.oracle import HEIGHT, WIDTH
from flowbench.collisions.setup import Setup

from ..facts import ENOUGH_PX, Hit
from ..meta import RunMeta
from .grammar import PACES, REGIONS

REST_M_S: Final = 0.05
"""Below it a body rests."""
LOOKED_AT: Final = 5
"""Last observed frames that headings are read from."""
STILL_PX, PLACE_PX = 0.5, 3.0
"""Pixels under which nothing heads anywhere, and under which a body keeps its place up to the target."""
IMMINENT, SOON, JUST = 15, 40, 6
"""Frames from the cut to a meeting; frames before it in which a pair has just met."""
CLOSE_M: Final = 0.65
"""Metres between centres of bodies that are close together."""
SECTORS: Final = ("right", "lower right", "bottom", "lower left", "left", "upper left", "top", "upper right")
"""Clockwise from the right, as rows run downward."""


@dataclass(frozen=True, eq=False)
class Viewed:
    """A run seen from a cut, with a target ahead.

    Attributes:
        setup, run: as published.
        cut, target: frames.
    """

    setup: Setup
    run: RunMeta
    cut: int
    target: int

    @cached_property
    def names(self) -> dict[str, int]:
        """Name -> body."""
        return {body.name: number for number, body in enumerate(self.setup.bodies)}

    @cached_property
    def known(self) -> tuple[int, ...]:
        """Bodies seen at the cut."""
        return tuple(body for body in range(self.run.bodies) if self.sees(body, self.cut))

    @cached_property
    def hits(self) -> list[Hit]:
        """All contacts as published: in order of time, to the substep."""
        return [*self.run.facts(self.setup).hits]

    def sees(self, body: int, frame: int) -> bool:
        """Whether enough of it is seen."""
        return bool(self.run.visible[frame, body] >= ENOUGH_PX)

    def between(self, after: int, until: int) -> list[Hit]:
        """Contacts that are first shown after a frame and up to another."""
        return [hit for hit in self.hits if after < hit.shown <= until]

    def speed(self, body: int, frame: int) -> float:
        """m/s."""
        return math.hypot(*self.run.velocities[frame, body].tolist())

    @cached_property
    def _thirds(self) -> tuple[float, float]:
        """Speeds that part all that are seen moving in the run."""
        frames = range(len(self.run.poses))
        bodies = range(self.run.bodies)
        seen = [self.speed(body, frame) for body in bodies for frame in frames if self.sees(body, frame)]
        moving = sorted(speed for speed in seen if speed >= REST_M_S)
        last = len(moving) - 1
        return (moving[last // 3], moving[2 * last // 3]) if moving else (math.inf, math.inf)

    def pace(self, body: int) -> str | None:
        """``slow``, ``medium`` or ``fast`` at the cut; None at rest."""
        speed, (lower, upper) = self.speed(body, self.cut), self._thirds
        near = 1e-9
        return None if speed < REST_M_S else [*PACES][(speed > lower + near) + (speed > upper + near)]

    def heading(self, body: int) -> str | None:
        """The sector that it moved to in the last frames observed; None where it hardly did."""
        return self.sector(body, max(0, self.cut - LOOKED_AT + 1), self.cut)

    def sector(self, body: int, start: int, end: int) -> str | None:
        """The sector of a body's way in the picture from one frame to another; None under half a pixel."""
        along, down = (self.run.pixels[end, body] - self.run.pixels[start, body]).tolist()
        if not math.hypot(along, down) >= STILL_PX:
            return None
        return SECTORS[round(math.atan2(down, along) / (math.pi / 4.0)) % len(SECTORS)]

    def region(self, body: int, frame: int) -> str:
        """Which ninth of the picture its centre lies in, or nearest to."""
        u, v = self.run.pixels[frame, body].tolist()
        column, row = (int(3.0 * (at + 0.5) // size) for at, size in ((u, WIDTH), (v, HEIGHT)))
        return REGIONS[min(2, max(0, row))][min(2, max(0, column))]

    def left(self, body: int) -> bool:
        """Whether it is out of the picture at the target: unseen, and its centre beyond the borders."""
        u, v = self.run.pixels[self.target, body].tolist()
        inside = -0.5 <= u <= WIDTH - 0.5 and -0.5 <= v <= HEIGHT - 0.5
        return not inside and not self.sees(body, self.target)

    def moved(self, body: int) -> bool:
        """Whether it lies elsewhere in the picture at the target."""
        now, then = (self.run.pixels[frame, body].tolist() for frame in (self.cut, self.target))
        return math.dist(now, then) >= PLACE_PX

    def gap(self, one: int, other: int) -> float:
        """Metres between two centres at the target."""
        places = self.run.poses[self.target, [one, other], :3].tolist()
        return math.dist(*places)

    def course(self, one: int, other: int) -> str | None:
        """``imminent`` or ``soon`` where both touch each other before anything else and did not just do so, or None."""
        pair = min(one, other), max(one, other)
        if any(hit.objects == pair for hit in self.between(self.cut - JUST - 1, self.cut)):
            return None
        own = [hit for hit in self.between(self.cut, self.cut + SOON) if hit.objects == pair]
        if not own or any({one, other} & {*hit.objects} for hit in self.between(self.cut, own[0].shown - 1)):
            return None
        return "imminent" if own[0].shown <= self.cut + IMMINENT else "soon"
