"""The JSON cases of ``real_*`` as the builder reads them: things as measured, and the questions that come of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from flowbench.builders.real.asking import PAPER_UNCHANGED
from flowbench.builders.real.categories import CATEGORIES, Draft
from flowbench.builders.real.categories.occlusion import Occlusion
from flowbench.builders.real.facts import Facts, Scale
from flowbench.builders.real.measuring.measure import Measured
from flowbench.builders.real.measuring.roles import Roles, Thing
from flowbench.builders.real.measuring.sighting import Optics
from flowbench.builders.sources.profiles import profile_named
from flowbench.schema.real_meta import MatchEvidence, Sighting

from .real_cases import FOCAL, LETTERS, LISTING, SIZE, Case, asked
from .real_cases import Thing as Given

DRAWS = 60
"""Builders draw what they ask; after so many draws all of it has come."""
K = np.array([[FOCAL, 0.0, SIZE[0] / 2], [0.0, FOCAL, SIZE[1] / 2], [0.0, 0.0, 1.0]])


def drafts(case: Case, category: str) -> Iterator[Draft]:
    """What the builder asks of a case with its threshold and its claim; of test cases what is clear enough."""
    given, facts = case["input"], facts_of(case)
    builder = CATEGORIES[category]
    for seed in range(DRAWS):
        made = list(builder.changed(facts, np.random.default_rng(seed)))
        if category in PAPER_UNCHANGED:
            made += builder.unchanged(facts, np.random.default_rng(seed))
        if given.get("named") and isinstance(builder, Occlusion):
            made += builder.named(facts)
        for draft in made:
            same = draft.threshold == given.get("threshold") and draft.relation == given.get("relation")
            if same and (draft.clear or given.get("split") != "test"):
                yield draft


def facts_of(case: Case) -> Facts:
    """The pair of a case: the mover is thing 0, landmarks follow in their order."""
    question = asked(case)
    things = [thing(question.mover), *map(thing, question.landmarks)]
    listed = tuple(range(1, len(things)))
    measured: Any = SimpleNamespace(
        pair=SimpleNamespace(profile=profile_named(case["input"].get("profile", "tabletop")), shape=(SIZE[1], SIZE[0])),
        optics=Optics(K),
        things=things,
        mover=things[0],
        roles=Roles(0, (), listed),
        landmarks=listed,
        covered=dict(zip(listed, question.covered, strict=True)),
    )
    numbers = {k: k or len(things) for k in range(len(things))}
    facts = Facts(cast(Measured, measured), numbers, Scale(1, 6, 50.0, None), {}, question.paper)
    facts.__dict__.update(on_table=True, extent=math.inf)  # neither is what the cases are about
    return facts


def thing(given: Given) -> Thing:
    """A measured object."""
    before, after = (
        Sighting(
            pixel=list(pixel or ()),
            depth=at[2],
            position=list(at),
            bbox=list(box or ()),
            area=area,
            arm_share=0.0,
        )
        for at, pixel, box, area in (
            (given.before, given.pixel_before, given.box_before, given.area_before),
            (given.after or given.before, given.pixel_after, given.box_after, given.area_after),
        )
    )
    moved = [b - a for a, b in zip(before.position, after.position, strict=True)]
    return Thing(
        label="block",
        generic=False,
        score=1.0,
        masks=(given.id, given.id),
        before=before,
        after=after,
        evidence=MatchEvidence(kind="given", correlation=1.0, endpoint=None),
        radius=given.radius,
        moved=(moved[0], moved[1], moved[2]),
    )


def answer_of(draft: Draft, answer: str) -> str:
    """An answer as cases write it."""
    return "".join(LETTERS[int(each)] for each in answer.split("+")) if draft.category in LISTING else answer
