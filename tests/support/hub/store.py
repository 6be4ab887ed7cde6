"""What the server keeps: blobs, commits with their trees, repositories with branches and tags."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

TOKENS = {"hf_writer_sentinel_7f3a": "write", "hf_reader_sentinel_91bc": "read"}
"""Token -> role of its account; the account belongs to the organisation ``org``."""
LARGE = ("*.tar", "*.parquet", "*.png")
"""Files that go to large file storage by name; git keeps the others."""
DATE = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class File:
    """A file of a commit."""

    sha256: str
    size: int
    large: bool
    git_oid: str

    def entry(self, path: str) -> dict[str, object]:
        """As listings show it."""
        plain: dict[str, object] = {"type": "file", "oid": self.git_oid, "size": self.size, "path": path}
        return plain | ({"lfs": self.lfs} if self.large else {})

    @property
    def lfs(self) -> dict[str, object]:
        """What listings say of a large file."""
        return {"oid": self.sha256, "sha256": self.sha256, "size": self.size, "pointerSize": 134}


@dataclass(frozen=True)
class Commit:
    """A commit: every file by its path."""

    sha: str
    tree: Mapping[str, File]
    title: str


@dataclass
class Repo:
    """A repository."""

    private: bool
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)


@dataclass
class Fault:
    """Requests that fail: those whose ``METHOD /path`` matches, after ``skip`` that do not.

    ``status`` 0 closes the connection without an answer. ``message`` may hold ``{token}``, replaced by the token sent.
    """

    pattern: str
    status: int = 500
    times: int = 10**6
    skip: int = 0
    message: str = "broken"

    def strikes(self, request: str) -> bool:
        """Whether this request fails; counts it."""
        if self.times == 0 or re.search(self.pattern, request) is None:
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Store:
    """All of it."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.commits: dict[str, Commit] = {}
        self.repos: dict[str, Repo] = {}

    def put(self, data: bytes) -> str:
        """Keep a blob; returns its sha256."""
        digest = hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return digest

    def file(self, data: bytes) -> File:
        """A file that git keeps."""
        return File(self.put(data), len(data), large=False, git_oid=_git_oid(data))

    def large_file(self, digest: str) -> File:
        """A file of the large file storage, whose blob is there."""
        size = len(self.blobs[digest])
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n"
        return File(digest, size, large=True, git_oid=_git_oid(pointer.encode()))

    def commit(self, repo: Repo, branch: str, tree: Mapping[str, File], title: str) -> Commit:
        """Move a branch on to a new commit."""
        text = repr((len(self.commits), repo.branches.get(branch), title, sorted(tree)))
        commit = Commit(hashlib.sha1(text.encode()).hexdigest(), dict(tree), title)
        self.commits[commit.sha] = commit
        repo.branches[branch] = commit.sha
        return commit

    def create(self, name: str, *, private: bool) -> Repo:
        """A new repository with its first commit."""
        repo = self.repos[name] = Repo(private)
        attributes = "".join(f"{pattern} filter=lfs diff=lfs merge=lfs -text\n" for pattern in LARGE)
        self.commit(repo, "main", {".gitattributes": self.file(attributes.encode())}, "initial commit")
        return repo

    def resolve(self, repo: Repo, revision: str) -> Commit | None:
        """The commit that a branch, tag or sha names."""
        name = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        return self.commits.get(repo.branches.get(name) or repo.tags.get(name) or name)


def is_large(path: str) -> bool:
    """Whether a file goes to large file storage."""
    return any(fnmatch.fnmatch(path, pattern) for pattern in LARGE)


def _git_oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
