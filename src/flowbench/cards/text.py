"""The dataset card: ``README.md`` with the YAML that ``datasets`` reads, then prose (cli.md, "Release layout")."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from huggingface_hub import DatasetCard

from ..errors import ReleaseError, UsageError
from ..files import write_bytes, write_text
from ..release import CARD, UNRELEASED, Manifest, preview_path, read_text, size_text, validation_path
from ..schema import Column, FieldDoc, describe
from .metadata import PRETTY_NAME, card_data, filled_shards, filled_specs
from .preview import Shown, has_preview, preview, shown_texts
from .tables import Part, read_parts

FOLDER = "flowbench"
"""What the recipes call the release's folder until it is published."""


_MARKUP = re.compile(r"[\\`*\[\]]")
_PUBLISHED = re.compile(r"note = \{Data set (?P<repo>[\w.-]+/[\w.-]+), version (?P<version>\d+\.\d+\.\d+)\}")


@dataclass(frozen=True)
class _Group:
    """Configs with the same columns, documented once."""

    parts: Sequence[Part]
    columns: Sequence[Column]
    fields: Sequence[FieldDoc]
    prose: str
    limits: str


@dataclass(frozen=True)
class _Picture:
    """A config's picture and what its samples ask."""

    config: str
    path: str
    samples: Sequence[Shown]


def write_card(root: Path, manifest: Manifest, repo: str | None = None) -> None:
    """Write the card of the release at ``root`` and its pictures from its manifest, index and shards.

    Write it at every build: the cache of ``datasets`` goes by the card, not by the shards.

    Args:
        root: the release.
        manifest: its manifest, which need not lie there yet.
        repo: the repository, ``ORG/NAME``, that it is about to be published in; the recipes then load from there.

    Raises:
        UsageError: no config has a sample, or the files cannot be written.
        ReleaseError: an index or a shard cannot be read.
    """
    for spec in filled_specs(manifest):
        write_bytes(root / preview_path(spec.name), preview(root, manifest, spec.name))
    write_text(root / CARD, card_text(root, manifest, repo))


def card_text(root: Path, manifest: Manifest, repo: str | None = None) -> str:
    """The card's text; the same for the same manifest, index files and repository.

    Pictures are shown where they lie in the release, and checks told where their results do.

    Raises:
        UsageError: no config has a sample.
        ReleaseError: an index cannot be read.
    """
    parts = read_parts(root, manifest)
    if not parts:
        raise UsageError("the release holds no samples, so it gets no card: build it with more --scenes.")
    shards = list(filled_shards(manifest))
    body = _template().render(
        pretty_name=PRETTY_NAME,
        folder=FOLDER,
        repo=repo,
        source=repo or FOLDER,
        revision=f', revision="v{manifest.version}"' if repo and manifest.version != UNRELEASED else "",
        tag=f"v{manifest.version}",
        manifest=manifest,
        parts=parts,
        first=parts[0],
        groups=_groups(parts),
        pictures=[_picture(root, manifest, part) for part in parts if has_preview(root, part.spec.name)],
        checked=[part.spec.name for part in parts if (root / validation_path(part.spec.name)).is_file()],
        split_names=list(dict.fromkeys(split.name for part in parts for split in part.splits)),
        configs=[part.spec.name for part in parts],
        scenes=max(manifest.scenes.values(), default=0),
        licences=sorted({part.spec.licence for part in parts}),
        total_samples=f"{sum(shard.samples for shard in shards):,}",
        total_shards=len(shards),
        total_size=size_text(sum(shard.bytes for shard in shards)),
    )
    return str(DatasetCard(f"---\n{card_data(manifest).to_yaml()}\n---\n\n{body}"))


def published_in(root: Path, manifest: Manifest) -> str | None:
    """The repository that the card at ``root`` speaks of; None where it was never published, or is of other content."""
    try:
        text = read_text(root / CARD)
    except (OSError, ReleaseError):
        return None
    found = _PUBLISHED.search(text)
    return found["repo"] if found and found["version"] == manifest.version else None


def _picture(root: Path, manifest: Manifest, part: Part) -> _Picture:
    name = part.spec.name
    return _Picture(name, preview_path(name), shown_texts(root, manifest, name))


def _groups(parts: Sequence[Part]) -> list[_Group]:
    """Configs of a family, ``sim_train`` and ``sim_test``, share their columns, their record and their prose."""
    groups = []
    for family, members in itertools.groupby(parts, key=lambda part: part.spec.family):
        together = list(members)
        spec = together[0].spec
        prose, limits = (_prose(name) for name in (f"{family}.md", f"{family}_limits.md"))
        groups.append(_Group(together, spec.columns, list(describe(spec.record)), prose, limits))
    return groups


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=False,  # Markdown, not HTML; the filters escape what would end a cell, begin a tag, or be markup
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": _cell, "plain": _plain}
    return environment.from_string(_folder().joinpath("README.md.j2").read_text("utf-8"))


def _plain(text: str) -> str:
    """Text of the data for a cell of a table: nothing in it is Markdown."""
    return _cell(_MARKUP.sub(r"\\\g<0>", text))


def _cell(text: str) -> str:
    """Markdown of ours for a cell of a table."""
    return " ".join(text.split()).replace("<", "&lt;").replace("|", "\\|")


def _prose(name: str) -> str:
    return str(_folder().joinpath(name).read_text("utf-8").strip())


def _folder() -> Any:
    return resources.files("flowbench").joinpath("dataset_cards")
