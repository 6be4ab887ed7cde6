"""Where things lie in a release directory (cli.md, "Release layout"); paths are relative, with forward slashes."""

from __future__ import annotations

import re
from pathlib import Path

CARD = "README.md"
CHANGELOG = "CHANGELOG.md"
MANIFEST = "manifest.json"
STATE = ".build"
"""What a build keeps for itself; never published."""

MOST_SHARDS = 100_000
_SHARD = re.compile(r"(?P<split>[a-z][a-z0-9_]*)-(?P<index>\d{5})-of-(?P<total>\d{5})\.tar")


def shard_path(config: str, split: str, index: int, total: int) -> str:
    """``data/<config>/<split>-NNNNN-of-NNNNN.tar``."""
    if not 0 <= index < total < MOST_SHARDS:
        raise ValueError(f"shard {index} of {total}: expected an index below the total, and that below {MOST_SHARDS:,}")
    return f"data/{config}/{split}-{index:05d}-of-{total:05d}.tar"


def shard_glob(config: str, split: str) -> str:
    """The pattern of a split's shards, for the card's ``data_files``."""
    return f"data/{config}/{split}-*.tar"


def index_path(config: str, split: str) -> str:
    """``index/<config>/<split>.parquet``."""
    return f"index/{config}/{split}.parquet"


def preview_path(config: str) -> str:
    """``index/<config>/preview.png``, the card's picture."""
    return f"index/{config}/preview.png"


def validation_path(config: str) -> str:
    """``validation/<config>.json``, what ``flowbench validate`` found."""
    return f"validation/{config}.json"


def shard_files(root: Path, config: str, split: str | None = None) -> list[Path]:
    """The shards that lie in a release directory, sorted; those of one split if given. Other files are passed over."""
    folder = root / "data" / config
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    matches = [(path, _SHARD.fullmatch(path.name)) for path in found]
    return [path for path, match in matches if match and split in (None, match["split"])]
