"""Put a model together piece by piece, so that what is seen and what collides stay the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np

from flowbench.geometry import transform
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.placing import Vector, placed, translation
from flowbench.rendering.shapes import box, lathe, loft, sphere
from flowbench.rendering.sweeps import picture, tube, two_sided

from ..model import Model, Part, Surface
from .hulls import PART_DECIMALS, ball_part, box_part, coarse_hull, lathe_parts

Place = Matrix | Vector
"""Where a piece goes: a rigid transform (4, 4), or a shift in metres."""

_GRAINED = frozenset({"wood", "planks", "veneer"})
_ORIGIN: Vector = (0.0, 0.0, 0.0)


def _matrix(at: Place) -> Matrix:
    return at if isinstance(at, np.ndarray) else translation(*at)


@final
class Assembly:
    """Collects pieces of one object; each adds to the mesh and, if ``solid``, to the collision parts.

    Coordinates are the model's own (see :class:`~..model.Model`) up to the final shift of :meth:`model`.
    """

    def __init__(self, object_type: str, *, tolerance: float = 0.008) -> None:
        """``tolerance``: how far, in metres, parts may simplify lathed outlines; 0.003 suits small things."""
        self._type = object_type
        self._tolerance = tolerance
        self._meshes: list[Mesh] = []
        self._parts: list[Part] = []
        self._surfaces: list[Surface] = []

    def box(
        self,
        size: Vector,
        centre: Vector,
        material: Material,
        *,
        rounding: float = 0.0,
        segments: int = 2,
        at: Place = _ORIGIN,
        solid: bool = True,
    ) -> None:
        """A box about ``centre``, then placed; wood grain runs along its longest edge."""
        along = int(np.argmax(size)) if material.texture in _GRAINED else 2
        mesh = box(size, centre, material, rounding=rounding, segments=segments, along=along)
        self.add(mesh, [box_part(size, centre, rounding)] if solid else [], at=at)

    def loft(
        self,
        lower: Sequence[tuple[float, float]],
        upper: Sequence[tuple[float, float]],
        low: float,
        high: float,
        material: Material,
        *,
        at: Place = _ORIGIN,
        solid: bool = True,
    ) -> None:
        """A solid between two convex polygons, see :func:`flowbench.rendering.shapes.loft`."""
        mesh = loft(lower, upper, low, high, material)
        corners = np.array([(x, y, low) for x, y in lower] + [(x, y, high) for x, y in upper])
        self.add(mesh, [corners] if solid else [], at=at)

    def lathe(
        self,
        profile: Sequence[tuple[float, float]],
        material: Material,
        *,
        sides: int = 24,
        crease: float = 40.0,
        at: Place = _ORIGIN,
        solid: bool = True,
    ) -> None:
        """A turned piece, see :func:`flowbench.rendering.shapes.lathe`; collides as if it were full."""
        parts = lathe_parts(profile, self._tolerance) if solid else []
        self.add(lathe(profile, material, sides=sides, crease=crease), parts, at=at)

    def tube(
        self,
        path: Sequence[Vector],
        radius: float | Sequence[float],
        material: Material,
        *,
        sides: int = 8,
        at: Place = _ORIGIN,
        spans: int = 1,
    ) -> None:
        """A tube along a path; collides as ``spans`` hulls of as many points each (0: not at all)."""
        mesh = tube(path, radius, material, sides=sides)
        rings = mesh.vertices[: len(path) * (sides + 1)].reshape(len(path), sides + 1, 3)
        parts = []
        for i in range(spans):
            first, last = i * (len(path) - 1) // spans, (i + 1) * (len(path) - 1) // spans
            parts.append(coarse_hull(rings[first : last + 1, :-1].reshape(-1, 3)))
        self.add(mesh, parts, at=at)

    def ball(
        self,
        radius: float,
        centre: Vector,
        material: Material,
        *,
        scale: Vector = (1.0, 1.0, 1.0),
        sides: int = 20,
        rings: int = 10,
        at: Place = _ORIGIN,
        solid: bool = True,
    ) -> None:
        """A sphere or ellipsoid about ``centre``, then placed."""
        mesh = sphere(radius, material, at=centre, scale=scale, sides=sides, rings=rings)
        self.add(mesh, [ball_part(radius, centre, scale)] if solid else [], at=at)

    def picture(self, width: float, height: float, material: Material, *, at: Place) -> None:
        """One texture repeat stretched over a rectangle that faces -y; does not collide."""
        # Its back closes it: an open piece would weigh in the centre of mass.
        self.add(two_sided(picture(width, height, material)), at=at)

    def add(self, mesh: Mesh, parts: Iterable[Part] = (), *, at: Place = _ORIGIN) -> None:
        """Any mesh with its collision parts, both placed."""
        matrix = _matrix(at)
        self._meshes.append(placed(mesh, matrix))
        self._parts += [transform(matrix, part) for part in parts]

    def add_bunch(self, pieces: Sequence[tuple[Mesh, Place]], *, at: Place = _ORIGIN) -> None:
        """Placed meshes that collide as one coarse hull round them all."""
        mesh = join([placed(piece, _matrix(place)) for piece, place in pieces])
        self.add(mesh, [coarse_hull(mesh.vertices)], at=at)

    def block(self, size: Vector, centre: Vector, *, rounding: float = 0.0, at: Place = _ORIGIN) -> None:
        """A collision box for pieces that are not solid by themselves."""
        self._parts.append(transform(_matrix(at), box_part(size, centre, rounding)))

    def surface(self, x0: float, y0: float, x1: float, y1: float, z: float, clearance: float = 10.0) -> None:
        """A rectangle where small things may stand, see :class:`~..model.Surface`."""
        self._surfaces.append(Surface(x0, y0, x1, y1, z, clearance))

    def model(self, mass: float, *, anchor: str = "floor") -> Model:
        """The finished model, shifted so that its frame lies as the anchor says.

        Args:
            mass: kilograms.
            anchor: ``"floor"``: middle of the footprint, lowest point at z = 0; ``"wall"``: middle of the back
                (y = 0), lowest point at z = 0; ``"ceiling"``: middle of the footprint, highest point at z = 0.
        """
        mesh = join(self._meshes)
        low, high = mesh.bounds
        origin = np.array([(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, low[2]])
        if anchor == "wall":
            origin[1] = high[1]
        elif anchor == "ceiling":
            origin[2] = high[2]
        origin = np.round(origin, PART_DECIMALS)
        mesh = placed(mesh, translation(*(-origin)))
        parts = tuple(np.round(part - origin, PART_DECIMALS) + 0.0 for part in self._parts)
        dx, dy, dz = (float(v) for v in origin)
        surfaces = tuple(
            Surface(s.x0 - dx, s.y0 - dy, s.x1 - dx, s.y1 - dy, s.z - dz, s.clearance) for s in self._surfaces
        )
        return Model(self._type, mesh, parts, surfaces, mass)
