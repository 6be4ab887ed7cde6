"""Feasibility, confirmed by the engine: where parts are only near what collides, its own checks must say the same.

AI2-THOR tells its colliders to nobody (quality.md, 2). A label is read from published parts all the same, and then has
to agree with the engine's collision checks along the way, from both places of the mover; the sample's ``meta.txt``
says so with ``"feasibility": "simulator_verified"``.
"""

from __future__ import annotations

from flowbench.builders.simulators.base import Simulator
from flowbench.geometry import Camera

from .items import Item, Reject

AGAINST = Reject("feasibility: engine disagrees")


def refuse_against_engine(simulator: Simulator, item: Item, answer: str | None, camera: Camera) -> Reject | None:
    """Whether the engine contradicts an answer about the probe of an item from where its mover stands now.

    Args:
        simulator: with the mover at one of its places; nothing stays moved.
        item: any; only those with a probe are looked at.
        answer: the answer at this moment, None where there is none.
        camera: that the probe's directions are meant from.
    """
    if item.probe is None or answer is None:
        return None
    dx, dy = item.probe.world(camera)
    free = simulator.way_is_free(item.mover, (dx, dy, 0.0))
    return None if free is None or free == (answer == "yes") else AGAINST
