"""Motions, scales, questions and choices say what the record says, with dots, badges or names alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flowbench.schema import RealRecord
from flowbench.schema.real import OtherMove, RealMotion

from ...recompute.rules import Finding
from ...words.plain import check_signs
from ..categories import LISTING
from ..named import named_ids, named_things
from .phrasings import MOTIONS, OTHER, QUESTIONS, SCALE, SEEN_FROM, SEEN_UPRIGHT, WORDS

Names = Mapping[int, str]
"""Instance id -> what texts call it."""


@dataclass(frozen=True)
class Told:
    """The texts of one version.

    Attributes:
        version: ``dots``, ``badges`` or ``names``, for findings.
        names: of what is named.
        motion, question, static, choices: the texts.
    """

    version: str
    names: Names
    motion: str
    question: str
    static: str
    choices: Sequence[str]


def versions_of(record: RealRecord) -> Iterator[Told]:
    """The texts of the record, and those of the badges."""
    yield Told(
        "names" if record.named else "dots",
        {each.id: each.name for each in named_things(record)},
        record.motion_text,
        record.question,
        record.static_question,
        record.choices,
    )
    badges = record.badge_texts
    if badges is not None:
        names = {each.id: f"object {each.number}" for each in record.badges}
        yield Told("badges", names, badges.motion_text, badges.question, badges.static_question, badges.choices)


def check_texts(record: RealRecord) -> Iterator[Finding]:
    """Every text is one that may be told of this record."""
    if (record.badge_texts is None) != record.named:
        found = "none" if record.badge_texts is None else "some"
        yield Finding("texts of the badges", f"{found}, named: {record.named}", "texts where objects go by marks")
    for told in versions_of(record):
        for name, text in (("motion", told.motion), ("question", told.question), ("static", told.static)):
            yield from check_signs(f"{told.version}, {name}", text)
        for text in told.choices:
            yield from check_signs(f"{told.version}, choice", text)
        missing = [each for each in named_ids(record) if each not in told.names]
        if missing:
            yield Finding("names of the texts", f"{told.version}: ids {missing} without one", "a name each")
            continue
        yield from _version(record, told)
    yield from _threshold(record)


def _version(record: RealRecord, told: Told) -> Iterator[Finding]:
    scale = scale_sentence(record, told.names)
    if told.version != "badges" and record.scale.text != scale:
        yield Finding("scale sentence", record.scale.text, scale)
    motions = [f"{each} {scale}" for each in motion_sentences(record, told.names)]
    if told.motion not in motions:
        yield Finding("text of the motion", f"{told.version}: {told.motion}", motions[0])
    pairs = [(question, f"{static} {scale}") for question, static in questions(record, told)]
    if (told.question, told.static) not in pairs:
        found = f"{told.version}: {told.question} / {told.static}"
        yield Finding("text of the question", found, " / ".join(pairs[0]) if pairs else "a question of the category")
    expected = choices(record, told.names)
    if expected is not None and sorted(told.choices) != sorted(expected):
        yield Finding("choices", f"{told.version}: {list(told.choices)}", str(list(expected)))
    listed = record.category in LISTING
    if listed and expected is not None and list(told.choices) != list(expected):
        yield Finding("order of the choices", f"{told.version}: {list(told.choices)}", str(list(expected)))


def scale_sentence(record: RealRecord, names: Names) -> str:
    """The size of the reference."""
    return SCALE.format(a=names[record.scale.id], size=record.scale.width_cm)


def motion_sentences(record: RealRecord, names: Names) -> list[str]:
    """All that the motion may be told as, the moves of others included."""
    mover, path = names[record.mover.id], way(record.motion)
    moves: list[RealMotion | OtherMove] = [record.motion, *record.others]
    upright = any(round(move.down * 100.0) for move in moves)
    holes = {"a": mover, "A": capital(mover), "path": path, "seen": SEEN_UPRIGHT if upright else SEEN_FROM}
    others = [OTHER.format(A=capital(names[each.id]), path=way(each)) for each in record.others]
    return [" ".join([each.format(**holes), *others]) for each in MOTIONS]


def way(move: RealMotion | OtherMove) -> str:
    """``12 cm to the left and 5 cm up``."""
    right, down = round(move.right * 100.0), round(move.down * 100.0)
    across = f"{abs(right)} cm to the {'right' if right > 0 else 'left'}" if right else ""
    along = f"{abs(down)} cm {'down' if down > 0 else 'up'}" if down else ""
    return " and ".join(part for part in (across, along) if part)


def questions(record: RealRecord, told: Told) -> list[tuple[str, str]]:
    """Question and static question that the record may ask."""
    names = [told.names[each.id] for each in record.landmarks]
    if not names:
        return []
    holes = {
        "a": told.names[record.mover.id],
        "l": names[0],
        "listed": " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names),
        "t": "" if record.threshold is None else f"{round(record.threshold * 100.0)} cm",
    }
    asked = QUESTIONS.get((record.category, record.relation), ())
    return [(capital(one.format(**holes)), capital(other.format(**holes))) for one, other in asked]


def choices(record: RealRecord, names: Names) -> list[str] | None:
    """The choices that a category has, listed objects in their order; None of counts, which labels hold."""
    if record.category in LISTING:
        return [names[each.id] for each in record.landmarks]
    words = WORDS.get(record.category)
    return None if words is None else list(words)


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _threshold(record: RealRecord) -> Iterator[Finding]:
    """Thresholds are whole centimetres, since texts say so."""
    t = record.threshold
    if t is not None and abs(t * 100.0 - round(t * 100.0)) > 1e-6:
        yield Finding("threshold in whole centimetres", f"{t:.7g} m", "as the texts state it")
    if record.scale.width_cm < 1:
        yield Finding("scale sentence", f"{record.scale.width_cm} cm", "at least 1 cm")
