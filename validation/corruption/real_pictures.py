"""Corruptions of the pictures of recorded pairs: masks, depths, flow, camera, marks."""

from __future__ import annotations

import numpy as np

from flowbench.encoding import decode_depth, encode_depth

from .editing import Change, Record, ids, picture, put_ids, put_picture, put_record, record_of, recorded
from .real_editing import ARM, Rng, SampleBreak, edited, flowing, landmark_of, marked, mover_of, row
from .rewriting import Draft


def _shifted(draft: Draft, rng: Rng) -> None:
    """The mover's mask lies 6 pixels farther right after the move."""
    image, mover = ids(draft, "after"), mover_of(record_of(draft))
    mask = image == mover
    image[mask] = 0
    image[np.roll(mask, 6, axis=1)] = mover
    put_ids(draft, "after", image)


def _held(draft: Draft, rng: Rng) -> None:
    """The arm is seen all round the mover after the move."""
    image, mover = ids(draft, "after"), mover_of(record_of(draft))
    rows, columns = np.nonzero(image == mover)
    around = (slice(max(rows.min() - 8, 0), rows.max() + 9), slice(max(columns.min() - 8, 0), columns.max() + 9))
    image[around][image[around] == 0] = ARM
    put_ids(draft, "after", image)


def _gone(draft: Draft, rng: Rng) -> None:
    """The mover is not seen after the move."""
    image = ids(draft, "after")
    image[image == mover_of(record_of(draft))] = 0
    put_ids(draft, "after", image)


def _merged(draft: Draft, rng: Rng) -> None:
    """A landmark has the mover's id before the move."""
    image, record = ids(draft, "before"), record_of(draft)
    image[image == landmark_of(record)] = mover_of(record)
    put_ids(draft, "before", image)


def _farther(draft: Draft, rng: Rng) -> None:
    """The mover ends 3 cm farther away in the depth image."""
    depth = decode_depth(draft.members["depth_after.png16"]).copy()
    depth[ids(draft, "after") == mover_of(record_of(draft))] += np.float32(0.03)
    draft.members["depth_after.png16"] = encode_depth(depth)


def _scaled(draft: Draft, rng: Rng) -> None:
    """Both depth images are a tenth deeper: another scale factor."""
    for moment in ("before", "after"):
        name = f"depth_{moment}.png16"
        draft.members[name] = encode_depth(decode_depth(draft.members[name]) * np.float32(1.1))


def _no_depth(draft: Draft, rng: Rng) -> None:
    """Most of a landmark has no depth."""
    depth = decode_depth(draft.members["depth_before.png16"]).copy()
    mask = ids(draft, "before") == landmark_of(record_of(draft))
    rows, columns = np.nonzero(mask)
    depth[rows[: int(0.8 * rows.size)], columns[: int(0.8 * rows.size)]] = 0.0
    draft.members["depth_before.png16"] = encode_depth(depth)


def _nothing_moves(draft: Draft, rng: Rng) -> None:
    """The after picture is the before picture."""
    draft.members["after.png"] = draft.members["before.png"]


def _inverted(draft: Draft, rng: Rng) -> None:
    """The after picture has all colours turned round."""
    put_picture(draft, "after", 255 - picture(draft, "after"))


def _pose(record: Record) -> None:
    record["camera"]["camera_from_world"][0][3] = 0.1


def _focal(record: Record) -> None:
    record["camera"]["k"][0][0] *= 1.1


def _focal_everywhere(meta: Record, record: Record) -> None:
    record["camera"]["k"][0][0] *= 1.1
    meta["k"][0][0] *= 1.1


def _dot(draft: Draft, rng: Rng) -> None:
    """The mover's dot lies where the first landmark's does, in the record."""
    record = record_of(draft)
    other = next(each for each in record["marks"] if each["id"] == landmark_of(record))
    record["marks"][0]["before"] = list(other["before"])
    put_record(draft, record)


