"""The card's YAML, which ``datasets`` and the Hub read: files, explicit features, true counts, licence."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from huggingface_hub import DatasetCardData

from ..release import Manifest, ShardReceipt, SplitFiles, shard_glob
from ..schema import CONFIGS, ConfigSpec, features

PRETTY_NAME = "FlowBench"
_TASK = "visual-question-answering"
_TASKS: Mapping[str, Sequence[str]] = {"selection": ["video-text-to-text"], "retrieval": ["image-feature-extraction"]}
"""Of a family, besides."""
_TAGS: Mapping[str, Sequence[str]] = {
    "sim": ["spatial-reasoning", "counterfactual", "optical-flow", "depth", "segmentation"],
    "real": ["spatial-reasoning", "counterfactual", "optical-flow", "depth", "segmentation", "robotics"],
    "selection": ["video", "physics", "future-prediction"],
    "retrieval": ["video", "physics", "future-prediction", "counterfactual", "image-retrieval"],
}
"""Of a family, between what all share."""
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))


def card_data(manifest: Manifest) -> DatasetCardData:
    """The card's YAML: ``configs`` with their files and ``dataset_info`` with explicit features and true counts."""
    specs = filled_specs(manifest)
    total = sum(shard.samples for shard in filled_shards(manifest))
    licences = sorted({spec.licence for spec in specs})
    return DatasetCardData(
        pretty_name=PRETTY_NAME,
        language=["en"],
        license=licences[0] if len(licences) == 1 else licences,
        task_categories=_gathered([_TASK], specs, _TASKS, []),
        tags=_gathered(["webdataset"], specs, _TAGS, ["synthetic"]),
        size_categories=[next((name for limit, name in _SIZES if total < limit), "n>10M")],
        configs=[_config(spec, manifest.configs[spec.name]) for spec in specs],
        dataset_info=[_dataset_info(spec, manifest.configs[spec.name]) for spec in specs],
    )


def _gathered(
    first: Sequence[str], specs: Sequence[ConfigSpec], of_family: Mapping[str, Sequence[str]], last: Sequence[str]
) -> list[str]:
    """What all share and what each family adds, each once."""
    families = (of_family.get(spec.family, ()) for spec in specs)
    return list(dict.fromkeys([*first, *itertools.chain.from_iterable(families), *last]))


def filled_specs(manifest: Manifest) -> list[ConfigSpec]:
    """The configs that have samples, in the order of the table."""
    return [spec for name, spec in CONFIGS.items() if filled_splits(spec, manifest.configs.get(name, {}))]


def filled_splits(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> list[str]:
    """The splits that have samples; ``datasets`` fails on one without."""
    return [split for split in spec.splits if split in splits and splits[split].index.samples]


def filled_shards(manifest: Manifest) -> Iterator[ShardReceipt]:
    """The shards of those."""
    for spec in filled_specs(manifest):
        splits = manifest.configs[spec.name]
        yield from itertools.chain.from_iterable(splits[split].shards for split in filled_splits(spec, splits))


def _config(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> dict[str, Any]:
    return {
        "config_name": spec.name,
        "data_files": [{"split": split, "path": shard_glob(spec.name, split)} for split in filled_splits(spec, splits)],
        # The cache of `datasets` is keyed by this YAML: shards that changed while their counts and sizes stayed
        # the same would be read from the old cache if nothing here told of their content.
        "description": f"content sha256 {_content(spec, splits)}",
    }


def _content(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> str:
    shards = itertools.chain.from_iterable(splits[split].shards for split in filled_splits(spec, splits))
    return hashlib.sha256("\n".join(f"{shard.path} {shard.sha256}" for shard in shards).encode()).hexdigest()


def _dataset_info(spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> dict[str, Any]:
    rows = [
        {
            "name": split,
            "num_bytes": sum(shard.num_bytes for shard in splits[split].shards),
            "num_examples": splits[split].index.samples,
        }
        for split in filled_splits(spec, splits)
    ]
    return {
        "config_name": spec.name,
        "features": features(spec)._to_yaml_list(),
        "splits": rows,
        "download_size": sum(shard.bytes for split in filled_splits(spec, splits) for shard in splits[split].shards),
        "dataset_size": sum(row["num_bytes"] for row in rows),
    }
