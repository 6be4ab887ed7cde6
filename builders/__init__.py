"""Builders: scenes in, validated shards out. Needs the ``[build]`` extra."""
