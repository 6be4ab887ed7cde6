"""A chat endpoint on this machine that answers as a test tells it to, or rewords as a good model would."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

MODEL = "tiny-model"
KEY = "sk-very-secret-0123456789"

Answer = Callable[[BaseHTTPRequestHandler], None]


def completion(content: object, finish_reason: str | None = "stop") -> dict[str, Any]:
    return {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}]
    }


def sends(data: bytes | dict[str, Any], status: int = 200, **headers: str) -> Answer:
    """Answer with a body."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def says(content: object, finish_reason: str | None = "stop") -> Answer:
    """Answer as a model that says something."""
    return sends(completion(content, finish_reason))


class _Quiet(ThreadingHTTPServer):
    """Says nothing of clients that hang up."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Ignore."""


class ChatServer:
    """The endpoint.

    Attributes:
        url: its base URL.
        script: answers to the next requests; when there are none left, ``model`` makes the content.
        model: user message, parsed -> content.
        requests: (headers, parsed body) of every request.
    """

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.model: Callable[[dict[str, Any]], object] = reworded
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.closing = threading.Event()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                chat.requests.append(({**self.headers, "path": self.path}, body))
                answer = chat.script.pop(0) if chat.script else says(chat.model(asked(body)))
                answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop answering; the port is closed then."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def hangs(self, handler: BaseHTTPRequestHandler) -> None:
        """An answer that never comes."""
        self.closing.wait(10.0)

    def drips(self, handler: BaseHTTPRequestHandler) -> None:
        """An answer that never ends, a few bytes at a time."""
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not self.closing.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()


def asked(body: dict[str, Any]) -> dict[str, Any]:
    """The entries of a request, which may come with pictures; empty for one that holds none."""
    content = body["messages"][-1]["content"]
    try:
        found: dict[str, Any] = json.loads(content if isinstance(content, str) else content[0]["text"])
    except ValueError:
        return {}
    return found


def reworded(entries: dict[str, Any]) -> str:
    """What a good model says: every text in slightly other words."""
    return json.dumps({slot: other_words(entry["text"]) for slot, entry in entries.items()})


def other_words(text: str) -> str:
    """Another beginning, and everything that matters unchanged."""
    if text.endswith("?"):
        return f"Please tell me: {text[0].lower()}{text[1:]}"
    return f"To put it plainly, {text[0].lower()}{text[1:]}"


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A server for one test."""
    with serving() as server:
        yield server


@contextmanager
def serving() -> Iterator[ChatServer]:
    """A server for a while."""
    server = ChatServer()
    try:
        yield server
    finally:
        if not server.closing.is_set():
            server.close()
