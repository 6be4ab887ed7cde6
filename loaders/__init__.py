"""Thin helpers over releases: plain ``datasets`` and ``webdataset`` read them without any of this.

What users call is exported by :mod:`flowbench` itself. This package imports nothing when it is imported, so that
``import flowbench`` stays cheap.
"""
