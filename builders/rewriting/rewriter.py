"""The optional rewriter: texts in, texts out; what cannot be shown to say the same stays as the rules wrote it."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from .cache import Cache, Entry
from .checking import Text, refuse
from .client import ChatClient, Limits
from .endpoint import Endpoint
from .prompt import PROMPT_VERSION, again, answers, opening

ROUNDS = 3
"""Times that a text is asked for until it passes the checks."""


@dataclass(frozen=True)
class Rewritten:
    """What a rewriter made of some texts.

    Attributes:
        texts: slot -> text, for every slot given.
        source: what the cache holds of it, for the provenance; None where there is no rewriter.
    """

    texts: Mapping[str, str]
    source: Entry | None


class Rewriter(Protocol):
    """Rewords the texts of a sample."""

    def rewrite(self, texts: Sequence[Text]) -> Rewritten:
        """Reword texts; their meaning, names, numbers, directions and letters stay."""


class NoRewriter:
    """Leaves every text as it is."""

    def rewrite(self, texts: Sequence[Text]) -> Rewritten:
        """The texts themselves."""
        return Rewritten({text.slot: text.text for text in texts}, None)


@dataclass(frozen=True)
class RewriterSettings:
    """Which rewriter a build uses; plain values, so that they travel to workers. No secret is among them.

    Attributes:
        model: of the endpoint.
        prompt: version of what it is asked.
        url: the endpoint's; the same model may move, so what is built does not go by it.
        cache: folder of its answers.
    """

    model: str
    url: str = field(repr=False)
    cache: str = field(repr=False)
    prompt: str = PROMPT_VERSION

    @classmethod
    def of(cls, url: str, model: str, cache: Path) -> RewriterSettings:
        """Check what a user gave; raises UsageError as :meth:`Endpoint.of` does."""
        endpoint = Endpoint.of(url, model)
        return cls(endpoint.model, endpoint.url, str(cache))

    @property
    def name(self) -> str:
        """What a build's identity says: ``some-model (prompt 1)``."""
        return f"{self.model} (prompt {self.prompt})"

    def check(self) -> None:
        """Ask the endpoint for a word before anything is built, unless there are answers in the cache already.

        Raises:
            RewriterError: it does not answer.
            UsageError: ``httpx2`` is not installed, or the key is no key.
        """
        client = ChatClient(Endpoint(self.url, self.model), Limits(seconds=45.0, tries=2))
        if Cache(Path(self.cache)).is_empty:
            client.ask([{"role": "user", "content": "Answer with the word: ready"}])


class CachedModel:
    """A model whose answers are remembered."""

    def __init__(self, settings: RewriterSettings, limits: Limits | None = None) -> None:
        self._endpoint = Endpoint(settings.url, settings.model)
        self._cache = Cache(Path(settings.cache))
        self._limits = limits

    @functools.cached_property
    def _client(self) -> ChatClient:
        """Made when it is first needed: a full cache needs none."""
        return ChatClient(self._endpoint, self._limits)

    def _remembered(self, prompt: str, asked: object, answer: Callable[[], Mapping[str, str]]) -> Entry:
        """The outcome of a request: from the cache, else as it is found now.

        Args:
            prompt: version of what is asked.
            asked: the first request, as JSON writes it; the cache goes by it.
            answer: asks the model; slot -> text that passed the checks.
        """
        request = [prompt, self._endpoint.model, asked]
        key = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        entry = self._cache.read(key)
        if entry is not None:
            return entry
        made = Entry(endpoint=self._endpoint.url, model=self._endpoint.model, prompt=prompt, texts=answer())
        return self._cache.keep(key, made)


class ChatRewriter(CachedModel):
    """Asks a model, checks what it says, and remembers the outcome."""

    def rewrite(self, texts: Sequence[Text]) -> Rewritten:
        """From the cache, or from the model; refused rewordings are asked for again, with the reason, a few times.

        Raises:
            RewriterError: the endpoint fails.
            UsageError: the cache cannot be used.
        """
        entry = self._remembered(PROMPT_VERSION, opening(texts), lambda: self._asked(texts))
        # The cache may come from anywhere: what is in it is held to the same checks.
        good = {text.slot: made for text in texts if (made := _passing(text, entry.texts)) is not None}
        return Rewritten({text.slot: good.get(text.slot, text.text) for text in texts}, entry)

    def _asked(self, texts: Sequence[Text]) -> Mapping[str, str]:
        """What the model makes of the texts."""
        good: dict[str, str] = {}
        problems: dict[str, str] = {}
        for _ in range(ROUNDS):
            left = [text for text in texts if text.slot not in good]
            if not left:
                break
            found = answers(self._client.ask(again(left, problems) if problems else opening(left)))
            for text in left:
                problem = refuse(text, found.get(text.slot, ""))
                if problem is None:
                    good[text.slot] = found[text.slot]
                else:
                    problems[text.slot] = problem
        return {text.slot: good[text.slot] for text in texts if text.slot in good}


def _passing(text: Text, found: Mapping[str, str]) -> str | None:
    """The rewording of a text where it passes the checks."""
    made = found.get(text.slot, "")
    return made if refuse(text, made) is None else None


@functools.lru_cache(maxsize=4)
def rewriter_of(settings: RewriterSettings | None) -> Rewriter:
    """The rewriter of this process."""
    return NoRewriter() if settings is None else ChatRewriter(settings)
