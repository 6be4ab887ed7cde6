"""``flowbench.webdataset``: the shards as a ``webdataset`` pipeline of decoded samples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flowbench.errors import UsageError
from flowbench.release.tar import iter_samples, read_samples
from flowbench.schema import config_spec

from .decoding import Decoder
from .hub import hub_shards, open_hub
from .kinds import fields_of_config
from .places import find_release, local_shards

_HUB: Final = "hf://"


def webdataset(
    config: str,
    split: str,
    *,
    root: str | os.PathLike[str] | None = None,
    repo: str | None = None,
    revision: str | None = None,
    columns: Sequence[str] | None = None,
    decode: bool = True,
    shuffle: int = 0,
    seed: int = 0,
) -> Any:
    """A split as a ``webdataset`` pipeline.

    Shards go to ranks and workers in turn, are read by our own reader, which passes over the bytes of columns that are
    not asked for and refuses what no shard of ours holds, and every member is decoded at once: nothing of 16 bits is
    left for a later ``.decode("pil")`` to cut to 8.

    Args:
        config: e.g. ``"sim_train"``.
        split: e.g. ``"train"``.
        root, repo, revision: where; as in :func:`flowbench.load_dataset`.
        columns: read and decode only these.
        decode: yield ``webdataset``'s usual dicts of bytes if False, to decode with :func:`flowbench.decode`.
        shuffle: how many undecoded samples to shuffle among (shards are shuffled too); 0 keeps the order.
        seed: of the shuffling; every epoch has another order.

    Returns:
        A ``webdataset`` pipeline (``.map``, ``.batched``, ``.to_tuple`` … apply) of decoded samples as
        :func:`flowbench.decode` returns them; an ``IterableDataset`` of torch where that is installed.

    Raises:
        UsageError: ``webdataset`` is not installed, an unknown config, split or column, or no release.
        ReleaseError: a shard is missing or cut short; iterating raises it for a broken one, with its name.
    """
    try:
        import webdataset as wds  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise UsageError("this needs webdataset, which is not installed: run `pip install webdataset`.") from error
    fields = fields_of_config(config_spec(config), columns)
    wanted = None if columns is None else frozenset(column for field in fields for column in field.columns)
    place = find_release(root, repo, revision)
    if place.root is not None:
        shards = [str(path) for path in local_shards(place.root, config, split, place.guessed)]
    else:
        shards = hub_shards(place, config, split)
    stages: list[Any] = [wds.split_by_node, wds.split_by_worker]
    if shuffle:
        stages.insert(0, wds.detshuffle(len(shards), len(shards), seed))  # before the split: alike on all ranks
    stages.append(_Read(wanted))
    if shuffle:
        stages.append(wds.detshuffle(shuffle, shuffle, seed))
    if decode:
        stages.append(_Decode(Decoder(None if columns is None else tuple(columns), config)))
    return wds.FluidWrapper(wds.SimpleShardList(shards)).compose(*stages)


@dataclass(frozen=True)
class _Read:
    """The stage from shards to undecoded samples; can be pickled.

    Attributes:
        columns: read only these; all if None.
    """

    columns: frozenset[str] | None

    def __call__(self, shards: Iterable[Mapping[str, str]]) -> Iterator[dict[str, Any]]:
        for shard in shards:
            url = shard["url"]
            for sample in self._samples(url):
                yield {"__key__": sample.key, "__url__": url, **sample.members}

    def _samples(self, url: str) -> Iterator[Any]:
        if not url.startswith(_HUB):
            yield from iter_samples(Path(url), self.columns)
            return
        with open_hub(url) as file:
            yield from read_samples(file, url.removeprefix(_HUB), self.columns)


@dataclass(frozen=True)
class _Decode:
    """The stage from undecoded to decoded samples; ``webdataset``'s own would add its key to each."""

    decoder: Decoder

    def __call__(self, samples: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
        return map(self.decoder, samples)
