"""The YAML at the head of a dataset card, read without giving hostile YAML what it asks for."""

from __future__ import annotations

from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from ..errors import ReleaseError

_MAX_DEPTH: Final = 64
_MAX_SCALAR: Final = 1_000
"""Characters of one value: Python takes minutes to make a number of a million digits."""
_FENCE: Final = "---\n"
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def card_head(text: str, name: str) -> dict[str, Any]:
    """The YAML at the head of a dataset card, as plain values.

    Args:
        text: of the card.
        name: what an error calls it.

    Raises:
        ReleaseError: there is none, it is no mapping of plain values, or it would take more time or memory than a card
            can be worth: aliases, deep nesting, endless values.
    """
    try:
        _, head, _ = text.split(_FENCE, 2)
        _check_events(head)
        card = yaml.load(head, _Loader)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ReleaseError(f"{name} does not begin with YAML ({reason}): build the release again") from None
    if not isinstance(card, dict):
        raise ReleaseError(f"{name} does not begin with a YAML mapping: build the release again")
    return card


def _check_events(head: str) -> None:
    """Raise ValueError for what must not be made into values."""
    depth = 0
    for event in yaml.parse(head, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("it has aliases, which cards do not need")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            raise ValueError(f"it is nested over {_MAX_DEPTH} deep")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > _MAX_SCALAR:
            raise ValueError(f"it has a value of {len(event.value):,} characters")
