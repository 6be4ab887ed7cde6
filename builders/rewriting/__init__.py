"""Rewording texts by a language model: optional, checked, cached. Labels, choices and letters never pass through it."""

from .cache import Entry
from .checking import Kind, Text, clean
from .endpoint import KEY_VARIABLE, Endpoint, RewriterError
from .rewriter import (
    CachedModel,
    ChatRewriter,
    NoRewriter,
    Rewriter,
    RewriterSettings,
    Rewritten,
    rewriter_of,
)

__all__ = [
    "KEY_VARIABLE",
    "CachedModel",
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
    "clean",
    "rewriter_of",
]
