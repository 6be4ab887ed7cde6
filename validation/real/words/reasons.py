"""Reasoning texts conclude what the answer says: the sentence that states the outcome names the right choices.

``gt`` and ``after`` state how things stand after the move; ``before`` also states how they stood, which the
before-answer has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from flowbench.schema import LETTERS, RealRecord

from ...recompute.rules import Finding
from ...words.plain import check_signs
from ...words.reasons import check_reasoning
from ..categories import LISTING

RULE: Final = "reasoning concludes the answer"
COUNTS: Final = ("none", "one", "two", "three", "four", "five", "six")
_TEXTS: Final[Mapping[str, int]] = {"gt": 1, "after": 1, "before": 2}
"""Text -> how many outcomes it states at least; the last is that after the move."""
_SEVERAL: Final = r"#\d+#(?:(?:, | and )#\d+#)*"
_NEAREST: Final = re.compile(rf"({_SEVERAL}) (?:is|are) the nearest to @")
_COUNT: Final = re.compile(rf"({'|'.join(COUNTS)}) of the listed objects (?:is|are) that near to @")
_SAID: Final[Mapping[str, Mapping[str, str]]] = {
    "near_object": {
        "within": "@ is nearer to #0# than the distance asked about",
        "beyond": "@ is farther from #0# than the distance asked about",
    },
    "left_right": {"left": "@ is to the left of #0#", "right": "@ is to the right of #0#"},
    "depth_order": {
        "closer": "@ is closer to the camera than #0#",
        "farther": "@ is farther from the camera than #0#",
    },
    "occlusion": {
        "fully visible": "#0# is fully visible",
        "partly blocked": "#0# is partly blocked",
    },
}
"""Category -> what is so -> how it is said; ``@`` is the mover, ``#0#`` the landmark."""
_PLAIN_VIEW: Final = {"fully visible": "#0# is in plain view", "partly blocked": "@ stands before part of #0#"}
"""How occlusion is said of the moment before."""


def check_reasons(record: RealRecord) -> Iterator[Finding]:
    """The three texts are plain, end in the answer, and state the outcomes of both moments."""
    for name in _TEXTS:
        text = getattr(record.reasoning, name)
        yield from check_signs(f"reasoning.{name}", text)
        if "simulat" in text.casefold():
            yield Finding("reasoning of a recording", f"{name} speaks of a simulator", "of what was measured")
    yield from check_reasoning(record)
    offered = dict(zip(LETTERS, record.choices, strict=False))
    now, was = (
        sorted(offered.get(each, "?").casefold() for each in letters or "")
        for letters in (record.answer, record.before_answer)
    )
    for name, count in _TEXTS.items():
        stated = outcomes(record, getattr(record.reasoning, name).casefold())
        expected = [was, now] if count == 2 else [now]
        if stated != expected:
            yield Finding(RULE, f"{name} states {_shown(stated)}", _shown(expected))


def outcomes(record: RealRecord, text: str) -> list[list[str]]:
    """What a text in small letters states, in order, each as the choices that it makes right, ascending."""
    names = [each.name.casefold() for each in record.landmarks]
    text = _with_signs(text, record.mover.name.casefold(), names)
    if record.category in LISTING:
        found = [re.findall(r"#(\d+)#", match[1]) for match in _NEAREST.finditer(text)]
        return [sorted(names[int(each)] for each in listed) for listed in found]
    if record.category == "count_near":
        return [[str(COUNTS.index(match[1]))] for match in _COUNT.finditer(text)]
    said = _SAID.get(record.category, {})
    pairs = [(fact, wording) for fact, wording in said.items()]
    pairs += list(_PLAIN_VIEW.items()) if record.category == "occlusion" else []
    places = [(match.start(), fact) for fact, wording in pairs for match in re.finditer(re.escape(wording), text)]
    return [[_answer(record, fact)] for _, fact in sorted(places)]


def _answer(record: RealRecord, fact: str) -> str:
    """The choice that a fact makes right."""
    if record.category == "occlusion":
        return fact
    return "yes" if fact == record.relation else "no"


def _with_signs(text: str, mover: str, names: list[str]) -> str:
    """The text with ``@`` in place of the mover's name, and ``#i#`` in place of the i-th landmark's."""
    signs = {mover: "@", **{name: f"#{i}#" for i, name in enumerate(names)}}
    text = text.replace("@", "").replace("#", "")
    for name in sorted(filter(None, signs), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", signs[name], text)
    return text


def _shown(stated: list[list[str]]) -> str:
    return ", then ".join("; ".join(each) or "nothing" for each in stated) or "nothing"
