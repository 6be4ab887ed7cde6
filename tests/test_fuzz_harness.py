"""The judge of the fuzz tests is no friend of what it judges: it fails for all that a reader must not do."""

from __future__ import annotations

import json
from random import Random

import pytest
from support import fuzzing
from support.fuzzing import MEGABYTE, ODD, HangError, changed_bytes, changed_tree, examine, json_text, memory_limited

from flowbench.errors import FlowbenchError, ReleaseError, UsageError


def nothing(rng: Random) -> None:
    """What readers of nothing are given."""


@pytest.mark.parametrize(
    "error",
    [
        KeyError("x"),
        UsageError("of another kind."),
        ReleaseError("two\nlines"),
        ReleaseError("\x1b[2J"),
        ReleaseError(""),
        ReleaseError("endless " * 1_000),
    ],
    ids=["traceback", "kind", "lines", "control", "empty", "endless"],
)
def test_errors_that_no_user_should_see(error: Exception) -> None:
    def read(_: None) -> None:
        raise error

    with pytest.raises(AssertionError if isinstance(error, ReleaseError) else type(error)):
        examine(nothing, read, 1, ReleaseError)


def test_good_errors_and_results_are_counted() -> None:
    def read(number: int) -> None:
        if number % 2:
            raise ReleaseError(f"number {number} of '{number}' is odd: take another")

    judge = examine(lambda rng: rng.randrange(1_000), read, 40, FlowbenchError)
    assert (judge.accepted + judge.refused, len(judge.reasons)) == (40, 1)
    assert judge.accepted > 5 < judge.refused


def test_hanging_and_hoarding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "PATIENCE", 0.05)

    def hang(_: None) -> None:
        while True:
            pass

    with pytest.raises(HangError):
        examine(nothing, hang, 1)
    with pytest.raises(AssertionError, match="memory rose"), memory_limited(20 * MEGABYTE):
        assert bytearray(b"x") * (60 * MEGABYTE)


def test_changes_differ_repeat_and_reach_everything() -> None:
    tree = {"a": [1, 2, {"b": "c"}], "d": {"e": None}}
    texts = [json_text(changed_tree(Random(seed), tree)) for seed in range(3_000)]
    assert texts == [json_text(changed_tree(Random(seed), tree)) for seed in range(3_000)]
    assert json_text(tree) == json.dumps(tree).encode()
    for odd in ODD:
        assert json_text({"d": odd})[1:-1] in b"".join(texts), odd
    data = bytes(range(200))
    changed = {changed_bytes(Random(seed), data) for seed in range(300)}
    assert len(changed) > 250
    assert {len(each) < 200 for each in changed} == {True, False}
