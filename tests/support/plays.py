"""Collision scenes made by hand: bodies that go from place to place in the picture, and painted pictures of them.

Every body is a square of :data:`SIDE` pixels of its own colour. A hundred pixels of the picture are a metre of the
world, so that the numbers of both can be read off one description.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.dynapix.items import SelectionItem
from flowbench.builders.dynapix.scenes import Removal, SceneFilms, Take
from flowbench.collisions.oracle import COLOURS, FPS, FRAMES, HEIGHT, SHAPES, WIDTH, Body, Collision, Oracle
from flowbench.validation.dynapix.facts import Hit, ItemFacts, RunFacts

SIDE = 26
PX_PER_METRE = 100.0
PAINTS = ((60, 80, 220), (130, 80, 40), (40, 200, 200), (90, 90, 90), (40, 140, 50), (150, 60, 180), (200, 40, 40))
Way = Sequence[tuple[int, float, float]]


@dataclass(frozen=True)
class Actor:
    """A body's part in a scene.

    Attributes:
        way: (frame, u, v) from which to which it goes in straight lines; it rests before the first and after the last.
        enters: as in :class:`Body`.
        hidden: first and last frames of spells in which something stands before it.
    """

    way: Way
    enters: int | None = None
    hidden: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class Play:
    """A scene made by hand.

    Attributes:
        actors: its bodies.
        hits: (frame, one, other) of its collisions.
        scene: its index.
    """

    actors: Sequence[Actor]
    hits: Sequence[tuple[int, int, int]] = ()
    scene: int = 0
    erased: Sequence[int] = field(default=())

    @classmethod
    def read(cls, case: Mapping[str, Any]) -> Play:
        """From the JSON of a case."""
        actors = [
            Actor([tuple(stop) for stop in each["way"]], each.get("enters"), [tuple(s) for s in each.get("hidden", [])])
            for each in case["bodies"]
        ]
        return cls(actors, [tuple(hit) for hit in case.get("hits", [])])

    @property
    def places(self) -> NDArray[np.float64]:
        """(FRAMES, K, 2) pixels."""
        frames = np.arange(FRAMES, dtype=np.float64)
        ways = [np.array(actor.way, dtype=np.float64) for actor in self.actors]
        return np.stack(
            [np.stack([np.interp(frames, way[:, 0], way[:, axis]) for axis in (1, 2)], axis=1) for way in ways], axis=1
        )

    def areas(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(visible, whole): pixels of each square in the picture, and what is left where it is hidden."""
        places = self.places
        widths = [
            np.clip(
                np.minimum(places[..., axis] + SIDE / 2, size) - np.maximum(places[..., axis] - SIDE / 2, 0), 0, SIDE
            )
            for axis, size in ((0, WIDTH), (1, HEIGHT))
        ]
        whole = (widths[0] * widths[1]).astype(np.int64)
        visible = whole.copy()
        for body, actor in enumerate(self.actors):
            for start, stop in actor.hidden:
                visible[start : stop + 1, body] = 0
            if body in self.erased:
                visible[:, body] = whole[:, body] = 0
        return visible, whole

    def oracle(self) -> Oracle:
        """As planning reads it."""
        places = self.places
        poses = np.zeros((FRAMES, len(self.actors), 7))
        poses[..., :2], poses[..., 2], poses[..., 6] = places / PX_PER_METRE, 0.25, 1.0
        velocities = np.zeros((FRAMES, len(self.actors), 3))
        velocities[1:, :, :2] = np.diff(places, axis=0) / PX_PER_METRE * FPS
        bodies = tuple(
            Body(SHAPES[k % 3], ("metal", "rubber")[k % 2], COLOURS[k], actor.enters)
            for k, actor in enumerate(self.actors)
        )
        hits = [
            Collision(frame, 3, (min(one, other), max(one, other)), 1.0, 0.5, (0.0, 0.0, 0.25))
            for frame, one, other in sorted(self.hits)
        ]
        visible, whole = self.areas()
        return Oracle(self.scene, bodies, poses, velocities, np.zeros_like(velocities), visible, whole, places, hits)

    def facts(self) -> RunFacts:
        """As the recheck reads it."""
        visible, whole = self.areas()
        hits = [Hit(frame, min(one, other), max(one, other)) for frame, one, other in self.hits]
        return RunFacts([actor.enters for actor in self.actors], visible, whole, self.places, hits)

    def take(self) -> Take:
        """With painted pictures."""
        return Take(self.oracle(), Painted(self))

    def films(self, *twins: Play, others: Sequence[Play] = (), removals: Sequence[Removal] = ()) -> SceneFilms:
        """A scene of this run and others."""
        return SceneFilms(
            self.scene,
            self.take(),
            tuple(twin.take() for twin in twins),
            tuple(other.take() for other in others),
            tuple(removals),
        )


