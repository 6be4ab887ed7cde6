"""One self-contained HTML page: no script, no request, everything from the data escaped (security.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jinja2

from .depth import depth_scale
from .flow import flow_wheel
from .pictures import diagram_uri

WIPE_STEPS: Final = 50
"""Places where the line between before and after can stand; without a script each needs its own CSS rule."""


@dataclass(frozen=True)
class Heading:
    """What stands above the cards.

    Attributes:
        config: e.g. ``sim_train``.
        facts: label -> value, e.g. ``seed`` -> ``0``.
        counts: split -> category -> samples.
    """

    config: str
    facts: Mapping[str, str]
    counts: Mapping[str, Mapping[str, int]]


def render_page(heading: Heading, cards: Sequence[Any], name: str = "page.html.j2") -> str:
    """The page as text. The same input gives the same bytes.

    Args:
        heading: what stands above the cards.
        cards: one a sample, as the template expects them.
        name: the template.
    """
    return template(name).render(
        heading=heading,
        cards=cards,
        wipe_steps=WIPE_STEPS,
        wheel=diagram_uri(flow_wheel(160)),
        scale=diagram_uri(depth_scale(256, 12)),
    )


def template(name: str) -> jinja2.Template:
    """A template of ours: everything put into it is escaped, and what is undefined is an error."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flowbench.viewing"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"words": _words, "typeset": _typeset, "figures": _figures}
    return environment.get_template(name)


def _words(name: str) -> str:
    """``left_right`` -> ``left right``."""
    return str(name).replace("_", " ")


def _typeset(text: str) -> str:
    """Keep a number and its unit on one line."""
    return re.sub(r"(\d) (m|cm|px)\b", "\\1\u00a0\\2", text)


def _figures(value: float) -> str:
    """A number with about two figures that mean something, never with an exponent."""
    if value >= 10 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.2g}" if value >= 1e-4 else "less than 0.0001"
