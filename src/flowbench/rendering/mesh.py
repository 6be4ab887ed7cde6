"""What the rasterizer draws: triangle meshes with materials, instances of them, lights, and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Material:
    """How a surface looks.

    Attributes:
        texture: a name of the texture set; ``"plain"`` is uniform white.
        colour: sRGB in 0..1, multiplied with the texture in linear light.
        roughness: 0 mirror-like .. 1 matt.
        metallic: 0 dielectric .. 1 metal.
        scale: texture repeats a metre (uv are in metres before it); 0 makes the surface a pane of glass before a
            far view: the texture is looked up by the direction one looks in, four times round the horizon, which
            lies at half its height, and only glows.
        emission: 0 for ordinary surfaces; above 0 the surface glows with its colour times this.
    """

    texture: str = "plain"
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    roughness: float = 0.6
    metallic: float = 0.0
    scale: float = 1.0
    emission: float = 0.0


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh in its object's frame, metres; counter-clockwise faces are seen from outside.

    Attributes:
        vertices: (V, 3) float64.
        normals: (V, 3) float64, unit.
        uvs: (V, 2) float64, metres along the surface.
        faces: (F, 3) int32 indices into the vertices.
        face_materials: (F,) int32 indices into ``materials``.
        materials: the materials used.
    """

    vertices: Float
    normals: Float
    uvs: Float
    faces: NDArray[np.int32]
    face_materials: NDArray[np.int32]
    materials: tuple[Material, ...]

    @property
    def bounds(self) -> tuple[Float, Float]:
        """Lower and upper corner, (3,) each, object frame."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)


@dataclass(frozen=True, eq=False)
class Instance:
    """A mesh placed in the world under an instance id (1..65535; 0 means nothing).

    Several instances may carry the same id (e.g. all pieces of one wall).
    ``casts_shadow`` is off for ceilings, walls and lamps, which would swallow the key light.
    """

    instance_id: int
    mesh: Mesh
    world_from_object: Float = field(default_factory=lambda: np.eye(4))
    casts_shadow: bool = True


@dataclass(frozen=True)
class Pane:
    """A rectangular opening that lets the sun into a lamp's region, divided into equal panes of glass.

    Attributes:
        corner: one of its corners, world frame, metres.
        across, up: its edges from there, metres, at right angles.
        columns, rows: panes along ``across`` and ``up``.
        bar: width of the bars between panes and round them, metres.
    """

    corner: tuple[float, float, float]
    across: tuple[float, float, float]
    up: tuple[float, float, float]
    columns: int = 1
    rows: int = 1
    bar: float = 0.05


@dataclass(frozen=True)
class PointLight:
    """A lamp or a window: position (world, metres), linear RGB intensity, and the box it lights.

    ``region`` is ((x0, y0, z0), (x1, y1, z1)), world metres; surfaces outside get nothing from this lamp, so
    that light does not leak through walls. None lights everything. With a ``direction`` (world, need not be unit)
    it shines as a flat panel does that faces there: by the cosine, and nothing behind it. A ``pane`` also lets the
    sun into the region.
    """

    position: tuple[float, float, float]
    intensity: tuple[float, float, float]
    region: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None
    direction: tuple[float, float, float] | None = None
    pane: Pane | None = None


@dataclass(frozen=True)
class Lighting:
    """All light of a scene: a shadowing directional key light, lamps, and a two-tone ambient term.

    Attributes:
        key_direction: from the scene towards the key light, world frame, need not be unit.
        key_colour: linear RGB; zero switches it off.
        sun_colour: linear RGB that the key light has on top of that where it comes in through a pane.
        lamps: point lights, and windows; only what stands in the way of the brightest takes light away.
        ambient_up, ambient_down: linear RGB irradiance on surfaces that face up / down.
        exposure: factor before tone mapping.
        background: sRGB in 0..1 where nothing is hit.
        environment: texture that metal mirrors, laid out as :func:`flowbench.rendering.mirror.directions` says; without
            one it mirrors the ambient light's two tones.
    """

    key_direction: tuple[float, float, float] = (0.35, 0.25, 0.9)
    key_colour: tuple[float, float, float] = (1.2, 1.15, 1.05)
    sun_colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    lamps: tuple[PointLight, ...] = ()
    ambient_up: tuple[float, float, float] = (0.42, 0.43, 0.45)
    ambient_down: tuple[float, float, float] = (0.30, 0.28, 0.26)
    exposure: float = 0.85
    background: tuple[float, float, float] = (0.77, 0.82, 0.88)
    environment: str | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """One observation; what was not asked for is None.

    Attributes:
        rgb: (H, W, 3) uint8 sRGB, antialiased at edges.
        depth: (H, W) float32 planar depth in metres from pixel centres; 0 where nothing is hit.
        ids: (H, W) uint16 instance ids from pixel centres; 0 where nothing is hit.
    """

    rgb: NDArray[np.uint8] | None = None
    depth: NDArray[np.float32] | None = None
    ids: NDArray[np.uint16] | None = None


def join(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several; equal materials are shared."""
    materials: list[Material] = []
    columns: dict[str, list[NDArray[np.generic]]] = {"v": [], "n": [], "t": [], "f": [], "m": []}
    offset = 0
    for mesh in meshes:
        for material in mesh.materials:
            if material not in materials:
                materials.append(material)
        lookup = np.array([materials.index(material) for material in mesh.materials], dtype=np.int32)
        columns["v"].append(mesh.vertices)
        columns["n"].append(mesh.normals)
        columns["t"].append(mesh.uvs)
        columns["f"].append((mesh.faces + offset).astype(np.int32))
        columns["m"].append(lookup[mesh.face_materials])
        offset += len(mesh.vertices)
    stacked = {name: np.concatenate(parts) for name, parts in columns.items()}
    return Mesh(stacked["v"], stacked["n"], stacked["t"], stacked["f"], stacked["m"], tuple(materials))
