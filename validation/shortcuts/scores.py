"""How often a rule is right, with the interval that its luck leaves (E. B. Wilson, 1927)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

ALLOWED = 0.03
"""By how much a rule's lower 95% bound may exceed chance (quality.md, 5)."""
FEWEST = 30
"""Samples of a category below which nothing is concluded: those of a home or two are too much alike."""
ENOUGH = 2400
"""Samples of a category from which a rule's own interval decides (quality.md, 6)."""
Z = 1.959964


@dataclass(frozen=True)
class Score:
    """A rule's result in one category.

    Attributes:
        category, rule: which.
        samples: how many were guessed.
        hits: how many of them were guessed right.
        chance: share that guessing evenly gives.
    """

    category: str
    rule: str
    samples: int
    hits: int
    chance: float

    @property
    def accuracy(self) -> float:
        """Share guessed right; 0 of nothing."""
        return self.hits / self.samples if self.samples else 0.0

    @property
    def low(self) -> float:
        """Lower end of the 95% interval."""
        return wilson(self.hits, self.samples)[0]

    @property
    def high(self) -> float:
        """Upper end of the 95% interval."""
        return wilson(self.hits, self.samples)[1]

    @property
    def pays(self) -> bool:
        """Whether the rule is better than chance by more than is allowed, judged by its own interval."""
        return self.low > self.chance + ALLOWED

    def pays_among(self, rules: int) -> bool:
        """Whether it pays even if it is the luckiest of so many rules.

        Of a hundred rules over a few dozen samples some exceed the limit by luck. Below :data:`ENOUGH` samples, where
        nothing can be claimed of a single rule, the lower bound is therefore that of the interval which holds for all
        rules at once (Bonferroni); above, the limit lies so far out that it makes no difference.
        """
        if self.samples < FEWEST:
            return False
        if not self.pays or self.samples >= ENOUGH:
            return self.pays
        z = NormalDist().inv_cdf(1.0 - (1.0 - NormalDist().cdf(Z)) / max(rules, 1))
        return wilson(self.hits, self.samples, z)[0] > self.chance + ALLOWED


def wilson(hits: int, samples: int, z: float = Z) -> tuple[float, float]:
    """Interval of a share, by default at 95%; (0, 1) of nothing."""
    if samples == 0:
        return 0.0, 1.0
    share, zz = hits / samples, z * z / samples
    middle = (share + zz / 2.0) / (1.0 + zz)
    half = math.sqrt(share * (1.0 - share) * zz + zz * zz / 4.0) / (1.0 + zz)
    return middle - half, middle + half
