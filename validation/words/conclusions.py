"""Reasoning concludes what the answer says: the sentence that states the outcome names the right choices and no other.

A text states outcomes in one form a category. ``gt`` and ``after`` state the one after the move; ``before`` also states
what was so before it, which the before-answer has. Of a text that a language model reworded only the names are held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from flowbench.schema import LETTERS, SimRecord

from ..recompute.rules import Finding

RULE: Final = "reasoning concludes the answer"
LISTS: Final = ("closer_to", "closest_three")
"""Categories whose choices are names."""
_TEXTS: Final[Mapping[str, int]] = {"gt": 1, "after": 1, "before": 2}
"""Text -> how many outcomes it states; the last is that after the move."""
_ONCE: Final = ("occlusion",)
"""Categories of which nothing is asked before the move."""
_SEVERAL: Final = r"#\d+#(?:(?:, | and )#\d+#)*"
_NEAR: Final = re.compile(
    rf"(?:none of the listed objects|{_SEVERAL}(?:, \w+ in all,)?) (?:is|are) within the stated distance of @"
)
_NEAREST: Final = re.compile(rf"listed objects? nearest to @ (?:is|are) {_SEVERAL}")
_STATED: Final[Mapping[str, Mapping[str, str]]] = {
    "near_object": {
        "yes": "@ is within the stated distance of #0#",
        "no": "@ is farther than the stated distance from #0#",
    },
    "occlusion": {"yes": "@ hides a large part of #0#", "no": "@ does not hide #0#"},
    "contact_wall": {"yes": "@ touches a wall", "no": "@ is clear of every wall"},
    "feasibility": {"yes": "@ has room to go ", "no": "@ would run into "},
}
"""Category -> answer -> how it is stated; ``@`` is the mover, ``#0#`` the landmark."""
_OTHER_SIDE: Final = {"left": "right", "right": "left"}


def check_conclusions(record: SimRecord) -> Iterator[Finding]:
    """The outcomes that the three texts state are those of the answers."""
    offered = dict(zip(LETTERS, record.choices, strict=False))
    now, was = (
        None if letters is None else tuple(sorted(offered.get(each, "?").casefold() for each in letters))
        for letters in (record.answer, record.before_answer)
    )
    if now is None:
        return
    reworded = record.provenance.rewriter is not None
    for name, count in _TEXTS.items():
        text = getattr(record.reasoning, name).casefold()
        if reworded:
            if record.category in LISTS and not all(each in text for each in now):
                yield Finding(RULE, f"{name} does not name all of {'; '.join(now)}", record.answer_text)
            continue
        stated = stated_outcomes(record, text)
        if stated is None:
            return
        expected = [was, now] if count > 1 and record.category not in _ONCE else [now]
        if stated != expected:
            yield Finding(RULE, f"{name} states {_shown(stated)}", _shown(expected))


def stated_outcomes(record: SimRecord, text: str) -> list[tuple[str, ...]] | None:
    """What a text in small letters states, in order, each as the choices that it makes right, ascending.

    None of a category whose texts state nothing that is known.
    """
    names = [each.name.casefold() for each in record.landmarks]
    text = _with_signs(text, record.mover.name.casefold(), names)
    if record.category == "count_near":
        return [(str(len(found)),) for found in _named(_NEAR, text)]
    if record.category in LISTS:
        return [tuple(sorted(names[int(each)] for each in found)) for found in _named(_NEAREST, text)]
    if record.category == "left_right" and record.relation in _OTHER_SIDE:
        stated = {
            "yes": f"@ is to the {record.relation} of #0#",
            "no": f"@ is to the {_OTHER_SIDE[record.relation]} of #0#",
        }
    elif record.category in _STATED:
        stated = dict(_STATED[record.category])
    else:
        return None
    found = [(match.start(), answer) for answer, each in stated.items() for match in re.finditer(re.escape(each), text)]
    return [(answer,) for _, answer in sorted(found)]


def _with_signs(text: str, mover: str, names: Sequence[str]) -> str:
    """The text with ``@`` in place of the mover's name, and ``#i#`` in place of the i-th landmark's."""
    signs = {mover: "@", **{name: f"#{i}#" for i, name in enumerate(names)}}
    text = text.replace("@", "").replace("#", "")
    for name in sorted(filter(None, signs), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", signs[name], text)
    return text


def _named(form: re.Pattern[str], text: str) -> list[list[str]]:
    """The indices of landmarks in each sentence of a form."""
    return [re.findall(r"#(\d+)#", match[0]) for match in form.finditer(text)]


def _shown(outcomes: Sequence[tuple[str, ...] | None]) -> str:
    return ", then ".join("nothing" if each is None else "; ".join(each) for each in outcomes) or "nothing"
