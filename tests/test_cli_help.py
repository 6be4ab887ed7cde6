"""The help and its complaints: flags stand by their names alone, and what checks the arguments keeps its own words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from flowbench.cli import main

COMMANDS: Sequence[Sequence[str]] = ([], ["build"], ["record"], ["validate"], ["show"], ["doctor"], ["release"])
PUBLISHING: Sequence[Sequence[str]] = (["release", "card"], ["release", "push"], ["release", "verify"])


@pytest.mark.parametrize("command", [*COMMANDS, *PUBLISHING], ids=" ".join)
def test_flags_ask_for_no_word(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    told = capsys.readouterr().out
    assert "--help" in told
    assert "bool" not in told


def test_a_word_that_an_option_does_not_know_is_told_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "nowhere", "--setup", "tower"]) == 2
    told = capsys.readouterr().err
    assert "invalid value for '--setup': 'tower' is not one of 'bridge', 'topdown', 'both'" in told
