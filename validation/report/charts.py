"""Plots as ``data:`` URIs of SVG, drawn by matplotlib; as pictures they can neither run nor load anything."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..plain import plain
from ..suites.base import Share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#1b1c20"
SOFT: Final = "#5d616b"
ACCENT: Final = "#3f4bc8"
BAD: Final = "#c2372e"
UNTOLD: Final = "#a2a5ad"
COLOURS: Final = ("#3f4bc8", "#e0963b", "#2f9e7d", "#c2557a", "#7a68b8", "#8c8f3a", "#5aa3d0", "#a2a5ad")
_STYLE: Final[Any] = {
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "svg.hashsalt": "flowbench",
    "svg.fonttype": "path",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": "#b9bcc4",
    "axes.labelcolor": SOFT,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.constrained_layout.use": True,
}
_WIDTH: Final = 8.0
_PANELS: Final = 4
"""Small plots side by side."""
_LONGEST: Final = 34


def stacked(rows: Mapping[str, Mapping[str, int]], unit: str) -> str:
    """Shares within each row as one bar each, in the order of the labels' first occurrence.

    Args:
        rows: row -> label -> count.
        unit: what the shares are of, for the axis.
    """
    labels = list(dict.fromkeys(label for counts in rows.values() for label in counts))
    with _figure(_WIDTH, 1.1 + 0.32 * len(rows)) as figure:
        axes = figure.subplots()
        names = list(rows)[::-1]
        left = np.zeros(len(names))
        total = np.array([max(sum(rows[name].values()), 1) for name in names])
        for place, label in enumerate(labels):
            share = np.array([rows[name].get(label, 0) for name in names]) / total
            bars = axes.barh(
                range(len(names)),
                share,
                left=left,
                color=COLOURS[place % len(COLOURS)],
                label=_short(label),
                height=0.7,
            )
            texts = [f"{value:.0%}" if value >= 0.06 else "" for value in share]
            axes.bar_label(bars, texts, label_type="center", color="white", fontsize=8)
            left += share
        axes.set_yticks(range(len(names)), [f"{_words(name)} ({sum(rows[name].values()):,})" for name in names])
        axes.set_xlim(0, 1)
        axes.set_xlabel(f"share of {unit}")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        figure.legend(loc="outside upper right", ncols=min(len(labels), 8))
        return _uri(figure)


def histograms(groups: Mapping[str, tuple[str, NDArray[np.float64]]]) -> str:
    """A small histogram a group; group -> (unit of its axis, values)."""
    columns = min(_PANELS, len(groups))
    lines = -(-len(groups) // columns)
    with _figure(_WIDTH, 0.3 + 1.65 * lines) as figure:
        panels = figure.subplots(lines, columns, squeeze=False).ravel()
        for axes, (name, (unit, values)) in zip(panels, groups.items(), strict=False):
            finite = values[np.isfinite(values)]
            if finite.size:
                axes.hist(finite, bins=min(30, max(5, finite.size // 4)), color=ACCENT)
            axes.set_title(_words(name))
            axes.set_xlabel(unit)
            axes.set_ylim(bottom=0)
            axes.locator_params(axis="x", nbins=4)
            axes.locator_params(axis="y", nbins=4, integer=True)
        for axes in panels[len(groups) :]:
            axes.set_axis_off()
        return _uri(figure)


def lengths(by_direction: Mapping[str, NDArray[np.float64]], unit: str) -> str:
    """One histogram of lengths, the directions stacked."""
    with _figure(_WIDTH, 2.9) as figure:
        axes = figure.subplots()
        kept = {name: values[np.isfinite(values)] for name, values in by_direction.items()}
        if any(values.size for values in kept.values()):
            axes.hist(
                list(kept.values()),
                bins=30,
                stacked=True,
                color=[COLOURS[place % len(COLOURS)] for place in range(len(kept))],
                label=[f"{_short(name)} ({values.size:,})" for name, values in kept.items()],
            )
            figure.legend(loc="outside right upper")
        axes.set_xlabel(unit)
        axes.set_ylabel("samples")
        axes.locator_params(axis="y", integer=True)
        return _uri(figure)


def heat_maps(maps: Mapping[str, NDArray[np.int64]], size: tuple[int, int]) -> str:
    """Where something lies in the picture, a map a moment; name -> (rows, columns) counts over (width, height)."""
    with _figure(_WIDTH, 0.6 + _WIDTH / max(len(maps), 1) * size[1] / size[0]) as figure:
        panels = figure.subplots(1, len(maps), squeeze=False).ravel()
        most = max(int(counts.max(initial=0)) for counts in maps.values())
        image = None
        for axes, (name, counts) in zip(panels, maps.items(), strict=True):
            image = axes.imshow(
                counts, extent=(0, size[0], size[1], 0), cmap="magma_r", vmin=0, vmax=max(most, 1), aspect="equal"
            )
            axes.set_title(f"{name} ({int(counts.sum()):,} marks)")
            axes.set_xlabel("u, pixels")
            axes.set_ylabel("v, pixels")
        if image is not None:
            figure.colorbar(image, ax=list(panels), shrink=0.8, label="marks a cell")
        return _uri(figure)


def against_chance(shares: Sequence[Share], allowed: float) -> str:
    """Bars of shares with their 95% intervals, a panel a category, beside chance and the limit above it."""
    groups: dict[str, list[Share]] = {}
    for share in shares:
        groups.setdefault(share.category, []).append(share)
    columns = min(2, len(groups))
    lines = -(-len(groups) // columns)
    tallest = max(len(each) for each in groups.values())
    with _figure(_WIDTH * 1.15, 0.5 + lines * (0.75 + 0.185 * tallest)) as figure:
        panels = figure.subplots(lines, columns, squeeze=False).ravel()
        for axes, (category, rows) in zip(panels, groups.items(), strict=False):
            _bars(axes, category, rows, allowed)
        for axes in panels[len(groups) :]:
            axes.set_axis_off()
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper right", ncols=2)
        return _uri(figure)


_VERDICTS: Final = {"yes": BAD, "no": ACCENT, "not seen": ACCENT}
"""What the table says of a rule -> its bar's colour; grey where it cannot be told."""


def _bars(axes: Axes, category: str, rows: Sequence[Share], allowed: float) -> None:
    places = np.arange(len(rows))[::-1]
    values = np.array([row.value for row in rows])
    low, high = np.array([row.low for row in rows]), np.array([row.high for row in rows])
    chance = np.array([row.chance for row in rows])
    colours = [_VERDICTS.get(row.pays, UNTOLD) for row in rows]
    error = np.clip(np.stack([values - low, high - values]), 0, None)
    axes.barh(places, values, color=colours, alpha=0.55, height=0.7)
    axes.errorbar(values, places, xerr=error, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    axes.axvline(float(chance.mean()), color=INK, linewidth=1, label="chance")
    axes.axvline(float(chance.mean()) + allowed, color=BAD, linewidth=1, linestyle="--", label="limit of lower ends")
    axes.set_yticks(places, [_short(row.name) for row in rows], fontsize=7)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_title(_words(category))


@contextmanager
def _figure(width: float, height: float) -> Iterator[Figure]:
    """An empty figure in our style that no window and no global state knows of, inches."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        yield Figure(figsize=(width, height))


def _uri(figure: Figure) -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def _words(name: str) -> str:
    return _short(name.replace("_", " "))


def _short(text: str) -> str:
    return plain(text, _LONGEST)
