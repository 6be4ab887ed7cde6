"""``meta/info.json``: what a dataset in LeRobot's format says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from flowbench.errors import UsageError

from ..inside import INFO, PathError, inside, printable, read_json

_MOST_NAME: Final = 200
"""Letters of a camera's name."""
_AXES: Final = {"height": "height", "h": "height", "width": "width", "w": "width"}

_Count = Annotated[int, Field(ge=0, lt=1 << 40)]


class _Read(BaseModel):
    """What others wrote: more than we need is no harm."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Feature(_Read):
    """What one feature of the frames is."""

    dtype: str
    shape: Annotated[tuple[_Count | None, ...], Field(max_length=8)] = ()
    names: Any = None
    info: Any = None
    video_info: Any = None

    @property
    def is_picture(self) -> bool:
        """Whether it holds colour pictures."""
        told = [marks for marks in (self.info, self.video_info) if isinstance(marks, Mapping)]
        depth = any(marks.get(key) is True for marks in told for key in ("is_depth_map", "video.is_depth_map"))
        return self.dtype in ("video", "image") and not depth

    @property
    def size(self) -> tuple[int, int] | None:
        """(width, height) of a camera's pictures, by ``names``; None where they do not tell."""
        if len(self.shape) != 3 or None in self.shape:
            return None
        first, second, third = (extent or 0 for extent in self.shape)
        axes = _axes(self.names)
        if len(axes) != 3:  # nothing is said: three channels stand first or last
            return (second, first) if third in (1, 3) else (third, second)
        sides = {
            _AXES[axis]: extent for axis, extent in zip(axes, (first, second, third), strict=True) if axis in _AXES
        }
        if len(sides) != 2:
            return None
        return sides["width"], sides["height"]


class Info(_Read):
    """The whole file."""

    codebase_version: Literal["v2.0", "v2.1", "v3.0"]
    fps: Annotated[float, Field(gt=0, le=1000)]
    features: Mapping[str, Feature]
    total_episodes: _Count
    data_path: Annotated[str, Field(max_length=512)]
    video_path: Annotated[str, Field(max_length=512)] | None = None
    chunks_size: Annotated[int, Field(ge=1)] = 1000

    @property
    def chunked(self) -> bool:
        """Whether files hold several episodes (3.0)."""
        return self.codebase_version == "v3.0"

    @property
    def cameras(self) -> tuple[str, ...]:
        """Keys of the features that are pictures; depth maps are none."""
        return tuple(key for key, feature in self.features.items() if feature.is_picture)


def read_info(root: Path) -> Info:
    """The info of a dataset.

    Raises:
        UsageError: missing, or not what LeRobot 2.0 to 3.0 writes; one sentence that names the file.
    """
    path = root / INFO
    try:
        plain = read_json(inside(root, INFO))
    except PathError as error:
        raise UsageError(f"{root}: {error}; expected files inside the dataset.") from None
    if not isinstance(plain, Mapping):
        raise UsageError(f"{path}: not a JSON object, expected LeRobot's info; fetch it again.")
    version = plain.get("codebase_version")
    if version not in ("v2.0", "v2.1", "v3.0"):
        raise UsageError(
            f"{path}: its codebase_version is {str(version)[:20]!r}, expected v2.0, v2.1 or v3.0; convert the dataset "
            "with LeRobot's own script."
        )
    try:
        info = Info.model_validate(plain)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = printable(".".join(map(str, first["loc"])), 80)
        raise UsageError(
            f"{path}: {place}: {printable(first['msg'])}; expected LeRobot's info, fetch it again."
        ) from None
    for key in info.cameras:
        if "/" in key or "\\" in key or ".." in key or not key.isprintable() or len(key) > _MOST_NAME:
            raise UsageError(f"{path}: a camera is called {key[:60]!r}, expected a name without slashes; rename it.")
    return info


def _axes(names: Any) -> tuple[str, ...]:
    """Names of a feature's axes in lower case."""
    if isinstance(names, Mapping):
        names = names.get("axes")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return ()
    return tuple(name.lower() for name in names)
