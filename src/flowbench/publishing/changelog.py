"""``CHANGELOG.md`` of the data: what each version brought, and what its maintainers have to say of it.

Maintainers write under ``## Unreleased``; a push turns that into the version's notes. Sections of published versions
are taken from the repository, so that a version that was never published leaves no trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..release import Manifest
from .changes import Change
from .version import Version

UNRELEASED_TITLE: Final = "Unreleased"
_NOTES: Final = "### Notes"
_SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
_HEAD: Final = """# Changelog of the data

Versions follow SemVer: major, columns or the meaning of a label changed; minor, samples or configs were added; patch,
fixes that change no label.
"""


def updated_changelog(
    published: str | None, local: str | None, version: Version, changes: Sequence[Change], manifest: Manifest
) -> str:
    """The changelog with a section for ``version`` on top; the same text when asked again after a half push.

    Args:
        published: the changelog of the last published version, None before the first.
        local: the one that lies in the release, None if there is none.
        version: which is about to be published.
        changes: from the last version.
        manifest: what it holds.
    """
    former = sections(published or "")
    former.pop(UNRELEASED_TITLE, None)
    former.pop(str(version), None)
    body = _facts(changes, manifest, first=published is None)
    if notes := _notes(sections(local or ""), version):
        body += f"\n{_NOTES}\n\n{notes}\n"
    parts = [_HEAD, f"## {version}\n\n{body}", *(f"## {title}\n\n{text}\n" for title, text in former.items())]
    return "\n".join(parts)


def sections(text: str) -> dict[str, str]:
    """Title -> body of each second-level section, in order."""
    parts = _SECTION.split(text)[1:]
    return {title.strip(): body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def _notes(local: dict[str, str], version: Version) -> str:
    """What maintainers wrote: unreleased, and what an earlier try at this version has made of that."""
    _, _, kept = local.get(str(version), "").partition(_NOTES)
    return "\n\n".join(note for note in (local.get(UNRELEASED_TITLE, ""), kept.strip()) if note)


def _facts(changes: Sequence[Change], manifest: Manifest, *, first: bool) -> str:
    lines = [change.text for change in changes]
    if first:
        lines = ["The first version."]
    elif not lines:
        lines = ["The content of the version before."]
    for config in sorted(manifest.configs):
        counts = ", ".join(f"{split} {count:,}" for split, count in sorted(manifest.samples(config).items()))
        lines.append(f"Samples of {config}: {counts}.")
    return "".join(f"- {line}\n" for line in lines)
