"""Selection items, derived again from the metadata: the right letter, times, contacts, distractors, margins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from flowbench.collisions.setup import Setup
from flowbench.schema.dynapix import SelectionRecord

from ..recompute.rules import Finding
from .events import EASY_PX, LEAST_PX, check_events, focus, nearest_distractor, next_hit
from .facts import TRUE_RUN, ItemFacts, RunFacts
from .movers import check_movers, colliding
from .opened import OpenedSelection, is_test
from .scenes import check_bodies, check_prefix, check_run
from .times import check_subtype, check_times

LETTERS: Final = "ABCD"
ANCHORS: Final = ("event", "time")
CONTROLS: Final = ("full", "candidates_only", "shuffled_prefix")
CLOSE: Final = 1e-6
"""Pixels that a margin may be off."""
LEAST_WAY_PX: Final = 5.0
"""Pixels that the one object of a window about one object moves at least."""


def check_question(sample: OpenedSelection) -> Iterator[Finding]:
    """Everything that a question claims and its metadata can show."""
    record, meta = sample.record, sample.meta
    yield from check_bodies(meta.setup)
    yield from check_run(meta.setup, meta.factual)
    yield from check_prefix(record.prefix, sample.video is not None, record.control)
    yield from _check_candidates(sample)
    yield from _check_setups(sample)
    yield from _check_matched(sample)
    item = item_of(sample)
    if record.horizon != item.horizon:
        yield Finding("horizon", f"{record.horizon}", f"{item.horizon} frames from the cut to the target")
    if record.rank != item.rank:
        yield Finding("rank", f"{record.rank}", f"{item.rank} in time among the candidates")
    strange = [*check_subtype(item)]
    yield from strange
    if strange:
        return  # nothing else can be derived of what there is not
    found = [*check_times(item)]
    yield from found
    if any(each.rule == "order" for each in found):
        return
    run = meta.factual.facts(meta.setup)
    yield from check_events(item, run)
    yield from check_focus(item, run, sample.meta.focus)
    yield from _check_sources(sample, item)
    yield from _check_margin(sample, item)
    if item.preset == "balanced":
        yield from _check_movers(sample, item, run)


def _check_movers(sample: OpenedSelection, item: ItemFacts, run: RunFacts) -> Iterator[Finding]:
    """What the item is about and who collides up to the target: these bodies were seen to move."""
    deciding = colliding(run, item.last, item.target).union(sample.meta.focus)
    yield from check_movers(sample.meta.factual, item.first, item.last, deciding)


def item_of(sample: OpenedSelection) -> ItemFacts:
    """What the item says of itself."""
    record = sample.record
    return ItemFacts(
        preset=record.provenance.preset,
        family=record.category,
        subtype=record.subtype,
        query=record.query,
        first=record.prefix.first,
        last=record.prefix.last,
        target=record.target_frame,
        candidates=tuple((each.variant, each.frame) for each in record.candidates),
        letter=record.answer,
    )


def runs_of(sample: OpenedSelection) -> Mapping[str, RunFacts]:
    """The true run, and of each twin what its candidates show; nothing of other scenes, whose bodies are others."""
    meta = sample.meta
    runs = {TRUE_RUN: meta.factual.facts(meta.setup)}
    shape = meta.factual.visible.shape
    for place, frame in enumerate(meta.frames):
        if frame.variant == TRUE_RUN or len(frame.poses) != shape[1]:
            continue
        known = runs.get(frame.variant)
        visible = np.zeros(shape, np.int64) if known is None else known.visible.copy()
        pixels = np.full((*shape, 2), math.nan) if known is None else known.pixels.copy()
        visible[frame.frame] = sample.visible(place)
        pixels[frame.frame] = sample.setup_of(place).view.camera.project(frame.poses[:, :3])[0]
        enters = [body.enters for body in sample.setup_of(place).bodies]
        runs[frame.variant] = RunFacts(enters, visible, visible, pixels, [])
    return runs


def _check_candidates(sample: OpenedSelection) -> Iterator[Finding]:
    """Letters, kinds, and the frames of the metadata, which are those of the true run where they say so."""
    record, meta = sample.record, sample.meta
    letters = "".join(each.letter for each in record.candidates)
    if letters != LETTERS or record.choices != list(LETTERS):
        yield Finding("letters", f"{letters} of {record.choices}", LETTERS)
    for each, frame in zip(record.candidates, meta.frames, strict=True):
        name = f"candidate {each.letter}"
        if (each.variant, each.frame) != (frame.variant, frame.frame):
            found = f"{name} is frame {frame.frame} of {frame.variant} in meta.txt"
            yield Finding("candidates", found, f"frame {each.frame} of {each.variant} as in the record")
        kind = _kind(each.variant, each.frame == record.target_frame)
        if each.kind != kind:
            yield Finding("kind", f"{name} is called {each.kind}", str(kind))
        if frame.erased is not None:
            yield Finding("candidates", f"{name} lacks a body", "all of them drawn")
        if frame.variant == TRUE_RUN and not np.array_equal(frame.poses, meta.factual.poses[frame.frame]):
            yield Finding("poses of a candidate", f"{name} has others than the true run", "those of its frame")
    if record.margin_unit != "px":
        yield Finding("margin_unit", record.margin_unit, "px")


def _kind(variant: str, target: bool) -> str | None:
    if variant == TRUE_RUN:
        return "target" if target else "same_scene"
    return {"twin": "twin", "other": "other_scene"}.get(variant.partition("-")[0])


def _check_setups(sample: OpenedSelection) -> Iterator[Finding]:
    """A twin has the scene's bodies, view, light and ground; another scene is on the same side of the split."""
    scene = sample.meta.setup
    for each, frame in zip(LETTERS, sample.meta.frames, strict=True):
        own, kind = frame.setup, frame.variant.partition("-")[0]
        if (own is None) != (kind == TRUE_RUN):
            yield Finding(
                "set-up of a candidate",
                f"{each} of {frame.variant}: {'none' if own is None else 'one'}",
                "one of every other run",
            )
        elif own is not None and kind == "twin" and not _is_twin(own, scene):
            yield Finding(
                "set-up of a candidate", f"{each} is no twin of the scene", "the same bodies, view, light and ground"
            )
        elif own is not None and kind == "other" and not _is_other(own, scene):
            yield Finding("set-up of a candidate", f"{each} is of scene {own.scene}", "another one of the same split")


