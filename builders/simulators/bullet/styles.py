"""Styles: proportions, finishes and light of homes, as data; models bring their own tables (``models/``).

A style belongs to a scene pool: ``homes_train`` is built in style ``train``; ``homes_test`` in style ``test``, which
shares no range, material, colour or light with it, so that ``sim_test`` measures generalisation (sim.md, "Scenes").
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from flowbench.errors import unknown_name

from .finishes import Finishes, finishes_of
from .light_setups import LightSetUp, light_setup_of
from .proportions import Proportions, proportions_of
from .tables import read_table
from .woodwork import Woodworks, woodworks_of

POOL_STYLES: Mapping[str, str] = {"homes_train": "train", "homes_test": "test"}
"""Scene pool -> style."""


@dataclass(frozen=True)
class Style:
    """Everything about a home's looks that is not a model; ``name`` also chooses the models' ranges and palette."""

    name: str
    proportions: Proportions
    finishes: Finishes
    light: LightSetUp
    woodwork: Woodworks


def style_of_pool(pool: str) -> Style:
    """The style of a scene pool; an unknown pool is a UsageError."""
    if pool not in POOL_STYLES:
        raise unknown_name("scene pool", pool, POOL_STYLES)
    return styles()[POOL_STYLES[pool]]


@functools.cache
def styles() -> Mapping[str, Style]:
    """All styles by name."""
    proportions, finishes, light, woodwork = (
        read_table(f"{name}.toml") for name in ("proportions", "finishes", "light_setups", "woodwork")
    )
    return {
        name: Style(
            name,
            proportions_of(proportions[name]),
            finishes_of(finishes[name]),
            light_setup_of(light[name]),
            woodworks_of(woodwork[name]),
        )
        for name in proportions
    }
