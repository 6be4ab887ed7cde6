"""Shortcuts of recorded pairs: blind rules against what the caps of the test split leave (paper, B.6; real.md).

Most questions are chosen because their answer changes, so that whoever sees the before-answer can bet on the other one:
rules that look at it are reported. None of the others may be certainly better than chance by more than 3 points, or
than the cap that B.6 sets: 55% where there are two answers, 65% of left-right questions for rules that see the
direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, final

from flowbench.schema import ConfigSpec

from ...real.evidence import TEST
from ...real.shares import MOST_ANSWER, MOST_TOWARD
from ...shortcuts import ALLOWED, FEWEST, Score, wilson
from ...shortcuts.rules import BEFORE, CLASSIFIER, OPTION_CLASSIFIER, TEXT_CLASSIFIER
from ...shortcuts.scores import Z
from ..base import ConfigSuite, Findings, OpenedConfig, Share, Table, Violation
from ..shortcuts import scores_of

SEES_BEFORE: Final = (BEFORE, "length and before-answer", "nearest before", CLASSIFIER, OPTION_CLASSIFIER)
"""Rules that know how things stood before the move."""
SEES_DIRECTION: Final = ("ends where it moved", TEXT_CLASSIFIER)


@final
@dataclass(frozen=True)
class CappedShortcuts(ConfigSuite):
    """See the module.

    Attributes:
        spec: of the config; limits hold in the test split.
    """

    spec: ConfigSpec
    name = "shortcuts"
    about = "In the test split no rule that knows neither picture nor before-answer is over chance or its cap."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Which rules pay, and the table of all."""
        if config.index.is_empty():
            return Findings()
        scores, test = scores_of(config.index), self.spec.splits[0] == TEST
        violations = [*(_paying(scores) if test else ())]
        shares = [
            Share(
                each.category, each.rule, each.accuracy, each.low, each.high, each.chance, _verdict(each, scores, test)
            )
            for each in scores
        ]
        return Findings(violations, [_table(scores, test)], shares)


def limit_of(score: Score) -> float | None:
    """The accuracy that a rule's lower bound may have; None of rules that are only reported."""
    if score.rule in SEES_BEFORE:
        return None
    limit = score.chance + ALLOWED
    if abs(score.chance - 0.5) < 1e-9:
        limit = max(limit, MOST_ANSWER)
    return max(limit, MOST_TOWARD) if score.category == "left_right" and score.rule in SEES_DIRECTION else limit


def pays(score: Score, rules: int) -> bool:
    """Whether a rule is over its limit even if it is the luckiest of so many."""
    limit = limit_of(score)
    if limit is None or score.samples < FEWEST:
        return False
    z = NormalDist().inv_cdf(1.0 - (1.0 - NormalDist().cdf(Z)) / max(rules, 1))
    return wilson(score.hits, score.samples, z)[0] > limit


def _paying(scores: Sequence[Score]) -> Iterator[Violation]:
    for each in scores:
        if pays(each, len(scores)):
            found = f"{each.category}: {each.rule} is right in {each.accuracy:.1%} of {each.samples:,} samples"
            yield Violation("a blind rule pays", found, f"certainly no more than {limit_of(each) or 0.0:.1%}")


def _verdict(score: Score, scores: Sequence[Score], test: bool) -> str:
    if limit_of(score) is None or not test:
        return "reported"
    if pays(score, len(scores)):
        return "yes"
    return "too few to tell" if score.samples < FEWEST else "not seen"


def _table(scores: Sequence[Score], test: bool) -> Table:
    rows = []
    for each in scores:
        limit, interval = limit_of(each), f"{each.low:.1%} to {each.high:.1%}"
        shown = "reported" if limit is None or not test else f"{limit:.1%}"
        row = (each.category, each.rule, f"{each.samples:,}", f"{each.accuracy:.1%}", interval, f"{each.chance:.1%}")
        rows.append((*row, shown, _verdict(each, scores, test)))
    limits = (
        f"The lower end of a rule's interval, for all rules at once, lies at most at its limit; below {FEWEST} samples "
        "nothing is concluded. Rules that see the before-answer are reported, and so is everything of training splits."
    )
    columns = ("category", "rule", "samples", "accuracy", "95% interval", "chance", "limit", "pays")
    return Table("Without looking", columns, rows, limits)
