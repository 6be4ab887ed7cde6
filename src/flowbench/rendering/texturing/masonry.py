"""Walls, floors and worktops: plaster, tiles, bricks, stone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import (
    SIZE,
    Painter,
    X,
    Y,
    blend,
    cells,
    cover,
    grey,
    noise,
    relief,
    soft,
    triangle,
    whole,
    within,
    wrapped,
)


def _plaster(rng: np.random.Generator) -> Float:
    """Smooth paint with the fine stipple of a roller."""
    height = noise(rng, (64, 128), fade=1.0)
    return grey(np.clip(0.65 * relief(height, 0.5) + 0.35 * noise(rng, (16, 32, 128), fade=0.9), 0.0, 1.0), 0.915, 1.0)


def _stucco(rng: np.random.Generator) -> Float:
    """Rough coat pressed flat with a trowel: level islands between pits, lit from above."""
    height = noise(rng, (12, 24, 48, 96), fade=0.7)
    pressed = np.clip(height, 0.25, 0.56)
    return grey(0.75 * relief(pressed, 2.6) + 0.25 * relief(noise(rng, (128,)), 0.5), 0.80, 1.0)


def _wallpaper(rng: np.random.Generator) -> Float:
    """Faint broad stripes with a small motif."""
    motif = triangle(4.0 * X) * triangle(4.0 * Y + 0.5 * (np.floor(4.0 * X) % 2))
    tone = np.where(within(X * 4.0, 0.0, 0.5), 0.97, 0.9) + np.where(motif > 0.86, 0.06, 0.0)
    paper: Float = grey(noise(rng, (64, 128)), 0.97, 1.0) * np.minimum(tone, 1.0)[..., None]
    return paper


def _tile(rng: np.random.Generator) -> Float:
    """Two by two tiles with grout."""
    body = grey(noise(rng, (8, 16, 64)), 0.89, 0.97)
    tone = rng.uniform(0.95, 1.0, (2, 2))[whole(Y * 2.0), whole(X * 2.0)]
    edge = np.minimum(wrapped(X * 2.0), wrapped(Y * 2.0)) / 2.0
    tiles: Float = body * tone[..., None]
    tiles *= (1.0 + 0.04 * soft(0.014 - edge))[..., None]
    cover(tiles, soft(0.006 - edge), (0.66, 0.655, 0.64))
    return tiles


def _mosaic(rng: np.random.Generator) -> Float:
    """Hexagonal tiles, seven across and eight courses high, a few of a darker tone."""
    columns, rows = 7, 4
    x, y = X * columns, Y * (rows * 1.73205081)
    high = 1.73205081
    choices = []
    for part in (0.0, 0.5):
        i, j = np.floor(x + part), np.floor(y / high + part)
        dx, dy = np.abs(x - i - 0.5 + part), np.abs(y - (j + 0.5 - part) * high)
        number = 2 * ((j.astype(np.int64) % rows) * columns + i.astype(np.int64) % columns) + int(2 * part)
        choices.append((dx * dx + dy * dy, np.maximum(dx, 0.5 * dx + 0.8660254 * dy), number))
    first, second = choices
    nearer = first[0] <= second[0]
    edge = 0.5 - np.where(nearer, first[1], second[1])
    number = np.where(nearer, first[2], second[2])
    tones = rng.uniform(0.88, 0.98, 2 * columns * rows) * np.where(rng.random(2 * columns * rows) < 0.14, 0.82, 1.0)
    gloss = 0.97 + 0.03 * np.clip(edge * 5.0, 0.0, 1.0) + 0.02 * noise(rng, (16, 64))
    image = grey(np.clip(tones[number] * gloss, 0.0, 1.0), 0.0, 1.0)
    cover(image, soft((0.045 - edge) / columns), (0.64, 0.63, 0.61))
    return image


def _brick(rng: np.random.Generator) -> Float:
    """Twelve courses of running bond, four bricks each."""
    course = np.floor(Y * 12.0)
    run = X * 4.0 + 0.5 * (course % 2)
    shade = rng.uniform(0.80, 1.08, (12, 4))[whole(course), whole(run) % 4]
    rough = 0.6 * noise(rng, (16, 64)) + 0.4 * relief(noise(rng, (64, 128)), 0.7)
    body: Float = blend(rough, (0.59, 0.34, 0.26), (0.75, 0.48, 0.38)) * shade[..., None]
    edge = np.minimum(wrapped(Y * 12.0) / 12.0, wrapped(run) / 4.0)
    cover(body, soft(0.0055 - edge), grey(noise(rng, (128,)), 0.70, 0.80) * np.array([1.0, 0.98, 0.93]))
    return body


def _slate(rng: np.random.Generator) -> Float:
    """Split stone: courses of uneven height and length, rough, shadows below."""
    image = np.full((SIZE, SIZE, 3), 0.30)
    face = relief(noise(rng, (12, 24, 64), across=0.8, along=1.6), 2.0)
    vein = noise(rng, (8, 32), across=0.5, along=2.0)
    rows = _parts(rng, SIZE, 12, 30)
    for low, high in rows:
        start = int(rng.integers(SIZE))
        for left, right in _parts(rng, SIZE, 36, 96):
            columns = (np.arange(left + 1, right) + start) % SIZE
            tone = float(rng.uniform(0.62, 0.94))
            tint = tone * np.array([1.0, float(rng.uniform(0.99, 1.02)), float(rng.uniform(0.98, 1.035))])
            stone = np.ix_(np.arange(low + 2, high), columns)
            image[stone] = (0.62 + 0.55 * (0.7 * face[stone] + 0.3 * vein[stone]))[..., None] * tint
            image[high - 1, columns] *= 1.12  # the upper edge catches light
    return image


def _parts(rng: np.random.Generator, length: int, least: int, most: int) -> list[tuple[int, int]]:
    """Cuts a length into parts of random sizes from ``least`` to ``most``, the last as it comes out."""
    cuts = [0]
    while length - cuts[-1] > most:
        cuts.append(min(cuts[-1] + int(rng.integers(least, most + 1)), length - least))
    return list(zip(cuts, [*cuts[1:], length], strict=True))


def _concrete(rng: np.random.Generator) -> Float:
    pores = rng.random((SIZE, SIZE)) < 0.004
    return np.where(pores[..., None], 0.72, grey(noise(rng, (4, 8, 32, 128), fade=0.7), 0.84, 1.0))


def _marble_tone(rng: np.random.Generator) -> Float:
    """Cloud and two sets of thin veins, 0..1."""
    cloud = noise(rng, (3, 6, 12, 24), fade=0.6)
    tone = 0.82 + 0.18 * cloud
    for octaves, width, depth in (((3, 6, 12, 24, 48), 0.05, 0.38), ((5, 10, 20, 40), 0.035, 0.16)):
        field = noise(rng, octaves, fade=0.6)
        near = np.clip(1.0 - np.abs(field - 0.5) / width, 0.0, 1.0)
        fading = np.clip(2.0 * noise(rng, (4, 8)) - 0.35, 0.0, 1.0)
        tone = tone - depth * near * near * fading
    return tone


def _marble(rng: np.random.Generator) -> Float:
    return _greyish(_marble_tone(rng))


def _greyish(tone: Float) -> Float:
    """Dark tones a little blue."""
    return blend(np.clip((tone - 0.4) / 0.6, 0.0, 1.0), (0.44, 0.46, 0.50), (1.0, 0.99, 0.975))


def _slabs(rng: np.random.Generator) -> Float:
    """Two by two polished slabs of marble, each another piece, thin joints."""
    tone = _marble_tone(rng)
    image = np.empty((SIZE, SIZE))
    half = SIZE // 2
    for k, turned in enumerate((tone[:, ::-1], tone[::-1].T, tone, tone.T)):
        piece = np.roll(turned, (37 * k, 91 * k), axis=(0, 1))[:half, :half]
        image[(k // 2) * half :][:half, (k % 2) * half :][:, :half] = piece * (1.0 - 0.02 * k)
    slabs = _greyish(image)
    edge = np.minimum(wrapped(X * 2.0), wrapped(Y * 2.0)) / 2.0
    cover(slabs, 0.7 * soft(0.003 - edge), (0.50, 0.49, 0.47))
    return slabs


_CHIPS = np.array([[0.70, 0.64, 0.58], [0.84, 0.74, 0.64], [0.60, 0.62, 0.63], [0.80, 0.79, 0.77], [0.72, 0.56, 0.48]])


def _terrazzo(rng: np.random.Generator) -> Float:
    """Chips of many stones, large and small, in a pale ground."""
    image: Float = grey(noise(rng, (16, 128)), 0.93, 0.98) * np.array([1.0, 0.99, 0.96])
    for count, gap, share in ((28, 0.30, 0.55), (13, 0.24, 0.36)):
        number, nearest, second = cells(rng, count)
        tints = _CHIPS[rng.integers(len(_CHIPS), size=count * count)] * rng.uniform(0.9, 1.1, (count * count, 1))
        kept = rng.random(count * count) < share
        depth = (second - nearest - gap) * 0.5 / count
        cover(image, soft(depth) * kept[number], tints[number])
    return image


def _granite(rng: np.random.Generator) -> Float:
    """Crystals of three tones in close grains."""
    number, nearest, _ = cells(rng, 64)
    kind = rng.random(64 * 64)
    tone = np.where(kind < 0.16, 0.46, np.where(kind < 0.45, 0.72, 0.94))[number]
    return grey(np.clip(tone + 0.14 * noise(rng, (16, 128)) - 0.14 * nearest, 0.0, 1.0), 0.10, 1.0)


PAINTERS: Mapping[str, Painter] = {
    "tile": _tile,
    "plaster": _plaster,
    "wallpaper": _wallpaper,
    "marble": _marble,
    "slabs": _slabs,
    "concrete": _concrete,
    "brick": _brick,
    "stucco": _stucco,
    "mosaic": _mosaic,
    "terrazzo": _terrazzo,
    "granite": _granite,
    "slate": _slate,
}
"""What paints each of them, by name."""
