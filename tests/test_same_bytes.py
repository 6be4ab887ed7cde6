"""The same bytes whatever the CPU offers (schema.md, "Same bytes")."""

from __future__ import annotations

import pytest
from support.cpu_variation import QUICK, VARIATIONS, assert_same_under_cpu_variation, output_under

GEOMETRY = """
    import hashlib
    import numpy as np
    from flowbench import geometry as g
    from flowbench.seeding import generator

    rng = generator(0, "same-bytes", 0)
    digest = hashlib.sha256()

    def note(*values):
        for value in values:
            digest.update(np.ascontiguousarray(value, dtype=np.float64).tobytes())

    def parts():
        vertices = [rng.uniform(-0.3, 0.3, (int(rng.integers(1, 17)), 3)) for _ in range(int(rng.integers(1, 5)))]
        return g.ConvexParts.of([part + rng.uniform(-0.5, 0.5, 3) for part in vertices])

    for _ in range(120):
        pose = g.Pose.upright(*rng.uniform(-5.0, 5.0, 3), rng.uniform(-7.0, 7.0))
        other = pose.moved(*rng.uniform(-1.5, 1.5, 2))
        tilted = g.Pose(other.position, (0.6, 0.0, 0.0, 0.8))
        a, b = parts().placed(pose.matrix), parts().placed(tilted.matrix)
        points = a.closest_points(b)
        note(a.distance(b), a.swept((0.3, 0.1, 0.0)).distance(b, 0.5), *(() if points is None else points))
        note([a.moved(way).distance(b) for way in rng.uniform(-2.0, 2.0, (20, 3))])
        note(g.convex_distance(a.parts[0], b.parts[0]), pose.matrix, pose.relative(tilted))
        note(g.quaternion_of(tilted.matrix), g.rotation_angle(pose.matrix, tilted.matrix))
        boxes = g.OrientedBox.around(a.vertices), g.OrientedBox.around(b.vertices).placed(pose.matrix)
        note(boxes[0].distance(boxes[1]), boxes[1].corners)
        camera = g.Camera.standing(tuple(rng.uniform(-5.0, 5.0, 3)), rng.uniform(-7.0, 7.0), rng.uniform(0.0, 0.6))
        note(camera.camera_from_world, camera.floor_axes, *camera.project(a.vertices))
        note(camera.unproject(rng.uniform(0.0, 800.0, (9, 2)), rng.uniform(0.1, 9.0, 9)))
        polygon = rng.uniform(-3.0, 3.0, (int(rng.integers(3, 9)), 2))
        where = rng.uniform(-3.0, 3.0, (20, 2))
        note(g.polygon_area(polygon), g.distance_to_edges(where, polygon), g.points_in_polygon(where, polygon))
        note(g.sin_cos(rng.uniform(-1e5, 1e5)), g.atan2(*rng.uniform(-1.0, 1.0, 2)))
    print(digest.hexdigest())
"""

# Enough numbers to meet one whose exponential two CPUs round apart.
INEXACT = """
    import hashlib, math
    import numpy as np
    x = np.random.Generator(np.random.PCG64(0)).uniform(-5.0, 5.0, 100_000)
    library = str([math.exp(v) for v in x]).encode()
    print(hashlib.sha256(library + np.exp(x.astype("f4")).tobytes() + np.sin(x).tobytes()).hexdigest())
"""


def test_geometry_gives_the_same_bytes() -> None:
    assert_same_under_cpu_variation(GEOMETRY, QUICK)


@pytest.mark.slow
def test_geometry_gives_the_same_bytes_with_other_kernels() -> None:
    assert_same_under_cpu_variation(GEOMETRY, [name for name in VARIATIONS if name not in QUICK])


@pytest.mark.parametrize("name", ["numpy without AVX2 and FMA", "C library without AVX2 and FMA"])
def test_the_variations_bite(name: str) -> None:
    """The exponential function changes its bits; if it did not, the tests above would test nothing."""
    with pytest.raises(AssertionError, match=name):
        assert_same_under_cpu_variation(INEXACT, [name])


def test_a_failing_or_silent_snippet_is_no_success() -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        output_under("1 / 0", {})
    with pytest.raises(AssertionError, match="printed nothing"):
        assert_same_under_cpu_variation("pass", [])
    with pytest.raises(AssertionError, match="other bytes under"):
        assert_same_under_cpu_variation("import time; print(time.time_ns())", QUICK[:1])
