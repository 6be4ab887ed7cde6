"""Reading masks, against the plain way."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from flowbench.builders.sim.measuring import MaskFacts, innermost, mask_facts

images = hnp.arrays(
    np.uint16,
    st.tuples(st.integers(1, 24), st.integers(1, 24)),
    elements=st.sampled_from([0, 1, 2, 300, 65535]),
    fill=st.sampled_from([0, 7]),
)


@given(images)
@settings(max_examples=60, deadline=None)
def test_facts_are_those_of_the_pixels(ids: np.ndarray) -> None:
    facts = mask_facts(ids)
    assert list(facts) == [int(i) for i in np.unique(ids) if i]
    for instance_id, fact in facts.items():
        rows, columns = np.nonzero(ids == instance_id)
        assert fact.area == len(rows)
        assert (fact.left, fact.right, fact.top, fact.bottom) == (
            columns.min(),
            columns.max(),
            rows.min(),
            rows.max(),
        )
        assert (fact.width, fact.height) == (np.ptp(columns) + 1, np.ptp(rows) + 1)
        assert abs(fact.u - columns.mean()) < 1e-9
        assert abs(fact.v - rows.mean()) < 1e-9


def distance_to_outside(mask: np.ndarray, u: int, v: int) -> float:
    """Euclidean distance from a pixel to the nearest one outside; beyond the picture all is outside."""
    padded = np.pad(mask, 1)
    rows, columns = np.nonzero(~padded)
    return float(np.sqrt(((rows - 1 - v) ** 2 + (columns - 1 - u) ** 2).min()))


@given(images)
@settings(max_examples=60, deadline=None)
def test_the_innermost_pixel_is_about_as_deep_as_any(ids: np.ndarray) -> None:
    for instance_id, facts in mask_facts(ids).items():
        mask = ids == instance_id
        spot = innermost(mask, facts)
        assert mask[spot.v, spot.u]
        rows, columns = np.nonzero(mask)
        deepest = max(distance_to_outside(mask, u, v) for u, v in zip(columns, rows, strict=True))
        # the chamfer distance is at most a tenth off the Euclidean one
        assert abs(spot.depth - distance_to_outside(mask, spot.u, spot.v)) <= 0.1 * spot.depth + 1e-9
        assert distance_to_outside(mask, spot.u, spot.v) >= 0.82 * deepest


def test_of_equally_deep_pixels_the_one_nearest_to_the_centroid_is_taken() -> None:
    mask = np.zeros((9, 30), dtype=bool)
    mask[3:6, 2:29] = True
    assert innermost(mask, MaskFacts(81, 15.0, 4.0, 2, 3, 28, 5)).u == 15
