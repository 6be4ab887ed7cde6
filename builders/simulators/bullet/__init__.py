"""The embedded engine: parametric homes, PyBullet physics, our own rasterizer."""
