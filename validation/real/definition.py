"""What distances between true surfaces, which only simulated sources know, would have answered (real.md, "definition").

Questions ask for nearest points, labels measure between spheres: the difference is an error of definition, told apart
from errors of perception.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean

from flowbench.schema import RealRecord
from flowbench.schema.real_meta import RealMeta

from .categories.closest_three import NEAREST
from .labels import letters_of


def against_truth(record: RealRecord, meta: RealMeta) -> Mapping[str, object]:
    """How far off distances after the move are, and whether true ones give another answer.

    Returns:
        ``definition_mm``, the mean, and ``definition_other``; nothing where true distances are not known or not asked
        about.
    """
    true = {each.id: each.after for each in meta.truth or ()}
    measured = [(each.id, each.distance_after) for each in record.landmarks]
    pairs = [(true[each], gap) for each, gap in measured if each in true and gap is not None]
    if not pairs or len(pairs) < len(measured):
        return {}
    outcome = _outcome(record, [gap for gap, _ in pairs])
    return {
        "definition_mm": mean(abs(gap - sphere) for gap, sphere in pairs) * 1000.0,
        "definition_other": outcome is not None and letters_of(record, outcome) != record.answer,
    }


def _outcome(record: RealRecord, gaps: list[float]) -> str | None:
    """The answer by these distances after the move, as formulas write it."""
    limit = record.threshold or 0.0
    if record.category == "near_object":
        return "yes" if (gaps[0] < limit) == (record.relation != "beyond") else "no"
    if record.category == "count_near":
        return str(sum(gap < limit for gap in gaps))
    order = sorted(range(len(gaps)), key=lambda place: gaps[place])
    if record.category == "closer_to":
        return str(order[0])
    return "".join(map(str, sorted(order[:NEAREST]))) if record.category == "closest_three" else None
