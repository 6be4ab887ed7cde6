"""The record of each config (frozen, typed) and the columns of its shards."""

from .columns import CONFIGS, SIM_COLUMNS, Column, ConfigSpec, Kind, config_spec
from .features import features
from .fields import FieldDoc, describe, struct_of
from .jsontext import JsonText, parse_model, record_from_json, to_json, value_from_json
from .real import RealRecord
from .real_meta import RealMeta
from .sim import (
    LETTERS,
    CameraRecord,
    Landmark,
    Mark,
    Motion,
    Probe,
    Provenance,
    Reasoning,
    Region,
    RewriterNote,
    Segment,
    SimRecord,
)

__all__ = [
    "CONFIGS",
    "LETTERS",
    "SIM_COLUMNS",
    "CameraRecord",
    "Column",
    "ConfigSpec",
    "FieldDoc",
    "JsonText",
    "Kind",
    "Landmark",
    "Mark",
    "Motion",
    "Probe",
    "Provenance",
    "RealMeta",
    "RealRecord",
    "Reasoning",
    "Region",
    "RewriterNote",
    "Segment",
    "SimRecord",
    "config_spec",
    "describe",
    "features",
    "parse_model",
    "record_from_json",
    "struct_of",
    "to_json",
    "value_from_json",
]
