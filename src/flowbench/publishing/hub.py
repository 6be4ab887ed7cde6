"""One data set repository on the Hub, as far as publishing needs it; all with huggingface_hub, errors as sentences."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Final

from huggingface_hub import HfApi, HfFileSystem
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile

from ..errors import ReleaseError, UsageError
from .telling import address, told
from .version import Version, version_of_tag

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_LONGEST_NAME: Final = 96
_PIECE: Final = 1 << 20
_KIND: Final = "dataset"


@dataclass(frozen=True)
class Standing:
    """How a repository stands.

    Attributes:
        private: whether it is.
        versions: published version -> the commit that its tag names.
    """

    private: bool
    versions: Mapping[Version, str]


@dataclass(frozen=True)
class RemoteFile:
    """A file of a commit; ``sha256`` is None where the Hub does not tell it (small files that git itself keeps)."""

    size: int
    sha256: str | None


class Repository:
    """A data set repository, ``ORG/NAME``. The server is huggingface_hub's (``HF_ENDPOINT``), and so is the token."""

    def __init__(self, name: str) -> None:
        """Contacts nobody.

        Raises:
            UsageError: ``name`` is not of the form ORG/NAME.
        """
        if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME or ".." in name or "--" in name:
            raise UsageError(f"--repo is {name[:100]!r}, but it must be ORG/NAME, e.g. my-group/flowbench.")
        self.name = name
        self._api = HfApi()

    def log_in(self) -> None:
        """Ask the Hub whether it knows the token, before long work begins."""
        with told(self.name):
            self._api.whoami()

    def standing(self) -> Standing | None:
        """How it stands; None where there is no such repository, or none that the account may see."""
        with told(self.name):
            try:
                info = self._api.dataset_info(self.name)
            except RepositoryNotFoundError:
                return None
            tags = self._api.list_repo_refs(self.name, repo_type=_KIND).tags
        versions = ((version_of_tag(tag.name), tag.target_commit) for tag in tags)
        return Standing(bool(info.private), {version: commit for version, commit in versions if version is not None})

    def create(self, *, private: bool) -> None:
        """Make it; one that is there after all is told, for nothing is known of its versions."""
        with told(self.name):
            self._api.create_repo(self.name, repo_type=_KIND, private=private, exist_ok=False)

    def files(self, commit: str) -> dict[str, RemoteFile]:
        """Every file of a commit."""
        with told(self.name):
            tree = self._api.list_repo_tree(self.name, recursive=True, revision=commit, repo_type=_KIND)
            entries = [entry for entry in tree if isinstance(entry, RepoFile)]
        return {each.path: RemoteFile(each.size, each.lfs.sha256 if each.lfs else None) for each in entries}

    @contextlib.contextmanager
    def open(self, path: str, commit: str) -> Iterator[BinaryIO]:
        """A file of a commit to be read from anywhere; only what is read is fetched."""
        with told(self.name), self._files.open(self._place(path), "rb", revision=commit) as file:
            yield file

    def stream(self, path: str, commit: str) -> Iterator[bytes]:
        """A file of a commit from beginning to end in pieces; a broken connection is taken up again once a piece."""
        with told(self.name), self._files.open(self._place(path), "rb", revision=commit, block_size=0) as file:
            while piece := file.read(_PIECE):
                yield piece

    def read(self, path: str, commit: str, most: int) -> bytes:
        """A small file of a commit.

        Raises:
            ReleaseError: it has more than ``most`` bytes.
        """
        data = bytearray()
        for piece in self.stream(path, commit):
            data += piece
            if len(data) > most:
                raise ReleaseError(f"{path} in {self.name} has over {most:,} bytes: do not use this repository.")
        return bytes(data)

    def upload(self, root: Path, paths: Sequence[str], stale: Sequence[str], message: str) -> str:
        """Make the head of ``main`` hold these files of ``root``; returns the commit.

        What the Hub has already is not sent again, so that an interrupted upload goes on where it stopped.

        Args:
            root: the folder.
            paths: exactly what is sent of it, relative to it.
            stale: patterns of files to remove from the repository unless they are among ``paths``.
            message: of the commit.
        """
        with told(self.name):
            done = self._api.upload_folder(
                repo_id=self.name,
                repo_type=_KIND,
                folder_path=root,
                allow_patterns=list(paths),
                delete_patterns=list(stale),
                commit_message=message,
            )
        return done.oid

    def tag(self, version: Version, commit: str) -> None:
        """Give a commit its version."""
        with told(self.name):
            self._api.create_tag(self.name, tag=version.tag, revision=commit, repo_type=_KIND)

    def page(self) -> str:
        """Where people look at it."""
        return f"{address()}/datasets/{self.name}"

    def _place(self, path: str) -> str:
        return f"datasets/{self.name}/{path}"

    @cached_property
    def _files(self) -> HfFileSystem:
        """It keeps listings, which is right for commits: they do not change."""
        return HfFileSystem(skip_instance_cache=True)
