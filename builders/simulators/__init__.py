"""Simulators behind one contract (:mod:`.base`), by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from flowbench.errors import unknown_name

from .base import Simulator

SIMULATORS: Mapping[str, str] = {
    "bullet": "flowbench.builders.simulators.bullet.simulator:BulletSimulator",
}
"""Name -> "module:class"; engines are imported when they are asked for."""


def make_simulator(name: str, *, width: int, height: int) -> Simulator:
    """A simulator whose observations are ``width`` x ``height`` pixels; an unknown name is a UsageError."""
    if name not in SIMULATORS:
        raise unknown_name("simulator", name, SIMULATORS)
    module, _, attribute = SIMULATORS[name].partition(":")
    simulator = getattr(import_module(module), attribute)(width=width, height=height)
    assert isinstance(simulator, Simulator)
    return simulator
