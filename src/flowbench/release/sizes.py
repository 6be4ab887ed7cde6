"""Sizes for people."""

from __future__ import annotations


def size_text(count: int) -> str:
    """A number of bytes in decimal units with two or three digits: ``1.5 kB``, ``123 MB``."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"
