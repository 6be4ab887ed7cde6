"""Far views through windows: row 128 is the horizon, columns run round a quarter of it (see ``Material.scale``)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import RGB, SIZE, Painter, X, Y, blend, cover, noise, paint, soft, whole, within

_UP = np.clip((Y - 0.5) / 0.5, 0.0, 1.0)
"""From the horizon (0) to the zenith (1)."""
_DOWN = np.clip((0.5 - Y) / 0.5, 0.0, 1.0)
"""From the horizon (0) to straight below (1)."""


def _sky(low: RGB, middle: RGB, high: RGB) -> Float:
    """Three colours from the horizon up."""
    lower, upper = np.clip(_UP / 0.3, 0.0, 1.0), np.clip((_UP - 0.3) / 0.7, 0.0, 1.0)
    image = blend(lower * (2.0 - lower), low, middle)
    cover(image, upper, high)
    return image


def _clouds(rng: np.random.Generator, image: Float, colour: RGB, cover_share: float) -> None:
    """Flat-bottomed heaps, thinner toward the horizon."""
    heap = 0.7 * noise(rng, (3, 6, 12, 24, 48), along=2.2) + 0.3 * noise(rng, (2, 4), along=2.0)
    share = np.clip((heap - (1.0 - cover_share)) * 4.0, 0.0, 1.0) * np.clip(_UP * 6.0 - 0.3, 0.0, 1.0)
    cover(image, 0.85 * share, colour)


def _ridge(
    rng: np.random.Generator, image: Float, low: float, high: float, colours: tuple[RGB, RGB], rough: int
) -> None:
    """Hills or trees against the sky: their outline runs between two heights (in v); lighter toward the top."""
    octaves = (rough, 2 * rough, 4 * rough, 8 * rough)
    line = low + (high - low) * noise(rng, octaves)[:1]
    tone = 0.6 * noise(rng, (32, 64, 128)) + 0.4 * np.clip((Y - low) / (high - low), 0.0, 1.0)
    cover(image, soft(line - Y) * (Y > 0.5 - 1.0 / SIZE), blend(tone, *colours))


def _ground(rng: np.random.Generator, image: Float, far: RGB, near: RGB) -> None:
    """Level ground from the horizon down, stretched by distance."""
    cover(image, soft(0.5 - Y), blend(np.clip(1.6 * _DOWN, 0.0, 1.0), far, near))
    image *= 1.0 - 0.10 * (soft(0.5 - Y) * noise(rng, (8, 16, 32, 64), along=2.0))[..., None]


def _meadow(rng: np.random.Generator) -> Float:
    """Blue sky with clouds over hills, a line of trees and a lawn."""
    image = _sky((0.86, 0.93, 0.98), (0.60, 0.79, 0.96), (0.38, 0.62, 0.92))
    _clouds(rng, image, (1.0, 1.0, 1.0), 0.52)
    _ridge(rng, image, 0.50, 0.58, ((0.52, 0.64, 0.68), (0.60, 0.70, 0.72)), 2)
    _ground(rng, image, (0.60, 0.72, 0.42), (0.44, 0.60, 0.28))
    _ridge(rng, image, 0.50, 0.565, ((0.20, 0.34, 0.16), (0.46, 0.60, 0.30)), 8)
    return image


def _garden(rng: np.random.Generator) -> Float:
    """Milky sky over tall near trees, a hedge and grass."""
    image = _sky((0.95, 0.97, 0.98), (0.84, 0.91, 0.97), (0.66, 0.81, 0.95))
    _ridge(rng, image, 0.48, 0.64, ((0.42, 0.55, 0.34), (0.60, 0.72, 0.46)), 3)
    _ground(rng, image, (0.56, 0.70, 0.38), (0.42, 0.58, 0.26))
    hedge = 0.525 + 0.006 * noise(rng, (16, 32, 64))[:1] > Y
    leaves = blend(noise(rng, (32, 64, 128)), (0.18, 0.32, 0.14), (0.38, 0.54, 0.24))
    cover(image, (hedge & (Y > 0.455)).astype(np.float64), leaves)
    return image


def _suburb(rng: np.random.Generator) -> Float:
    """Houses with gables across a road, under a clear sky."""
    image = _sky((0.90, 0.94, 0.96), (0.70, 0.84, 0.96), (0.46, 0.68, 0.93))
    _clouds(rng, image, (1.0, 1.0, 1.0), 0.4)
    _ridge(rng, image, 0.50, 0.60, ((0.28, 0.42, 0.22), (0.50, 0.64, 0.36)), 6)
    _ground(rng, image, (0.62, 0.68, 0.50), (0.50, 0.58, 0.36))
    for k in range(4):
        left, width = (k + 0.15 + 0.3 * float(rng.random())) / 4.0, 0.085
        eaves, gable = 0.536 + 0.012 * float(rng.random()), 0.038
        wall = [(0.88, 0.84, 0.76), (0.78, 0.52, 0.42), (0.92, 0.92, 0.90), (0.72, 0.76, 0.78)][k]
        place = (X - left) / width
        inside = (place > 0.0) & (place < 1.0) & (Y > 0.47)
        paint(image, inside & (eaves > Y), wall)
        paint(
            image, inside & (eaves <= Y) & (eaves + gable * (1.0 - np.abs(2.0 * place - 1.0)) > Y), (0.48, 0.30, 0.26)
        )
        paint(image, inside & within(place * 3.0, 0.3, 0.7) & (Y > 0.512) & (eaves - 0.012 > Y), (0.34, 0.40, 0.46))
    paint(image, (Y > 0.40) & (Y < 0.45), (0.52, 0.53, 0.55))
    return image


def _dusk_city(rng: np.random.Generator) -> Float:
    """Towers with lit windows before an evening sky."""
    image = _sky((0.99, 0.74, 0.48), (0.88, 0.60, 0.58), (0.40, 0.40, 0.62))
    for depth, count, tall, colour in ((0, 16, 0.12, (0.58, 0.46, 0.54)), (1, 13, 0.09, (0.30, 0.26, 0.36))):
        tower = whole(X * count)
        roof = 0.5 + tall * (0.35 + 0.65 * rng.random(count)[tower])
        inside = within(X * count, 0.06 * depth, 1.0 - 0.06 * depth) & (roof > Y) & (Y > 0.38)
        paint(image, inside, colour)
        storeys, axes = whole(Y * 96.0), whole(X * 96.0)
        lit = rng.random((96, 96))[storeys, axes] < 0.12 + 0.2 * depth
        glass = lit & within(Y * 96.0, 0.2, 0.8) & within(X * 96.0, 0.15, 0.85) & (roof - 0.01 > Y)
        paint(image, inside & glass, (1.0, 0.84, 0.50))
    cover(image, soft(0.44 - Y), np.array((0.28, 0.25, 0.30)))
    return image


def _dusk_lake(rng: np.random.Generator) -> Float:
    """Mountains over water that mirrors a rosy sky."""
    image = _sky((1.0, 0.80, 0.62), (0.93, 0.66, 0.66), (0.50, 0.48, 0.72))
    streak = np.clip(noise(rng, (2, 4, 8, 16), along=6.0) * 2.2 - 1.2, 0.0, 1.0)
    cover(image, 0.7 * streak * np.clip(_UP * 4.0, 0.0, 1.0), (1.0, 0.72, 0.58))
    _ridge(rng, image, 0.50, 0.60, ((0.50, 0.42, 0.56), (0.62, 0.50, 0.60)), 2)
    _ridge(rng, image, 0.50, 0.53, ((0.26, 0.24, 0.34), (0.36, 0.32, 0.42)), 5)
    mirror = image[::-1] * np.array((0.72, 0.70, 0.78))
    ripple = 0.5 * noise(rng, (8, 16, 32), along=6.0)
    cover(image, soft(0.5 - Y), mirror + (np.array((0.96, 0.74, 0.62)) - mirror) * ripple[..., None])
    return image


def _dusk_firs(rng: np.random.Generator) -> Float:
    """Dark firs before a pale golden sky."""
    image = _sky((1.0, 0.86, 0.58), (0.86, 0.76, 0.66), (0.42, 0.54, 0.66))
    _clouds(rng, image, (0.98, 0.70, 0.52), 0.42)
    _ridge(rng, image, 0.50, 0.57, ((0.46, 0.46, 0.50), (0.56, 0.54, 0.54)), 3)
    _ground(rng, image, (0.46, 0.40, 0.28), (0.26, 0.26, 0.18))
    for count, tall, colour in ((13, 0.11, (0.24, 0.30, 0.30)), (7, 0.17, (0.12, 0.18, 0.17))):
        tree = whole(X * count)
        high = tall * (0.5 + 0.5 * rng.random(count)[tree])
        share = (Y - 0.47) / high  # from the foot to the tip
        branch = 0.10 * (whole(share * 7.0) + 1.0 - share * 7.0)
        middle = 0.35 + 0.3 * rng.random(count)[tree]
        reach = 0.34 * (1.0 - share) * (0.75 + branch * 3.0)
        paint(image, (share > 0.0) & (np.abs(X * count - tree - middle) < reach), colour)
    return image


PAINTERS: Mapping[str, Painter] = {
    "meadow": _meadow,
    "garden": _garden,
    "suburb": _suburb,
    "dusk_city": _dusk_city,
    "dusk_lake": _dusk_lake,
    "dusk_firs": _dusk_firs,
}
"""What paints each view, by name."""
