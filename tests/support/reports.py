"""A report as the runner returns it."""

from __future__ import annotations

from pathlib import Path

from flowbench.builders.progress import BuildReport, ConfigReport

REPORT = BuildReport(
    Path("my/flowbench"),
    {
        "sim_train": ConfigReport(
            samples={"validation": {"left_right": 3}, "train": {"left_right": 1200, "closer_to": 7}},
            rejects={"propose": {"collision": 40, "margin": 90}, "select": {"quota": 1}, "write": {}},
            shards=2,
            bytes=123_456_789,
        )
    },
    changed=True,
    seconds=95.0,
)
