"""What a model is asked, and how its answer is read. A change here changes :data:`PROMPT_VERSION`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .checking import Kind, Text, clean, pieces
from .client import Message

PROMPT_VERSION = "1"

_INSTRUCTIONS = """You reword short English texts of a data set about imagining how a scene changes. You are given a \
JSON object: each entry holds a "text", the "kind" of text it is, and the pieces to "keep". Answer with one JSON \
object with the same names and, for each, the reworded text as a string; nothing else.

Rules for every text:
- It says exactly the same in other words and with another sentence structure, in plain, correct English, no markup.
- The pieces to keep (names, numbers with their units, directions, negations) occur word for word, in the order given, \
and none of them more often or less often; use pronouns where a name may not occur again.
- No number, direction, object, comparison or negation comes in that the text does not have.
- It is about as long as the text.

{kinds}"""
_KINDS: Mapping[Kind, str] = {
    Kind.MOTION: "one or two statements that tell the motion and nothing of what comes of it",
    Kind.QUESTION: "one question, which gives no hint at its answer, about the state after the motion",
    Kind.STATIC_QUESTION: "one question about a picture as it is; it does not mention any motion, past or future",
    Kind.REASONING: "statements that argue in the same steps; the very last word is the same letter or letters",
}


def opening(texts: Sequence[Text]) -> list[Message]:
    """The request for the first try; the cache goes by it."""
    return [_system(), _user(texts, {})]


def again(texts: Sequence[Text], problems: Mapping[str, str]) -> list[Message]:
    """The request for texts whose rewordings were refused; problems: slot -> why."""
    return [_system(), _user(texts, problems)]


def answers(reply: str | None) -> Mapping[str, str]:
    """Slot -> cleaned rewording, as far as a reply holds any; models like to wrap their JSON in a fence."""
    try:
        start, end = (reply or "").index("{"), (reply or "").rindex("}")
        found = json.loads((reply or "")[start : end + 1])
    except (ValueError, RecursionError):
        return {}
    return {slot: clean(text) for slot, text in found.items() if isinstance(text, str)}


def _system() -> Message:
    kinds = "\n".join(f"- {kind.value}: {meaning}." for kind, meaning in _KINDS.items())
    return {"role": "system", "content": _INSTRUCTIONS.format(kinds=f"The kinds:\n{kinds}")}


def _user(texts: Sequence[Text], problems: Mapping[str, str]) -> Message:
    entries: dict[str, dict[str, Any]] = {}
    for text in texts:
        keep = [*pieces(text.text, text.names), *([f"{text.letter}."] if text.letter else [])]
        entries[text.slot] = {"kind": text.kind.value, "text": text.text, "keep": keep}
        if text.slot in problems:
            entries[text.slot]["refused_before_because"] = problems[text.slot]
    return {"role": "user", "content": json.dumps(entries, indent=1)}
