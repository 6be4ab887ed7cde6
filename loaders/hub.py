"""The shards of a Hub repository, opened one after the other without a copy on the disk.

Tokens come from ``huggingface_hub`` alone and stay inside it: neither a URL nor a child process holds one.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from flowbench.errors import UsageError
from flowbench.release import shard_glob
from flowbench.schema import config_spec

if TYPE_CHECKING:
    from .places import Place


def hub_shards(place: Place, config: str, split: str) -> list[str]:
    """The shards of a split as ``hf://`` paths, pinned to one commit so that all workers read the same data.

    Raises:
        UsageError: unknown config, repository or revision, no connection, or no such shard in it.
    """
    from huggingface_hub import HfApi

    spec = config_spec(config)
    pattern = re.compile(re.escape(shard_glob(config, split)).replace(r"\*", r"\d{5}-of-\d{5}"))
    with _told(place):
        api = HfApi()
        commit = api.dataset_info(str(place.repo), revision=place.revision).sha
        files = api.list_repo_files(str(place.repo), repo_type="dataset", revision=commit)
    found = sorted(name for name in files if pattern.fullmatch(name))
    if not found:
        raise UsageError(
            f"{place.path} holds no shards of {config}, split {split!r}: expected one of {', '.join(spec.splits)} "
            "of a config that it has."
        )
    return [f"hf://datasets/{place.repo}@{commit}/{name}" for name in found]


@contextlib.contextmanager
def open_hub(url: str) -> Iterator[BinaryIO]:
    """A shard of :func:`hub_shards`, read from the Hub as it is asked for; seeking over members saves their bytes."""
    from huggingface_hub import HfFileSystem

    from .places import Place

    with _told(Place(repo=url)), HfFileSystem().open(url, "rb") as file:
        yield file


@contextlib.contextmanager
def _told(place: Place) -> Iterator[None]:
    """Turn what the Hub answers into one sentence."""
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

    network: Any = HfHubHTTPError.__bases__  # among them all errors of whichever HTTP client it uses
    try:
        yield
    except RevisionNotFoundError:
        raise UsageError(f"{place.path} has no revision {place.revision!r}: name a tag such as 'v0.1.0'.") from None
    except RepositoryNotFoundError:
        raise UsageError(
            f"{place.path} is no data repository that you may read: check its name, or log in with 'hf auth login'."
        ) from None
    except (OSError, *network) as error:
        raise UsageError(f"{place.path} cannot be read from the Hub ({_first_line(error)}).") from error


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