def _colour(record: Record) -> None:
    words = ("red", "blue", "green", "yellow")
    record["marks"][0]["colour"] = next(each for each in words if each != record["marks"][0]["colour"])


def _dot_gone(record: Record) -> None:
    record["marks"] = record["marks"][:-1]


def _undrawn(name: str, clean: str) -> Change:
    def apply(draft: Draft, rng: Rng) -> None:
        draft.members[f"{name}.png"] = draft.members[f"{clean}.png"]

    return apply


def _numbers(draft: Draft, rng: Rng) -> None:
    """Two badges change their numbers in the record; the pictures stay."""
    record = record_of(draft)
    one, other = record["badges"][:2]
    for name in ("id", "object", "before", "after"):
        one[name], other[name] = other[name], one[name]
    put_record(draft, record)


def _badge_moved(record: Record) -> None:
    record["badges"][0]["before"][0] += 40.0


def _badge_gone(record: Record) -> None:
    record["badges"] = record["badges"][:-1]


def _badge_scribbled(draft: Draft, rng: Rng) -> None:
    image = picture(draft, "before_badges").copy()
    image[5, 5] = 255 - image[5, 5]
    put_picture(draft, "before_badges", image)


def _badge_shifted(draft: Draft, rng: Rng) -> None:
    """The drawn badges are all a pixel lower."""
    put_picture(draft, "after_badges", np.roll(picture(draft, "after_badges"), 1, axis=0))


REAL_PICTURES: tuple[SampleBreak, ...] = (
    row("mask shifted", "the mover's after mask lies 6 px aside", "labels", _shifted),
    row("mover held", "the arm is all round the mover after the move", "labels", _held),
    row("mover gone", "the mover is not seen after the move", "labels", _gone),
    row("objects merged", "a landmark's pixels are the mover's", "labels", _merged),
    row("mover farther", "the mover ends 3 cm deeper", "labels", _farther),
    row("scale of the depth", "both depth images are a tenth deeper", "labels", _scaled),
    row("depth lost", "most of a landmark has no depth", "geometry", _no_depth),
    row("nothing moves", "the after picture is the before picture", "geometry", _nothing_moves),
    row("colours turned", "the after picture has its colours turned round", "geometry", _inverted),
    row("flow of the mover", "the mover's flow goes another way", "geometry", flowing((-40.0, 25.0), mover_of)),
    row("flow of a landmark", "a landmark flows 30 px", "geometry", flowing((30.0, 0.0), landmark_of)),
    row("camera moved", "the camera is not the frame", "geometry", recorded(_pose)),
    row("focal length of the record", "the record's focal length is a tenth longer", "geometry", recorded(_focal)),
    row("focal length", "all focal lengths are a tenth longer", "labels", edited(_focal_everywhere)),
    row("dot on another object", "the mover's dot lies on a landmark", "text", _dot, marked),
    row("colour word", "a dot's colour has another word", "text", recorded(_colour), marked),
    row("dot gone", "a named object has no dot", "text", recorded(_dot_gone), marked),
    row("dots not drawn", "the marked picture is the clean one", "text", _undrawn("before_marked", "before"), marked),
    row("badges not drawn", "the badges' picture is clean", "text", _undrawn("before_badges", "before"), marked),
    row(
        "badges of the other moment",
        "after badges on the before picture",
        "text",
        _undrawn("after_badges", "before_badges"),
        marked,
    ),
    row("numbers swapped", "two badges change their numbers", "text", _numbers, marked),
    row("badge moved", "a badge lies 40 px aside in the record", "text", recorded(_badge_moved), marked),
    row("badge gone", "a marked object has no badge", "text", recorded(_badge_gone), marked),
    row("pixel beside the badges", "a pixel off all badges is another", "text", _badge_scribbled, marked),
    row("badges a pixel lower", "the drawn badges lie a pixel lower", "text", _badge_shifted, marked),
)
"""Of releases of ``real_*``."""
