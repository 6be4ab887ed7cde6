"""Everything that is published of a question about a pair (schema.md, "Columns")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.marks import Place
from flowbench.builders.sim.reasoning import reason
from flowbench.encoding import (
    FlowRangeError,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_instances,
    encode_rgb,
    metres,
)
from flowbench.marking import draw_badges, draw_marks
from flowbench.release import Sample
from flowbench.schema import Mark, Region, to_json
from flowbench.schema.real import Badge
from flowbench.schema.real_meta import TrueGap

from .categories import CATEGORIES, Draft
from .categories.left_right import LeftRight, sides
from .describing import describe
from .facts import Facts
from .marks import choose_badges, choose_dots, place_dots
from .naming.namer import Named, Namer
from .reasoning import MEASURED
from .recording import Origin, Shown, make_record
from .wording import Picks, badge_names, called, draw, mentioned, put_into_words, right_options, terms_of


@dataclass(frozen=True, eq=False)
class Published:
    """A pair's pictures, encoded once however many questions show them.

    Attributes:
        facts: of the pair.
        truth: what the simulator knows; None where nobody does.
    """

    facts: Facts
    truth: Sequence[TrueGap] | None

    @cached_property
    def shared(self) -> Mapping[str, bytes]:
        """Members that all questions of the pair have."""
        measured = self.facts.measured
        tracks = measured.tracks
        made = {"flow.png16": encode_flow(tracks.displacement, tracks.tracked)}
        for moment, name in enumerate(("before", "after")):
            picture = (measured.pair.before, measured.pair.after)[moment]
            made[f"{name}.png"] = encode_rgb(picture)
            made[f"depth_{name}.png16"] = encode_depth(metres(measured.millimetres[moment]))
            made[f"seg_{name}.png16"] = encode_ids(measured.ids(moment))
        made["meta.txt"] = to_json(describe(self.facts, self.truth))
        return made

    @cached_property
    def regions(self) -> tuple[Mapping[int, Region], Mapping[int, Region]]:
        """Every visible id's pixels in both pictures."""
        return encode_instances(self.facts.measured.ids(0)), encode_instances(self.facts.measured.ids(1))


def annotate(
    key: str, published: Published, draft: Draft, right_position: int, origin: Origin, namer: Namer | None = None
) -> Sample | Reject:
    """Turn a question into a published sample.

    Args:
        key: of the sample.
        published: the pair.
        draft: what is asked.
        right_position: see :func:`~.wording.draw`.
        origin: for the provenance.
        namer: names the objects of questions that may be asked by name, but whose labels are no names.
    """
    facts = published.facts
    stream = facts.measured.pair.stream
    picks = draw(draft, right_position, stream("wording", key))
    asked = namer.name(facts, mentioned(facts, draft)) if namer is not None and draft.may_be_named else None
    if asked is not None:
        draft = replace(draft, named=asked.names is not None)
    shown = _shown(facts, draft, picks, stream("marks", key), asked)
    if isinstance(shown, Reject):
        return shown
    try:
        shared = published.shared
    except FlowRangeError:
        return Reject("flow: longer than the encoding holds")
    category = CATEGORIES[draft.category]
    because = category.because(facts, draft, terms_of(facts, draft, shown.names))
    letter = shown.wording.letters(right_options(draft, draft.answer))
    reasoning = reason(because, shown.wording, letter, stream("reasoning", key), MEASURED)
    note = None if asked is None else asked.source.note
    record = make_record(key, facts, draft, shown, reasoning, published.regions, replace(origin, rewriter=note))
    pair = facts.measured.pair
    drawn = {
        "before_marked.png": encode_rgb(draw_marks(pair.before, shown.marks, "before")),
        "after_marked.png": encode_rgb(draw_marks(pair.after, shown.marks, "after")),
        "before_badges.png": encode_rgb(draw_badges(pair.before, shown.badges, "before")),
        "after_badges.png": encode_rgb(draw_badges(pair.after, shown.badges, "after")),
    }
    return Sample(key, {**shared, **drawn, "json": to_json(record)})


def _shown(facts: Facts, draft: Draft, picks: Picks, rng: np.random.Generator, asked: Named | None) -> Shown | Reject:
    """Dots, badges and texts of a question; names alone where it is asked by name, those of a model if it was asked."""
    things = mentioned(facts, draft)
    if draft.named:
        names = called(facts, things) if asked is None else asked.names
        if names is None:
            return Reject("name: an object cannot be named")
        return Shown(names, put_into_words(facts, draft, names, picks), (), (), None)
    kept = CATEGORIES[draft.category].keeps_marks
    marks = choose_dots(facts, things, kept, rng)
    if isinstance(marks, Reject):
        return marks
    badges = choose_badges(facts, kept)
    if isinstance(badges, Reject):
        return badges
    turned = _turned_round(facts, draft, marks, badges)
    if turned is not None:
        return turned
    names = {k: f"the object marked {mark.colour}" for k, mark in zip(things, marks, strict=True)}
    wording = put_into_words(facts, draft, names, picks)
    return Shown(names, wording, marks, badges, put_into_words(facts, draft, badge_names(facts), picks))


def unmarkable(facts: Facts, draft: Draft) -> Reject | None:
    """Why dots or badges have no places that show what is asked, whatever colours they get; None where they have."""
    if draft.named:
        return None
    kept = CATEGORIES[draft.category].keeps_marks
    places = place_dots(facts, mentioned(facts, draft), kept)
    if isinstance(places, Reject):
        return places
    badges = choose_badges(facts, kept)
    return badges if isinstance(badges, Reject) else _turned_round(facts, draft, places, badges)


def _turned_round(
    facts: Facts, draft: Draft, dots: Sequence[Mark] | Sequence[Place], badges: Sequence[Badge]
) -> Reject | None:
    """Refuses marks of a left-right question that do not lie on the measured sides of each other, before and after."""
    if draft.category != LeftRight.name:
        return None
    (k,) = draft.landmarks
    ids = [facts.measured.thing_id(each) for each in (facts.measured.roles.mover, k)]
    for marks in (dots, badges):
        columns = dict(_columns(mark) for mark in marks)
        mover, landmark = (columns[each] for each in ids)
        ways = [a - b for a, b in zip(mover, landmark, strict=True)]
        if not all(way * x > 0.0 for way, x in zip(ways, sides(facts, k), strict=True)):
            return Reject("mark: marks stand the other way round")
    return None


def _columns(mark: Mark | Badge | Place) -> tuple[int, tuple[float, float]]:
    """Id, and columns before and after."""
    if isinstance(mark, Place):
        return mark.instance_id, (float(mark.before.u), float(mark.after.u))
    return mark.id, (mark.before[0], mark.after[0])
