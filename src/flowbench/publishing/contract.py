"""The columns that a card declares, flattened so that two versions can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import ReleaseError
from ..release.heads import card_head

Columns = Mapping[str, str]
"""``json.margin`` -> its type."""


def declared_columns(card: str) -> dict[str, Columns]:
    """Config -> its columns and record fields with their types, from a card's YAML.

    Raises:
        ReleaseError: the card has no such YAML.
    """
    try:
        found = card_head(card, "the card")["dataset_info"]
        return {str(each["config_name"]): dict(_flat(each["features"], "")) for each in found}
    except (KeyError, TypeError, AttributeError, ReleaseError):
        raise ReleaseError(
            "the card of the published version declares no columns, so nothing can be compared with it: mend its "
            "README.md in the repository."
        ) from None


def changed_columns(old: Columns, new: Columns) -> list[str]:
    """What is gone, new or of another type, in words."""
    gone = [f"{name} is gone" for name in old if name not in new]
    fresh = [f"{name} is new" for name in new if name not in old]
    other = [f"{name} was {old[name]} and is {new[name]}" for name in new if old.get(name, new[name]) != new[name]]
    return gone + fresh + other


def _flat(features: list[Mapping[str, Any]], prefix: str) -> Iterator[tuple[str, str]]:
    """The leaves of ``datasets``' YAML for features: a list of ``{"name": …, "dtype"/"struct"/"list"/…: …}``."""
    for feature in features:
        yield from _leaves(prefix + feature["name"], {key: value for key, value in feature.items() if key != "name"})


def _leaves(name: str, kind: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "struct" in kind:
        yield from _flat(kind["struct"], f"{name}.")
    elif "list" in kind:
        item = kind["list"]
        if isinstance(item, list):
            yield from _flat(item, f"{name}[].")
        else:
            yield from _leaves(f"{name}[]", item if isinstance(item, Mapping) else {"dtype": item})
    else:
        yield name, str(kind.get("dtype", kind))
