"""Breaking single samples: what a change sees of a sample, and how one that suits it is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_ids, decode_rgb, encode_ids, encode_instances, encode_rgb
from flowbench.schema import to_json

from .base import Break
from .rewriting import Draft, Rewriting

Record = dict[str, Any]
Change = Callable[[Draft, np.random.Generator], None]
Test = Callable[[Mapping[str, Any]], bool]
MOMENTS = ("before", "after")


def anything(record: Mapping[str, Any]) -> bool:
    """Every sample suits."""
    return True


def of(*categories: str) -> Test:
    """Samples of these categories suit."""
    return lambda record: record["category"] in categories


def yes_no(record: Mapping[str, Any]) -> bool:
    """Samples suit whose choices are yes and no."""
    return sorted(record["choices"]) == ["no", "yes"]


def known_before(record: Mapping[str, Any]) -> bool:
    """Samples with a before-answer suit."""
    return record["before_answer"] is not None


def one(change: Change, where: Test = anything) -> Break:
    """A corruption of one sample: the first that suits, shards and samples taken in random order.

    The break raises ValueError where no sample suits.
    """

    def apply(root: Path, rng: np.random.Generator) -> None:
        release = Rewriting(root)
        places = release.places()
        for index in rng.permutation(len(places)):
            drafts = release.read(places[index])
            suited = [draft for draft in drafts if where(record_of(draft))]
            if suited:
                change(suited[rng.integers(len(suited))], rng)
                release.write(places[index], drafts)
                return release.finish()
        raise ValueError(f"{root} has no sample that suits this corruption: take a larger release")

    return apply


def every(change: Change) -> Break:
    """A corruption of all samples."""

    def apply(root: Path, rng: np.random.Generator) -> None:
        release = Rewriting(root)
        for place in release.places():
            drafts = release.read(place)
            for draft in drafts:
                change(draft, rng)
            release.write(place, drafts)
        release.finish()

    return apply


def record_of(draft: Draft) -> Record:
    """A sample's record as plain values."""
    value: Record = json.loads(draft.members["json"])
    return value


def put_record(draft: Draft, record: Record) -> None:
    """Write a record as a builder would."""
    draft.members["json"] = to_json(record)


def recorded(change: Callable[[Record], None]) -> Change:
    """A change of the record alone."""

    def apply(draft: Draft, rng: np.random.Generator) -> None:
        record = record_of(draft)
        change(record)
        put_record(draft, record)

    return apply


def described(change: Callable[[Record, Record], None]) -> Change:
    """A change of the metadata; it is also given the record, whose changes are kept too."""

    def apply(draft: Draft, rng: np.random.Generator) -> None:
        record, meta = record_of(draft), json.loads(draft.members["meta.txt"])
        change(meta, record)
        draft.members["meta.txt"] = to_json(meta)
        put_record(draft, record)

    return apply


def member(name: str, change: Callable[[bytes], bytes]) -> Change:
    """A change of a member's bytes."""

    def apply(draft: Draft, rng: np.random.Generator) -> None:
        draft.members[name] = change(draft.members[name])

    return apply


def picture(draft: Draft, name: str) -> NDArray[np.uint8]:
    """(H, W, 3) of the member ``<name>.png``."""
    return decode_rgb(draft.members[f"{name}.png"])


def put_picture(draft: Draft, name: str, image: NDArray[np.uint8]) -> None:
    """Write the member ``<name>.png``."""
    draft.members[f"{name}.png"] = encode_rgb(np.ascontiguousarray(image))


def ids(draft: Draft, moment: str) -> NDArray[np.uint16]:
    """(H, W) instance ids."""
    return decode_ids(draft.members[f"seg_{moment}.png16"])


def put_ids(draft: Draft, moment: str, image: NDArray[np.uint16]) -> None:
    """Write instance ids, and in the record the regions that follow from them."""
    draft.members[f"seg_{moment}.png16"] = encode_ids(image)
    record, regions = record_of(draft), encode_instances(image)
    for segment in record["segments"]:
        region = regions.get(segment["id"])
        segment[moment] = None if region is None else region.model_dump()
    put_record(draft, record)


def objects(meta: Record) -> dict[int, Record]:
    """The objects of the metadata by instance id."""
    return {each["id"]: each for each in meta["objects"]}
