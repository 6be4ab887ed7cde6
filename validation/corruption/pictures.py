"""Corruptions of pictures, depth and ids."""

from __future__ import annotations

import zlib

import numpy as np

from flowbench.encoding import decode_depth_millimetres, decode_ids, encode_ids, png

from .base import Corruption, corruption
from .editing import MOMENTS, Change, ids, member, one, picture, put_ids, put_picture, record_of
from .rewriting import Draft

Rng = np.random.Generator


def _copied(source: str, target: str) -> Change:
    def apply(draft: Draft, rng: Rng) -> None:
        draft.members[target] = draft.members[source]

    return apply


def _swapped(*pairs: tuple[str, str]) -> Change:
    def apply(draft: Draft, rng: Rng) -> None:
        for one_name, other in pairs:
            members = draft.members
            members[one_name], members[other] = members[other], members[one_name]

    return apply


def _scaled_depth(factor: float) -> Change:
    """Both depth images times a factor."""

    def apply(draft: Draft, rng: Rng) -> None:
        for moment in MOMENTS:
            name = f"depth_{moment}.png16"
            depth = decode_depth_millimetres(draft.members[name])
            draft.members[name] = encode_ids(np.rint(depth * factor).clip(0, 65535).astype(np.uint16))

    return apply


def _ray_depth(draft: Draft, rng: Rng) -> None:
    """Depth along the ray in place of planar depth."""
    k = np.array(record_of(draft)["camera"]["k"])
    for moment in MOMENTS:
        name = f"depth_{moment}.png16"
        depth = decode_depth_millimetres(draft.members[name])
        v, u = np.indices(depth.shape)
        length = np.sqrt(((u - k[0, 2]) / k[0, 0]) ** 2 + ((v - k[1, 2]) / k[1, 1]) ** 2 + 1.0)
        draft.members[name] = encode_ids(np.rint(depth * length).clip(0, 65535).astype(np.uint16))


def _holes(draft: Draft, rng: Rng) -> None:
    """The nearest tenth of the depth is gone."""
    depth = decode_depth_millimetres(draft.members["depth_before.png16"]).copy()
    depth[depth < np.quantile(depth, 0.1)] = 0
    draft.members["depth_before.png16"] = encode_ids(depth)


def _mirrored(*names: str) -> Change:
    def apply(draft: Draft, rng: Rng) -> None:
        for name in names:
            put_picture(draft, name, picture(draft, name)[:, ::-1])

    return apply


def _painted(draft: Draft, rng: Rng) -> None:
    """A red square where nothing moves and no dot lies, in the before picture and in its marked one."""
    record, (one, other) = record_of(draft), (ids(draft, moment) for moment in MOMENTS)
    height, width = one.shape
    side = height // 5
    taken = (one == record["mover"]["id"]) | (other == record["mover"]["id"])
    for mark in record["marks"]:
        u, v = (round(value) for value in mark["before"])
        reach = 2 + 2 * round(mark["radius"])
        taken[max(0, v - reach) : v + reach + 1, max(0, u - reach) : u + reach + 1] = True
    places = [
        (row, column)
        for row in range(0, height - side, 4)
        for column in range(0, width - side, 4)
        if not taken[row : row + side, column : column + side].any()
    ]
    row, column = places[rng.integers(len(places))]
    for name in ("before", "before_marked"):
        image = picture(draft, name).copy()
        image[row : row + side, column : column + side] = (255, 0, 0)
        put_picture(draft, name, image)


def _halved(draft: Draft, rng: Rng) -> None:
    put_picture(draft, "after", picture(draft, "after")[::2, ::2])


