"""The server: real HTTP on a port of the loopback."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .routes import respond, tree_of
from .store import Fault, Store
from .wire import Request, Response, refusal


class LocalHub:
    """A running Hub; a context manager that stops it.

    Attributes:
        store: what it keeps.
        requests: ``METHOD /path`` of all that was asked, in order.
        faults: requests that fail.
    """

    def __init__(self) -> None:
        self.store = Store()
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> LocalHub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Its address: ``HF_ENDPOINT``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def files(self, name: str, revision: str = "main") -> Mapping[str, bytes]:
        """Path -> content of a commit."""
        return {path: self.store.blobs[file.sha256] for path, file in tree_of(self.store, name, revision).tree.items()}

    def asked(self, beginning: str) -> list[str]:
        """The requests that begin so."""
        return [each for each in self.requests if each.startswith(beginning)]

    def handle(self, request: Request) -> Response | None:
        """The answer to a request; None closes the connection."""
        with self._lock:
            line = f"{request.method} {request.path}"
            self.requests.append(line)
            for fault in self.faults:
                if fault.strikes(line):
                    told = fault.message.format(token=request.token)
                    return refusal(fault.status, told) if fault.status else None
            return respond(self.store, request)


def _handler(hub: LocalHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Keep quiet."""

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): text for name, text in self.headers.items()}
            response = hub.handle(
                Request(self.command, parts.path, parse_qs(parts.query), headers, self._body(headers), hub.url)
            )
            if response is None:
                self.close_connection = True
                return
            self.send_response(response.status)
            for name, text in response.headers.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)

        def _body(self, headers: Mapping[str, str]) -> bytes:
            if headers.get("transfer-encoding", "").lower() != "chunked":
                return self.rfile.read(int(headers.get("content-length") or 0))
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return b"".join(pieces)

        do_GET = do_HEAD = do_POST = do_PUT = _serve  # noqa: N815 (names that the base class looks for)

    return Handler
