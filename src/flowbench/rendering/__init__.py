"""The rasterizer: meshes, materials, lights and a camera in; RGB, depth and instance ids out."""

from .flow import forward_flow, occluded
from .mesh import Frame, Instance, Lighting, Material, Mesh, PointLight, join
from .renderer import Renderer

__all__ = [
    "Frame",
    "Instance",
    "Lighting",
    "Material",
    "Mesh",
    "PointLight",
    "Renderer",
    "forward_flow",
    "join",
    "occluded",
]
