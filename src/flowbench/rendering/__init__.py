"""The rasterizer: meshes, materials, lights and a camera in; RGB, depth and instance ids out."""

from .flow import forward_flow, occluded
from .mesh import Frame, Instance, Lighting, Material, Mesh, Pane, PointLight, join
from .portals import Cells
from .renderer import Renderer

__all__ = [
    "Cells",
    "Frame",
    "Instance",
    "Lighting",
    "Material",
    "Mesh",
    "Pane",
    "PointLight",
    "Renderer",
    "forward_flow",
    "join",
    "occluded",
]
