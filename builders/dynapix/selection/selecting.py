"""The global select pass: one draft a slot, such that no blind rule, rank or letter tells the right candidate.

Every rank may be the right one's in every slot. One draft a slot is taken so that, whatever a rule picks, the four
ranks stay equally frequent: a rule then hits as often as a guess, and so does any table from its pick to the answer.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import POOL, split_of
from flowbench.builders.sim.evenness import choose
from flowbench.builders.sim.thinning import thin
from flowbench.schema import LETTERS
from flowbench.seeding import generator, rank

from .blind import RULES
from .capping import cap
from .subtypes import shares

Row = Mapping[str, Any]

CANDIDATES = 4
GROUPS: tuple[tuple[str, ...], ...] = (
    (),
    ("split",),
    ("family",),
    ("subtype",),
    ("horizon",),
    *((rule,) for rule in RULES),
    *(("family", rule) for rule in RULES),
    *(("split", rule) for rule in RULES),
    *((f"source_{rule}",) for rule in RULES),
    *combinations(RULES, 2),
)
"""Within each value of each of these all ranks are kept even."""
THINNED: tuple[tuple[str, ...], ...] = (
    (),
    ("split",),
    ("family",),
    *((rule,) for rule in RULES),
    *((f"source_{rule}",) for rule in RULES),
)
"""Of these no large group stays uneven, whatever it costs."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """A selected draft.

    Attributes:
        row: its index among the rows.
        position: of the right letter, 0 to 3.
    """

    row: int
    position: int


def row_of(draft: SelectionDraft) -> dict[str, Any]:
    """A draft as a row of the candidate table: plain values, and the draft itself as ``payload``."""
    return {
        "scene": draft.scene,
        "split": split_of(draft.scene),
        "slot": draft.slot,
        "ordinal": draft.ordinal,
        "family": draft.family,
        "subtype": draft.subtype,
        "horizon": draft.horizon,
        "answer": str(draft.rank),
        **dict(draft.rules),
        **{f"source_{rule}": f"{'twin' in draft.kinds} {picked}" for rule, picked in draft.rules},
        "payload": draft.payload(),
    }


def select(
    rows: Sequence[Row], seed: int, preset: Preset, totals: Mapping[str, int] | None = None
) -> tuple[list[Choice], Counter[str]]:
    """Choose at most one row a slot and settle the letters.

    Args:
        rows: of :func:`row_of`, of all scenes.
        seed: of the release; breaks ties.
        preset: whether ranks are kept even.
        totals: split -> items wanted at most; subtypes then come at the paper's shares as far as there are slots.

    Returns:
        choices in the rows' order, and what was left out by reason.
    """
    dropped: Counter[str] = Counter()
    slots = _slots(rows, seed)
    if totals is not None:
        kept = _within(rows, slots, totals)
        dropped["over the number wanted"] += len(slots) - len(kept)
        slots = kept
    if preset.anchored:
        picked = choose(rows, slots, GROUPS)
        ties = [rank(seed, "thin", rows[index]["scene"], rows[index]["slot"]) for index in picked]
        even = [picked[position] for position in thin([rows[index] for index in picked], THINNED, ties)]
        dropped["would unbalance"] += len(slots) - len(even)
        ties = [rank(seed, "cap", rows[index]["scene"], rows[index]["slot"]) for index in even]
        chosen = sorted(even[position] for position in cap([rows[index] for index in even], ties))
        dropped["a blind rule would pay"] += len(even) - len(chosen)
    else:
        chosen = sorted(slot[0] for slot in slots)
    positions = _letters(rows, chosen, seed)
    return [Choice(index, positions[index]) for index in chosen], +dropped


def _slots(rows: Sequence[Row], seed: int) -> list[list[int]]:
    """Positions of each slot's rows in a random order, slots in a random order."""
    slots: dict[tuple[int, str], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        slots[row["scene"], row["slot"]].append(index)
    for (scene, slot), indices in slots.items():
        indices.sort(key=lambda index: rank(seed, "draft", scene, slot, rows[index]["ordinal"]))
    return [slots[key] for key in sorted(slots, key=lambda key: rank(seed, "slot", *key))]


def _within(rows: Sequence[Row], slots: Sequence[list[int]], totals: Mapping[str, int]) -> list[list[int]]:
    """The first slots of each split and subtype, as many as its share of the total."""
    left: dict[tuple[str, str], int] = {}
    for split, total in totals.items():
        left |= {(split, name): round(total * share) for name, share in shares(split).items()}
    kept: list[list[int]] = []
    for slot in slots:
        of = rows[slot[0]]["split"], rows[slot[0]]["subtype"]
        if left.get(of, 0) > 0:
            left[of] -= 1
            kept.append(slot)
    return kept


def _letters(rows: Sequence[Row], chosen: Sequence[int], seed: int) -> dict[int, int]:
    """Letter positions: even in each split, family and rank, in no visible order."""
    positions: dict[int, int] = {}
    turn: Counter[tuple[str, str]] = Counter()

    def order(index: int) -> tuple[str, str, str, int]:
        row = rows[index]
        return row["split"], row["family"], row["answer"], rank(seed, "letter", row["scene"], row["slot"])

    for index in sorted(chosen, key=order):
        of = rows[index]["split"], rows[index]["family"]
        positions[index] = turn[of] % CANDIDATES
        turn[of] += 1
    return positions


def finish(draft: SelectionDraft, position: int, seed: int, pool: str = POOL, **others: Any) -> SelectionItem:
    """The item of a chosen draft: candidates in a random order, the right one at its letter.

    Args:
        draft: what was chosen.
        position: of the right letter, 0 to 3.
        seed: of the release.
        pool: that the scene is of.
        others: fields of :class:`SelectionItem` that such an item has otherwise.
    """
    rng = generator(seed, pool, draft.scene, "letters", draft.slot)
    wrong = iter([index for index in rng.permutation(4).tolist() if index != draft.rank - 1])
    order = [draft.rank - 1 if place == position else next(wrong) for place in range(4)]
    fields: dict[str, Any] = {
        "scene": draft.scene,
        "split": split_of(draft.scene),
        "family": draft.family,
        "subtype": draft.subtype,
        "query": draft.query,
        "first": draft.first,
        "cut": draft.cut,
        "target": draft.target,
        "horizon": draft.horizon,
        "candidates": tuple(draft.places[index] for index in order),
        "kinds": tuple(draft.kinds[index] for index in order),
        "letter": LETTERS[position],
        "rank": draft.rank,
        "focus": draft.focus,
        "margin": draft.margin,
        "rationale": draft.rationale,
        "shown": tuple(range(draft.first, draft.cut + 1)),
    }
    return SelectionItem(**(fields | others))
