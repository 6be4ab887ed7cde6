"""No label is nearer to its decision boundary than its category's band (quality.md, 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, final

from flowbench.errors import ReleaseError

from ..opened import OpenedSample
from ..recompute import closer_to, closest_three, contact_wall, count_near, feasibility, left_right, near_object
from ..recompute import occlusion as hiding
from .base import SampleSuite, Violation

BANDS: Mapping[str, str] = MappingProxyType(
    {
        "occlusion": f"{hiding.SHOWN:g} to {hiding.HIDDEN:g} of the landmark hidden, or over "
        f"{hiding.MOST_COVERED:g} covered before",
        "closer_to": f"a runner-up within {closer_to.BAND:g} m of the nearest",
        "contact_wall": f"{contact_wall.CONTACT:g} to {contact_wall.CLEAR:g} m from the nearest wall",
        "left_right": f"columns within {left_right.LEAST_PIXELS:g} px (of 800) or {left_right.WIDTH_SHARE:g} of the "
        "sum of both widths",
        "feasibility": f"another outcome for a mover {feasibility.SLACK:g} m larger or smaller",
        "closest_three": f"a fourth within {closest_three.BAND:g} m of the third",
        "count_near": f"an object within {count_near.BAND:g} m of the threshold",
        "near_object": f"within {near_object.BAND:g} m of the threshold",
    }
)
"""Category -> what its labels keep clear of (sim.md, "Categories")."""


@final
class Ambiguity(SampleSuite[OpenedSample]):
    """See the module."""

    name: ClassVar[str] = "ambiguity"
    about: ClassVar[str] = "No label lies within its category's band of ambiguity."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks.

        What cannot be judged at all is the label suite's to tell.
        """
        try:
            truth = sample.published.truth
        except (ReleaseError, ArithmeticError):
            return
        band = BANDS.get(sample.record.category, "its band")
        if truth.ambiguous:
            margin = "" if truth.margin is None else f", {-truth.margin:.4g} {truth.margin_unit} inside"
            yield Violation("label within its band", f"{truth.reason}{margin}", f"none of: {band}", sample.key)
