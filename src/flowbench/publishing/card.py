"""The card of a release that is published: whether people wrote in it, and whether its YAML loads what it should."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from ..cards import card_text, published_in
from ..errors import ReleaseError, UsageError
from ..release import CARD, CHANGELOG, Manifest, read_text, shard_glob, validation_path
from ..release.heads import card_head

OVERWRITE: Final = "--overwrite-card"
_ABOUT_CHECKS: Final = f"- `{validation_path('<config>')}`"
"""How the line begins that a card has once the release is validated, which it often is after the card was written."""
_MOST_SHOWN: Final = 60
_Value = TypeVar("_Value")


def check_card(root: Path, manifest: Manifest, stamped: Manifest, repo: str) -> None:
    """Refuse a card that a push, which writes it anew, would lose words of; one that is missing is no loss.

    Args:
        root: the release.
        manifest: its manifest.
        stamped: the same under the version that it is to get, as a push that was stopped has left it, perhaps.
        repo: where it is to be published.

    Raises:
        UsageError: the card is not as flowbench writes it.
    """
    if not (root / CARD).is_file():
        return
    lines = _lines(read_text(root / CARD))
    closest: list[str] = []
    for written in _written(root, manifest, stamped, repo):
        if lines == _lines(written):
            return
        closest = closest or _lines(written)
    number, line = _first_difference(lines, closest)
    raise UsageError(
        f"{root / CARD} differs from the card that flowbench writes (line {number}: {line[:_MOST_SHOWN]!r}), "
        f"and a push writes it anew: keep your words under '## Unreleased' in {CHANGELOG}, then push with {OVERWRITE}."
    )


def wrong_card(card: str, manifest: Manifest) -> str | None:
    """How the files that a card's YAML names differ from those of the manifest, in words; None if they do not."""
    try:
        found = _single((each["config_name"], _files(each)) for each in card_head(card, CARD)["configs"])
    except (KeyError, TypeError, AttributeError, ValueError, ReleaseError):
        return f"a {CARD} whose YAML does not say which files to load"
    expected = {
        config: {split: shard_glob(config, split) for split, files in splits.items() if files.index.samples}
        for config, splits in manifest.configs.items()
    }
    expected = {config: splits for config, splits in expected.items() if splits}
    if found == expected:
        return None
    config = next(name for name in (*found, *expected) if found.get(name) != expected.get(name))
    return f"a {CARD} whose YAML loads other files for {str(config)[:_MOST_SHOWN]} than the manifest names"


def _files(config: dict[str, Any]) -> dict[str, str]:
    """Split -> pattern of a config; ValueError for what could send readers elsewhere besides."""
    if not {*config} <= {"config_name", "data_files", "description"}:
        raise ValueError("unknown key")
    if any({*file} != {"split", "path"} for file in config["data_files"]):
        raise ValueError("unknown key")
    return _single((file["split"], file["path"]) for file in config["data_files"])


def _single(pairs: Iterable[tuple[str, _Value]]) -> dict[str, _Value]:
    """A dict of the pairs; ValueError where a key comes twice."""
    listed = list(pairs)
    found = dict(listed)
    if len(found) != len(listed):
        raise ValueError("given twice")
    return found


def _written(root: Path, manifest: Manifest, stamped: Manifest, repo: str) -> Iterator[str]:
    """The cards that flowbench may have left here: by a build or a push, now or before one that was stopped."""
    yield card_text(root, manifest, published_in(root, manifest))
    yield card_text(root, stamped, repo)
    yield card_text(root, manifest)


def _lines(card: str) -> list[str]:
    return [line for line in card.splitlines() if not line.startswith(_ABOUT_CHECKS)]


def _first_difference(lines: list[str], written: list[str]) -> tuple[int, str]:
    """Number and text of the first line that is another one; an empty text where one is missing at the end."""
    pairs = enumerate(itertools.zip_longest(lines, written), 1)
    return next(((number, line or "") for number, (line, other) in pairs if line != other), (len(lines), ""))
