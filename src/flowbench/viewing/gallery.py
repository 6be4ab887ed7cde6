"""From a release directory to the page that shows some of its samples."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError
from ..release import MANIFEST, STATE, UNRELEASED, Manifest, read_manifest
from .cards import COLUMNS, make_card
from .page import Heading, render_page
from .picking import check_config, count_categories, read_chosen, read_entries, spread


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
    if (root / STATE).is_dir() and not (root / MANIFEST).exists():
        raise UsageError(f"{root} holds an unfinished build: run the same `flowbench build` command again.")
    manifest = read_manifest(root)
    check_config(root, manifest, config)
    entries = read_entries(root, manifest, config)
    if not entries:
        raise UsageError(f"{config} in {root} has no samples to show; build it with more --scenes.")
    chosen = spread(entries, count)
    cards = [make_card(sample, entry.split) for entry, sample in read_chosen(root, chosen, COLUMNS)]
    heading = Heading(config, _facts(manifest, len(entries)), count_categories(entries))
    return render_page(heading, cards), len(cards)


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
