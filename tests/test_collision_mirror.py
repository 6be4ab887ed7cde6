"""What metal mirrors: the octahedron's net, blur, and pictures with an environment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.shots import checks, drawn, eye, room

from flowbench.collisions.studio import SIZE, studio
from flowbench.rendering import Instance, Lighting, Material, Renderer
from flowbench.rendering.mipmaps import pack_textures
from flowbench.rendering.mirror import GAIN, directions, mirrored
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import sphere

coordinate = st.floats(-1.0, 1.0)


def looked_up(image: np.ndarray, way: tuple[float, float, float], rough: float = 0.0) -> np.ndarray:
    textures = pack_textures({"it": image})
    return np.array(mirrored(*way, rough, 0, textures.texels, textures.starts, textures.sizes, textures.counts))


def numbered(size: int) -> np.ndarray:
    """A picture whose texels all differ: red tells the column, green the row."""
    image = np.zeros((size, size, 3), dtype=np.uint8)
    image[..., 0] = np.arange(size)[None, :] * 15 + 10
    image[..., 1] = np.arange(size)[:, None] * 15 + 10
    return image


def test_directions_are_unit_and_cover_the_sphere() -> None:
    ways = directions(64)
    assert (ways**2).sum(axis=-1) == pytest.approx(np.ones((64, 64)))
    assert np.abs(ways.reshape(-1, 3).mean(axis=0)).max() < 0.01
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        assert (ways @ axis).max() > 0.99


def test_a_texel_is_found_by_its_direction() -> None:
    image = numbered(16)
    textures = pack_textures({"it": image})
    wanted = (textures.texels[:256].reshape(16, 16, 3) / 255.0) ** 2 * GAIN
    for row, line in enumerate(directions(16)):
        for column, way in enumerate(line):
            assert looked_up(image, tuple(way.tolist())) == pytest.approx(wanted[row, column], abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(x=coordinate, y=coordinate, z=coordinate, rough=st.floats(0.0, 1.0))
def test_one_colour_is_mirrored_as_it_is(x: float, y: float, z: float, rough: float) -> None:
    image = np.full((32, 32, 3), 188, dtype=np.uint8)
    image[0, 0] = 187  # so that it keeps its levels
    found = looked_up(image, (x, y, z), rough)
    assert found == pytest.approx(np.full(3, 0.5 * GAIN), rel=0.03)


@settings(max_examples=60, deadline=None)
@given(x=coordinate, y=coordinate, z=coordinate, rough=st.floats(0.0, 1.0))
def test_there_are_no_seams(x: float, y: float, z: float, rough: float) -> None:
    """Near directions see nearly the same of a smooth surrounding, also across the horizon and the net's folds."""
    if abs(x) + abs(y) + abs(z) < 0.1:
        return  # no direction
    ways = directions(64)
    image = (120.0 + 100.0 * ways).astype(np.uint8)
    near = (x + 1e-4, y - 1e-4, z + 1e-4)
    assert looked_up(image, (x, y, z), rough) == pytest.approx(looked_up(image, near, rough), abs=0.02 * GAIN)


def test_rough_metal_blurs() -> None:
    image = np.zeros((64, 64, 3), dtype=np.uint8)
    image[28:36, 28:36] = 255
    sharp, soft = (float(looked_up(image, (0.0, 0.0, 1.0), rough)[0]) for rough in (0.0, 0.9))
    assert sharp == pytest.approx(GAIN, rel=0.01)
    assert soft < 0.2 * GAIN


def ball(metallic: float) -> list[Instance]:
    material = Material("plain", (0.9, 0.9, 0.9), 0.1, metallic)
    return [Instance(1, sphere(0.4, material, sides=48, rings=24), translation(0.0, 0.0, 0.6))]


def shot(metallic: float, environment: str | None) -> np.ndarray:
    surround = np.where(directions(64)[..., 2:] > 0.3, 230, 20) * np.ones(3)
    renderer = Renderer({**checks(), "around": surround.astype(np.uint8)})
    renderer.load(ball(metallic), Lighting(key_colour=(0.0, 0.0, 0.0), environment=environment))
    frame = renderer.render(eye(), rgb=True, ids=True)
    assert frame.rgb is not None
    assert frame.ids is not None
    return frame.rgb[frame.ids == 1].astype(float)


def test_only_metal_mirrors() -> None:
    assert (shot(0.0, None) == shot(0.0, "around")).all()
    plain, mirroring = shot(1.0, None), shot(1.0, "around")
    assert mirroring.std() > 2.0 * plain.std()


def test_without_an_environment_pictures_stay_as_they_are() -> None:
    instances, lighting = room()
    assert lighting.environment is None
    assert drawn(instances, eye(), lighting).rgb is not None


def test_an_unknown_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="'nowhere' is not in the texture set"):
        Renderer(checks()).load(ball(1.0), Lighting(environment="nowhere"))


def test_the_studio_has_lamps_above_and_a_floor_below() -> None:
    picture, ways = studio(), directions(SIZE)
    assert picture.shape == (SIZE, SIZE, 3)
    above, below = picture[ways[..., 2] > 0.05], picture[ways[..., 2] < -0.05]
    assert above.max() > 230
    assert below.max() < 150
    assert below.std() > 5.0
