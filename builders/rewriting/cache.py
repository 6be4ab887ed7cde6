"""What a model answered, on disk: one file a request, named by the request, never changed once it is there.

A build whose requests are all here asks nobody and gives the same bytes; each sample's provenance holds the sha256 of
its file, so that the cache belongs to what "same seed, same bytes" depends on.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import pydantic

from flowbench.errors import UsageError
from flowbench.files import write_bytes
from flowbench.schema import RewriterNote

MOST_BYTES = 1 << 20


class Entry(pydantic.BaseModel):
    """The outcome of a request.

    Attributes:
        endpoint, model, prompt: who answered what; the URL holds no user info.
        texts: slot -> text that passed the checks; what is not here keeps the rule-based text.
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)

    endpoint: Annotated[str, pydantic.StringConstraints(pattern=r"^https?://[^@?#\s]+$")]
    model: str
    prompt: str
    texts: Mapping[str, str]

    def to_bytes(self) -> bytes:
        """The file's content; the same for the same outcome."""
        return (self.model_dump_json(indent=1) + "\n").encode()

    @property
    def note(self) -> RewriterNote:
        """What a sample's provenance says of it."""
        return RewriterNote(endpoint=self.endpoint, model=self.model, prompt=self.prompt, cache_sha256=self.sha256)

    @property
    def sha256(self) -> str:
        """Of the file."""
        return hashlib.sha256(self.to_bytes()).hexdigest()


class Cache:
    """A folder of entries, shared by any number of processes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def is_empty(self) -> bool:
        """Whether there is not a single entry."""
        return next(self.root.glob("??/*.json"), None) is None

    def read(self, key: str) -> Entry | None:
        """The entry of a request; None when there is none, or none that is whole and valid."""
        try:
            with self._path(key).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._closed(error) from None
        if len(data) > MOST_BYTES:
            return None
        try:
            return Entry.model_validate_json(data)
        except pydantic.ValidationError:
            return None

    def keep(self, key: str, entry: Entry) -> Entry:
        """Store an entry unless another process was faster; returns the one that is there now.

        Raises:
            UsageError: nothing can be written there.
        """
        with self._locked():
            former = self.read(key)
            if former is None:
                write_bytes(self._path(key), entry.to_bytes())
        return former or entry

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / f"{key}.json"

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder for the moment of a look and a write."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise self._closed(error) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _closed(self, error: OSError) -> UsageError:
        reason = (error.strerror or str(error)).lower()
        return UsageError(
            f"the rewriter's cache {self.root} cannot be used ({reason}): choose another --rewriter-cache."
        )
