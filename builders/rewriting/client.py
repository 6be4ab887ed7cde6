"""A small client of OpenAI-compatible chat endpoints: bounded in time, in size and in tries."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from flowbench.errors import UsageError

from .endpoint import KEY_VARIABLE, Endpoint, RewriterError, key_from_environment

Message = Mapping[str, Any]
"""``role`` and ``content``: a text, or a list of texts and pictures."""


@dataclass(frozen=True)
class Limits:
    """How long to wait and how much to take.

    Attributes:
        seconds: of a whole request, the answer read.
        connect_seconds: until there is a connection.
        tries: requests in all where the endpoint fails or is busy.
        pause: seconds before the second try; doubled from try to try.
        longest_pause: seconds that no pause exceeds, whatever the endpoint asks for.
        reply_bytes: a longer answer is refused unread.
    """

    seconds: float = 90.0
    connect_seconds: float = 10.0
    tries: int = 5
    pause: float = 1.0
    longest_pause: float = 30.0
    reply_bytes: int = 1 << 18


class _TryAgain(Exception):  # noqa: N818
    """A failure that may pass, and the seconds after which the endpoint wants to be asked again."""

    def __init__(self, what: str, after: float = 0.0) -> None:
        super().__init__(what)
        self.after = after


class ChatClient:
    """Asks one endpoint, over one connection. The key lives in the connection's headers alone."""

    def __init__(
        self, endpoint: Endpoint, limits: Limits | None = None, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Prepare; nothing is sent.

        Raises:
            UsageError: ``httpx2`` is not installed, or the key is no key.
        """
        self.endpoint = endpoint
        self._limits = limits or Limits()
        self._sleep = sleep
        self._http = _import_httpx()
        key = key_from_environment()
        self._client = self._http.Client(
            # Compression is refused below: a small reply must not grow beyond the limit while it is unpacked.
            headers={"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {}),
            timeout=self._http.Timeout(self._limits.seconds, connect=self._limits.connect_seconds),
            follow_redirects=False,
            trust_env=not endpoint.loopback,  # a proxy is for other machines
        )

    def ask(self, messages: Sequence[Message], temperature: float | None = None) -> str | None:
        """What the model says; None where its answer is of no use (too long, cut off, empty).

        Token limits are not set, nor is the temperature unless it is given, since models differ in what they accept.

        Raises:
            RewriterError: the endpoint refuses, or still fails after all tries.
        """
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [dict(message) for message in messages],
            "stream": False,
        }
        if temperature is not None:
            body["temperature"] = temperature
        pause = self._limits.pause
        for left in reversed(range(self._limits.tries)):
            try:
                return self._request(json.dumps(body).encode())
            except _TryAgain as failure:
                if not left:
                    raise self._error(f"{failure} ({self._limits.tries} tries)", "try again later") from None
                self._sleep(min(max(pause, failure.after), self._limits.longest_pause))
                pause *= 2.0
        raise AssertionError("tries are at least one")

    def _request(self, body: bytes) -> str | None:
        """One request."""
        began = time.monotonic()
        url = f"{self.endpoint.url}/chat/completions"
        with (
            self._told(),
            self._client.stream("POST", url, content=body, headers={"Content-Type": "application/json"}) as response,
        ):
            self._refuse_status(response)
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise self._error("compresses its answers unasked", "give another URL")
            data = bytearray()
            for chunk in response.iter_raw():
                data += chunk
                if len(data) > self._limits.reply_bytes:
                    return None
                if time.monotonic() - began > self._limits.seconds:
                    raise _TryAgain("takes too long to answer")
        return _content(bytes(data))

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong on the way, in our words: the library's may repeat what we sent."""
        try:
            yield
        except self._http.TimeoutException:
            raise _TryAgain("takes too long to answer") from None
        except (self._http.HTTPError, self._http.InvalidURL, self._http.StreamError) as error:
            raise _TryAgain(f"cannot be reached or breaks off ({type(error).__name__})") from None

    def _refuse_status(self, response: Any) -> None:
        """Pass answers on, and tell failures that may pass from those that will not."""
        status = int(response.status_code)
        if status in (408, 409, 425, 429) or status >= 500:
            raise _TryAgain(f"answers with status {status}", _seconds(response.headers.get("Retry-After", "")))
        if 300 <= status < 400:
            raise self._error(f"redirects elsewhere (status {status})", "give the URL that it redirects to")
        if status in (401, 403):
            raise self._error(f"refuses the key (status {status})", f"set {KEY_VARIABLE} to a key that it takes")
        if status != 200:
            raise self._error(f"answers with status {status}", "give the base URL and the name of a model it has")

    def _error(self, what: str, advice: str) -> RewriterError:
        endpoint = self.endpoint
        return RewriterError(
            f"the rewriter at {endpoint.url} (model {endpoint.model}) {what}: {advice}, and run the same command again "
            "to go on, or build without --rewriter."
        )


def _import_httpx() -> ModuleType:
    """The HTTP library, needed by this module alone."""
    try:
        import httpx2
    except ModuleNotFoundError:
        raise UsageError(
            "--rewriter needs httpx2, which is not installed: run `pip install '.[rewriter]' -c constraints.txt` in "
            "the clone."
        ) from None
    return httpx2


def _seconds(retry_after: str) -> float:
    """The header's seconds; 0 where it holds none (a date, nonsense)."""
    return float(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 6 else 0.0


def _content(data: bytes) -> str | None:
    """The text of a chat completion; None where the model was cut off or said nothing.

    Raises:
        _TryAgain: it is no chat completion.
    """
    try:
        choice = json.loads(data)["choices"][0]
        reason, text = choice.get("finish_reason"), choice["message"]["content"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _TryAgain("gives answers that are no chat completions") from None
    return text if isinstance(text, str) and reason in (None, "stop") else None
