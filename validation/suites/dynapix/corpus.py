"""Queries against the corpus that they are asked over, and its frames against each other: there, apart, and unlike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, final

import polars as pl

from ...dynapix.opened import frame_name
from ...dynapix.retrieval import CLEAR
from ...dynapix.searching import run_of, runs_in
from ..base import ConfigSuite, Findings, OpenedConfig, Table, Violation
from .labels import ABOUT, NAME

CORPUS: Final = "retrieval_corpus"


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
        violations = [*_missing(config, held), *_states(config, corpus), *_near(config, held), *_seen(config, held)]
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
    frames = runs_in(sorted(held))
    for key, split, text in config.index.select("id", "split", "target_frame_id").iter_rows():
        target = frame_name(text)
        if target is None:
            continue
        near = [frame for frame in frames.get(run_of(target), ()) if 0 < abs(frame - target.frame) <= CLEAR]
        if near:
            found = f"frames {near} of {target.variant} beside {target.frame}"
            yield Violation("corpus near a target", found, f"none within {CLEAR} frames", key=key, split=split)


def _seen(config: OpenedConfig, held: set[str]) -> Iterator[Violation]:
    """A negative that the video shows is taken only where the corpus has no more of the run that it does not show."""
    frames = runs_in(sorted(held))
    columns = "id", "split", "target_frame_id", "negatives", pl.col("prefix").struct.field("last")
    for key, split, text, negatives, last in config.index.select(*columns).iter_rows():
        target, names = frame_name(text), [frame_name(each) for each in negatives]
        if target is None:
            continue
        own = {each.frame for each in names if each is not None and run_of(each) == run_of(target)}
        unseen = {frame for frame in frames.get(run_of(target), ()) if frame > last} - {target.frame}
        if any(frame <= last for frame in own) and unseen - own:
            found = f"{sorted(frame for frame in own if frame <= last)}, and {sorted(unseen - own)} unused"
            yield Violation("negatives that were seen", found, "frames after the cut first", key=key, split=split)


@final
class Spaced(ConfigSuite):
    """Of ``retrieval_corpus``."""

    name = NAME
    about = ABOUT

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Frames of a run that are too near each other, and pictures that are there twice."""
        violations: list[Violation] = []
        for (scene, variant), frames in sorted(runs_in(config.index["frame_id"].to_list()).items()):
            near = [f"{a} and {b}" for a, b in pairwise(frames) if b - a <= CLEAR]
            if near:
                found = f"{', '.join(near[:5])} of {scene:06d}-{variant}"
                violations.append(Violation("corpus frames near each other", found, f"over {CLEAR} frames apart"))
        violations.extend(_twice(config.facts))
        return Findings(violations)


def _twice(facts: pl.DataFrame) -> Iterator[Violation]:
    if "frame_sha256" not in facts.columns:
        return
    alike = facts.filter(pl.col("frame_sha256").is_not_null() & pl.col("frame_sha256").is_duplicated())
    for _, own in alike.sort("key").group_by("frame_sha256", maintain_order=True):
        keys = own["key"].to_list()
        yield Violation("corpus picture twice", f"{', '.join(keys[:5])} are alike", "every picture once", key=keys[0])
