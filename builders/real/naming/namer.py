"""The optional namer: a model that sees pictures names objects from crops, then counts what fits each name (B.4.9).

It sees the before picture alone, without marks, and none of the questions; labels, numbers and choices never pass
through it. Where a single name of an item is refused, the item keeps its marks.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.facts import Facts
from flowbench.builders.real.wording import Names
from flowbench.builders.rewriting import CachedModel, Entry, RewriterSettings
from flowbench.builders.rewriting.client import Message
from flowbench.encoding import encode_rgb

from .names import refuse_name, refuse_together, tidied

PROMPT_VERSION = "namer 1"
TRIES = 3
"""Times that objects are asked for until their names pass."""
AROUND = 0.4
"""Of an object's longer side that a crop shows on every side of it."""
LEAST_AROUND = 16
"""Pixels that it shows at least."""
_NAMING = """You are shown crops of one photograph. In each, one thing is in its full brightness and all around it is \
darkened. Name each thing so that a stranger finds it in the photograph: a noun that says what it is, with its colour \
or material before it where that helps, e.g. "blue mug". Answer with one JSON object, number of the crop to name, and \
nothing else. At most four words a name, small letters; no places, no verbs, no numbers; never a vague noun such as \
object, item, container, thing, tool, toy or food."""
_COUNTING = """You are shown a photograph and a JSON list of names. Answer with one JSON object and nothing else: \
"counts" holds for each name how many visible things in the whole photograph fit it, as a number; "same" lists the \
pairs of names that you would give to one and the same thing, an empty list if there are none."""
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Named:
    """What came of asking.

    Attributes:
        names: ``the blue mug`` of every thing; None where one cannot be named.
        source: what the cache holds of it, for the provenance.
    """

    names: Names | None
    source: Entry


class Namer(CachedModel):
    """Asks a model for names, checks what it says, and remembers the outcome."""

    def name(self, facts: Facts, things: Sequence[int]) -> Named:
        """Names of some things of a pair, all of them or none.

        Raises:
            RewriterError: the endpoint fails.
            UsageError: the cache cannot be used.
        """
        measured = facts.measured
        before, layer = measured.pair.before, measured.layers[0]
        ids = [measured.thing_id(k) for k in things]
        crops = [crop(before, layer.mask(measured.things[k].masks[0])) for k in things]
        opening = naming(crops, {})
        asked = [opening, hashlib.sha256(before.tobytes()).hexdigest()]
        entry = self._remembered(PROMPT_VERSION, asked, lambda: self._asked(ids, crops, before))
        # The cache may come from anywhere: what is in it is held to the same checks.
        found = {k: entry.texts.get(_slot(each), "") for k, each in zip(things, ids, strict=True)}
        good = refuse_together(found) is None
        return Named({k: f"the {name}" for k, name in found.items()} if good else None, entry)

    def _asked(self, ids: Sequence[int], crops: Sequence[Picture], before: Picture) -> Mapping[str, str]:
        """Names that fit one thing each; empty where there are none for all."""
        problems: dict[str, str] = {}
        for _ in range(TRIES):
            reply = _object(self._client.ask(naming(crops, problems)))
            names = [tidied(text) if isinstance(text := reply.get(str(n + 1)), str) else "" for n in range(len(crops))]
            problems = {str(n + 1): why for n, name in enumerate(names) if (why := refuse_name(name)) is not None}
            twice = [str(n + 1) for n, each in enumerate(names) if names.count(each) > 1]
            problems = dict.fromkeys(twice, "another thing has the same name") | problems
            if problems:
                continue
            counted = _object(self._client.ask(counting(before, names)))
            problems = {str(n + 1): why for n, each in enumerate(names) if (why := refuse_count(each, counted))}
            if not problems:
                return {_slot(each): name for each, name in zip(ids, names, strict=True)}
        return {}


def refuse_count(name: str, counted: Mapping[str, Any]) -> str | None:
    """Why a name may not stand, by what was counted; None where it fits one thing and no other name does."""
    counts, same = counted.get("counts"), counted.get("same")
    count = counts.get(name) if isinstance(counts, dict) else None
    if type(count) is not int or count != 1:
        return f"'{name}' fits {count if type(count) is int else 'an unknown number of'} visible things, not one"
    if not isinstance(same, list) or any(name in pair for pair in same if isinstance(pair, list)):
        return f"'{name}' and another name are given to the same thing"
    return None


def naming(crops: Sequence[Picture], problems: Mapping[str, str]) -> list[Message]:
    """The request for names; ``problems`` says of a crop's number why its last name was refused."""
    told = {"crops": len(crops)} | ({"refused_before_because": dict(problems)} if problems else {})
    content = [_text(json.dumps(told)), *(_image(each) for each in crops)]
    return [{"role": "system", "content": _NAMING}, {"role": "user", "content": content}]


def counting(before: Picture, names: Sequence[str]) -> list[Message]:
    """The request to count what fits some names."""
    content = [_text(json.dumps({"names": list(names)})), _image(before)]
    return [{"role": "system", "content": _COUNTING}, {"role": "user", "content": content}]


def crop(picture: Picture, mask: NDArray[np.bool_]) -> Picture:
    """A thing and what is around it, that at half its brightness.

    Args:
        picture: (H, W, 3) uint8.
        mask: (H, W) bool, at least one pixel of it set.
    """
    rows, columns = np.nonzero(mask)
    top, left, bottom, right = int(rows.min()), int(columns.min()), int(rows.max()) + 1, int(columns.max()) + 1
    around = max(LEAST_AROUND, int(AROUND * max(bottom - top, right - left)))
    window = slice(max(0, top - around), bottom + around), slice(max(0, left - around), right + around)
    return np.where(mask[window][..., None], picture[window], picture[window] >> 1).astype(np.uint8)


def _image(picture: Picture) -> dict[str, Any]:
    """A picture as a message's part, PNG in a data URI."""
    data = base64.b64encode(encode_rgb(np.ascontiguousarray(picture))).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _slot(instance_id: int) -> str:
    """Of a thing's name in the cache."""
    return f"name of {instance_id}"


def _object(reply: str | None) -> Mapping[str, Any]:
    """The JSON object in a reply; empty where there is none. Models like to wrap it in a fence."""
    text = reply or ""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@functools.lru_cache(maxsize=4)
def namer_of(settings: RewriterSettings | None) -> Namer | None:
    """The namer of this process; None where objects have the names of their labels alone."""
    return None if settings is None else Namer(settings)
