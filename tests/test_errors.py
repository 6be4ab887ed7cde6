"""Errors that tell what to do."""

from __future__ import annotations

import importlib
import inspect
import pickle

import pytest
from support.sources import package_sources

from flowbench.encoding import FlowRangeError
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


def own_errors() -> list[type[BaseException]]:
    """Every exception class that a module of the package defines."""
    modules = [
        importlib.import_module(source.module) for source in package_sources() if "__main__" not in source.module
    ]
    return sorted(
        {
            kind
            for module in modules
            for _, kind in inspect.getmembers(module, inspect.isclass)
            if issubclass(kind, BaseException) and kind.__module__.startswith("flowbench")
        },
        key=lambda kind: f"{kind.__module__}.{kind.__qualname__}",
    )


def an_instance(kind: type[BaseException]) -> BaseException:
    """An error with an argument of the type that its class asks for."""
    if not any("__init__" in vars(each) for each in kind.__mro__ if each.__module__.startswith("flowbench")):
        return kind("found, expected: do this")
    given = {"str": "found", "float": 600.25, "int": 3}
    asked = [p for p in inspect.signature(kind).parameters.values() if p.default is p.empty]
    return kind(*(given[p.annotation] for p in asked))


@pytest.mark.parametrize("kind", own_errors(), ids=lambda kind: kind.__qualname__)
def test_errors_come_home_from_a_worker_as_they_were(kind: type[BaseException]) -> None:
    error = an_instance(kind)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert (str(back), back.args, vars(back)) == (str(error), error.args, vars(error))


def test_the_errors_looked_at_are_all_there() -> None:
    assert {UsageError, ReleaseError, FlowRangeError} <= set(own_errors())
