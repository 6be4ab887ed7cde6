"""Texts of collision scenes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, final

from ...dynapix.opened import OpenedClip
from ...dynapix.texts import check_texts
from ..base import SampleSuite, Violation
from ..samples import violations_of


@final
class ClipText(SampleSuite[OpenedClip]):
    """See :mod:`~flowbench.validation.dynapix.texts`."""

    name: ClassVar[str] = "text"
    about: ClassVar[str] = "Queries are known sentences of their kind; rationales are true and recite no numbers."
    columns: ClassVar[frozenset[str]] = frozenset({"json", "meta.txt"})

    def check(self, sample: OpenedClip) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(check_texts(sample), sample.key)
