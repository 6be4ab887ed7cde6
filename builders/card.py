"""The dataset card: ``README.md`` with the YAML that ``datasets`` reads, then prose (cli.md, "Release layout")."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
from huggingface_hub import DatasetCard, DatasetCardData

from flowbench.errors import UsageError
from flowbench.files import write_text
from flowbench.release import CARD, Manifest, SplitFiles, shard_glob, size_text
from flowbench.schema import CONFIGS, Column, ConfigSpec, FieldDoc, describe, features

PRETTY_NAME = "FlowBench"
FOLDER = "flowbench"
_TAGS = ["webdataset", "spatial-reasoning", "counterfactual", "optical-flow", "depth", "segmentation", "synthetic"]
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))


@dataclass(frozen=True)
class _Split:
    name: str
    samples: int
    shards: int
    size: str


@dataclass(frozen=True)
class _Category:
    name: str
    counts: Mapping[str, int]


@dataclass(frozen=True)
class _Part:
    """What the card says of one config."""

    spec: ConfigSpec
    splits: Sequence[_Split]
    categories: Sequence[_Category]


@dataclass(frozen=True)
class _Group:
    """Configs with the same columns, documented once."""

    parts: Sequence[_Part]
    columns: Sequence[Column]
    fields: Sequence[FieldDoc]
    prose: str


def write_card(root: Path, manifest: Manifest) -> None:
    """Write the card of the release at ``root`` from its manifest and its index files.

    Write it at every build: the cache of ``datasets`` goes by the card, not by the shards.
    """
    write_text(root / CARD, card_text(root, manifest))


def card_text(root: Path, manifest: Manifest) -> str:
    """The card's text; the same for the same manifest and index files.

    Raises:
        UsageError: no config has a sample.
    """
    parts = [_part(root, spec, manifest.configs[spec.name]) for spec in _specs(manifest)]
    if not parts:
        raise UsageError("the release holds no samples, so it gets no card: build it with more --scenes.")
    split_names = list(dict.fromkeys(split.name for part in parts for split in part.splits))
    shards = [shard for _, files in _all_splits(manifest) for shard in files.shards]
    body = _template().render(
        pretty_name=PRETTY_NAME,
        folder=FOLDER,
        manifest=manifest,
        parts=parts,
        first=parts[0],
        groups=_groups(parts),
        split_names=split_names,
        configs=[part.spec.name for part in parts],
        scenes=max(manifest.scenes.values()),
        licences=sorted({part.spec.licence for part in parts}),
        total_samples=f"{sum(shard.samples for shard in shards):,}",
        total_shards=len(shards),
        total_size=size_text(sum(shard.bytes for shard in shards)),
    )
    return str(DatasetCard(f"---\n{card_data(manifest).to_yaml()}\n---\n\n{body}"))


def card_data(manifest: Manifest) -> DatasetCardData:
    """The card's YAML: ``configs`` with their files and ``dataset_info`` with explicit features and true counts."""
    specs = _specs(manifest)
    total = sum(files.index.samples for _, files in _all_splits(manifest))
    licences = sorted({spec.licence for spec in specs})
    return DatasetCardData(
        pretty_name=PRETTY_NAME,
        language=["en"],
        license=licences[0] if len(licences) == 1 else licences,
        task_categories=["visual-question-answering"],
        tags=_TAGS,
        size_categories=[next((name for limit, name in _SIZES if total < limit), "n>10M")],
        configs=[_config(spec, manifest.configs[spec.name]) for spec in specs],
        dataset_info=[_dataset_info(spec, manifest.configs[spec.name]) for spec in specs],
    )


def _config(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> dict[str, Any]:
    return {
        "config_name": spec.name,
        "data_files": [{"split": split, "path": shard_glob(spec.name, split)} for split in _ordered(spec, splits)],
        # The cache of `datasets` is keyed by this YAML: shards that changed while their counts and sizes stayed
        # the same would be read from the old cache if nothing here told of their content.
        "description": f"content sha256 {_content(spec, splits)}",
    }


def _content(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> str:
    shards = itertools.chain.from_iterable(splits[split].shards for split in _ordered(spec, splits))
    return hashlib.sha256("\n".join(f"{shard.path} {shard.sha256}" for shard in shards).encode()).hexdigest()


def _dataset_info(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> dict[str, Any]:
    rows = [
        {
            "name": split,
            "num_bytes": sum(shard.num_bytes for shard in splits[split].shards),
            "num_examples": splits[split].index.samples,
        }
        for split in _ordered(spec, splits)
    ]
    return {
        "config_name": spec.name,
        "features": features(spec)._to_yaml_list(),
        "splits": rows,
        "download_size": sum(shard.bytes for split in _ordered(spec, splits) for shard in splits[split].shards),
        "dataset_size": sum(row["num_bytes"] for row in rows),
    }


def _part(root: Path, spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> _Part:
    names = _ordered(spec, splits)
    counts: dict[str, dict[str, int]] = {}
    for split in names:
        for category, count in _categories(root / splits[split].index.path):
            counts.setdefault(category, {})[split] = count
    return _Part(
        spec=spec,
        splits=[_split(name, splits[name]) for name in names],
        categories=[_Category(name, counts[name]) for name in sorted(counts)],
    )


def _split(name: str, files: SplitFiles) -> _Split:
    size = size_text(sum(shard.bytes for shard in files.shards))
    return _Split(name, files.index.samples, len(files.shards), size)


def _categories(index: Path) -> Iterator[tuple[str, int]]:
    column = pl.read_parquet(index, columns=["category"])["category"]
    for category in column.unique().sort():
        yield category, int((column == category).sum())


def _groups(parts: Sequence[_Part]) -> list[_Group]:
    """Configs of a family, ``sim_train`` and ``sim_test``, share their columns, their record and their prose."""
    groups = []
    for family, members in itertools.groupby(parts, key=lambda part: part.spec.family):
        together = list(members)
        spec = together[0].spec
        prose = _folder().joinpath(f"{family}.md").read_text("utf-8").strip()
        groups.append(_Group(together, spec.columns, list(describe(spec.record)), prose))
    return groups


def _specs(manifest: Manifest) -> list[ConfigSpec]:
    """The configs that have samples, in the order of the table."""
    return [spec for name, spec in CONFIGS.items() if _ordered(spec, manifest.configs.get(name, {}))]


def _ordered(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> list[str]:
    """The splits that have samples; ``datasets`` fails on one without."""
    return [split for split in spec.splits if split in splits and splits[split].index.samples]


def _all_splits(manifest: Manifest) -> Iterator[tuple[str, SplitFiles]]:
    for spec in _specs(manifest):
        yield from (
            (split, manifest.configs[spec.name][split]) for split in _ordered(spec, manifest.configs[spec.name])
        )


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=False,  # Markdown, from values of our own
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = lambda text: " ".join(text.split()).replace("|", "\\|")
    return environment.from_string(_folder().joinpath("README.md.j2").read_text("utf-8"))


def _folder() -> Any:
    return resources.files("flowbench").joinpath("dataset_cards")
