"""Whether a rationale is true: every sentence is understood, and every claim holds of the published run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ...recompute.rules import Finding
from ..facts import Hit
from .grammar import Claim, claims_of
from .parts import PARTS
from .viewed import CLOSE_M, JUST, SOON, Viewed

_LONGEST: Final = 80
Check = Callable[[Claim, Viewed, Sequence[int]], Iterator[str]]
"""What speaks against a claim about these bodies."""


def check_told(text: str, viewed: Viewed) -> Iterator[Finding]:
    """What of a rule-based rationale cannot be read, is not true, or is out of order."""
    heads = [part.head for part in PARTS]
    places = [text.find(head) for head in heads]
    if places[0] != 0 or places != sorted(places) or any(text.count(head) != 1 for head in heads):
        return  # the four parts are checked for themselves
    ends = [*places[1:], len(text)]
    for part, start, end in zip(PARTS, places, ends, strict=True):
        claims: list[Claim] = []
        for each in claims_of(part, text[start + len(part.head) : end].strip()):
            if isinstance(each, str):
                yield Finding("sentence of a rationale", each[:_LONGEST], f"one that {part.head!r} may say")
            else:
                claims.append(each)
        for claim in claims:
            yield from _claim(claim, viewed)
        yield from _order(claims, viewed)


def _claim(claim: Claim, viewed: Viewed) -> Iterator[Finding]:
    bodies = [viewed.names[name] for name in claim.names if name in viewed.names]
    if len(bodies) != len(claim.names):
        yield Finding("untrue rationale", claim.text[:_LONGEST], "bodies of the scene")
        return
    unseen = [viewed.setup.bodies[body].name for body in bodies if body not in viewed.known]
    reasons = (
        [f"{', '.join(unseen)} is not seen at the cut"] if unseen else [*CHECKS[claim.kind](claim, viewed, bodies)]
    )
    for why in reasons:
        yield Finding("untrue rationale", f"{claim.text[:_LONGEST]!r}", why)


def _order(claims: Sequence[Claim], viewed: Viewed) -> Iterator[Finding]:
    """Collisions are told in order of time, each once; courses by how near they are."""
    told = [
        tuple(sorted(viewed.names.get(name, -1) for name in each.names)) for each in claims if each.kind == "struck"
    ]
    met = dict.fromkeys(hit.objects for hit in viewed.between(viewed.cut, viewed.target))
    known = [pair for pair in met if {*pair} <= {*viewed.known}]
    if told and told != known[: len(told)]:
        yield Finding("order of a rationale", f"collisions of {told}", f"{known} in this order")
    courses = [each.slots["when"] for each in claims if each.kind == "course"]
    if courses != sorted(courses):
        yield Finding("order of a rationale", f"courses {courses}", "imminent ones first")


def _now(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    """Region, pace and heading at the cut, as far as they are told."""
    for body in bodies:
        true = {
            "region": viewed.region(body, viewed.cut),
            "pace": viewed.pace(body) or "at rest",
            "heading": viewed.heading(body) or "nowhere",
        }
        true["way"] = true["pace"]
        for slot, told in claim.slots.items():
            if told != true[slot]:
                yield f"{slot} {true[slot]}"
        if claim.kind == "drifting" and viewed.heading(body) is not None:
            yield f"heading {viewed.heading(body)}"


def _rests(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    for body in bodies:
        if viewed.pace(body) is not None:
            yield f"{viewed.setup.bodies[body].name} moves"
        elif claim.slots.get("region", viewed.region(body, viewed.cut)) != viewed.region(body, viewed.cut):
            yield f"region {viewed.region(body, viewed.cut)}"


def _moves(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    yield from (f"{viewed.setup.bodies[body].name} is at rest" for body in bodies if viewed.pace(body) is None)


def _course(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    true = viewed.course(*bodies) if len({*bodies}) == 2 else None
    if true != claim.slots["when"]:
        yield f"{true or 'no such collision'} within {SOON} frames, before any other of theirs"


def _no_course(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    coming = viewed.between(viewed.cut, viewed.cut + SOON)
    yield from _first(viewed, [hit for hit in coming if {*hit.objects} & {*viewed.known}])


def _free(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    yield from _first(viewed, viewed.between(viewed.cut, viewed.target))


def _first(viewed: Viewed, hits: Sequence[Hit]) -> Iterator[str]:
    for hit in hits[:1]:
        yield f"a collision of {' and '.join(viewed.setup.bodies[body].name for body in hit.objects)}"


def _met(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    if {*bodies} not in [{*hit.objects} for hit in viewed.between(viewed.cut - JUST - 1, viewed.cut)]:
        yield f"no such collision in the last {JUST} frames"


def _struck(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    if {*bodies} not in [{*hit.objects} for hit in viewed.between(viewed.cut, viewed.target)]:
        yield "no such collision up to the target"


def _later(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    """What has become of a body at the target."""
    for body in bodies:
        true = fate(viewed, body)
        told = claim.kind
        if told != true and not (told == "there" and true in ("stays", "goes", "shifts")):
            yield f"it {true.replace('gone', 'has gone').replace('covered', 'is covered')}"
        elif "region" in claim.slots and claim.slots["region"] != viewed.region(body, viewed.target):
            yield f"region {viewed.region(body, viewed.target)}"


def fate(viewed: Viewed, body: int) -> str:
    """The kind of clause that tells where a body is at the target."""
    if not viewed.sees(body, viewed.target):
        return "gone" if viewed.left(body) else "covered"
    if viewed.region(body, viewed.target) != viewed.region(body, viewed.cut):
        return "goes"
    return "shifts" if viewed.moved(body) else "stays"


def _close(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    if len({*bodies}) != 2 or not all(viewed.sees(body, viewed.target) for body in bodies):
        yield "two bodies in sight"
    elif viewed.gap(*bodies) > CLOSE_M + 1e-9:
        yield f"{viewed.gap(*bodies):.2f} m apart"


def _as_it_was(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    yield from (f"{viewed.setup.bodies[body].name} is not" for body in viewed.known if fate(viewed, body) != "stays")


def _nothing_seen(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    yield from (f"{viewed.setup.bodies[body].name} is seen" for body in viewed.known)


def _always(claim: Claim, viewed: Viewed, bodies: Sequence[int]) -> Iterator[str]:
    yield from ()


CHECKS: Final[Mapping[str, Check]] = {
    "moving": _now,
    "drifting": _now,
    "resting": _rests,
    "resting together": _rests,
    "moving together": _moves,
    "nothing seen": _nothing_seen,
    "course": _course,
    "no course": _no_course,
    "keeps": _now,
    "struck": _struck,
    "free": _free,
    "later": _free,
    "met": _met,
    "always": _always,
    **dict.fromkeys(("stays", "goes", "shifts", "gone", "covered", "there"), _later),
    "close": _close,
    "as it was": _as_it_was,
}
"""Kind of a clause -> what is held against it."""
