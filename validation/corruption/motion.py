"""Corruptions of flow, poses and camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_flow, encode_flow

from .base import Corruption, corruption
from .editing import Change, Record, described, objects, one
from .rewriting import Draft

Flow = NDArray[np.float64]
AWAY = 0.1
"""How far things are displaced, metres."""


def _flow(change: Callable[[Flow], Flow]) -> Change:
    def apply(draft: Draft, rng: np.random.Generator) -> None:
        flow, valid = decode_flow(draft.members["flow.png16"])
        draft.members["flow.png16"] = encode_flow(change(flow.astype(np.float64)), valid)

    return apply


def _invalid(draft: Draft, rng: np.random.Generator) -> None:
    """Flow is marked as unknown where it is not zero."""
    flow, valid = decode_flow(draft.members["flow.png16"])
    draft.members["flow.png16"] = encode_flow(flow, valid & ~flow.any(axis=-1))


def _drifting(flow: Flow) -> Flow:
    """A pixel to the right wherever nothing moves."""
    flow[~flow.any(axis=-1), 0] = 1.0
    return flow


def _long(record: Mapping[str, Any]) -> bool:
    return bool(record["motion"]["distance"] >= 0.25)


def _camera(axis: int) -> Callable[[Record, Record], None]:
    """The camera a few centimetres off, in the metadata and in the record."""

    def change(meta: Record, record: Record) -> None:
        for camera in (meta["camera"], record["camera"]):
            camera["camera_from_world"][axis][3] += AWAY / 2.0

    return change


def _record_camera(meta: Record, record: Record) -> None:
    record["camera"]["camera_from_world"][0][3] += AWAY / 2.0


def _focal(meta: Record, record: Record) -> None:
    for camera in (meta["camera"], record["camera"]):
        camera["k"][0][0] *= 1.03
        camera["k"][1][1] *= 1.03


def _mover(meta: Record, record: Record) -> Record:
    return objects(meta)[record["mover"]["id"]]


def _teleported(meta: Record, record: Record) -> None:
    _mover(meta, record)["after"] = _mover(meta, record)["before"]


def _elsewhere(meta: Record, record: Record) -> None:
    _mover(meta, record)["after"]["position"][0] += AWAY


def _sunk(meta: Record, record: Record) -> None:
    _mover(meta, record)["after"]["position"][2] -= AWAY


def _turned(meta: Record, record: Record) -> None:
    """The mover turned by 90 degrees about the vertical after the motion."""
    x, y, z, w = _mover(meta, record)["after"]["quaternion"]
    half = 0.5**0.5
    _mover(meta, record)["after"]["quaternion"] = [half * (x - y), half * (x + y), half * (z + w), half * (w - z)]


def _unsupported(meta: Record, record: Record) -> None:
    _mover(meta, record)["after"]["supporter"] = None


def _other(meta: Record, record: Record) -> Record:
    """A thing that the item does not name, the nearest in the list to what is seen."""
    named = {record["mover"]["id"], *(each["id"] for each in record["landmarks"])}
    seen = [each["id"] for each in record["segments"] if each["before"] and each["after"] and each["id"] not in named]
    return next(each for each in meta["objects"] if each["id"] in seen and not each["structural"])


def _has_other(record: Mapping[str, Any]) -> bool:
    named = {record["mover"]["id"], *(each["id"] for each in record["landmarks"])}
    structure = ("Wall", "Floor", "Ceiling", "Door", "Window")
    return any(
        each["before"] and each["after"] and each["id"] not in named and each["type"] not in structure
        for each in record["segments"]
    )


def _also_moved(meta: Record, record: Record) -> None:
    _other(meta, record)["after"]["position"][0] += 0.2


def _also_listed(meta: Record, record: Record) -> None:
    meta["moved"].append(_other(meta, record)["object"])


def _landmark(meta: Record, record: Record) -> None:
    """The first landmark stands elsewhere, before and after."""
    thing = objects(meta)[record["landmarks"][0]["id"]]
    for moment in ("before", "after"):
        thing[moment]["position"][0] += AWAY


def _measured(record: Mapping[str, Any]) -> bool:
    return bool(record["landmarks"]) and record["landmarks"][0]["distance_after"] is not None


def _gone(meta: Record, record: Record) -> None:
    meta["objects"].remove(_mover(meta, record))


def _shapeless(meta: Record, record: Record) -> None:
    _mover(meta, record)["parts"] = []


MOTION: tuple[Corruption, ...] = (
    corruption("flow sign turned", "flow points backward", "geometry", one(_flow(lambda f: -f))),
    corruption("flow scaled by 1.02", "flow is 2% too long", "geometry", one(_flow(lambda f: f * 1.02), _long)),
    corruption(
        "flow axes swapped", "u and v of the flow change places", "geometry", one(_flow(lambda f: f[..., ::-1]))
    ),
    corruption("flow of zero", "flow says that nothing moves", "geometry", one(_flow(lambda flow: flow * 0.0))),
    corruption("flow drifting", "what stands still flows by a pixel", "geometry", one(_flow(_drifting))),
    corruption("flow unknown", "flow is marked unknown where something moves", "geometry", one(_invalid)),
    corruption("camera moved", "the camera's pose is 5 cm off to the side", "geometry", one(described(_camera(0)))),
    corruption("camera lifted", "the camera's pose is 5 cm off vertically", "geometry", one(described(_camera(1)))),
    corruption(
        "two cameras", "the record's camera differs from the metadata's", "geometry", one(described(_record_camera))
    ),
    corruption("focal length", "the focal length is 3% too long", "geometry", one(described(_focal))),
    corruption("mover teleported back", "the mover's pose after is that before", "labels", one(described(_teleported))),
    corruption("mover elsewhere", "the mover's pose after is 10 cm off", "labels geometry", one(described(_elsewhere))),
    corruption("mover sunk", "the mover's pose after is 10 cm too low", "labels geometry", one(described(_sunk))),
    corruption("mover turned", "the mover is turned by 90° after the motion", "geometry", one(described(_turned))),
    corruption("mover floating", "nothing carries the mover", "labels", one(described(_unsupported))),
    corruption("mover missing", "the metadata lacks the mover", "labels", one(described(_gone))),
    corruption(
        "mover without shape", "the mover has no collision parts", "labels", one(described(_shapeless), _measured)
    ),
    corruption(
        "another object moved", "another object's pose changes too", "labels", one(described(_also_moved), _has_other)
    ),
    corruption(
        "another object listed", "another object is listed as moved", "labels", one(described(_also_listed), _has_other)
    ),
    corruption(
        "landmark elsewhere", "a landmark's poses are 10 cm off", "labels", one(described(_landmark), _measured)
    ),
)
