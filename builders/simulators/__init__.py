"""Simulators behind one contract (:mod:`.base`), by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from flowbench.errors import unknown_name

from .base import Simulator

SIMULATORS: Mapping[str, str] = {
    "bullet": "flowbench.builders.simulators.bullet.simulator:BulletSimulator",
    "thor": "flowbench.builders.simulators.thor.simulator:ThorSimulator",
}
"""Name -> "module:class"; engines are imported when they are asked for."""


def simulator_class(name: str) -> type[Simulator]:
    """The engine of that name, imported; an unknown name, or an engine that is not installed, is a UsageError."""
    if name not in SIMULATORS:
        raise unknown_name("simulator", name, SIMULATORS)
    module, _, attribute = SIMULATORS[name].partition(":")
    found: type[Simulator] = getattr(import_module(module), attribute)
    return found


def make_simulator(name: str, *, width: int, height: int, houses: str | None = None) -> Simulator:
    """A simulator whose observations are ``width`` x ``height`` pixels; raises like :func:`simulator_class`.

    ``houses`` is the path of a file of ProcTHOR houses that its scenes are taken from.
    """
    return simulator_class(name)(width=width, height=height, houses=houses)
