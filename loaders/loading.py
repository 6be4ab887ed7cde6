"""``flowbench.load_dataset``: plain ``datasets`` with typed decoding on access."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from flowbench.errors import ReleaseError, UsageError
from flowbench.release.tar import iter_samples
from flowbench.schema import Kind, config_spec

from .decoding import Decoder
from .kinds import Field, fields_of_config
from .places import Place, find_release, local_shards

_KEY: Final = "__key__"
_PLAIN_SPLIT: Final = re.compile(r"\w+")


def load_dataset(
    config: str,
    split: str | None = None,
    *,
    root: str | os.PathLike[str] | None = None,
    repo: str | None = None,
    revision: str | None = None,
    streaming: bool = False,
    columns: Sequence[str] | None = None,
    decode: bool = True,
    **options: Any,
) -> Any:
    """A config as ``datasets`` loads it; each sample is decoded when it is asked for.

    Args:
        config: e.g. ``"sim_train"``.
        split: e.g. ``"train"``, or anything that ``datasets`` takes (``"train[:10%]"``); all splits if None.
        root: the release folder. Without it and ``repo``: see :func:`flowbench.loaders.places.find_release`.
        repo: Hub repository ``ORG/NAME``.
        revision: its tag, branch or commit, e.g. ``"v0.1.0"``.
        streaming: read the shards as they lie, without a copy in the Arrow cache.
        columns: read and decode only these, by the names of a decoded sample (:mod:`flowbench.loaders.sample`) or of
            the shards.
        decode: leave every member as it is stored if False: pictures as ``{"bytes", "path"}``, the record as a dict.
        **options: passed to ``datasets.load_dataset``: ``cache_dir``, ``token``, ``num_proc`` and so on.

    Returns:
        A ``datasets.Dataset``, or ``IterableDataset`` if ``streaming``, whose rows are decoded samples as
        :func:`flowbench.decode` returns them; a dict of them by split if ``split`` is None.

    Raises:
        UsageError: an unknown config, column or repository, no release, or one that does not hold this config.
        ReleaseError: a shard is missing, cut short or broken; samples raise it when they are decoded.
    """
    spec = config_spec(config)
    wanted = fields_of_config(spec, columns)
    place = find_release(root, repo, revision)
    decoder = Decoder(None if columns is None else tuple(columns), config) if decode else None
    if place.root is not None:
        one = split is not None and _PLAIN_SPLIT.fullmatch(split) is not None
        shards = local_shards(place.root, config, split if one else None, place.guessed)
        if one and streaming and decoder is not None and not options:
            return _streamed(shards, wanted, decoder)
    data = _loaded(place, config, split, streaming, options)
    images = {column.name for column in spec.columns if column.kind is Kind.IMAGE}
    if not isinstance(data, dict):
        return _prepared(data, wanted, images, decoder)
    return type(data)({name: _prepared(each, wanted, images, decoder) for name, each in data.items()})


def _streamed(shards: Sequence[Path], wanted: Sequence[Field], decoder: Decoder) -> Any:
    """A split of a local release, decoded, read by our own reader: it passes over the bytes of other columns."""
    import datasets  # type: ignore[import-untyped]

    columns = frozenset(_columns(wanted))
    made = {"shards": list(map(str, shards)), "columns": columns, "decoder": decoder}
    return datasets.IterableDataset.from_generator(_decoded_samples, gen_kwargs=made)


def _columns(fields: Sequence[Field]) -> list[str]:
    return [column for field in fields for column in field.columns]


def _decoded_samples(shards: Sequence[str], columns: frozenset[str], decoder: Decoder) -> Iterator[Any]:
    """``datasets`` cuts the list of shards for workers and ranks."""
    for shard in shards:
        yield from map(decoder, iter_samples(Path(shard), columns))


def _prepared(data: Any, wanted: Sequence[Field], images: set[str], decoder: Decoder | None) -> Any:
    """Narrowed to what is wanted, pictures as bytes (OpenCV reads them faster, and all 16 bits), decoded on access."""
    import datasets

    names = [_KEY, *_columns(wanted)]
    data = data.select_columns(names)
    for name in names:
        if name in images:
            data = data.cast_column(name, datasets.Image(decode=False))
    if decoder is None:
        return data
    if isinstance(data, datasets.IterableDataset):
        return data.map(decoder, remove_columns=names)
    return data.with_transform(decoder.batch)


def _loaded(place: Place, config: str, split: str | None, streaming: bool, options: dict[str, Any]) -> Any:
    import datasets

    if place.revision is not None:
        options = options | {"revision": place.revision}
    with _told(place, config):
        return datasets.load_dataset(place.path, config, split=split, streaming=streaming, **options)


@contextlib.contextmanager
def _told(place: Place, config: str) -> Iterator[None]:
    """Turn what ``datasets`` raises for a release that is not there, or broken, into one sentence."""
    from datasets.exceptions import (  # type: ignore[import-untyped]
        DatasetGenerationError,
        DatasetNotFoundError,
    )
    from datasets.utils.info_utils import NonMatchingSplitsSizesError  # type: ignore[import-untyped]

    try:
        yield
    except DatasetGenerationError as error:
        reason = " ".join(str(error.__cause__ or error).split())
        raise ReleaseError(f"a shard of {config} in {place.path} cannot be read ({reason}): fetch it again") from error
    except NonMatchingSplitsSizesError as error:
        raise ReleaseError(
            f"{config} in {place.path} holds other samples than its card says, so a shard is broken: fetch it again"
        ) from error
    except (DatasetNotFoundError, ConnectionError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise UsageError(f"{place.path} cannot be loaded: {reason}.") from error
