"""A real release in other words: built by two workers, and again from the cache alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.building import published
from support.chat import KEY, MODEL, ChatServer, chat
from support.small import SMALL

from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.rewriting import KEY_VARIABLE, RewriterSettings
from flowbench.builders.runner import build
from flowbench.release import index_path

__all__ = ["chat"]


@pytest.mark.slow
def test_a_build_in_other_words_is_built_again_from_the_cache_alone(
    chat: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    rewriter = RewriterSettings.of(chat.url, MODEL, tmp_path / "cache")

    def made(out: Path, workers: int) -> dict[str, str]:
        options: dict[str, Any] = {**SMALL, "workers": workers, "shard_bytes": 2_000_000, "rewriter": rewriter}
        build(BuildOptions(("sim_train",), out, 1, 0, **options), Silent())
        return published(out)

    first = made(tmp_path / "a", 2)
    chat.close()
    monkeypatch.delenv(KEY_VARIABLE)
    assert made(tmp_path / "b", 1) == first
    table = pl.read_parquet(tmp_path / "a" / index_path("sim_train", "train"))
    assert len(chat.requests) == 1 + table.height
    for column, beginning in (("motion_text", "To put it plainly, "), ("question", "Please tell me: ")):
        assert table[column].str.starts_with(beginning).all()
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
