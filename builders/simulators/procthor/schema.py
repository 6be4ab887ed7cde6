"""What a ProcTHOR-10K house consists of (Deitke et al. 2022, "ProcTHOR"; schema 1.0.0 of AI2-THOR's ``CreateHouse``).

Lengths are metres and angles degrees in Unity's frame: left-handed, Y up. Only what is read is named; the rest is let
through, since houses carry fields of their own (layers, shadows, wall colours).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import pydantic
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from flowbench.errors import UsageError

SCHEMA = "1.0.0"
MOST_ROOMS = 64
MOST_CORNERS = 48
"""Of one floor; ProcTHOR-10K's have under 20."""
MOST_WALLS = 1_000
MOST_OPENINGS = 500
MOST_OBJECTS = 3_000
"""Objects of a house, children counted; ProcTHOR-10K's largest has under 400."""
MOST_NESTING = 8
"""Objects in objects in objects; ProcTHOR-10K nests them two deep."""
_FAR = 1_000.0


class HouseError(UsageError):
    """What is wrong with one house: a phrase without its name, e.g. "room|2 and room|3 overlap".

    Ids come from foreign files, so line breaks, escapes and marks that turn text round are shown as "?".
    """

    def __init__(self, message: str) -> None:
        super().__init__("".join(sign if sign.isprintable() else "?" for sign in message))


