"""The ``ai2thor`` client, imported when this module is, or refused in one sentence.

Its server keeps silent when Unity sends what it cannot read, and its controller then waits until its time is over.
Ours says at once what was wrong. Only the HTTP server is used, which every Unity build speaks. Nor does the client give
up on a network that keeps silent while it looks for a build or downloads one; here it does.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Mapping
from typing import Any

from flowbench.errors import UsageError

INSTALL = "pip install '.[build,thor]' -c constraints.txt"
LOOK_SECONDS = 0.2
"""How often a wait looks whether Unity is still there."""
STOP_SECONDS = 2.0
LONGEST_MESSAGE = 1 << 28
"""Bytes of one answer, frames and all; 800x600 pictures of three passes take 5 MB."""

SILENCE_SECONDS = 60.0
"""How long AI2's servers may say nothing while a build is looked for or downloaded."""

try:
    import ai2thor.build
    import ai2thor.downloader
    import ai2thor.platform
    from ai2thor.controller import Controller
    from ai2thor.exceptions import RestartError, UnityCrashException
    from ai2thor.wsgi_server import WsgiServer
except ImportError as missing:
    raise UsageError(
        f"AI2-THOR needs its client, of which {missing.name} is missing: run {INSTALL} in a clone."
    ) from missing

__all__ = ["BrokenLineError", "LineController", "RestartError", "UnityCrashException", "platform_of"]


def platform_of(name: str | None) -> Any:
    """What the client knows a platform by: a class of its own, not a name; None leaves the choice to it."""
    return None if name is None else getattr(ai2thor.platform, name)


class _Requests:
    """What the client uses of ``requests``, with a time limit."""

    def __init__(self, requests: Any) -> None:
        self._requests = requests

    def __getattr__(self, name: str) -> Any:
        return getattr(self._requests, name)

    def head(self, url: str, **arguments: Any) -> Any:
        return self._requests.head(url, timeout=SILENCE_SECONDS, **arguments)

    def get(self, url: str, **arguments: Any) -> Any:
        return self._requests.get(url, timeout=SILENCE_SECONDS, **arguments)


for _module in (ai2thor.build, ai2thor.downloader):
    _module.requests = _Requests(_module.requests)


class BrokenLineError(Exception):
    """Unity died, was not heard in time, or sent what cannot be read; the text says which."""


class _Server(WsgiServer):  # type: ignore[misc]
    """The client's HTTP server, which tells what is wrong when it is."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.app.config["MAX_CONTENT_LENGTH"] = LONGEST_MESSAGE
        self.unreadable: str | None = None

    def create_event(self, metadata: Any, files: Any) -> Any:
        """The client's event of what Unity sent; what it cannot be made of is kept for :meth:`receive`."""
        try:
            return super().create_event(metadata, files)
        except Exception as error:
            self.unreadable = _why_unreadable(error)
            raise

    def receive(self, timeout: float | None = None) -> Any:
        """The next event.

        Raises:
            BrokenLineError: see there.
        """
        seconds = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                return self.request_queue.get(timeout=LOOK_SECONDS)
            if self.unreadable is not None:
                raise BrokenLineError(f"sent what cannot be read: {self.unreadable}")
            if self.unity_proc is not None and self.unity_proc.poll() is not None:
                raise BrokenLineError(f"ended with exit status {self.unity_proc.returncode}")
        raise BrokenLineError(f"gave no answer within {seconds:g} s")

    def end(self) -> None:
        """Let Unity go, and free thread and port; the client's own ``stop`` keeps both."""
        for waiting in (self.response_queue, self.request_queue):
            with contextlib.suppress(queue.Empty):
                waiting.get_nowait()
        with contextlib.suppress(queue.Full):
            self.response_queue.put_nowait({})
        if self.started:
            ending = threading.Thread(target=self.wsgi_server.shutdown, daemon=True)
            ending.start()
            ending.join(STOP_SECONDS)
        self.stopped = True
        self.wsgi_server.server_close()


def _why_unreadable(error: Exception) -> str:
    """What Unity's message lacks, in words."""
    if isinstance(error, KeyError):
        return f"its metadata has no {error.args[0]!r}"
    if "reshape" in str(error):
        return f"a frame is not of the size that its metadata states ({error})"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


class LineController(Controller):  # type: ignore[misc]
    """The client's controller on our server.

    Attributes:
        line: the server, known to the caller even when the start fails.
    """

    def __init__(self, line: list[_Server], **arguments: Any) -> None:
        self._line = line
        self.server: Any = None
        super().__init__(server_class=WsgiServer, **arguments)

    def _build_server(self, host: str, port: int, width: int, height: int) -> None:
        if self.server is not None:
            return
        server = _Server(
            host=host,
            timeout=self.server_timeout,
            port=port,
            width=width,
            height=height,
            depth_format=self.depth_format,
            add_depth_noise=self.add_depth_noise,
        )
        self.server = server
        self._line.append(server)

    def say(self, action: str, arguments: Mapping[str, Any]) -> Any:
        """One action and its event, unsuccessful ones too; an action that is unknown there raises ValueError."""
        return self.step(action=action, **arguments)
