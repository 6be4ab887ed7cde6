"""Where Unity's movable objects stand, and how they are put somewhere: all, every time, and looked at afterwards.

``SetObjectPoses`` takes out of the scene what it is not told of, checks no collisions (ai2thor#1296), and gives new
object ids. So it is always given everything that moves, by name, and what comes back is compared with what was asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from flowbench.geometry import Pose, rotation_angle

from ..base import SceneError
from .client import Client
from .scene import Entry, entries_of, keyed, moves
from .units import numbers, pose_of, to_unity

MOST_SLIP = 0.001
MOST_TURN = math.radians(0.2)
"""Metres and radians by which an object that was put somewhere may stand elsewhere: rounding, not motion."""
STEP = 0.02
"""Seconds of one physics step, Unity's own."""
PULSE = 0.3
PULSES = 10
"""Seconds of physics between two looks, and how many at most, until an object counts as never at rest."""
QUIET_SLIP = 0.0002
QUIET_TURN = math.radians(0.05)
"""Metres and radians that what is at rest may move between two looks."""
LIFT = 0.005
"""Metres above a place at which collisions are asked for: Unity counts touching what carries an object as one."""
Turn = Mapping[str, float]


@dataclass(frozen=True)
class Place:
    """A pose as ours and the turn that Unity stated it with: angles are sent back as they came."""

    pose: Pose
    turn: Turn

    def at(self, position: tuple[float, float, float]) -> Place:
        """The same turn elsewhere; coordinates to five decimals, which Unity's floats keep."""
        return Place(Pose(position, self.pose.quaternion), self.turn)

    def differs(self, other: Place, slip: float, turn: float) -> bool:
        """Whether another place is farther away than that (metres, radians)."""
        apart = max(abs(a - b) for a, b in zip(self.pose.position, other.pose.position, strict=True))
        return apart > slip or rotation_angle(self.pose.matrix, other.pose.matrix) > turn


def place_of(entry: Entry) -> Place:
    """Where the metadata says that an object stands."""
    return Place(pose_of(entry), dict(zip("xyz", numbers(entry.get("rotation"), "rotation"), strict=True)))


@final
class Placing:
    """The movable objects of one loaded scene; all stand frozen but while one settles."""

    def __init__(self, client: Client, entries: Mapping[str, Entry]) -> None:
        """Freeze everything as it stands.

        Args:
            client: with the scene loaded and physics paused.
            entries: the metadata's objects by their lasting keys.
        """
        self._client = client
        self._count = len(entries)
        self.entries = entries
        self.places = {key: place_of(entry) for key, entry in entries.items() if moves(entry)}
        self._turns: dict[tuple[str, tuple[float, ...]], Turn] = {}
        self.disturbed = True
        self.freeze({})

    def freeze(self, changed: Mapping[str, Place]) -> None:
        """Put some objects elsewhere, hold all still, and see that they are there.

        Raises:
            SceneError: an object is gone, or stands elsewhere.
        """
        wanted = {**self.places, **changed}
        if wanted:
            self._see(self._pose(wanted, still=True))
        for key, place in wanted.items():
            if place_of(self.entries[key]).differs(place, MOST_SLIP, MOST_TURN):
                raise SceneError("engine moved objects", f"AI2-THOR put {key} elsewhere than it was asked to.")
            self._turns.setdefault((key, place.pose.quaternion), place.turn)
        self.places = wanted
        self.disturbed = False

    def stood(self, key: str, pose: Pose) -> Place:
        """The place of a pose that an object was frozen at before.

        Raises:
            SceneError: it never had that turn.
        """
        turn = self._turns.get((key, pose.quaternion))
        if turn is None:
            raise SceneError("pose unknown", f"{key} never stood as it is to be put back.")
        return Place(pose, turn)

    def blocked(self, key: str, position: tuple[float, float, float]) -> bool:
        """Whether something is in the way at a place, by Unity's own collision check.

        Where nothing is, the object is left there until poses are frozen again.
        """
        place = self.places[key]
        x, y, z = position
        event = self._client.attempt(
            "TeleportObject",
            objectId=self.entries[key]["objectId"],
            position=to_unity((x, y, z + LIFT)),
            rotation=dict(place.turn),
            forceAction=False,
            forceKinematic=True,
            renderImage=False,
        )
        self._see(event)
        if event.metadata["lastActionSuccess"]:
            self.disturbed = True
            return False
        told = str(event.metadata["errorMessage"])
        if "collid" not in told.lower():
            raise SceneError("engine refused an action", f"AI2-THOR could not try a place for {key}: {told[:200]}")
        return True

    def settle(self, key: str, place: Place) -> Place | None:
        """Let one object fall from a place; where it rests, or None if it does not, or pushes others.

        Everything is loose meanwhile, as Unity has it; the caller freezes it again.
        """
        self.disturbed = True
        self._see(self._pose(self.places | {key: place}, still=False))
        last = place_of(self.entries[key])
        for _ in range(PULSES):
            step = {"timeStep": STEP, "simSeconds": PULSE, "allowAutoSimulation": True, "renderImage": False}
            self._see(self._client.ask("AdvancePhysicsStep", **step))
            now = place_of(self.entries[key])
            if not now.differs(last, QUIET_SLIP, QUIET_TURN) and not self.entries[key].get("isMoving"):
                pushed = (k for k, kept in self.places.items() if k != key and self._has_moved(k, kept))
                return None if any(pushed) else now
            last = now
        return None

    def _has_moved(self, key: str, kept: Place) -> bool:
        """Whether something was pushed, rather than sinking a little as physics begins."""
        return place_of(self.entries[key]).differs(kept, 0.01, math.radians(2.0))

    def _pose(self, wanted: Mapping[str, Place], *, still: bool) -> Any:
        poses = [
            {"objectName": self.entries[key]["name"], "position": to_unity(p.pose.position), "rotation": dict(p.turn)}
            for key, p in wanted.items()
        ]
        return self._client.ask("SetObjectPoses", objectPoses=poses, placeStationary=still, renderImage=False)

    def _see(self, event: Any) -> None:
        """Take over the metadata of an event.

        Raises:
            SceneError: objects are gone or new.
        """
        entries = keyed(entries_of(event.metadata))
        if len(entries) != self._count or not entries.keys() >= self.places.keys():
            lost = sorted(self.places.keys() - entries.keys())
            raise SceneError("objects gone", f"AI2-THOR lost objects of the scene: {', '.join(lost[:3]) or 'some'}.")
        self.entries = entries

    def parents(self, key: str) -> Iterable[str]:
        """Lasting keys of what the metadata names as an object's receptacles."""
        by_id = {entry["objectId"]: name for name, entry in self.entries.items()}
        named = self.entries[key].get("parentReceptacles") or ()
        return [by_id[parent] for parent in named if parent in by_id]
