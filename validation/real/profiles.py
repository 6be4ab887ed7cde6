"""Constants of the sources (paper, B.1-B.6; real.md), as a recheck holds them; lengths in metres.

``meta.txt`` states those that were used. They have to be these where a source is known here; of a user's own source the
stated ones are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from flowbench.schema.real_meta import ProfileRules

from ..recompute.rules import Finding

CM: Final = 0.01
STILL_THRESHOLDS: Final = (0.10, 0.15, 0.20, 0.30, 0.50)
"""That a no-change near-object question may ask about, whatever the source."""
STILL_SIDE: Final = 5 * CM
"""That left or right clears before and after in a no-change question."""
AFTER_SHARE: Final = 0.15
"""Of T, which |d1 - T| reaches."""
TEST_LEAST: Final = 5 * CM
TEST_SHARE: Final = 0.25
"""Margins of the test split: a length, and a share of the threshold (B.6)."""
NAMED_LEAST: Final = 4 * CM
"""|d1 - T| of named objects."""
NAMED_THREE: Final = 3 * CM
"""Gap between the third and the fourth of named objects."""


@dataclass(frozen=True)
class Source:
    """What a recheck knows of a source.

    Attributes:
        rules: constants that have to be stated.
        side_width: share of the landmark's width that left or right clears besides m.
        changed: least and greatest share of changed pixels between the pictures (B.1).
        focal: assumed focal length in pixels and (cx, cy); None where episodes record their own.
    """

    rules: ProfileRules
    side_width: float = 0.0
    changed: tuple[float, float] = (0.004, 0.5)
    focal: tuple[float, float, float] | None = (610.0, 320.0, 240.0)


def _rules(**other: object) -> ProfileRules:
    """The common constants with those that are others."""
    common: dict[str, object] = {
        "scale_factor": 1.0,
        "plane": False,
        "margin": 3 * CM,
        "travel": 30 * CM,
        "near_thresholds": [0.10, 0.15, 0.20, 0.30],
        "count_thresholds": [0.15, 0.20, 0.25, 0.30, 0.40],
        "unchanged_thresholds": list(STILL_THRESHOLDS),
        "after_margin": 3 * CM,
        "before_margin": 2 * CM,
        "count_margin": 3 * CM,
        "count_share": 0.0,
        "landmark_pixels": 1000,
        "depth_order": False,
    }
    return ProfileRules.model_validate({**common, **other})


SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        "bridge_v2": Source(_rules(scale_factor=1.95, depth_order=True), changed=(0.005, 0.30)),
        "droid": Source(
            _rules(
                scale_factor=1.15,
                margin=6 * CM,
                travel=90 * CM,
                near_thresholds=[0.15, 0.20, 0.30, 0.50, 0.75, 1.00],
                count_thresholds=[0.30, 0.50, 0.75, 1.00],
                after_margin=8 * CM,
                before_margin=5 * CM,
                count_margin=8 * CM,
                count_share=0.15,
                depth_order=True,
            ),
            side_width=0.5,
            focal=None,
        ),
        "language_table": Source(_rules(plane=True, landmark_pixels=500)),
        "rt1": Source(_rules(scale_factor=0.61, landmark_pixels=500)),
        "berkeley_ur5": Source(_rules(scale_factor=0.84, landmark_pixels=500)),
        "tabletop": Source(_rules(depth_order=True), focal=None),
        "tabletop_down": Source(_rules(plane=True, landmark_pixels=500), focal=None),
    }
)
"""Profile -> what is known of it."""


def check_rules(profile: str, rules: ProfileRules) -> Iterator[Finding]:
    """The stated constants are those of the source, as far as it is known."""
    if profile not in SOURCES:
        return
    for name, expected in SOURCES[profile].rules.model_dump().items():
        found = getattr(rules, name)
        if not _same(found, expected):
            yield Finding("constants of the profile", f"{profile}: {name} {found}", str(expected))


def _same(found: object, expected: object) -> bool:
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(_same, found, expected))
    if isinstance(found, float) and isinstance(expected, float):
        return abs(found - expected) < 1e-9
    return found == expected
