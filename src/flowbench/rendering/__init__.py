"""The rasterizer: meshes, materials, lights and a camera in; RGB, depth and instance ids out."""

from .mesh import Frame, Instance, Lighting, Material, Mesh, PointLight, join

__all__ = ["Frame", "Instance", "Lighting", "Material", "Mesh", "PointLight", "join"]
