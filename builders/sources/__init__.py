"""Scenes that others made, one module for each kind of file."""
