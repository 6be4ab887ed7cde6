"""Measuring the move: positions, matches, roles, certification, scale (paper, B.2 and B.3)."""
