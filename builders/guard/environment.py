"""What of our environment a child or a cluster job gets: no secrets (security.md), one thread."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Collection, Iterator

from flowbench.workers import THREADS

_SECRET = re.compile(r"TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def looks_secret(name: str) -> bool:
    """Whether an environment variable of this name may hold a secret."""
    return _SECRET.search(name) is not None


def child_environment(secrets: Collection[str] = ()) -> dict[str, str]:
    """Our environment without secrets other than these, and with one thread for every library that counts them."""
    kept = {name: value for name, value in os.environ.items() if name in secrets or not looks_secret(name)}
    return kept | dict.fromkeys(THREADS, "1")


@contextlib.contextmanager
def without_secrets(secrets: Collection[str] = ()) -> Iterator[None]:
    """Take secrets other than these out of this process's own environment for a while.

    For libraries that start processes of their own and cannot be told what those shall get.
    """
    hidden = {name: value for name, value in os.environ.items() if looks_secret(name) and name not in secrets}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)
