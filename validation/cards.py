"""The dataset card against the manifest: what ``datasets`` and the Hub are told is what lies there (schema.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flowbench.errors import ReleaseError
from flowbench.release import CARD, Manifest, SplitFiles, read_text, shard_glob
from flowbench.release.heads import card_head
from flowbench.schema import ConfigSpec, features

from .suites.base import Violation


def check_card(root: Path, manifest: Manifest, spec: ConfigSpec) -> Iterator[Violation]:
    """Where the card's entries of a config differ from the manifest, which was compared with the files."""
    splits = manifest.configs[spec.name]
    kept = [split for split in spec.splits if split in splits and splits[split].index.samples]
    try:
        card = read_card(root / CARD)
    except ReleaseError as error:
        yield Violation("card cannot be read", str(error).replace(f"{root}/", ""), "a card with YAML", file=CARD)
        return
    for kind, expected in (("configs", _config(spec, splits, kept)), ("dataset_info", _info(spec, splits, kept))):
        entries = [each for each in _listed(card.get(kind)) if each.get("config_name") == spec.name]
        if len(entries) != 1 and kept:
            yield Violation(f"{kind} of the card", f"{len(entries)} entries of {spec.name}", "one", file=CARD)
            continue
        for name, value in expected.items() if entries else ():
            if entries[0].get(name) != value:
                found, wanted = _difference(entries[0].get(name), value)
                yield Violation(f"{name} of the card", found, f"{wanted} as in the manifest", file=CARD)


def read_card(path: Path) -> Mapping[str, Any]:
    """The YAML at the head of a card.

    Raises:
        ReleaseError: there is none, it is too large, or it is not YAML of plain values.
    """
    return card_head(read_text(path), str(path))


def _config(spec: ConfigSpec, splits: Mapping[str, SplitFiles], kept: Sequence[str]) -> dict[str, Any]:
    shards = [shard for split in kept for shard in splits[split].shards]
    digest = hashlib.sha256("\n".join(f"{shard.path} {shard.sha256}" for shard in shards).encode()).hexdigest()
    return {
        "data_files": [{"split": split, "path": shard_glob(spec.name, split)} for split in kept],
        "description": f"content sha256 {digest}",
    }


def _info(spec: ConfigSpec, splits: Mapping[str, SplitFiles], kept: Sequence[str]) -> dict[str, Any]:
    shards = {split: splits[split].shards for split in kept}
    return {
        "features": features(spec)._to_yaml_list(),
        "splits": [
            {
                "name": split,
                "num_bytes": sum(shard.num_bytes for shard in shards[split]),
                "num_examples": sum(shard.samples for shard in shards[split]),
            }
            for split in kept
        ],
        "download_size": sum(shard.bytes for split in kept for shard in shards[split]),
        "dataset_size": sum(shard.num_bytes for split in kept for shard in shards[split]),
    }


def _listed(value: Any) -> list[dict[str, Any]]:
    """One entry or several, as cards may have them."""
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, dict)]


def _difference(found: Any, expected: Any) -> tuple[str, str]:
    """The first place where two values differ, in words."""
    if isinstance(found, list) and isinstance(expected, list):
        for one, other in zip(found, expected, strict=False):
            if one != other:
                return _difference(one, other)
        return f"{len(found)} entries", f"{len(expected)} entries"
    if isinstance(found, dict) and isinstance(expected, dict):
        for name in {**expected, **found}:
            if found.get(name) != expected.get(name):
                one, other = _difference(found.get(name), expected.get(name))
                return f"{name}: {one}", f"{name}: {other}"
    return str(found), str(expected)
