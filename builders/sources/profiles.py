"""Profiles: what of FlowBench-Real's construction differs between recorded datasets, as data (B.1 to B.4).

The rows are in ``profiles.toml``; a row of a user's file of the same form is as good (:func:`read_profiles`).
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import pydantic
from pydantic import Field

from flowbench.errors import UsageError, unknown_name
from flowbench.schema.frozen import Frozen

CHANGED_BY: Final = 25
"""Gray values, of 255, by which a pixel must differ to count as changed (B.1)."""
BORDER: Final = 0.05
"""Share of the picture cut off at each side before changed pixels are counted (B.1)."""
MOST_BYTES: Final = 1 << 20
"""A larger file of profiles is refused before it is read."""

Category = Literal["threshold", "left_right", "closer_to", "closest_three", "count_near", "depth_order", "occlusion"]
Length = Annotated[float, Field(gt=0, le=10)]
"""Metres."""
Share = Annotated[float, Field(ge=0, le=1)]
_ROW_KEYS = {"defaults", "tasks", "profiles"}


class Reading(Frozen):
    """Where an end effector's position is recorded.

    Attributes:
        key: a feature of the frames.
        at: which of its numbers are x, y and, where it is recorded, z; metres in the robot's frame.
    """

    key: str
    at: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=2, max_length=3)]


class OpeningReading(Frozen):
    """Where it is recorded how far a gripper is open.

    Attributes:
        key: a feature of the frames.
        at: which of its numbers.
        shut, open: its value where the gripper is shut and where it is open.
    """

    key: str
    at: Annotated[int, Field(ge=0)]
    shut: float
    open: float

    @pydantic.model_validator(mode="after")
    def _differ(self) -> Self:
        if self.shut == self.open:
            raise ValueError("'shut' and 'open' are equal, expected two values")
        return self


class Margin(Frozen):
    """A margin of a distance from a threshold T, metres: ``max(floor, share * T)``."""

    floor: Annotated[float, Field(ge=0, le=10)]
    share: Share

    def of(self, threshold: float) -> float:
        """The margin at a threshold (metres), metres."""
        return max(self.floor, self.share * threshold)


class Profile(Frozen):
    """How one dataset is mined, measured and asked about. Lengths in metres unless it is said otherwise.

    Attributes:
        name: of the row.
        title: what the dataset is called.
        licence: SPDX identifier, or words.
        redistributable: whether its pictures may be passed on.
        width, height: pixels of the pictures that are mined ("Image geometry").
        fx, fy, cx, cy: intrinsics at that size, pixels; assumed, or what stands in where an episode records none.
        intrinsics: ``recorded`` if each episode must bring its own.
        camera_keys: cameras in order of preference; with ``after_release`` all that are there are candidates.
        effector, opening: places where they may be recorded; the first that is there counts.
        group_keys: features that tell the lab of an episode; the first that is there counts.
        extrinsics_prefix: put before a camera's last name it names the feature with its pose in the robot's frame: x,
            y, z and turns about x, then y, then z; "" without.
        success_keys: features that tell whether an episode succeeded; failed ones are left out.
        outcome: ``last``: I1 is the last frame; ``after_release``: not before the last gripper release, preferably a
            frame in which the arm has left the view (B.1, "Frames").
        changed_low, changed_high: least and most share of changed pixels (B.1).
        drop_tasks: name -> regular expression, searched without regard to case; tasks that match are dropped (B.1).
        needs_task: whether episodes without a task text are dropped.
        most_per_task: episodes kept of a group and task; None for any number (B.1).
        hold_steps: frames that a grasp must last; 0 where it is not asked (B.1).
        uses_task: whether the mover must be what the task names (B.2).
        scale: g, by which depth is divided (B.3).
        margin: m of comparisons (B.4).
        thresholds: T of threshold questions.
        threshold_margin: of the distance after the move from T.
        before_margin: of the distance before the move from T.
        count_thresholds: T of count near questions.
        count_margin: of every counted distance from T.
        travel_limit: farther moves are refused as matches (B.2).
        least_landmark_px: pixels of a landmark at least (B.4).
        reference_range: least and most extent of the scale reference (B.4).
        plane: whether positions are on a table plane found by a homography (B.3).
        left_right_by_width: whether left and right must be apart by half the landmark's width too.
        categories: what may be asked.
        nouns: which list of nouns segmentation is prompted with: 28 kitchen or 46 household nouns (B.2).
        named_objects: whether named-object questions are asked (B.4.9).
    """

    name: str
    title: str
    licence: str
    redistributable: bool
    width: Annotated[int, Field(ge=64, le=4096)]
    height: Annotated[int, Field(ge=64, le=4096)]
    fx: Annotated[float, Field(gt=0)]
    fy: Annotated[float, Field(gt=0)]
    cx: float
    cy: float
    intrinsics: Literal["assumed", "recorded"]
    camera_keys: tuple[str, ...]
    effector: tuple[Reading, ...]
    opening: tuple[OpeningReading, ...]
    group_keys: tuple[str, ...]
    extrinsics_prefix: str
    success_keys: tuple[str, ...]
    outcome: Literal["last", "after_release"]
    changed_low: Share
    changed_high: Share
    drop_tasks: Mapping[str, str]
    needs_task: bool
    most_per_task: Annotated[int, Field(ge=1)] | None = None
    hold_steps: Annotated[int, Field(ge=0)]
    uses_task: bool
    scale: Annotated[float, Field(gt=0)]
    margin: Length
    thresholds: tuple[Length, ...]
    threshold_margin: Margin
    before_margin: Length
    count_thresholds: tuple[Length, ...]
    count_margin: Margin
    travel_limit: Length
    least_landmark_px: Annotated[int, Field(ge=1)]
    reference_range: tuple[Length, Length]
    plane: bool
    left_right_by_width: bool
    categories: tuple[Category, ...]
    nouns: Literal["kitchen", "household"]
    named_objects: bool

    @pydantic.model_validator(mode="after")
    def _sound(self) -> Self:
        if self.changed_low >= self.changed_high:
            raise ValueError("'changed_low' is not less than 'changed_high'")
        for name, pattern in self.drop_tasks.items():
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"task {name!r} is not a regular expression ({error})") from None
        return self


@functools.cache
def profiles() -> Mapping[str, Profile]:
    """The profiles that come with the package, by name."""
    text = resources.files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
    return _rows(tomllib.loads(text), {}, {})


def profile_named(name: str) -> Profile:
    """One of :func:`profiles`; an unknown name is a UsageError."""
    if name not in profiles():
        raise unknown_name("profile", name, profiles())
    return profiles()[name]


def read_profiles(path: Path) -> Mapping[str, Profile]:
    """Profiles of a user's TOML file: ``[profiles.NAME]`` rows, and ``[tasks]`` and ``[defaults]`` that add to ours.

    Raises:
        UsageError: the file cannot be read, or a row is not a profile; one sentence that names both.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UsageError(f"{path}: {size:,} bytes, expected at most {MOST_BYTES:,}; give a file of profiles.")
        own = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: not readable as TOML ({error}); expected [profiles.NAME] tables.") from None
    ours = tomllib.loads(resources.files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8"))
    try:
        found = _rows(own, ours["defaults"], ours["tasks"])
    except ValueError as error:
        raise UsageError(f"{path}: {error}; see the rows of flowbench.builders.sources, profiles.toml.") from None
    if not found:
        raise UsageError(f"{path}: no profile, expected at least one [profiles.NAME] table.")
    return found


def _rows(table: Mapping[str, Any], defaults: Mapping[str, Any], tasks: Mapping[str, str]) -> Mapping[str, Profile]:
    """The profiles of a table; raises ValueError with the row's name."""
    if strange := sorted(set(table) - _ROW_KEYS):
        raise ValueError(f"[{strange[0]}] is not one of [defaults], [tasks], [profiles.NAME]")
    known = {**tasks, **_table(table, "tasks")}
    common = {**defaults, **_table(table, "defaults")}
    rows = _table(table, "profiles")
    return {name: _row(name, {**common, **_table(rows, name, "profile ")}, known) for name in rows}


def _table(table: Mapping[str, Any], name: str, kind: str = "") -> Mapping[str, Any]:
    """A table within a table, empty where there is none; raises ValueError where it is something else."""
    found = table.get(name, {})
    if not isinstance(found, Mapping):
        raise ValueError(f"{kind}{name!r} is {str(found)[:40]!r}, not a table")
    return found


def _row(name: str, fields: Mapping[str, Any], tasks: Mapping[str, str]) -> Profile:
    """One profile; raises ValueError with its name and field."""
    dropped = fields.get("drop_tasks", ())
    for task in dropped:
        if task not in tasks:
            raise ValueError(f"profile {name!r} drops tasks called {task!r}, which is not in [tasks]")
    try:
        return Profile(**{**fields, "name": name, "drop_tasks": {task: tasks[task] for task in dropped}})
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "its fields"
        raise ValueError(f"profile {name!r}: {place}: {first['msg']}") from None
