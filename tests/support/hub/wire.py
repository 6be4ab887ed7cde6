"""Requests and responses, apart from how they travel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs


@dataclass(frozen=True)
class Request:
    """What a client asks."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    base: str

    @property
    def token(self) -> str | None:
        """The token sent, if one was."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token if scheme == "Bearer" else None

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body or b"{}")

    def fields(self, name: str) -> list[str]:
        """A list in the body, whether it came as JSON or as a form."""
        if "json" in self.headers.get("content-type", ""):
            return list(self.json()[name])
        return parse_qs(self.body.decode()).get(name, [])

    def asked(self, name: str) -> bool:
        """Whether a flag is set in the query."""
        return self.query.get(name, ["false"])[0].lower() in ("true", "1")


@dataclass(frozen=True)
class Response:
    """What the server answers."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def answer(value: Any, status: int = 200, **headers: str) -> Response:
    """JSON."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Response(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


def refusal(status: int, message: str, code: str = "") -> Response:
    """An error as the Hub tells it."""
    headers = {"X_Error_Message": message} | ({"X_Error_Code": code} if code else {})
    return answer({"error": message}, status, **headers)


def part(data: bytes, wanted: str | None, headers: Mapping[str, str]) -> Response:
    """A file, or the range of it that a ``Range`` header wants."""
    headers = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", **headers}
    if not wanted or not wanted.startswith("bytes="):
        return Response(200, data, headers)
    first, _, last = wanted.removeprefix("bytes=").partition("-")
    begin = int(first) if first else max(0, len(data) - int(last))
    end = min(int(last), len(data) - 1) if first and last else len(data) - 1
    if begin >= len(data):
        return Response(416, b"", {**headers, "Content-Range": f"bytes */{len(data)}"})
    return Response(206, data[begin : end + 1], {**headers, "Content-Range": f"bytes {begin}-{end}/{len(data)}"})