class _Lenient(BaseModel):
    """Immutable; NaN and infinities are refused, unknown fields are not read, null means that there is nothing.

    Names are the file's in snake case.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, alias_generator=to_camel)

    @pydantic.model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        return {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given


class Vector(_Lenient):
    """A point."""

    x: float = Field(ge=-_FAR, le=_FAR)
    y: float = Field(ge=-_FAR, le=_FAR)
    z: float = Field(ge=-_FAR, le=_FAR)


class Angles(_Lenient):
    """Euler angles, applied about z, then x, then y; whole turns may be among them."""

    x: float
    y: float
    z: float


Shade = Annotated[float, Field(ge=0.0), pydantic.AfterValidator(lambda value: min(value, 1.0))]


class Colour(_Lenient):
    """sRGB, 0..1; Unity lets colours be brighter, which are as bright as can be here."""

    r: Shade
    g: Shade
    b: Shade


class Surface(_Lenient):
    """A material by its name in AI2-THOR, and a colour over it."""

    name: str = Field(default="", max_length=200)
    color: Colour | None = None


class RoomShape(_Lenient):
    """A room by the outline of its floor."""

    id: str = Field(max_length=200)
    room_type: str = Field(max_length=200)
    floor_polygon: tuple[Vector, ...] = Field(min_length=4, max_length=MOST_CORNERS)
    floor_material: Surface = Surface()


class WallShape(_Lenient):
    """One side of a wall: two corners at the floor, two at the top; ``empty`` ones are not there."""

    id: str = Field(max_length=200)
    room_id: str | None = Field(None, max_length=200)
    polygon: tuple[Vector, ...] = Field(min_length=4, max_length=4)
    material: Surface = Surface()
    empty: bool = False


class OpeningShape(_Lenient):
    """A door, door frame or window; the hole lies along ``wall0`` from that wall's first corner.

    ``openness`` is 1 for open doors; frames without a leaf have none.
    """

    id: str = Field(max_length=200)
    asset_id: str = Field(max_length=200)
    wall0: str = Field(max_length=200)
    wall1: str | None = Field(None, max_length=200)
    hole_polygon: tuple[Vector, ...] = Field(min_length=2, max_length=2)
    asset_position: Vector | None = None
    openness: float | None = Field(None, ge=0.0, le=1.0)


class Thing(_Lenient):
    """An object: its asset, where the middle of its bounding box lies, and what stands on or in it."""

    id: str = Field(max_length=200)
    asset_id: str = Field(max_length=200)
    position: Vector
    rotation: Angles
    kinematic: bool = False
    openness: float | None = Field(None, ge=0.0, le=1.0)
    children: tuple[Thing, ...] = ()


class Light(_Lenient):
    """A lamp or, if ``directional``, the sun: its colour, and where it is or turned to."""

    type: str = Field(max_length=50)
    position: Vector
    rotation: Angles = Angles(x=0.0, y=0.0, z=0.0)
    intensity: float = Field(1.0, ge=0.0, le=100.0)
    rgb: Colour = Colour(r=1.0, g=1.0, b=1.0)


class Parameters(_Lenient):
    """Light."""

    lights: tuple[Light, ...] = Field((), max_length=500)


class Metadata(_Lenient):
    """Of the house."""

    schema_version: str = Field(alias="schema", max_length=50)


class House(_Lenient):
    """A house."""

    rooms: tuple[RoomShape, ...] = Field(max_length=MOST_ROOMS)
    walls: tuple[WallShape, ...] = Field(max_length=MOST_WALLS)
    doors: tuple[OpeningShape, ...] = Field(max_length=MOST_OPENINGS)
    windows: tuple[OpeningShape, ...] = Field(max_length=MOST_OPENINGS)
    objects: tuple[Thing, ...]
    procedural_parameters: Parameters
    metadata: Metadata


def parse_house(raw: object) -> House:
    """A house from what its JSON says.

    Raises:
        HouseError: it is no house of schema 1.0.0, is absurdly large, or has no rooms.
    """
    if not isinstance(raw, Mapping):
        found = _JSON_NAMES.get(type(raw), "number")
        raise HouseError(f"is a JSON {found}, expected an object with rooms, walls, doors and objects")
    metadata = raw.get("metadata")
    schema = metadata.get("schema") if isinstance(metadata, Mapping) else None
    if schema is not None and schema != SCHEMA:
        raise HouseError(f"has schema {str(schema)[:40]!r}, expected {SCHEMA}")
    _count(raw.get("objects"))
    try:
        house = House.model_validate(raw)
    except pydantic.ValidationError as error:
        raise HouseError(_first(error)) from error
    if not house.rooms:
        raise HouseError("has no rooms")
    return house


def flat(things: Sequence[Thing]) -> Iterator[Thing]:
    """Things and all that stands on them, carriers first."""
    for thing in things:
        yield thing
        yield from flat(thing.children)


def _count(objects: object) -> None:
    """Refuse absurd numbers and nesting before anything is made of them; other nonsense is for pydantic."""
    level, count, depth = [objects], 0, 0
    while level:
        things = [thing for part in level if isinstance(part, list) for thing in part]
        count, depth = count + len(things), depth + 1
        if count > MOST_OBJECTS:
            raise HouseError(f"has more than {MOST_OBJECTS:,} objects")
        if things and depth > MOST_NESTING:
            raise HouseError(f"has objects nested more than {MOST_NESTING} deep")
        level = [thing["children"] for thing in things if isinstance(thing, Mapping) and "children" in thing]


def _first(error: pydantic.ValidationError) -> str:
    """The first thing wrong, as a phrase."""
    details = error.errors(include_url=False)
    first: Any = details[0]
    place = ".".join(str(step) for step in first["loc"])[:120] or "house"
    more = f" (and {len(details) - 1:,} more such)" if len(details) > 1 else ""
    if first["type"] == "missing":
        return f"lacks {place}{more}"
    said = _EXPECTED.get(first["type"], "{msg}").format(msg=str(first["msg"])[:120].lower(), **first.get("ctx", {}))
    return f"has a wrong {place}: {said}{more}"


_JSON_NAMES: Mapping[type, str] = {type(None): "null", bool: "boolean", str: "text", list: "list"}
_EXPECTED: Mapping[str, str] = {
    **dict.fromkeys(("model_type", "model_attributes_type"), "expected an object"),
    **dict.fromkeys(("string_type", "string_unicode"), "expected a text"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "expected a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "expected true or false"),
    "tuple_type": "expected a list",
    "string_too_long": "expected at most {max_length} characters",
    "too_short": "expected at least {min_length} entries",
    "too_long": "expected at most {max_length} entries",
    "greater_than_equal": "expected at least {ge:g}",
    "less_than_equal": "expected at most {le:g}",
}
"""What is said of each kind of pydantic's errors."""
