"""Corruptions of what recorded pairs claim: measurements, roles, moves, answers, margins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .editing import Record, known_before, recorded, yes_no
from .labels import answer_text, other_letters
from .real_editing import SampleBreak, asking_near, edited, landmark_of, listing, mover_of, row, sideways, thing, worded

CM = 0.01


def _flip(record: Record) -> None:
    """Another answer, and everything in the record that follows from it."""
    record["answer"] = other_letters(record["answer"], len(record["choices"]))
    record["answer_text"] = answer_text(record)
    record["flipped"] = record["before_answer"] != record["answer"]


def _before(record: Record) -> None:
    record["before_answer"] = other_letters(record["before_answer"], len(record["choices"]))
    record["flipped"] = record["before_answer"] != record["answer"]


def _flipped(record: Record) -> None:
    record["flipped"] = not record["flipped"]


def _choices(record: Record) -> None:
    for texts in (record, record["badge_texts"]):
        if texts is not None:
            texts["choices"][:2] = texts["choices"][1::-1]


def _margin(record: Record) -> None:
    record["margin"] += CM


def _unit(record: Record) -> None:
    record["margin_unit"] = "px"


def _put_threshold(record: Record, threshold: float) -> None:
    old = f"{round(record['threshold'] * 100)} cm"
    record["threshold"] = threshold
    worded(lambda text: text.replace(old, f"{round(threshold * 100)} cm"))(record)


def _threshold(record: Record) -> None:
    _put_threshold(record, round(record["threshold"] + 0.05, 2))


def _at_the_boundary(record: Record) -> None:
    _put_threshold(record, round(record["landmarks"][0]["distance_after"], 2) or 0.01)


def _threshold_alone(record: Record) -> None:
    record["threshold"] += 0.05


def _distance(record: Record) -> None:
    record["landmarks"][0]["distance_after"] += CM


def _relation(record: Record) -> None:
    turned = {"within": "beyond", "beyond": "within", "left": "right", "right": "left"}
    record["relation"] = turned[record["relation"]]


def _landmarks_swapped(record: Record) -> None:
    first, second = record["landmarks"][:2]
    for name in ("id", "object", "type"):
        first[name], second[name] = second[name], first[name]


def _landmark_is_mover(record: Record) -> None:
    record["landmarks"][0].update({name: record["mover"][name] for name in ("id", "object", "type")})


def _displacement(record: Record) -> None:
    record["motion"]["world"][0] += CM
    record["motion"]["camera"][0] += CM


def _turned(record: Record) -> None:
    """The move goes to the other side, in the record and in all texts."""
    motion = record["motion"]
    old, new = ("right", "left") if motion["right"] > 0.0 else ("left", "right")
    motion["right"] = -motion["right"]
    motion["direction"] = motion["direction"].replace(old, new)
    worded(lambda text: text.replace(f"cm to the {old}", f"cm to the {new}"))(record)


def _band(record: Record) -> None:
    record["motion"]["length_band"] = "0.20+" if record["motion"]["length_band"] != "0.20+" else "0.05-0.10"


def _width(record: Record) -> None:
    old = f"{record['scale']['width_cm']} cm at"
    record["scale"]["width_cm"] += 3
    new = f"{record['scale']['width_cm']} cm at"
    record["scale"]["text"] = record["scale"]["text"].replace(old, new)
    worded(lambda text: text.replace(old, new))(record)


def _late(record: Record) -> None:
    origin = record["provenance"]
    origin["frame_before"], origin["frame_after"] = origin["frame_after"], origin["frame_before"]


def _reference(record: Record) -> None:
    """The mover is its own scale."""
    record["scale"].update({name: record["mover"][name] for name in ("id", "object", "type", "name")})


def _position(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["after"]["position"][0] += CM


def _pixel(meta: Record, record: Record) -> None:
    thing(meta, landmark_of(record))["before"]["pixel"][0] += 1.0


def _radius(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["radius"] += CM


def _gap(meta: Record, record: Record) -> None:
    each = thing(meta, landmark_of(record))
    each["distance_before"] += CM


def _covered(meta: Record, record: Record) -> None:
    each = thing(meta, landmark_of(record))
    each["covered"] = 0.5 if each["covered"] < 0.4 else 0.1


def _role(meta: Record, record: Record) -> None:
    thing(meta, landmark_of(record))["role"] = "between"


def _no_mover(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["role"] = "other_mover"


def _untold(meta: Record, record: Record) -> None:
    """An object that the pictures show is left out."""
    meta["objects"] = [each for each in meta["objects"] if each["id"] != landmark_of(record)]


def _ratio(meta: Record, record: Record) -> None:
    meta["certification"]["ratio"] += 0.1


def _track(meta: Record, record: Record) -> None:
    """Tracks of twice the way, with the ratio that follows."""
    claim = meta["certification"]
    claim["track"] = [2.0 * each for each in claim["track"]]
    claim["ratio"] = round(2.0 * claim["ratio"], 6)


def _rules(meta: Record, record: Record) -> None:
    meta["rules"]["margin"] = 0.01


def _profile(meta: Record, record: Record) -> None:
    """Said to be of another source."""
    meta["profile"] = record["provenance"]["profile"] = "droid" if meta["profile"] != "droid" else "rt1"


def _other_pair(meta: Record, record: Record) -> None:
    meta["pair"] = f"{record['scene_id']}-p7"


def _alike(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["match"]["correlation"] += 0.01


def _unlike(meta: Record, record: Record) -> None:
    thing(meta, landmark_of(record))["match"]["correlation"] = 0.2


def _endpoint(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["match"]["endpoint"] += 1.0


def _kind(meta: Record, record: Record) -> None:
    thing(meta, mover_of(record))["match"]["kind"] = "colour"


def _has_two_ways(record: Mapping[str, Any]) -> bool:
    return record["relation"] in ("within", "beyond", "left", "right") and record["category"] != "count_near"


def _gapped(record: Mapping[str, Any]) -> bool:
    return record["landmarks"][0]["distance_after"] is not None


REAL_LABELS: tuple[SampleBreak, ...] = (
    row("answer flipped", "another answer, with all that follows", "labels text", recorded(_flip)),
    row("before-answer flipped", "the before-answer is another", "labels text", recorded(_before), known_before),
    row("flipped turned", "'flipped' says the opposite", "labels", recorded(_flipped)),
    row("choices swapped", "two choices change places, the answer stays", "labels", recorded(_choices), yes_no),
    row("margin changed", "the margin is a centimetre larger", "labels", recorded(_margin)),
    row("unit of the margin", "the margin has another unit", "labels", recorded(_unit)),
    row("threshold changed", "5 cm more are asked about, in texts too", "labels", recorded(_threshold), asking_near),
    row(
        "threshold at its boundary",
        "the distance asked about is the distance there is",
        "ambiguity labels",
        recorded(_at_the_boundary),
        asking_near,
    ),
    row(
        "threshold of the record",
        "5 cm more in the record alone",
        "labels text",
        recorded(_threshold_alone),
        asking_near,
    ),
    row("distance changed", "a landmark is a centimetre farther", "labels", recorded(_distance), _gapped),
    row("claim turned", "the record claims the opposite", "labels text", recorded(_relation), _has_two_ways),
    row("landmarks swapped", "two listed objects change identities", "labels", recorded(_landmarks_swapped), listing),
    row("landmark is the mover", "the mover is its own landmark", "labels", recorded(_landmark_is_mover)),
    row("displacement changed", "the displacement is a centimetre off", "labels", recorded(_displacement)),
    row("move turned", "the move goes to the other side, in texts too", "labels", recorded(_turned), sideways),
    row("length band changed", "the length lies in another band", "labels", recorded(_band)),
    row("reference wider", "the reference is 3 cm wider, in texts too", "labels", recorded(_width)),
    row("reference moves", "the mover is the scale reference", "labels", recorded(_reference)),
    row("frames reversed", "the after frame lies before the before frame", "labels", recorded(_late)),
    row("position moved", "the mover ends a centimetre aside", "labels", edited(_position)),
    row("pixel moved", "a landmark's median pixel is the next one", "labels", edited(_pixel)),
    row("radius grown", "the mover's radius is a centimetre larger", "labels", edited(_radius)),
    row("gap of the metadata", "a landmark was a centimetre farther", "labels", edited(_gap)),
    row("share covered", "another share of a landmark is covered", "labels", edited(_covered)),
    row("role of a landmark", "a landmark is said to have moved a little", "labels", edited(_role)),
    row("no mover", "the mover is said to be another mover", "labels", edited(_no_mover)),
    row("object untold", "an object is left out of the metadata", "labels", edited(_untold)),
    row("ratio of the track", "the certified ratio is another", "labels", edited(_ratio)),
    row("track too long", "tracks go twice as far as the mask", "labels geometry", edited(_track)),
    row("constants of the profile", "a margin of 1 cm is said to hold", "labels", edited(_rules)),
    row("profile renamed", "the pair is said to be of another source", "labels", edited(_profile)),
    row("match more alike", "an object is said to look more alike", "geometry", edited(_alike)),
    row("match of no likeness", "an object's likeness is below the rule", "geometry", edited(_unlike)),
    row("end of a track", "an object's tracks end a pixel nearer", "geometry", edited(_endpoint)),
    row("kind of a match", "an object was matched by colour, though its tracks lead there", "geometry", edited(_kind)),
    row("metadata of another pair", "the metadata name another pair", "labels", edited(_other_pair)),
)
"""Of releases of ``real_*``."""
