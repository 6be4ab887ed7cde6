"""From a release directory to the page that shows some of its samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic

from ..errors import UsageError
from ..release import UNRELEASED, Manifest, Sample, read_manifest
from ..schema import RealRecord, SimRecord, config_spec
from ..schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord
from .cards import COLUMNS, make_card, make_real_card
from .corpus import read_frames
from .page import Heading, render_page
from .picking import Entry, check_config, count_categories, read_chosen, read_entries, spread

Chosen = list[tuple[Entry, Sample]]


@dataclass(frozen=True)
class View:
    """How samples of a record type are shown.

    Attributes:
        template: of the page.
        columns: members that the cards need.
        cards: the release, its manifest and the samples -> the cards.
    """

    template: str
    columns: frozenset[str]
    cards: Callable[[Path, Manifest, Chosen], list[Any]]


def make_gallery(root: Path, config: str, count: int) -> tuple[str, int]:
    """The page of ``count`` samples (or as many as there are), and how many it shows.

    Args:
        root: release directory.
        config: a config of the release.
        count: how many samples, at least 1.

    Raises:
        UsageError: not a release or not finished, or the config is not in it, or it is empty.
        ReleaseError: something in the release is broken.
    """
    manifest = read_manifest(root)
    check_config(root, manifest, config)
    entries = read_entries(root, manifest, config)
    if not entries:
        raise UsageError(f"{config} in {root} has no samples to show; build it with more --scenes.")
    chosen = spread(entries, count)
    view = _view(config)
    cards = view.cards(root, manifest, list(read_chosen(root, chosen, view.columns)))
    heading = Heading(config, _facts(manifest, len(entries)), count_categories(entries))
    return render_page(heading, cards, view.template), len(cards)


def _view(config: str) -> View:
    """By the record type; what needs more than pictures do is imported only where it is shown."""
    record = config_spec(config).record
    if issubclass(record, SimRecord):
        return View("page.html.j2", COLUMNS, _each(make_real_card if record is RealRecord else make_card))
    from . import futures

    views: Mapping[type[pydantic.BaseModel], View] = {
        SelectionRecord: View("selection.html.j2", futures.SELECTION_COLUMNS, _each(futures.selection_card)),
        RetrievalRecord: View("retrieval.html.j2", futures.RETRIEVAL_COLUMNS, _queries),
        CorpusRecord: View("corpus.html.j2", futures.CORPUS_COLUMNS, _each(futures.corpus_card)),
    }
    return views[record]


def _each(make: Callable[[Sample, str], Any]) -> Callable[[Path, Manifest, Chosen], list[Any]]:
    return lambda root, manifest, chosen: [make(sample, entry.split) for entry, sample in chosen]


def _queries(root: Path, manifest: Manifest, chosen: Chosen) -> list[Any]:
    from . import futures

    names = [name for _, sample in chosen for name in futures.frames_named(sample)]
    frames = read_frames(root, manifest, names)
    return [futures.retrieval_card(sample, entry.split, frames) for entry, sample in chosen]


def _facts(manifest: Manifest, samples: int) -> dict[str, str]:
    """What the head of the page says of the release."""
    facts = {
        "samples": f"{samples:,}",
        "scenes": f"{sum(manifest.scenes.values()):,}",
        "seed": str(manifest.seed),
        "preset": manifest.preset,
        "simulator": manifest.simulator,
        "builder": manifest.builder_version,
    }
    return facts if manifest.version == UNRELEASED else {"version": manifest.version, **facts}
