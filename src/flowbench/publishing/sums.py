"""``SHA256SUMS``: the sha256 of every file of a published version, those included that no manifest names.

Its format is that of ``sha256sum``: in a copy of the version, ``sha256sum -c SHA256SUMS`` compares everything. Nothing
in the version vouches for the list itself: whoever writes files and list anew goes unnoticed, unless somebody has kept
the list's own sha256, which a push and a verification tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..errors import ReleaseError
from ..files import write_text
from ..release import Manifest, file_sha256
from .remote import receipts

SUMS: Final = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9_][A-Za-z0-9_./-]*)")


def write_sums(root: Path, manifest: Manifest, paths: Iterable[str]) -> str:
    """List the files at ``paths`` in the release at ``root``; returns the list's own sha256.

    Shards and indexes are listed as the manifest has them and not read again.
    """
    known = {receipt.path: receipt.sha256 for receipt in receipts(manifest)}
    listed = sorted({*paths} - {SUMS})
    text = "".join(f"{known.get(path) or file_sha256(root / path)}  {path}\n" for path in listed)
    write_text(root / SUMS, text)
    return file_sha256(root / SUMS)


def read_sums(text: str, repo: str) -> dict[str, str]:
    """Path -> sha256 of every file that a list names.

    Raises:
        ReleaseError: a line is none of ``sha256sum``'s, or a path stands there twice.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None or match[2] in found:
            raise ReleaseError(
                f"{SUMS} of {repo} is no list of sha256 and path, each path once ({line[:80]!r}): do not use this "
                "version; publish a higher one."
            )
        found[match[2]] = match[1]
    return found