class Painted:
    """Squares on grey."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.asked: list[int] = []
        self._places = play.places
        self._visible, _ = play.areas()

    def picture(self, frame: int) -> NDArray[np.uint8]:
        self.asked.append(frame)
        canvas = np.full((HEIGHT, WIDTH, 3), 150, dtype=np.uint8)
        for body in range(len(self.play.actors)):
            if self._visible[frame, body]:
                u, v = self._places[frame, body]
                top, left = round(v - SIDE / 2), round(u - SIDE / 2)
                canvas[max(0, top) : max(0, top + SIDE), max(0, left) : max(0, left + SIDE)] = PAINTS[body]
        return canvas


def at_random(rng: np.random.Generator, scene: int = 0, hits: int = 3) -> Play:
    """A lively scene: movers that change direction when they hit something, and two bodies that rest at first."""
    count = int(rng.integers(4, 7))
    frames = sorted((8 + rng.permutation(110)[:hits]).tolist())
    touched: list[list[int]] = [[0] for _ in range(count)]
    pairs = []
    for frame in frames:
        one, other = sorted(rng.permutation(count)[:2].tolist())
        pairs.append((frame, one, other))
        touched[one].append(frame + 1)
        touched[other].append(frame + 1)
    actors = []
    for body in range(count):
        u, v = float(rng.uniform(60, WIDTH - 60)), float(rng.uniform(50, HEIGHT - 50))
        stops = [(0, u, v)]
        turns = [*sorted(set(touched[body])), FRAMES - 1]
        for number, (start, stop) in enumerate(pairwise(turns)):
            if body >= count - 2 and number == 0:
                stops.append((stop, u, v))
                continue
            span = stop - start
            du, dv = (float(rng.uniform(0.5, 2.2)) * span * (1 if rng.random() < 0.5 else -1) for _ in range(2))
            u = u + du if 40 <= u + du <= WIDTH - 40 else float(np.clip(u - du, 40, WIDTH - 40))
            v = v + dv if 40 <= v + dv <= HEIGHT - 40 else float(np.clip(v - dv, 40, HEIGHT - 40))
            stops.append((stop, u, v))
        enters = 0 if body < count - 2 else None
        actors.append(Actor(stops, enters))
    return Play(actors, pairs, scene)


def twin_of(play: Play, rng: np.random.Generator) -> Play:
    """The same bodies, other motion."""
    actors = [
        Actor(
            [
                (
                    f,
                    float(np.clip(u + rng.uniform(-60, 60), 30, 450)),
                    float(np.clip(v + rng.uniform(-40, 40), 30, 290)),
                )
                for f, u, v in actor.way
            ],
            actor.enters,
        )
        for actor in play.actors
    ]
    return Play(actors, play.hits, play.scene)


def item_facts(item: SelectionItem, preset: str) -> ItemFacts:
    """What a finished item says of itself, as the recheck reads it."""
    return ItemFacts(
        preset=preset,
        family=item.family,
        subtype=item.subtype,
        query=item.query,
        first=item.first,
        last=item.cut,
        target=item.target,
        candidates=tuple((place.variant, place.frame) for place in item.candidates),
        letter=item.letter,
    )
