"""Members of a sample, or a sentence that says which is missing."""

from __future__ import annotations

from ..errors import ReleaseError
from ..release import Sample


def member(sample: Sample, column: str) -> tuple[bytes, str]:
    """A member's bytes, and what an error calls them."""
    try:
        return sample.members[column], f"{column} of sample {sample.key!r}"
    except KeyError:
        raise ReleaseError(f"sample {sample.key!r} has no {column!r} member: fetch or build the shard again") from None