def _dark(draft: Draft, rng: Rng) -> None:
    put_picture(draft, "after", picture(draft, "after") // 2)


def _shifted_mask(draft: Draft, rng: Rng) -> None:
    """The mover's mask 3 pixels further right after the motion; the record's regions follow."""
    mover, image = record_of(draft)["mover"]["id"], ids(draft, "after").copy()
    mask = image == mover
    ground = np.roll(image, -3 - int(mask.any(axis=0).sum()), axis=1)
    image[mask] = ground[mask]
    moved = np.roll(mask, 3, axis=1)
    moved[:, :3] = False
    image[moved] = mover
    put_ids(draft, "after", image)


def _permuted_ids(draft: Draft, rng: Rng) -> None:
    """The ids of the mover and of the largest other object change places in both images; the regions follow."""
    record = record_of(draft)
    mover = record["mover"]["id"]
    others = [each for each in record["segments"] if each["id"] != mover and each["before"] and each["after"]]
    other = max(others, key=lambda each: each["before"]["area"])["id"]
    for moment in MOMENTS:
        image = ids(draft, moment)
        turned = image.copy()
        turned[image == mover], turned[image == other] = other, mover
        put_ids(draft, moment, turned)


def _unknown_id(draft: Draft, rng: Rng) -> None:
    image = decode_ids(draft.members["seg_before.png16"]).copy()
    image[:4, :4] = 65_000
    draft.members["seg_before.png16"] = encode_ids(image)


def _still(draft: Draft, rng: Rng) -> None:
    for name in ("{}.png", "depth_{}.png16", "seg_{}.png16"):
        draft.members[name.format("after")] = draft.members[name.format("before")]


def _as_8_bit(data: bytes) -> bytes:
    return png.write((decode_depth_millimetres(data) >> 8).astype(np.uint8))


def _bomb(data: bytes) -> bytes:
    """A header of 60000 by 60000 pixels, its checksum right."""
    side = (60_000).to_bytes(4, "big")
    return _with_header(data, side + side + data[24:29])


def _with_header(data: bytes, header: bytes) -> bytes:
    checksum = zlib.crc32(b"IHDR" + header).to_bytes(4, "big")
    return data[:16] + header + checksum + data[33:]


def _wrong_checksum(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


_CLEAN = (("before.png", "after.png"), ("before_marked.png", "after_marked.png"))
_DEPTHS, _IDS = ("depth_before.png16", "depth_after.png16"), ("seg_before.png16", "seg_after.png16")

PICTURES: tuple[Corruption, ...] = (
    corruption("RGB for depth", "depth_before holds the picture", "integrity", one(_copied("before.png", _DEPTHS[0]))),
    corruption("depth for RGB", "before.png holds the depth", "integrity", one(_copied(_DEPTHS[0], "before.png"))),
    corruption("depth of the other moment", "the two depth images are swapped", "geometry", one(_swapped(_DEPTHS))),
    corruption("depth in centimetres", "depth is a tenth of what it was", "geometry", one(_scaled_depth(0.1))),
    corruption("depth scaled by 1.1", "depth is a tenth too long", "geometry", one(_scaled_depth(1.1))),
    corruption("depth along the ray", "depth is the length of the ray, not planar", "geometry", one(_ray_depth)),
    corruption("depth with holes", "the nearest tenth of the depth is 0", "geometry", one(_holes)),
    corruption("depth of 8 bits", "depth keeps its upper 8 bits", "integrity", one(member(_DEPTHS[0], _as_8_bit))),
    corruption("after mirrored", "the after picture is mirrored", "geometry", one(_mirrored("after"))),
    corruption("both mirrored", "before and after picture are mirrored", "geometry", one(_mirrored("before", "after"))),
    corruption(
        "square painted over",
        "a red square covers what stands still in the before picture",
        "geometry",
        one(_painted),
    ),
    corruption("pictures swapped", "before and after pictures change places", "text", one(_swapped(*_CLEAN))),
    corruption(
        "before and after swapped",
        "pictures, depth and ids of the two moments change places",
        "labels",
        one(_swapped(*_CLEAN, _DEPTHS, _IDS)),
    ),
    corruption("nothing moved", "picture, depth and ids after are those before", "geometry", one(_still)),
    corruption("lights dimmed", "the after picture is half as bright", "geometry", one(_dark)),
    corruption("small picture", "the after picture has half the size", "integrity", one(_halved)),
    corruption("mask shifted", "the mover's mask after lies 3 pixels further right", "geometry", one(_shifted_mask)),
    corruption("ids permuted", "the mover and another object change their ids", "geometry", one(_permuted_ids)),
    corruption("unknown id", "an id occurs that no object has", "geometry", one(_unknown_id)),
    corruption("PNG bomb", "a header claims 60000 by 60000 pixels", "integrity", one(member("before.png", _bomb))),
    corruption(
        "PNG cut short", "a PNG lacks its last 100 bytes", "integrity", one(member("flow.png16", lambda d: d[:-100]))
    ),
    corruption("PNG damaged", "a byte of a PNG is turned", "integrity", one(member("after.png", _wrong_checksum))),
    corruption("no PNG", "a picture is empty", "integrity", one(member("after_marked.png", lambda data: b""))),
)
