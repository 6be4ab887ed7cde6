"""Marks on pictures: how a dot is drawn, and how well its colour stands out."""

from .badges import badge_reach, draw_badges
from .dots import draw_marks, outer_radius
from .lab import lab_distance, to_lab

__all__ = ["badge_reach", "draw_badges", "draw_marks", "lab_distance", "outer_radius", "to_lab"]
