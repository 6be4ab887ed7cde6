"""Thin helpers over releases: plain ``datasets`` and ``webdataset`` read them without any of this."""
