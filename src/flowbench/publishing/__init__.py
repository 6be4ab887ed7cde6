"""Putting a release out under a version, and checking what was put out. Knows neither builders nor validation."""

from .push import PushReport, published_paths, push
from .stamping import Checks
from .verify import VerifyReport, verify

__all__ = ["Checks", "PushReport", "VerifyReport", "published_paths", "push", "verify"]
