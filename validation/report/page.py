"""The report: one self-contained page, no script, no request, everything from the release escaped (security.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flowbench.release import UNRELEASED
from flowbench.viewing.page import template

from ..results import ConfigResult
from ..runner import Validation
from .pictures import Culprit, culprits_of
from .plots import Plot, plots_of
from .terminal import standing, verdict


@dataclass(frozen=True)
class Section:
    """What the page shows of one config.

    Attributes:
        result: what was found.
        verdict: in one line.
        categories: rows of category, samples of each split, violations of each suite that has any.
        culprits: samples that break rules, with pictures.
        unshown: how many more of those that were kept are not shown.
        plots: of the config.
    """

    result: ConfigResult
    verdict: str
    categories: Sequence[tuple[str, Sequence[int], Sequence[int]]]
    culprits: Sequence[Culprit]
    unshown: int
    plots: Sequence[Plot]


def report_page(found: Validation) -> str:
    """The page as text; the same findings give the same page."""
    sections = [_section(found, result) for result in found.results.values()]
    return template("report.html.j2").render(
        sections=sections, passed=found.passed, facts=_facts(found), standing=standing, samples=found.samples
    )


def _section(found: Validation, result: ConfigResult) -> Section:
    culprits, unshown = culprits_of(found.root, found.manifest, result)
    return Section(
        result,
        verdict(result),
        _categories(result),
        culprits,
        unshown,
        list(plots_of(found.configs[result.config], result)),
    )


def _categories(result: ConfigResult) -> list[tuple[str, list[int], list[int]]]:
    names = sorted({name for counts in result.samples.values() for name in counts})
    return [
        (
            name,
            [counts.get(name, 0) for counts in result.samples.values()],
            [suite.by_category.get(name, 0) for suite in result.suites if suite.by_category],
        )
        for name in names
    ]


def _facts(found: Validation) -> Mapping[str, str]:
    """What the head of the page says of the release."""
    manifest = found.manifest
    first = next(iter(found.results.values()))
    facts = {
        "samples": f"{found.samples:,}",
        "seed": str(manifest.seed),
        "preset": manifest.preset,
        "simulator": manifest.simulator,
        "builder": manifest.builder_version,
        "manifest": first.manifest_sha256[:12],
        "suites": f"version {first.suites_version}",
    }
    return facts if manifest.version == UNRELEASED else {"version": manifest.version, **facts}
