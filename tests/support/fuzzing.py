"""Hostile variants of valid files, and a judge of what a reader makes of them.

Mutations start from valid bytes and change one or a few things, so that they pass what is checked first and reach what
lies behind it. A reader may return, or refuse in one sentence; everything else is a failure of the test.
"""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from flowbench.errors import FlowbenchError

Result = TypeVar("Result")

PATIENCE = 20.0
"""Seconds of processor time after which one call counts as hung; whole files take milliseconds."""
LONGEST_SENTENCE = 1_000
MEGABYTE = 1 << 20


class HangError(AssertionError):
    """A call that took more than :data:`PATIENCE`."""


class Judge:
    """Calls readers and counts how it ended.

    Attributes:
        accepted: calls that returned.
        reasons: what refusals said, without names and numbers -> how often.
    """

    def __init__(self) -> None:
        self.accepted = 0
        self.reasons: Counter[str] = Counter()

    def call(self, read: Callable[[], Result], expected: tuple[type[FlowbenchError], ...]) -> Result | None:
        """What a reader returns; None where it refuses as it should."""
        try:
            with limited(PATIENCE):
                found = read()
        except expected as error:
            self.reasons[_skeleton(_sentence(error))] += 1
            return None
        self.accepted += 1
        return found

    @property
    def refused(self) -> int:
        """Calls that were refused."""
        return self.reasons.total()


def _sentence(error: FlowbenchError) -> str:
    """The error's text, which is one sentence for a person."""
    text = str(error)
    assert text.strip() == text != ""
    assert text.isprintable(), f"not one printable line: {text!r}"
    assert len(text) <= LONGEST_SENTENCE, f"{len(text)} characters: {text[:200]!r}"
    return text


def _skeleton(text: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"|\([^()]*\)|[\w./-]*[\d/][\w./-]*", "_", text)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`HangError` when the block has used so much processor time, as soon as Python runs again."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError(f"used more than {seconds:g} s")

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, former)


@contextmanager
def memory_limited(most: int) -> Iterator[None]:
    """Fail when the block makes the process's resident memory rise by more than ``most`` bytes at any moment."""
    with suppress(OSError):  # where the mark cannot be lowered, a rise above the former one still shows
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _peak()
    yield
    risen = _peak() - before
    assert risen <= most, f"resident memory rose by {risen / MEGABYTE:.0f} MB"


def _peak() -> int:
    """The largest resident memory so far, bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) * 1024


@dataclass(frozen=True)
class Raw:
    """JSON text that stands for itself, whether or not it is valid."""

    text: str


ODD: Sequence[object] = (
    None,
    True,
    0,
    -1,
    0.5,
    -0.0,
    "",
    "\x00\x1b[2J",
    "<script>",
    "é",
    "../../x",
    "A" * 5_000,
    [],
    {},
    [[]],
    {"": None},
    10**18,
    -(2**63) - 1,
    2**64,
    10**400,
    1e308,
    5e-324,
    Raw("NaN"),
    Raw("-Infinity"),
    Raw("1e999"),
    Raw("-1e-999"),
    Raw("9" * 5_000),
    Raw('"\\ud800"'),
    Raw("[" * 150 + "]" * 150),
    Raw("[" * 100_000),
    Raw("[" * 20_000 + "]" * 20_000),
    Raw('{"a":' * 20_000 + "1" + "}" * 20_000),
    Raw("tru"),
    Raw("01"),
    Raw("'x'"),
    Raw('{"a":1,"a":[2]}'),
)
"""What no field expects."""


def json_text(value: object) -> bytes:
    """JSON of values among which may be :class:`Raw` ones; NaN goes in as it is."""
    raws: list[str] = []

    def stand_in(item: object) -> str:
        assert isinstance(item, Raw)
        raws.append(item.text)
        return f"@raw{len(raws) - 1}@"

    text = json.dumps(value, default=stand_in, ensure_ascii=False)
    for number, raw in enumerate(raws):
        text = text.replace(f'"@raw{number}@"', raw)
    return text.encode("utf-8", "surrogatepass")


def changed_tree(rng: Random, value: Any, odd: Sequence[object] = ODD, most: int = 3) -> Any:
    """A tree of dicts and lists with up to ``most`` places changed: deleted, doubled, renamed, replaced, exchanged."""
    tree = _copied(value)
    for _ in range(_few(rng, most)):
        found = list(places(tree))
        if found:
            _change(rng, *rng.choice(found), odd)
    return tree


def _few(rng: Random, most: int) -> int:
    """Mostly one: every further change hides what the first would have reached."""
    return 1 if rng.random() < 0.6 else rng.randint(1, most)


def _change(rng: Random, holder: Any, key: Any, odd: Sequence[object]) -> None:
    what = rng.choice(["replace", "replace", "replace", "delete", "double", "add", "swap"])
    if what == "replace":
        holder[key] = _copied(rng.choice(odd))
    elif what == "delete":
        del holder[key]
    elif what == "swap":  # with a sibling: right values in wrong places
        other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        holder[key], holder[other] = holder[other], holder[key]
    elif isinstance(holder, list):
        holder.insert(key, _copied(holder[key]) if what == "double" else _copied(rng.choice(odd)))
    else:
        name = f"{key}_" if what == "double" else rng.choice(["", "__class__", "x" * 300, "passed"])
        holder[name] = _copied(holder[key])


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every (holder, key) of a tree."""
    if isinstance(tree, dict | list):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from places(tree[key])


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list | tuple) else value


def changed_bytes(rng: Random, data: bytes, most: int = 3) -> bytes:
    """Bytes with a few bits flipped, runs overwritten, cut out, doubled or put in, or the end cut off."""
    changed = bytearray(data)
    for _ in range(_few(rng, most)):
        at, length = rng.randint(0, max(len(changed) - 1, 0)), rng.randint(1, 64)
        what = rng.choice(["flip", "flip", "fill", "cut", "double", "insert", "truncate"])
        if what == "flip" and changed:
            changed[at] ^= 1 << rng.randint(0, 7)
        elif what == "fill":
            end = min(at + length, len(changed))
            changed[at:end] = rng.choice([b"\x00", b"\xff", b"\x7f", b"["]) * (end - at)
        elif what == "cut":
            del changed[at : at + length]
        elif what == "double":
            changed[at:at] = changed[at : at + length]
        elif what == "insert":
            changed[at:at] = bytes(rng.randint(0, 255) for _ in range(rng.randint(1, 16)))
        elif what == "truncate":
            del changed[at:]
    return bytes(changed)


def changed_json(rng: Random, value: Any, odd: Sequence[object] = ODD) -> bytes:
    """JSON text of a changed tree, now and then broken as a text as well."""
    data = json_text(changed_tree(rng, value, odd))
    return data if rng.random() < 0.85 else changed_bytes(rng, data)


Change = Callable[[Random], Result]


def examine(
    change: Change[Result], read: Callable[[Result], object], examples: int, *kinds: type[FlowbenchError]
) -> Judge:
    """Have a reader read ``examples`` results of ``change``; the same ones every time.

    Args:
        change: makes a hostile variant from a source of randomness whose seed hypothesis chooses.
        read: is given it.
        examples: how many.
        kinds: what it may be refused with; any error of ours if none.
    """
    judge = Judge()

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],  # the seed of a failure is told; a smaller seed is no smaller change
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.integers(0, 2**64 - 1))
    def example(seed: int) -> None:
        changed = change(Random(seed))
        judge.call(lambda: read(changed), kinds or (FlowbenchError,))

    example()
    return judge