def _is_other(own: Setup, scene: Setup) -> bool:
    return own.scene != scene.scene and is_test(own.scene) == is_test(scene.scene)


def _is_twin(own: Setup, scene: Setup) -> bool:
    bodies = [[body.name for body in each.bodies] for each in (own, scene)]
    looks = [(each.scene, each.view, each.light, each.ground) for each in (own, scene)]
    return bodies[0] == bodies[1] and looks[0] == looks[1] and own.twin > 0 and own.starts != scene.starts


def _check_matched(sample: OpenedSelection) -> Iterator[Finding]:
    """Anchor, control and pair are there for matched items alone; a model wrote a rationale that is there."""
    record = sample.record
    if record.rationale is None and record.provenance.rewriter is not None:
        yield Finding("rewriter", f"{record.provenance.rewriter.model} of no rationale", "null")
    stated = (record.anchor, record.control, record.pair)
    if record.category == "matched":
        if record.anchor not in ANCHORS or record.control not in CONTROLS or not record.pair:
            yield Finding("matched item", f"{stated}", f"an anchor of {ANCHORS}, a control of {CONTROLS}, a pair")
        elif (record.anchor == "event") != ("collision" in record.query):
            yield Finding("anchor", f"{record.query!r}", f"a query by {record.anchor}")
    elif stated != (None, None, None):
        yield Finding("matched item", f"{stated}", "null in other families")


