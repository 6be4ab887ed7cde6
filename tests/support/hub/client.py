"""This process and its children as clients of a local Hub: address, token and caches of a test's own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest
from huggingface_hub import constants

from .server import LocalHub
from .store import TOKENS

WRITER, READER = (next(token for token, role in TOKENS.items() if role == wanted) for wanted in ("write", "read"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    """A Hub that ``huggingface_hub`` in this process talks to, logged in with a token that may write."""
    with LocalHub() as server:
        for name, value in client_environment(server, tmp_path).items():
            monkeypatch.setenv(name, value)
        home = tmp_path / "hf"
        settings = {
            "ENDPOINT": server.url,
            "HF_HUB_CACHE": str(home / "hub"),
            "HF_HUB_DISABLE_XET": True,
            "HF_TOKEN_PATH": str(home / "token"),
            "HF_HUB_OFFLINE": False,
            "HUGGINGFACE_CO_URL_TEMPLATE": server.url + "/{repo_id}/resolve/{revision}/{filename}",
        }
        for name, setting in settings.items():
            monkeypatch.setattr(constants, name, setting)
        impatient = SimpleNamespace(**{**vars(time), "sleep": lambda _: None})
        monkeypatch.setattr("huggingface_hub.utils._http.time", impatient)  # which waits between tries
        yield server
        huggingface_hub.close_session()


def client_environment(server: LocalHub, folder: Path) -> Mapping[str, str]:
    """The environment variables that make a child process such a client."""
    return {
        "HF_ENDPOINT": server.url,
        "HF_TOKEN": WRITER,
        "HF_HOME": str(folder / "hf"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "NO_PROXY": "127.0.0.1",
    }


def child_environment(server: LocalHub, folder: Path, **changes: str) -> dict[str, str]:
    """The whole environment of a child process."""
    return {**os.environ, **client_environment(server, folder), **changes}
