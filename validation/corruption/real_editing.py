"""Breaking samples of recorded pairs: which suit, and what several corruptions share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from flowbench.encoding import decode_flow, encode_flow
from flowbench.schema import to_json

from .base import Corruption
from .editing import Change, Record, Test, anything, one, put_record, record_of
from .rewriting import Draft

Rng = np.random.Generator
ARM: Final = 1
LETTERS: Final = "ABCDEF"


@dataclass(frozen=True)
class SampleBreak:
    """One way to break a sample.

    Attributes:
        name, about: as of :class:`~.base.Corruption`.
        suites: names of the suites that must report it.
        change: breaks a sample.
        where: which samples suit.
    """

    name: str
    about: str
    suites: frozenset[str]
    change: Change
    where: Test

    @property
    def corruption(self) -> Corruption:
        """The same of a release: of one of its samples that suit."""
        return Corruption(self.name, self.about, self.suites, one(self.change, self.where))


def row(name: str, about: str, suites: str, change: Change, where: Test = anything) -> SampleBreak:
    """A row of a table; ``suites`` are separated by blanks."""
    return SampleBreak(name, about, frozenset(suites.split()), change, where)


def marked(record: Mapping[str, Any]) -> bool:
    """Samples suit whose objects have marks."""
    return not record["named"]


def listing(record: Mapping[str, Any]) -> bool:
    """Samples suit that list objects."""
    return len(record["landmarks"]) > 1


def asking_near(record: Mapping[str, Any]) -> bool:
    """Samples suit that ask about one threshold."""
    return bool(record["category"] == "near_object")


def sideways(record: Mapping[str, Any]) -> bool:
    """Samples suit whose stated move goes to a side."""
    return bool(record["motion"]["right"])


def thing(meta: Record, instance_id: int) -> Record:
    """An object of the metadata."""
    found: Record = next(each for each in meta["objects"] if each["id"] == instance_id)
    return found


def meta_of(draft: Draft) -> Record:
    """A sample's metadata as plain values."""
    value: Record = json.loads(draft.members["meta.txt"])
    return value


def put_meta(draft: Draft, meta: Record) -> None:
    """Write metadata as a builder would."""
    draft.members["meta.txt"] = to_json(meta)


def edited(change: Callable[[Record, Record], None]) -> Change:
    """A change of the metadata; it is given the record as well, whose changes are kept too."""

    def apply(draft: Draft, rng: Rng) -> None:
        record, meta = record_of(draft), meta_of(draft)
        change(meta, record)
        put_meta(draft, meta)
        put_record(draft, record)

    return apply


def flowing(value: tuple[float, float], whose: Callable[[Record], int]) -> Change:
    """An object's flow is another."""

    def apply(draft: Draft, rng: Rng) -> None:
        from .editing import ids

        flow, valid = decode_flow(draft.members["flow.png16"])
        mask = ids(draft, "before") == whose(record_of(draft))
        flow = flow.copy()
        flow[mask] = value
        draft.members["flow.png16"] = encode_flow(flow, valid | mask)

    return apply


def worded(change: Callable[[str], str]) -> Callable[[Record], None]:
    """The motion, question and static question of every version are changed."""

    def apply(record: Record) -> None:
        for texts in (record, record["badge_texts"]):
            if texts is not None:
                for name in ("motion_text", "question", "static_question"):
                    texts[name] = change(texts[name])

    return apply


def mover_of(record: Record) -> int:
    """Instance id of the mover."""
    return int(record["mover"]["id"])


def landmark_of(record: Record) -> int:
    """Instance id of the first landmark."""
    return int(record["landmarks"][0]["id"])
