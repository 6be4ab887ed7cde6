"""How many labels of FlowBench-Real's construction are wrong, over episodes whose truth is known.

    python scripts/label_noise.py --episodes 400 --out docs

writes ``label_noise.md`` (tables) and ``label_noise.png`` (the same as a picture) into the folder, with ``--card`` a
file of what dataset cards say of it. Each knob of :mod:`flowbench.builders.real.perception.perturbed` is turned to some
values, the others at 0; every episode is drawn once. Counts of runs over other episodes (``--first``) add up:

    python scripts/label_noise.py --episodes 400 --counts a/label_noise.json b/label_noise.json --out docs
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from flowbench.builders.real.categories import CATEGORIES
from flowbench.builders.real.drawn import DrawnTabletop
from flowbench.builders.real.measuring.measure import perceive
from flowbench.builders.real.noise import Judged, Known, Remembered
from flowbench.builders.real.perception.perturbed import COARSE, GRID, PerturbedPerception, grid
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.recordings import TABLETOP
from flowbench.builders.sim.items import Reject

EXACT = "exact"
TRAINING = "exact, margins of the training split"
COUNTED = ("kept", "wrong", "misperceived", "lost")
Counts = dict[str, dict[str, dict[str, int]]]
"""Setting -> category -> what -> how many."""


def main() -> None:
    """Count, then write what was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=400)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument(
        "--counts", type=Path, nargs="+", help="Counts of earlier runs, to write tables from without counting."
    )
    parser.add_argument("--card", type=Path, help="Write what dataset cards say here, too.")
    parser.add_argument("--coarse", action="store_true", help="Mistakes so large that labels must break.")
    parser.add_argument("--also", type=Path, help="Counts of a coarse run, for a table of their own.")
    options = parser.parse_args()
    if options.counts:
        counts = added([json.loads(path.read_text("utf-8")) for path in options.counts])
    else:
        scenes = range(options.first, options.first + options.episodes)
        counts = count(options.seed, scenes, options.out, options.coarse)
    text = report(counts, options.episodes)
    if options.also:
        text += breaking(json.loads(options.also.read_text("utf-8")))
    (options.out / "label_noise.md").write_text(text, "utf-8")
    plot(counts, options.out / "label_noise.png")
    if options.card:
        options.card.write_text(card(counts, options.episodes), "utf-8")


def added(runs: Sequence[Counts]) -> Counts:
    """Counts of runs over different episodes, together."""
    total: Counts = {}
    for run in runs:
        for setting, rows in run.items():
            for category, row in rows.items():
                sums = total.setdefault(setting, {}).setdefault(category, dict.fromkeys(COUNTED, 0))
                for what in COUNTED:
                    sums[what] += row[what]
    return total


def count(seed: int, scenes: Sequence[int], out: Path, coarse: bool) -> Counts:
    """Judge every setting over some episodes; what is counted lies in ``out`` every now and then."""
    counts: Counts = {}
    began = time.monotonic()
    for done, scene in enumerate(scenes, 1):
        shot = DrawnTabletop().shot(seed, TABLETOP, scene)
        if isinstance(shot, Reject):
            continue
        known = Known(shot, perceive(shot.perception, shot.pair))
        preset = preset_named("balanced")
        exact = known.judge(known.exact, preset)
        kept = {each.key for each in exact} if not isinstance(exact, Reject) else set()
        _add(counts, EXACT, exact, kept)
        if coarse:
            _add(counts, TRAINING, known.judge(known.exact, preset, testing=False), kept)
        for name, knobs in grid(COARSE if coarse else GRID):
            provider = PerturbedPerception(Remembered(known.exact), knobs)
            _add(counts, name, known.judge(perceive(provider, shot.pair), preset), kept)
        if done % 20 == 0:
            print(f"{done} of {len(scenes)} episodes, {time.monotonic() - began:.0f} s", flush=True)
            _keep(counts, out)
    _keep(counts, out)
    return counts


def _keep(counts: Counts, out: Path) -> None:
    (out / "label_noise.json").write_text(json.dumps(counts, indent=1), "utf-8")


def _add(counts: Counts, name: str, judged: list[Judged] | Reject, exact: set[tuple[str, tuple[int, ...]]]) -> None:
    found = [] if isinstance(judged, Reject) else judged
    keys = {each.key for each in found}
    rows = counts.setdefault(name, {category: dict.fromkeys(COUNTED, 0) for category in CATEGORIES})
    for each in found:
        row = rows[each.key[0]]
        row["kept"] += 1
        row["wrong"] += each.wrong
        row["misperceived"] += bool(each.misperceived)
    for category, _ in exact - keys:
        rows[category]["lost"] += 1


