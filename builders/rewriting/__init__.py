"""Rewording texts by a language model: optional, checked, cached. Labels, choices and letters never pass through it."""

from .cache import Entry
from .checking import Kind, Text
from .endpoint import KEY_VARIABLE, Endpoint, RewriterError
from .rewriter import (
    ChatRewriter,
    NoRewriter,
    Rewriter,
    RewriterSettings,
    Rewritten,
    rewriter_of,
)

__all__ = [
    "KEY_VARIABLE",
    "ChatRewriter",
    "Endpoint",
    "Entry",
    "Kind",
    "NoRewriter",
    "Rewriter",
    "RewriterError",
    "RewriterSettings",
    "Rewritten",
    "Text",
    "rewriter_of",
]
