"""A Hub on this machine, for tests: the server's side of what ``huggingface_hub`` and ``datasets`` say over HTTP.

It keeps everything in memory, knows three accounts, and fails where a test tells it to.
"""

from .server import LocalHub
from .store import TOKENS, Fault

__all__ = ["TOKENS", "Fault", "LocalHub"]
