"""The dataset card against the manifest: what ``datasets``, the Hub and people are told is what lies there (schema.md).

Its prose is compared with what flowbench writes for this release, if the same version of flowbench built it: other
versions may word it otherwise.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from flowbench import __version__
from flowbench.cards import card_text, published_in
from flowbench.errors import FlowbenchError, ReleaseError
from flowbench.release import CARD, Manifest, SplitFiles, preview_path, read_text, shard_glob, validation_path
from flowbench.release.heads import card_head
from flowbench.schema import ConfigSpec, config_spec, features

from .indexes import check_index
from .suites.base import Violation

_FENCE: Final = "---\n"
_ABOUT_CHECKS: Final = f"- `{validation_path('<config>')}`"
"""How the line begins that a card only has if it was written after the release had been validated."""
_MOST_SHOWN: Final = 90


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


def check_body(root: Path, manifest: Manifest, spec: ConfigSpec) -> Iterator[Violation]:
    """Where the card shows a picture of a config that is not there, or says something else than flowbench writes.

    The text is told of once, with the first config. It is not looked at where pictures or indexes, which it is written
    from, are not what they should be: that is told of by itself.
    """
    try:
        read_card(root / CARD)
        found = _body(read_text(root / CARD))
    except ReleaseError:
        return  # told with its head
    lost = {name: path for name in manifest.configs if f"]({(path := preview_path(name))})" in found}
    lost = {name: path for name, path in lost.items() if not (root / path).is_file()}
    advice = f"run 'flowbench release card {root.name}'"
    if spec.name in lost:
        path = lost[spec.name]
        yield Violation("picture of the card", f"no {path}", f"the picture that the card shows: {advice}", file=path)
    if lost or spec.name != min(manifest.configs) or manifest.builder_version != __version__:
        return
    try:
        for name, splits in manifest.configs.items():
            for files in splits.values():
                check_index(root, files.index, config_spec(name))
        written = [_body(card_text(root, manifest, repo)) for repo in {published_in(root, manifest), None}]
    except FlowbenchError:
        return
    lines = _lines(found)
    if lines not in [_lines(each) for each in written]:
        one, other = _first_other(lines, _lines(written[0]))
        yield Violation("card text", one, f"{other}, as flowbench writes it: {advice}", file=CARD)


def _body(card: str) -> str:
    """What follows the YAML."""
    return card.split(_FENCE, 2)[-1]


def _lines(body: str) -> list[str]:
    return [line for line in body.splitlines() if line.strip() and not line.startswith(_ABOUT_CHECKS)]


def _first_other(found: Sequence[str], expected: Sequence[str]) -> tuple[str, str]:
    """The first line in which two texts differ."""
    pairs = itertools.zip_longest(found, expected, fillvalue="no more lines")
    one, other = next((each for each in pairs if each[0] != each[1]), ("the same lines", "the same lines"))
    return one[:_MOST_SHOWN], other[:_MOST_SHOWN]


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
