"""Suites of ``real_*``."""
