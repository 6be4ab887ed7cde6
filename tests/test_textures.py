"""Textures: repeat without a seam, can be tinted, and each looks like nothing but itself; what they are drawn with."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from flowbench.rendering.textures import MATERIALS, PICTURES, TEXTURES, make_textures
from flowbench.rendering.texturing.drawing import (
    SIZE,
    X,
    Y,
    cells,
    cover,
    disc,
    noise,
    rectangle,
    relief,
    soft,
    within,
    wrapped,
)

Image = NDArray[np.uint8]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@pytest.fixture(scope="module")
def images() -> dict[str, Image]:
    return make_textures()


def seams(image: Image) -> list[float]:
    """For v and u: the mean step over the border, relative to the greatest between neighbouring lines inside."""
    texels = image.astype(np.float64)
    out = []
    for axis in (0, 1):
        inside = np.abs(np.diff(texels, axis=axis)).mean(axis=(1 - axis, 2)).max()
        border = np.abs(np.take(texels, 0, axis=axis) - np.take(texels, -1, axis=axis)).mean()
        out.append(float(border / max(inside, 1.0)))
    return out


def test_materials_repeat_without_a_seam(images: dict[str, Image]) -> None:
    assert {name: seams(images[name]) for name in MATERIALS if max(seams(images[name])) > 1.05} == {}
    assert max(seams(images["landscape"])) > 2.0  # earth and sky meet


def test_materials_can_be_tinted(images: dict[str, Image]) -> None:
    """A tint darkens; a dark texture would leave nothing of it."""
    levels = {name: float(images[name].mean()) / 255.0 for name in MATERIALS}
    assert {name: level for name, level in levels.items() if level < 0.45} == {}


def test_only_plain_is_flat(images: dict[str, Image]) -> None:
    assert (images["plain"] == 255).all()
    ranges = {name: int(image.max()) - int(image.min()) for name, image in images.items() if name != "plain"}
    assert {name: value for name, value in ranges.items() if value < 8} == {}


def looks(image: Image) -> NDArray[np.float64]:
    """What stays when the noise has another seed: colour, and contrast by scale and direction."""
    texels = image.astype(np.float64)
    grey = texels.mean(axis=2)
    numbers = [*texels.mean(axis=(0, 1)), *(np.quantile(grey, level) for level in (0.05, 0.25, 0.75, 0.95))]
    while len(grey) > 8:
        for axis in (0, 1):
            steps = np.abs(np.diff(grey, axis=axis)).mean(axis=1 - axis)
            numbers += [2.0 * steps.mean(), steps.max()]
        grey = grey.reshape(len(grey) // 2, 2, -1, 2).mean(axis=(1, 3))
    return np.array(numbers)


def test_each_texture_looks_like_itself_alone(images: dict[str, Image]) -> None:
    """Painted with other noise, a texture is still nearer to itself than to any other."""
    names = [name for name in TEXTURES if name != "plain"]
    first = np.array([looks(images[name]) for name in names])
    taken = {}
    for name, other in make_textures(1, names).items():
        apart = np.abs(first - looks(other)).mean(axis=1)
        taken[name] = names[int(apart.argmin())]
    assert {name: other for name, other in taken.items() if other != name} == {}
    assert len(set(TEXTURES.values())) == len(TEXTURES)


def test_pictures_are_upright() -> None:
    """Row 0 is the bottom: skies are blue above, the editor's bar and the meadow lie below."""
    images = make_textures(names=["landscape", "mountains", "code", "chart", "portrait"])
    for name in ("landscape", "mountains"):
        red, _, blue = images[name][-20:].mean(axis=(0, 1))
        assert blue > red, name
    assert images["code"][2, 128, 2] > images["code"][128, 250, 2] + 40
    assert images["chart"][250].mean() < images["chart"][5].mean()
    assert set(PICTURES) >= set(images)


def test_noise_repeats_and_fills_its_range() -> None:
    field = noise(rng(), (4, 9, 64))
    assert field.min() == 0.0
    assert field.max() == 1.0
    across = np.abs(field[:, 0] - field[:, -1]).max()
    assert across <= np.abs(np.diff(field, axis=1)).max()


def test_noise_can_be_drawn_out() -> None:
    """With one cell along v it does not change along v."""
    field = noise(rng(), (8,), along=0.1)
    assert np.ptp(field, axis=0).max() < 1e-12
    assert np.ptp(field[0]) == pytest.approx(1.0)


def test_cells_find_the_nearest_of_all_points() -> None:
    count = 7
    number, nearest, second = cells(rng(3), count)
    jitter = rng(3).random((2, count, count))
    rows, columns = np.indices((count, count))
    px, py = ((columns + jitter[0]) / count).ravel(), ((rows + jitter[1]) / count).ravel()
    for j, i in ((0, 0), (255, 0), (0, 255), (100, 200), (31, 77), (255, 255)):
        dx, dy = wrapped(X[j, i] - px) * count, wrapped(Y[j, i] - py) * count
        distances = np.sqrt(dx * dx + dy * dy)
        order = np.argsort(distances)
        assert number[j, i] == order[0]
        assert nearest[j, i] == pytest.approx(distances[order[0]])
        assert second[j, i] == pytest.approx(distances[order[1]])


def test_relief_is_level_on_a_plain_and_lit_from_above() -> None:
    assert (relief(np.full((SIZE, SIZE), 0.3), 5.0) == 0.5).all()
    ridge = np.where(np.abs(Y - 0.5) < 0.1, 1.0, 0.0)
    shade = relief(ridge, 0.4)
    upper, lower = shade[int(0.6 * SIZE) - 2 :][:4].max(), shade[int(0.4 * SIZE) - 2 :][:4].min()
    assert upper == pytest.approx(0.9)
    assert lower == pytest.approx(0.1)


def test_soft_edges_cover_part_of_a_texel() -> None:
    assert soft(np.array([-1.0, 0.0, 0.25 / SIZE, 1.0])).tolist() == [0.0, 0.5, 0.75, 1.0]


def test_cover_mixes_where_it_lies_and_leaves_the_rest() -> None:
    image = np.full((SIZE, SIZE, 3), 0.2)
    share = np.zeros((SIZE, SIZE))
    cover(image, share, (1.0, 1.0, 1.0))
    assert (image == 0.2).all()
    share[3, 5], share[200, 100] = 1.0, 0.5
    cover(image, share, (1.0, 0.6, 0.2))
    assert image[3, 5].tolist() == pytest.approx([1.0, 0.6, 0.2])
    assert image[200, 100].tolist() == pytest.approx([0.6, 0.4, 0.2])
    assert image.sum() == pytest.approx(SIZE * SIZE * 3 * 0.2 + 1.2 + 0.6)


def test_discs_go_round_the_border_and_rectangles_do_not() -> None:
    spot = disc(0.0, 0.0, 0.1)
    assert spot[[0, 0, -1, -1], [0, -1, 0, -1]].all()
    assert not spot[SIZE // 2].any()
    assert int(disc(0.3, 0.6, 0.1).sum()) == pytest.approx(3.14159 * 0.01 * SIZE * SIZE, rel=0.02)
    assert int(rectangle(0.25, 0.5, 0.75, 1.0).sum()) == SIZE * SIZE // 4
    assert within(np.array([0.1, 1.3, -0.8]), 0.0, 0.25).tolist() == [True, False, True]
