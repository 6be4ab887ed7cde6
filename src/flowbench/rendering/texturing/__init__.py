"""Painters of the procedural textures by kind of material, and what they paint with (``drawing``)."""
