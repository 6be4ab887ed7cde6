"""What the card says of one record type: texts and lines of code, from ``dataset_cards/recipes_*.md.j2``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import jinja2
import pydantic

from ..schema import RealRecord, SimRecord
from ..schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

_MARKUP: Final = re.compile(r"[\\`*\[\]]")
_OURS: Final = re.compile(r"`[a-z0-9_]+`")
"""A cell that is the name of a config."""
_NAMES: Final[Mapping[type[pydantic.BaseModel], str]] = {
    SimRecord: "sim",
    RealRecord: "real",
    SelectionRecord: "selection",
    RetrievalRecord: "retrieval",
    CorpusRecord: "corpus",
}


@dataclass(frozen=True)
class Recipes:
    """Markdown and Python for the samples of a record type.

    Attributes:
        about: what every sample is, after "Data about imagining how a scene changes:".
        alt, caption: of the picture of samples.
        look: what to look at of a sample of ``datasets``.
        pil, members: what ``webdataset`` decodes, and the columns to take.
        group: a question to the index.
        decoding: how members are decoded with public libraries.
        typed: what to look at of a decoded sample.
        note: what else is to be said of it; may be empty.
        conventions: bullets.
        paper: what to mind with preset ``paper``, a bullet.
        origin: what a record's provenance names.
        citation: of the paper, where it is not the first one; may be empty.
    """

    about: str
    alt: str
    caption: str
    look: str
    pil: str
    members: str
    group: str
    decoding: str
    typed: str
    note: str
    conventions: Sequence[str]
    paper: str
    origin: str
    citation: str


def recipes_of(record: type[pydantic.BaseModel], load: str = "") -> Recipes:
    """The recipes for samples with such a record; ``load`` is the line that gets one, if there is none yet."""
    macros: Any = environment().get_template(f"recipes_{_NAMES[record]}.md.j2").module
    texts = {
        name: str(getattr(macros, name)(load) if name == "decoding" else getattr(macros, name)()).strip()
        for name in Recipes.__dataclass_fields__
    }
    bullets = texts.pop("conventions").removeprefix("- ").split("\n- ")
    return Recipes(**texts, conventions=bullets)


def unique(texts: Iterable[str]) -> list[str]:
    """Each text once, in their order, without empty ones."""
    return [text for text in dict.fromkeys(texts) if text]


def environment() -> jinja2.Environment:
    """The templates of the card."""
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: str(folder().joinpath(name).read_text("utf-8"))),
        autoescape=False,  # Markdown, not HTML; the filters escape what would end a cell, begin a tag, or be markup
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"cell": _cell, "plain": _plain}
    return made


def folder() -> Any:
    """Where templates and prose lie."""
    return resources.files("flowbench").joinpath("dataset_cards")


def _plain(text: str) -> str:
    """Text of the data for a cell of a table: nothing in it is Markdown, but for a name in code alone."""
    return text if _OURS.fullmatch(text) else _cell(_MARKUP.sub(r"\\\g<0>", text))


def _cell(text: str) -> str:
    """Markdown of ours for a cell of a table."""
    return " ".join(text.split()).replace("<", "&lt;").replace("|", "\\|")
