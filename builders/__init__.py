"""Builders: scenes in, shards out. Needs the ``[build]`` extra."""
