"""Models of ours in an asset's measures: of a few drawn variants the one that is distorted least, then stretched."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from flowbench.geometry import transform
from flowbench.rendering import join
from flowbench.rendering.placing import placed, rotation, stretched, translation
from flowbench.seeding import generator

from ..bullet.catalogue import ObjectType
from ..bullet.model import Model, Surface
from ..bullet.models.hulls import PART_DECIMALS
from .assets import Asset, StandIn
from .forms import Size, make_form

_TRIES = 2
_LARGE = 0.4
"""Metres; larger pieces are drawn in the asset's measures where their tables allow, so that legs stay slender."""
_BETTER = 1.7
"""A thing is laid or stood otherwise than its model if that distorts it this much less."""
_FACING = 0.6
"""Metres; what is smaller may be turned by a quarter, since nobody minds where it faces."""
_LOW = 0.5
_COUNTER_DEPTH = 0.61
_NAMES = ("width", "depth", "height")
_TURNS = (
    np.eye(4),
    rotation("z", math.pi / 2),
    rotation("x", math.pi / 2),
    rotation("y", math.pi / 2),
)


def fitted(asset: Asset, stand_in: StandIn, seed: int, pool: str, scene: int, style: str) -> Model:
    """The model of an asset in one house: all of its assets of that name look alike.

    Its frame is that of models (:class:`~..bullet.model.Model`): the middle of the footprint, the front to -y. L-shaped
    kitchen counters have their arm to the right of who stands behind them, as what lies on AI2-THOR's shows.
    """
    form = stand_in.low if stand_in.low and asset.size[2] < _LOW else stand_in.form
    if form:
        return make_form(form, asset.object_type, asset.size, stand_in.colour)
    arms = _arms(asset)
    if arms:
        return _bent(asset, stand_in.kind, arms, seed, pool, scene, style)
    kind = _measured(stand_in.kind, asset.size)
    tries = 1 if max(asset.size) >= _LARGE else _TRIES
    drawn = [kind.make(generator(seed, pool, scene, "asset", asset.asset_id, k), style) for k in range(tries)]
    count = len(_TURNS) if stand_in.lies else 2 if asset.pickupable or max(asset.size) < _FACING else 1
    ways = [
        (_distortion(model, _TURNS[turn], asset.size) * (_BETTER if turn else 1.0), n, turn)
        for n, model in enumerate(drawn)
        for turn in range(count)
    ]
    _, n, turn = min(ways)
    return stretched_to(_turned(drawn[n], turn), asset.size)


def stretched_to(model: Model, size: Size) -> Model:
    """The model stretched along its axes to (width, depth, height), metres, about the middle of its footprint."""
    low, high = model.mesh.bounds
    factors = [want / max(float(b - a), 1e-6) for want, a, b in zip(size, low, high, strict=True)]
    sx, sy, sz = factors
    x, y, z = (low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, low[2]
    shift = np.array([x, y, z])
    parts = tuple(np.round((part - shift) * np.array(factors), PART_DECIMALS) + 0.0 for part in model.parts)
    surfaces = tuple(
        Surface((s.x0 - x) * sx, (s.y0 - y) * sy, (s.x1 - x) * sx, (s.y1 - y) * sy, (s.z - z) * sz, s.clearance * sz)
        for s in model.surfaces
    )
    mesh = stretched(placed(model.mesh, translation(-x, -y, -z)), (sx, sy, sz))
    return dataclasses.replace(
        model, mesh=mesh, parts=parts, surfaces=surfaces, mass=min(200.0, max(0.02, model.mass * sx * sy * sz))
    )


def _measured(kind: ObjectType, size: Size) -> ObjectType:
    """The type, drawn in these measures as far as its table has them and they are not too far from its own."""
    if max(size) < _LARGE:
        return kind
    rows: dict[str, Mapping[str, Any]] = dict(kind.shapes)
    for name, want in zip(_NAMES, size, strict=True):
        spans = rows.get(name)
        if spans and all(isinstance(v, list) and 0.6 * v[0] <= want <= 1.7 * v[1] for v in spans.values()):
            rows[name] = {style: [want, want] for style in spans}
    return dataclasses.replace(kind, shapes=rows)


def _distortion(model: Model, turn: np.ndarray[Any, np.dtype[np.float64]], size: Size) -> float:
    """Greatest over least factor that stretches the turned model to a size."""
    low, high = model.mesh.bounds
    extent = np.abs(transform(turn, high - low))
    factors = [want / max(float(have), 1e-6) for want, have in zip(size, extent, strict=True)]
    return max(factors) / max(min(factors), 1e-9)


def _turned(model: Model, turn: int) -> Model:
    """The model under one of the quarter turns; what is turned carries nothing."""
    if turn == 0:
        return model
    matrix = _TURNS[turn]
    parts = tuple(np.round(transform(matrix, part), PART_DECIMALS) + 0.0 for part in model.parts)
    return dataclasses.replace(model, mesh=placed(model.mesh, matrix), parts=parts, surfaces=())


def _arms(asset: Asset) -> tuple[float, ...]:
    """Sides along which a kitchen counter has arms beside the one at its back: -1 and 1 along x."""
    for name, sides in (("_L_", (-1.0,)), ("_C_", (-1.0, 1.0))):
        if asset.object_type == "CounterTop" and name in asset.asset_id:
            return sides
    return ()


def _bent(
    asset: Asset, kind: ObjectType, arms: tuple[float, ...], seed: int, pool: str, scene: int, style: str
) -> Model:
    """A kitchen counter round one corner or two, of straight ones."""
    width, depth, height = asset.size
    rng = generator(seed, pool, scene, "asset", asset.asset_id)
    models = kind.make_set(rng, style, 1 + len(arms))
    back = stretched_to(models[0], (width, _COUNTER_DEPTH, height))
    pieces = [(back, translation(0.0, (depth - _COUNTER_DEPTH) / 2, 0.0))]
    for model, side in zip(models[1:], arms, strict=True):
        arm = stretched_to(model, (depth - _COUNTER_DEPTH, _COUNTER_DEPTH, height))
        shift = (side * (width - _COUNTER_DEPTH) / 2, -_COUNTER_DEPTH / 2, 0.0)
        pieces.append((arm, rotation("z", -side * math.pi / 2, shift)))
    meshes = [placed(piece.mesh, at) for piece, at in pieces]
    parts = [np.round(transform(at, part), PART_DECIMALS) + 0.0 for piece, at in pieces for part in piece.parts]
    surfaces = [_placed_surface(surface, at) for piece, at in pieces for surface in piece.surfaces]
    mass = math.fsum(piece.mass for piece, _ in pieces)
    return Model(kind.name, join(meshes), tuple(parts), tuple(surfaces), mass)


def _placed_surface(surface: Surface, at: np.ndarray[Any, np.dtype[np.float64]]) -> Surface:
    """A surface under a quarter turn and a shift."""
    corners = [(x, y, surface.z) for x, y in itertools.product((surface.x0, surface.x1), (surface.y0, surface.y1))]
    moved = transform(at, np.array(corners))
    (x0, y0, z), (x1, y1, _) = moved.min(axis=0).tolist(), moved.max(axis=0).tolist()
    return Surface(x0, y0, x1, y1, z, surface.clearance)
