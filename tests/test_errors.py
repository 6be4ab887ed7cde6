"""Errors that tell what to do."""

from __future__ import annotations

import pytest

from flowbench.errors import FlowbenchError, ReleaseError, UsageError, unknown_name

CONFIGS = ("sim_train", "sim_test", "real_train", "layout_test")


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("sim_trian", "sim_train"),
        ("simtest", "sim_test"),
        ("SIM_TRAIN", "sim_train"),
        ("layout", "layout_test"),
        ("real_test", "real_train"),
        ("zzz", None),
        ("", None),
    ],
)
def test_a_wrong_name_gets_the_nearest_right_one(given: str, nearest: str | None) -> None:
    error = unknown_name("config", given, CONFIGS)
    assert isinstance(error, UsageError)
    message = str(error)
    assert message.startswith(f"unknown config {given!r}: ")
    if nearest is None:
        assert all(name in message for name in CONFIGS)
    else:
        assert message.endswith(f"did you mean {nearest!r}?")
    assert "\n" not in message


def test_known_names_are_told_in_order_whatever_they_come_in() -> None:
    assert str(unknown_name("x", "?", {"b", "a", "c"})) == str(unknown_name("x", "?", iter(["c", "b", "a"])))


def test_exit_codes_tell_usage_from_a_bad_release() -> None:
    assert (FlowbenchError.exit_code, UsageError.exit_code, ReleaseError.exit_code) == (2, 2, 1)
    assert issubclass(UsageError, FlowbenchError)
    assert issubclass(ReleaseError, FlowbenchError)
