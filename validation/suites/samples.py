"""What the suites over single samples share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..recompute.rules import Finding
from .base import Violation


def violations_of(findings: Iterable[Finding], key: str) -> Iterator[Violation]:
    """Findings as violations of the sample ``key``."""
    for each in findings:
        yield Violation(each.rule, each.found, each.expected, key)
