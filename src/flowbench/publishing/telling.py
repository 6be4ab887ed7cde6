"""What goes wrong on the way to the Hub, in one sentence, and never with a token in it (security.md, "Secrets")."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    LocalTokenNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from ..errors import FlowbenchError, UsageError

_HTTP_ERROR: Any = next(kind for kind in HfHubHTTPError.__mro__ if kind.__name__ == "HTTPError")
"""The base of the errors of whichever HTTP client huggingface_hub uses."""
_TOKEN_VARIABLES: Final = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_LONGEST: Final = 200
_LOG_IN: Final = "log in with `hf auth login` or set HF_TOKEN"
AGAIN: Final = "run the same command again to go on where it stopped"


@contextlib.contextmanager
def told(repo: str) -> Iterator[None]:
    """Turn what huggingface_hub raises in the block into a sentence.

    Errors of ours and of the local disk pass as they are. Where a token occurs in an error's text, that error is not
    kept as the cause either: ``--debug`` would print it.

    Raises:
        UsageError: the environment, the account or the server stands in the way.
    """
    try:
        yield
    except FlowbenchError:
        raise
    except Exception as error:
        chain = _chain(error)
        sentence = next((text for each in chain if (text := _explain(each, repo))), None)
        if sentence is None and isinstance(error, OSError):
            raise
        sentence = sentence or f"{server()} could not be used ({type(error).__name__}: {_short(str(error))}): {AGAIN}."
        secret = any(token in f"{each} {each!r}" for each in chain for token in _tokens())
        raise UsageError(without_tokens(sentence)) from (None if secret else error)


def server() -> str:
    """The Hub's host."""
    return urlsplit(address()).netloc or "the Hub"


def address() -> str:
    """The Hub's address, without any user information that ``HF_ENDPOINT`` may hold."""
    parts = urlsplit(constants.ENDPOINT)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def no_repository(repo: str) -> str:
    """The sentence for a repository that is not there; the Hub does not tell that from one that is hidden."""
    return f"there is no data set {repo} on {server()} that you may see: check the name, or {_LOG_IN}."


def without_tokens(text: str) -> str:
    """The text with every token that this process could use blotted out."""
    for token in _tokens():
        text = text.replace(token, "***")
    return text


def _tokens() -> list[str]:
    """The longest first; with those, their pieces of a line: a header error shows a token escaped."""
    found = [os.environ.get(name) for name in _TOKEN_VARIABLES]
    with contextlib.suppress(Exception):
        found.append(huggingface_hub.get_token())
    whole = [token for token in found if token]
    pieces = {piece for token in whole for piece in (token.strip(), *token.split()) if len(piece) >= 4}
    return sorted(pieces, key=lambda piece: (-len(piece), piece))


def _chain(error: BaseException) -> list[BaseException]:
    """An error, what it came of, and so on."""
    found: list[BaseException] = []
    step: BaseException | None = error
    while step is not None and step not in found:
        found.append(step)
        step = step.__cause__ or step.__context__
    return found


def _explain(error: BaseException, repo: str) -> str | None:
    """The sentence for one kind of error; None for a kind that says nothing."""
    host = server()
    if isinstance(error, OfflineModeIsEnabled):
        return f"HF_HUB_OFFLINE is set, so {host} is not asked: unset it and run the same command again."
    if isinstance(error, LocalTokenNotFoundError):
        return f"no token for {host} was found: {_LOG_IN}."
    if isinstance(error, RevisionNotFoundError):
        return f"{repo} on {host} has no such revision: look at its tags for the versions that there are."
    if isinstance(error, EntryNotFoundError):
        return f"{repo} on {host} lacks a file that a release has: choose another version or repository."
    if isinstance(error, RepositoryNotFoundError) and not isinstance(error, GatedRepoError):
        return no_repository(repo)
    if isinstance(error, HfHubHTTPError):
        return _status(error, repo, host)
    if isinstance(error, UnicodeEncodeError) or type(error).__name__ == "LocalProtocolError":
        return f"the token for {host} holds characters that no token has: {_LOG_IN} again."
    if isinstance(error, _HTTP_ERROR | ConnectionError | TimeoutError):
        return f"{host} cannot be reached ({type(error).__name__}): check the network, then {AGAIN}."
    return None


def _status(error: HfHubHTTPError, repo: str, host: str) -> str:
    status = error.response.status_code
    said = f" ({_short(error.server_message)})" if error.server_message else ""
    if status == 401:
        return f"{host} does not accept your token, or you have none: {_LOG_IN}."
    if status == 403:
        return f"your token may not do this in {repo} on {host}{said}: use one that may write there."
    if status in (409, 412):
        return f"{repo} on {host} was changed by someone else meanwhile{said}: {AGAIN}."
    if status == 429:
        return f"{host} asks to wait, too many requests{said}: later {AGAIN}."
    if status >= 500:
        return f"{host} failed with status {status}{said}: {AGAIN}."
    return f"{host} refused with status {status}{said}: see what {repo} holds, then {AGAIN}."


def _short(text: str) -> str:
    """A server's words, on one line and not too many."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
