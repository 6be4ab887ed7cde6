"""``closest_three``: which three of the six listed objects are nearest to the mover after the move?

The three least distances, as the question measures them, decide; with the fourth within 0.05 m of the third a label is
ambiguous (sim.md, "Categories").
"""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.schema import LETTERS

from .common import Evidence
from .verdict import Recomputed, Verdict

LISTED = 6
NEAREST = 3
BAND = 0.05


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the distances between the mover and each listed object."""
    evidence.question.require_landmarks_as_choices(LISTED)
    return Recomputed.of(
        before=_judge([before for before, _ in evidence.gaps]),
        after=_judge([after for _, after in evidence.gaps]),
        margin_unit="m",
        gaps=evidence.gaps,
    )


def _judge(gaps: Sequence[float]) -> Verdict:
    ranked = sorted(zip(gaps, LETTERS, strict=False))
    third, fourth = ranked[NEAREST - 1][0], ranked[NEAREST][0]
    letters = "".join(sorted(letter for _, letter in ranked[:NEAREST]))
    return Verdict(letters, fourth - third - BAND, f"third {third:.4f} m, fourth {fourth:.4f} m")
