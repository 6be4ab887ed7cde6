"""The rule-based narrator: predicates in, a rationale in the paper's four parts out, in varied language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import numpy as np

from . import phrases
from .predicates import Predicates, State
from .validator import PARTS, refuse

ALL = 99
LEVELS = ((ALL, 0), (ALL, 1), (ALL, 2), (ALL, 4), (4, 0), (3, 0), (2, 0), (1, 0))
"""What is tried until a text is valid: (objects told one by one, general remarks).

Where not all are told, those at rest are told together."""


def narrate(predicates: Predicates, rng: np.random.Generator) -> str:
    """A valid rationale, or "" where none comes out, e.g. because nothing is in sight.

    Args:
        predicates: what is to be told.
        rng: draws phrasings.
    """
    for most, remarks in LEVELS:
        text = _Narrator(predicates, rng, most).tell(remarks)
        if refuse(text) is None:
            return text
    return ""


def listed(parts: Sequence[str]) -> str:
    """``"a, b and c"``."""
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def sentence(text: str) -> str:
    """With a capital first letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


@final
class _Narrator:
    """Tells one item.

    Phrases are drawn in turn from shuffled lists, so that one text doesn't say the same twice the same way.
    """

    def __init__(self, predicates: Predicates, rng: np.random.Generator, most: int) -> None:
        self.predicates: Final = predicates
        self.rng: Final = rng
        self.most: Final = most
        pairs = (*predicates.meetings, *(each.pair for each in predicates.courses), *predicates.met)
        involved = {name for pair in pairs for name in pair}
        moving = [state for state in predicates.states if state.pace is not None]
        self.moving: Final = sorted(moving, key=lambda state: (state.name not in involved, state.body))
        self.changing: Final = sorted(
            (state for state in predicates.states if _changes(state)), key=lambda s: (s.name not in involved, s.body)
        )
        self._turns: dict[Sequence[str], list[str]] = {}

    def _say(self, ways: Sequence[str], **holes: str) -> str:
        left = self._turns.setdefault(ways, [])
        if not left:
            left.extend(ways[index] for index in self.rng.permutation(len(ways)).tolist())
        return left.pop().format(**holes)

    def tell(self, remarks: int) -> str:
        """All four parts."""
        parts = (self._scene(), self._motion(remarks), self._prediction(), self._outcome())
        return " ".join(f"{title} {text}" for title, text in zip(PARTS, parts, strict=True))

    def _scene(self) -> str:
        resting = [state for state in self.predicates.states if state.pace is None]
        clauses = [self._now(state) for state in self.moving[: self.most + 1]]
        others = [state.name for state in self.moving[self.most + 1 :]]
        if len(others) == 1:
            clauses.append(self._now(self.moving[-1]))
        elif others:
            clauses.append(self._say(phrases.MOVING_GROUP, names=listed(others)))
        if self.most < ALL and len(resting) > 1:
            clauses.append(self._say(phrases.REST_GROUP, names=listed([state.name for state in resting])))
        else:
            clauses.extend(self._say(phrases.RESTING, name=state.name, region=state.region) for state in resting)
        opening = self._say(phrases.OPENINGS)
        told = _sentences(opening, clauses or list(phrases.EMPTY_START))
        courses = [
            sentence(
                self._say(phrases.COURSE, one=course.pair[0], other=course.pair[1])
                + " "
                + self._say(phrases.WHEN[course.when])
            )
            for course in sorted(self.predicates.courses, key=lambda course: course.when)[: self.most]
        ]
        told += [
            sentence(self._say(phrases.MET, one=one, other=other)) for one, other in self.predicates.met[: self.most]
        ]
        none = [self._say(phrases.NO_COURSE)] if self.predicates.calm else []
        return " ".join([*told, *(courses or none)])

    def _now(self, state: State) -> str:
        pace = self._say(phrases.PACE[state.pace or phrases.SLOWEST])
        if state.heading is None:
            return self._say(phrases.DRIFTING, name=state.name, region=state.region, pace=pace)
        heading = self._say(phrases.HEADING[state.heading])
        return self._say(phrases.MOVING, name=state.name, region=state.region, pace=pace, heading=heading)

    def _motion(self, remarks: int) -> str:
        told = []
        for state in self.moving[: self.most]:
            pace = state.pace or phrases.SLOWEST
            way = self._say(phrases.WAYS[pace])
            told.append(
                sentence(self._say(phrases.KEEPS, name=state.name, pace=self._say(phrases.PACE[pace]), way=way))
            )
        told += [
            sentence(self._say(phrases.STRUCK, one=one, other=other))
            for one, other in self.predicates.meetings[: self.most]
        ]
        if self.predicates.free:
            told.append(self._say(phrases.LATER if self.predicates.courses else phrases.FREE))
        if any(state.pace is None for state in self.predicates.states):
            told.append(self._say(phrases.UNTOUCHED))
        return " ".join([*told, *(self._say(phrases.REMARKS) for _ in range(remarks))])

    def _prediction(self) -> str:
        states = self.predicates.states
        if self.most < ALL:
            states = tuple(self.changing[: self.most + 1]) or states[:2]
        clauses = [self._then(state) for state in states]
        return " ".join(_sentences(self._say(phrases.AHEAD), clauses or list(phrases.EVERYTHING_RESTS)))

    def _then(self, state: State) -> str:
        if state.left:
            return self._say(phrases.GONE, name=state.name)
        if state.later is None:
            return self._say(phrases.COVERED, name=state.name)
        ways = phrases.GOES if state.later != state.region else phrases.SHIFTS if state.moves else phrases.STAYS
        return self._say(ways, name=state.name, region=state.later)

    def _there(self, state: State) -> str:
        if state.left or state.later is None:
            return self._then(state)
        return self._say(phrases.IS_THERE, name=state.name, region=state.later)

    def _outcome(self) -> str:
        facts = [self._say(phrases.CLOSE, one=one, other=other) for one, other in self.predicates.close[:2]]
        close = {name for pair in self.predicates.close[:2] for name in pair}
        told = [state for state in self.changing if state.name not in close]
        told = told or [state for state in self.predicates.states if state.name not in close]
        facts += [self._there(state) for state in told[: min(3, self.most)]]
        return self._say(phrases.ENDINGS, facts=listed(facts) or phrases.EVERYTHING_RESTS[0])


def _changes(state: State) -> bool:
    """Whether something becomes of an object up to the target."""
    return state.moves or state.left or state.later != state.region


def _sentences(opening: str, clauses: Sequence[str]) -> list[str]:
    """Clauses in sentences of up to two; the first follows the opening."""
    told = [" and ".join(clauses[start : start + 2]) for start in range(0, len(clauses), 2)]
    return [f"{opening}{told[0]}.", *(sentence(each) for each in told[1:])]
