"""The builder's version: part of every record's provenance and of the same-bytes contract."""

__version__ = "0.6.0"
