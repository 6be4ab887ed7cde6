#!/usr/bin/env python3
"""Break a release in every way of the corruption kit and tell what the suites say of each.

python scripts/corruption_table.py release/flowbench [--write docs/validation.md]

The release holds sim_train from two homes at least; its smallest useful size is that of the tests (160x120). Or it
holds selection_train, selection_test, selection_matched, retrieval_test and retrieval_corpus from five scenes: the
corruptions are then those of collision scenes, and the table is theirs. Exit code 1 if a corruption is not found.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from flowbench.errors import ReleaseError
from flowbench.progress import Silent
from flowbench.release import read_manifest
from flowbench.validation.corruption import CLIP_CORRUPTIONS, CORRUPTIONS, CROWDED, Corruption
from flowbench.validation.corruption.cutting import CONFIG, crowd, crowd_clips, thin, thin_clips
from flowbench.validation.registry import SUITES, Suites
from flowbench.validation.runner import validate
from flowbench.validation.suites.base import Violation

SEED = 1
SHARED = frozenset({"balance", "shortcuts"})
START, END = "<!-- corruption table -->", "<!-- end of the corruption table -->"
LONGEST = 150


@dataclass(frozen=True)
class Kit:
    """What a release can be broken in.

    Attributes:
        corruptions: of all sorts.
        thin, crowd: what makes of a release a smaller one, and one of many records alone.
        start, end: lines between which the table stands.
    """

    corruptions: Sequence[Corruption]
    thin: Callable[[Path, Path], None]
    crowd: Callable[[Path, Path], None]
    start: str
    end: str


SIM = Kit(tuple(CORRUPTIONS.values()), thin, crowd, START, END)
CLIPS = Kit(
    (*CLIP_CORRUPTIONS.values(), *CROWDED),
    thin_clips,
    crowd_clips,
    "<!-- corruption table of collision scenes -->",
    "<!-- end of the corruption table of collision scenes -->",
)


def found(root: Path, suites: Mapping[str, Suites]) -> Mapping[str, Sequence[Violation]]:
    """The violations of every suite that has any."""
    kept: dict[str, list[Violation]] = {}
    for result in validate(root, [], 1, Silent(), suites).results.values():
        for suite in result.suites:
            if suite.kept:
                kept.setdefault(suite.name, []).extend(suite.kept)
    return kept


def row(corruption: Corruption, good: Path, work: Path, suites: Mapping[str, Suites]) -> tuple[str, bool]:
    """A line of the table, and whether the corruption was found by those who must."""
    root = work / "broken"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(good, root)
    corruption.apply(root, np.random.default_rng(SEED))
    try:
        caught = found(root, suites)
    except ReleaseError as error:
        return f"| {corruption.name} | {corruption.about} | **refused** | {error} |", False
    missed = corruption.suites - caught.keys()
    named = sorted(corruption.suites - missed)
    sentence = _sentence(caught[named[0]][0]) if named else "**not found**"
    also = sorted(caught.keys() - corruption.suites)
    by = ", ".join([*named, *(f"({each})" for each in also)])
    return f"| {corruption.name} | {corruption.about} | {by} | {sentence} |", not missed


def _sentence(violation: Violation) -> str:
    text = f"{violation.rule}: {violation.found}; expected {violation.expected}"
    text = re.sub(r"[0-9a-f]{64}", lambda digest: f"{digest[0][:8]}…", " ".join(text.split()))
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return text.replace("|", "\\|").replace("<", "&lt;").replace("{", "&#123;")


def main() -> None:
    """Break, check, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path, help="a good release; it is only read")
    parser.add_argument("--write", type=Path, help="put the table between the marks of this file")
    options = parser.parse_args()
    if not (options.release / "manifest.json").is_file():
        parser.error(f"{options.release} is not a release: name a folder that flowbench build has made.")
    page = options.write.read_text("utf-8") if options.write else None
    kit = SIM if CONFIG in read_manifest(options.release).configs else CLIPS
    if page is not None and not (kit.start in page and kit.end in page):
        parser.error(f"{options.write} lacks the lines {kit.start} and {kit.end}: add them where the table belongs.")
    lines, missed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        kit.thin(options.release, work / "good")
        kit.crowd(options.release, work / "crowded")
        alone = {name: Suites((), each.configs, each.opener) for name, each in SUITES.items()}
        for each in track(kit.corruptions, "corruptions", console=Console(stderr=True)):
            shared = each.suites & SHARED
            line, good = row(each, work / ("crowded" if shared else "good"), work, alone if shared else SUITES)
            lines.append(line)
            missed += not good
    head = ["| corruption | what was done | caught by (also by) | what is said |", "|---|---|---|---|"]
    table = "\n".join([*head, *lines])
    if page is None:
        print(table)
    else:
        before, after = page.split(kit.start)[0], page.split(kit.end)[1]
        options.write.write_text(f"{before}{kit.start}\n{table}\n{kit.end}{after}", "utf-8")
    print(f"{len(lines) - missed} of {len(lines)} corruptions found", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
