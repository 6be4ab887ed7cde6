"""Where a language model answers, and what of that is refused (security.md, "Language model endpoint")."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from flowbench.errors import FlowbenchError, UsageError

KEY_VARIABLE = "FLOWBENCH_REWRITER_KEY"
"""The environment variable that holds the endpoint's key; there is no other way to give one."""
EXAMPLE = "https://llm.example.org/v1"
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}")
_KEY = re.compile(r"[!-~]+")
_UNSAFE = re.compile(r"[^!-~]")


class RewriterError(FlowbenchError):
    """The endpoint cannot be reached or does not answer as it should; what is cached and written stays."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint and one of its models; holds no secret.

    Attributes:
        url: base URL without user info, query and fragment, e.g. ``https://llm.example.org/v1``.
        model: the model's name there.
    """

    url: str
    model: str

    @classmethod
    def of(cls, url: str, model: str) -> Endpoint:
        """Check what a user gave.

        Raises:
            UsageError: no such URL or model can be used; the sentence repeats no part of a URL that may be secret.
        """
        if not _MODEL.fullmatch(model):
            raise UsageError(
                "--rewriter-model must be a model's name of letters, digits and ._:/@+- that does not begin with a "
                "sign: give the name under which the endpoint knows it."
            )
        return cls(_checked(url), model)

    @property
    def loopback(self) -> bool:
        """Whether it is this machine, so that neither encryption nor a proxy is needed."""
        return _is_loopback(urlsplit(self.url).hostname or "")


def key_from_environment() -> str | None:
    """The endpoint's key; None where none is set.

    Raises:
        UsageError: it holds what no header can; it is not repeated.
    """
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if key and not _KEY.fullmatch(key):
        raise UsageError(f"{KEY_VARIABLE} holds spaces, line breaks or other signs that no key has: set it again.")
    return key or None


def _checked(url: str) -> str:
    """The URL without a trailing slash, once nothing speaks against it."""
    parts = _parts(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or _UNSAFE.search(url):
        raise UsageError(f"--rewriter is not the address of an endpoint: give a URL such as {EXAMPLE}.")
    if "@" in url or parts.query or parts.fragment:
        raise UsageError(
            f"--rewriter holds a user, a password, a query or a fragment, which are not kept secret there: give the "
            f"bare URL, and the key in the environment variable {KEY_VARIABLE}."
        )
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise UsageError(
            f"--rewriter is http, but {parts.hostname} is another machine and would be sent the key unencrypted: give "
            "a https URL."
        )
    return parts.geturl().rstrip("/")


def _parts(url: str) -> SplitResult | None:
    """A URL's parts; None where it has none or an impossible port."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
