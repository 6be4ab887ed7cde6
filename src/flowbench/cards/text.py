"""The dataset card: ``README.md`` with the YAML that ``datasets`` reads, then prose (cli.md, "Release layout")."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import DatasetCard

from ..errors import ReleaseError, UsageError
from ..files import write_bytes, write_text
from ..release import CARD, UNRELEASED, Manifest, preview_path, read_text, size_text, validation_path
from ..schema import Column, FieldDoc, describe
from .metadata import PRETTY_NAME, card_data, filled_shards, filled_specs
from .preview import has_preview, look, preview, shown_words
from .recipes import Recipes, environment, folder, recipes_of, unique
from .tables import Part, read_parts, sample_tables

FOLDER = "flowbench"
"""What the recipes call the release's folder until it is published."""


_PUBLISHED = re.compile(r"note = \{Data set (?P<repo>[\w.-]+/[\w.-]+), version (?P<version>\d+\.\d+\.\d+)\}")


@dataclass(frozen=True)
class _Layout:
    """Configs with the same columns; no fields where those of the record have been listed before."""

    names: str
    columns: Sequence[Column]
    fields: Sequence[FieldDoc]


@dataclass(frozen=True)
class _Group:
    """Configs of a family, explained once."""

    names: str
    about: str
    layouts: Sequence[_Layout]
    prose: str
    limits: str
    paper: str


@dataclass(frozen=True)
class _Picture:
    """A config's picture, and the words of its samples as rows of a table; no header where it has none."""

    config: str
    path: str
    recipes: Recipes
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


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
    source, revision = (
        repo or FOLDER,
        f', revision="v{manifest.version}"' if repo and manifest.version != UNRELEASED else "",
    )
    kinds = _recipes(parts, source, revision)
    body = (
        environment()
        .get_template("README.md.j2")
        .render(
            pretty_name=PRETTY_NAME,
            folder=FOLDER,
            repo=repo,
            source=source,
            revision=revision,
            tag=f"v{manifest.version}",
            manifest=manifest,
            parts=parts,
            first=parts[0],
            recipes=kinds[0],
            decoding=[kind.decoding for kind in kinds],
            notes=unique(kind.note for kind in kinds),
            conventions=unique(each for kind in kinds for each in kind.conventions),
            origin=kinds[0].origin if len({kind.origin for kind in kinds}) == 1 else "seed and scene",
            citations=unique(kind.citation for kind in kinds),
            sized=any(part.spec.size is None for part in parts),
            tables=sample_tables(parts),
            groups=_groups(parts),
            pictures=[_picture(root, manifest, part) for part in parts if has_preview(root, part.spec.name)],
            checked=[part.spec.name for part in parts if (root / validation_path(part.spec.name)).is_file()],
            configs=[part.spec.name for part in parts],
            scenes=max(manifest.scenes.values(), default=0),
            licences=sorted({part.spec.licence for part in parts}),
            elsewhere=[f"`{part.spec.name}`" for part in parts if part.spec.simulator is not None],
            sources=sorted({name for part in parts for name in manifest.sources.get(part.spec.name, {})}),
            total_samples=f"{sum(shard.samples for shard in shards):,}",
            total_shards=len(shards),
            total_size=size_text(sum(shard.bytes for shard in shards)),
        )
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
    header = list(look(name).words.values())
    recipes = recipes_of(part.spec.record)
    return _Picture(name, preview_path(name), recipes, header, shown_words(root, manifest, name))


def _recipes(parts: Sequence[Part], source: str, revision: str) -> list[Recipes]:
    """Those of each record type in the release; all but the first load a sample of their own."""
    found: dict[object, Recipes] = {}
    for part in parts:
        if part.spec.record not in found:
            arguments = f'"{source}", "{part.spec.name}", split="{part.splits[0].name}"{revision}, streaming=True'
            load = f"sample = next(iter(load_dataset({arguments})))"
            found[part.spec.record] = recipes_of(part.spec.record, load if found else "")
    return list(found.values())


def _groups(parts: Sequence[Part]) -> list[_Group]:
    """Configs of a family, ``sim_train`` and ``sim_test``, share their prose, and mostly their columns and records."""
    groups = []
    for family, members in itertools.groupby(parts, key=lambda part: part.spec.family):
        together = list(members)
        recipes = recipes_of(together[0].spec.record)
        prose, limits = (_prose(name) for name in (f"{family}.md", f"{family}_limits.md"))
        measured = folder().joinpath(f"{family}_noise.md")
        if measured.is_file():
            prose = f"{prose}\n\n{_prose(measured.name)}"
        groups.append(_Group(_names(together), recipes.about, _layouts(together), prose, limits, recipes.paper))
    return groups


def _layouts(parts: Sequence[Part]) -> list[_Layout]:
    layouts: list[_Layout] = []
    told = set()
    for (columns, record), members in itertools.groupby(parts, key=lambda part: (part.spec.columns, part.spec.record)):
        fields = [] if record in told else list(describe(record))
        told.add(record)
        layouts.append(_Layout(_names(list(members)), columns, fields))
    return layouts


def _names(parts: Sequence[Part]) -> str:
    return ", ".join(f"`{part.spec.name}`" for part in parts)


def _prose(name: str) -> str:
    return str(folder().joinpath(name).read_text("utf-8").strip())