def report(counts: Counts, episodes: int) -> str:
    """Two tables in Markdown."""
    exact = counts[EXACT]
    total = _total(exact)
    lines = [
        "# Label noise of FlowBench-Real's construction",
        "",
        f"Measured by `scripts/label_noise.py` over {episodes} episodes of the embedded tabletop, whose truth is",
        "known, at the margins of the test split. An item counts once, whatever the select pass would choose.",
        "",
        "*Definition* error: perception makes no mistake, and the label is wrong against true surfaces (distances),",
        "true middles (sides, depth) or true silhouettes (more than 5% hidden counts as partly blocked). It is what",
        "radii from boxes and median pixels cost.",
        "",
        "| category | items | wrong | share |",
        "|---|--:|--:|--:|",
    ]
    rows = [*((name, exact[name]) for name in CATEGORIES), ("all", total)]
    lines += [
        f"| {name} | {row['kept']} | {row['wrong']} | {_share(row['wrong'], row['kept'])} |" for name, row in rows
    ]
    lines += [
        "",
        "*Perception* error: one knob is turned, and the label differs from what the same formulas say of perfectly",
        "perceived objects. *Wrong in truth* holds both errors; *lost* are items that perfect perception kept.",
        "",
        "| knob | items | misperceived | share | wrong in truth | lost |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines += _rows(counts)
    lines += ["", "By category, share misperceived (items):", "", f"| knob | {' | '.join(CATEGORIES)} |"]
    lines.append(f"|---|{'--:|' * len(CATEGORIES)}")
    for name, by_category in counts.items():
        cells = [
            f"{_share(by_category[c]['misperceived'], by_category[c]['kept'])} ({by_category[c]['kept']})"
            for c in CATEGORIES
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", "![The same as a picture](label_noise.png)", ""])


def card(counts: Counts, episodes: int) -> str:
    """The same for a dataset card: a table of categories, and bars for the knobs."""
    exact = counts[EXACT]
    kept = _total(exact)["kept"]
    lines = [
        "### How often labels are wrong",
        "",
        f"Counted over {episodes} episodes of the embedded tabletop, whose truth is known, at the margins of the test",
        "split. By definition: with perfect perception, against true surfaces, middles and silhouettes.",
        "",
        "| category | items | wrong by definition |",
        "|---|--:|--:|",
    ]
    rows = [*((name, exact[name]) for name in CATEGORIES), ("all", _total(exact))]
    lines += [
        f"| {name} | {row['kept']:,} | {row['wrong']} ({_share(row['wrong'], row['kept'])}) |" for name, row in rows
    ]
    lines += [
        "",
        "With mistakes of perception, one kind at a time: what is kept is seldom wrong, but items are lost.",
        "",
        "| mistake | misperceived | wrong in truth | items lost | |",
        "|---|--:|--:|--:|---|",
    ]
    for name, by_category in counts.items():
        row = _total(by_category)
        shares = [_share(row[what], row["kept"]) for what in ("misperceived", "wrong")]
        bar = "█" * round(20 * row["lost"] / kept)
        lines.append(f"| {name} | {shares[0]} | {shares[1]} | {_share(row['lost'], kept)} | {bar} |")
    return "\n".join([*lines, ""])


def breaking(counts: Counts) -> str:
    """A table of a coarse run."""
    lines = [
        "",
        "Mistakes that are much larger, and the narrower margins of the training split, over fewer episodes "
        f"({_total(counts[EXACT])['kept']} items):",
        "",
        "| setting | items | misperceived | share | wrong in truth | lost |",
        "|---|--:|--:|--:|--:|--:|",
        *_rows(counts),
    ]
    return "\n".join([*lines, ""])


def _rows(counts: Counts) -> list[str]:
    """Rows of settings, over all categories."""
    kept, lines = _total(counts[EXACT])["kept"], []
    for name, by_category in counts.items():
        row = _total(by_category)
        cells = (str(row["kept"]), str(row["misperceived"]), _share(row["misperceived"], row["kept"]))
        wrong, lost = _share(row["wrong"], row["kept"]), _share(row["lost"], kept)
        lines.append(f"| {name} | {' | '.join(cells)} | {wrong} | {lost} |")
    return lines


def plot(counts: Counts, path: Path) -> None:
    """Share of wrong labels and of lost items by setting."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(counts)
    totals = [_total(counts[name]) for name in names]
    kept = max(1, _total(counts[EXACT])["kept"])
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 0.28 * len(names) + 1.4), sharey=True)
    places = range(len(names))
    left.barh(
        places, [100.0 * row["wrong"] / max(1, row["kept"]) for row in totals], color="#c8d3e0", label="wrong in truth"
    )
    left.barh(
        places,
        [100.0 * row["misperceived"] / max(1, row["kept"]) for row in totals],
        height=0.4,
        color="#2f5d8a",
        label="misperceived",
    )
    left.axvline(2.0, color="#b03a2e", linewidth=1.0, linestyle="--")
    left.set_yticks(places, names)
    left.invert_yaxis()
    left.set_xlabel("% of kept items")
    left.legend(frameon=False, loc="lower right")
    right.barh(places, [100.0 * row["lost"] / kept for row in totals], color="#8a8a8a")
    right.set_xlabel("% of items lost")
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def _total(rows: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Counts over all categories."""
    return {what: sum(int(row[what]) for row in rows.values()) for what in COUNTED}


def _share(part: int, whole: int) -> str:
    return f"{100.0 * part / whole:.1f}%" if whole else "-"


if __name__ == "__main__":
    main()
