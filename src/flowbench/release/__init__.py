"""What a release directory holds and how to read it safely; used by builders, checks, loaders and commands alike."""

from .layout import (
    CARD,
    CHANGELOG,
    MANIFEST,
    STATE,
    index_path,
    preview_path,
    shard_files,
    shard_glob,
    shard_path,
    validation_path,
)
from .manifest import (
    UNRELEASED,
    FileReceipt,
    Manifest,
    ShardReceipt,
    SplitFiles,
    file_sha256,
    read_manifest,
)
from .sizes import size_text
from .tar import Sample, iter_samples
from .texts import read_text

__all__ = [
    "CARD",
    "CHANGELOG",
    "MANIFEST",
    "STATE",
    "UNRELEASED",
    "FileReceipt",
    "Manifest",
    "Sample",
    "ShardReceipt",
    "SplitFiles",
    "file_sha256",
    "index_path",
    "iter_samples",
    "preview_path",
    "read_manifest",
    "read_text",
    "shard_files",
    "shard_glob",
    "shard_path",
    "size_text",
    "validation_path",
]
