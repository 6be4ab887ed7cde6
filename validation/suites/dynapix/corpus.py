"""Queries against the corpus that they are asked over: targets and negatives are there, and no frame too near one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, final

from ...dynapix.opened import FrameName, frame_name
from ...dynapix.retrieval import CLEAR
from ..base import ConfigSuite, Findings, OpenedConfig, Table, Violation
from .labels import ABOUT, NAME

CORPUS: Final = "retrieval_corpus"
Run = tuple[int, str]


@final
class InCorpus(ConfigSuite):
    """Of ``retrieval_test``, as far as the corpus was read together with it."""

    name = NAME
    about = ABOUT

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What is missing from the corpus, what is too much in it, and how much was looked for."""
        corpus = others.get(CORPUS)
        if corpus is None:
            if CORPUS not in config.manifest.configs:
                return Findings([Violation("corpus", "none in the release", f"{CORPUS}, whose frames are ranked")])
            return Findings([], [_told("not looked for: check both configs together", 0, 0)])
        if config.facts.is_empty() or corpus.facts.is_empty():
            return Findings()
        held = set(corpus.index["frame_id"])
        violations = [*_missing(config, held), *_states(config, corpus), *_near(config, held)]
        return Findings(violations, [_told("looked for", config.index.height, len(held))])


def _told(what: str, queries: int, frames: int) -> Table:
    rows = [(what, f"{queries:,}", f"{frames:,}")]
    limits = f"Targets and negatives are in the corpus; no other frame of a run within {CLEAR} frames of a target."
    return Table("Against the corpus", ("targets and negatives", "queries", "frames"), rows, limits)


def _missing(config: OpenedConfig, held: set[str]) -> Iterator[Violation]:
    for key, split, target, negatives in config.index.select("id", "split", "target_frame_id", "negatives").iter_rows():
        if target not in held:
            yield Violation("target in the corpus", f"{target} is not", "there", key=key, split=split)
        absent = [text for text in negatives if text not in held]
        if absent:
            yield Violation(
                "negatives in the corpus", f"{', '.join(absent[:5])} are not", "there", key=key, split=split
            )


def _states(config: OpenedConfig, corpus: OpenedConfig) -> Iterator[Violation]:
    """The corpus frame of a target shows what the query's own run has at that frame."""
    if "state_sha256" not in config.facts.columns or "state_sha256" not in corpus.facts.columns:
        return
    shown = dict(corpus.facts.select("key", "state_sha256").iter_rows())
    wanted = dict(config.index.select("id", "target_frame_id").iter_rows())
    for key, split, state in config.facts.select("key", "split", "state_sha256").iter_rows():
        target = wanted.get(key)
        if state is not None and target in shown and shown[target] != state:
            yield Violation(
                "state of the target", f"{target} has other poses or set-up", "the query's", key=key, split=split
            )


def _near(config: OpenedConfig, held: set[str]) -> Iterator[Violation]:
    """No frame of a run lies within six frames of a target of it."""
    frames: dict[Run, list[int]] = defaultdict(list)
    for text in sorted(held):
        name = frame_name(text)
        if name is not None:
            frames[_run(name)].append(name.frame)
    for key, split, text in config.index.select("id", "split", "target_frame_id").iter_rows():
        target = frame_name(text)
        if target is None:
            continue
        near = [frame for frame in frames[_run(target)] if 0 < abs(frame - target.frame) <= CLEAR]
        if near:
            found = f"frames {near} of {target.variant} beside {target.frame}"
            yield Violation("corpus near a target", found, f"none within {CLEAR} frames", key=key, split=split)


def _run(name: FrameName) -> Run:
    return name.scene, name.variant