def _check_sources(sample: OpenedSelection, item: ItemFacts) -> Iterator[Finding]:
    """Distractors come from where the subtype says (``balanced``)."""
    if item.preset != "balanced":
        return
    twins = [name for name, _ in item.candidates if name.startswith("twin-")]
    expected = 1 if item.family == "event" and "-cross-" in item.subtype else 0
    strange = [name for name, _ in item.candidates if name != TRUE_RUN and not name.startswith("twin-")]
    if len(twins) != expected or strange:
        yield Finding(
            "source of distractors", f"{[*twins, *strange]}", f"{expected} of a twin, the others of the true run"
        )
    if item.family == "event" and "-match-" in item.subtype:
        run = sample.meta.factual.facts(sample.meta.setup)
        bodies = range(sample.meta.factual.bodies)
        sights = {
            tuple(run.sees(frame, body) for body in bodies) for name, frame in item.candidates if name == TRUE_RUN
        }
        if len(sights) != 1:
            yield Finding("source of distractors", "candidates show different objects", "the same in all of them")


def _check_margin(sample: OpenedSelection, item: ItemFacts) -> Iterator[Finding]:
    """The margin is the one that follows: pixels of what the item is about between target and nearest distractor."""
    margin = nearest_distractor(item, runs_of(sample), sample.meta.focus)
    if not abs(sample.record.margin - margin) <= CLOSE:
        yield Finding("margin", f"{sample.record.margin!r}", f"{margin:.9g}")


def check_focus(item: ItemFacts, run: RunFacts, about: tuple[int, ...]) -> Iterator[Finding]:
    """It is about the bodies that its subtype says; about one that moves in sight where it leaves open which."""
    allowed = [tuple(sorted(each)) for each in _focuses(item, run)]
    if about not in allowed:
        expected = " or ".join(map(str, allowed[:6])) or "no such item"
        yield Finding("focus", f"bodies {about} of {item.subtype}", expected)


def _focuses(item: ItemFacts, run: RunFacts) -> Sequence[tuple[int, ...]]:
    if item.family == "window" and "-C-" in item.subtype:
        return [(body,) for body in range(len(run.enters)) if _moves(run, item, body)]
    if item.family == "window" and "-B-" in item.subtype:
        coming = run.shown_in(item.last, item.target)
        return [hit.objects for hit in coming if hit.shown == coming[0].shown]
    if item.family in ("event", "matched") and item.subtype.startswith("contact"):
        return [hit.objects for hit in run.hits if hit.shown == item.last]
    if item.family in ("event", "matched") and next_hit(run, item.last) is None:
        return []
    found = focus(item, run)
    return [] if found is None else [found]


def _moves(run: RunFacts, item: ItemFacts, body: int) -> bool:
    """Whether an object is seen at cut and target and goes some way in between."""
    if not (run.sees(item.last, body) and run.sees(item.target, body)):
        return False
    u, v = (float(a - b) for a, b in zip(run.pixels[item.last, body], run.pixels[item.target, body], strict=True))
    return math.hypot(u, v) >= LEAST_WAY_PX - CLOSE


def check_distance(record: SelectionRecord) -> Iterator[Finding]:
    """The margin keeps clear of ambiguity: 5 pixels; 15 of easy windows, less of hard ones (``balanced``)."""
    if record.provenance.preset != "balanced":
        return
    hard = record.category == "window" and record.subtype.endswith("-hard")
    least = EASY_PX if record.category == "window" and not hard else LEAST_PX
    if record.margin < least:
        yield Finding("margin within its band", f"{record.margin:.3f} px", f"at least {least:g} px")
    if hard and record.margin >= EASY_PX:
        yield Finding("margin within its band", f"{record.margin:.3f} px of a hard item", f"below {EASY_PX:g} px")
