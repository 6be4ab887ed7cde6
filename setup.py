"""Everything is in pyproject.toml; this only stops an install that could not work."""

import sys
from pathlib import Path

from setuptools import setup

LINKS = ("builders", "loaders", "validation", "dataset_cards")
package = Path(__file__).resolve().parent / "src" / "flowbench"
broken = [name for name in LINKS if (package / name).is_file()]
if broken:
    sys.exit(
        f"src/flowbench/{broken[0]} is a text file but should be a symbolic link to a folder: git wrote links as text, "
        "so clone again inside WSL, or with 'git clone -c core.symlinks=true'."
    )

setup()
