#!/usr/bin/env python3
"""Print how even a release's answers are and what pays without looking at the pictures; reads the index alone.

python scripts/report_balance.py release/flowbench [sim_train ...]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

from flowbench.errors import ReleaseError, UsageError
from flowbench.release import Manifest, read_manifest
from flowbench.schema import config_spec
from flowbench.validation.suites.balance import Balance
from flowbench.validation.suites.base import OpenedConfig
from flowbench.validation.suites.shortcuts import Shortcuts


def opened(root: Path, manifest: Manifest, config: str) -> OpenedConfig:
    """A config as far as its index tells."""
    frames = [
        pl.read_parquet(root / files.index.path).with_columns(split=pl.lit(split))
        for split, files in manifest.configs[config].items()
    ]
    return OpenedConfig(root, manifest, config_spec(config), pl.concat(frames), pl.DataFrame())


def main() -> None:
    """Print the tables of every config, then what is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path, help="folder of a release")
    parser.add_argument("configs", nargs="*", help="default: all")
    options = parser.parse_args()
    try:
        manifest = read_manifest(options.release)
    except (UsageError, ReleaseError) as error:
        parser.error(str(error))
    names = options.configs or sorted(manifest.configs)
    if unknown := sorted(set(names) - set(manifest.configs)):
        held = ", ".join(sorted(manifest.configs))
        parser.error(f"{options.release} has no {' or '.join(unknown)}; it holds {held}.")
    console = Console()
    for name in names:
        config = opened(options.release, manifest, name)
        console.rule(f"{name}: {config.index.height:,} samples")
        for suite in (Balance(), Shortcuts()):
            findings = suite.check(config, {name: config})
            for each in findings.tables:
                table = Table(*each.columns, title=each.title, caption=each.limits)
                for row in each.rows:
                    table.add_row(*row)
                console.print(table)
            for violation in findings.violations:
                console.print(f"[red]{violation.rule}[/]: {violation.found}; expected {violation.expected}")


if __name__ == "__main__":
    main()
