"""The record of each config (frozen, typed) and the columns of its shards."""

from .sim import (
    CameraRecord,
    Landmark,
    Mark,
    Motion,
    Provenance,
    Reasoning,
    Region,
    Segment,
    SimRecord,
)

__all__ = [
    "CameraRecord",
    "Landmark",
    "Mark",
    "Motion",
    "Provenance",
    "Reasoning",
    "Region",
    "Segment",
    "SimRecord",
]
