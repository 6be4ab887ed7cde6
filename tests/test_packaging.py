"""The front door: names, licences, pins, links, scripts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "NOTICE", "dataset_cards/README.md.j2")
LINKS = ("builders", "loaders", "validation", "dataset_cards", "constraints.txt")


def own_files() -> list[Path]:
    """Every text file of the checkout but the tests."""
    skipped = {".git", ".venv", "tests", "build", "dist", "release", "out", "__pycache__"}
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in skipped and not name.endswith(("_cache", ".egg-info"))]
        found += [Path(folder, name) for name in names if not name.endswith((".png", ".pyc", ".so"))]
    return found


def test_nobody_is_sent_to_the_other_project_of_our_name() -> None:
    wrong = re.compile(r"pip3? +install +(-\S+ +)*['\"]?flowbench(?!-data)\b")
    assert wrong.search("pip install " + "flowbench")
    assert not wrong.search("pip install " + "flowbench-data")
    files = own_files()
    assert len(files) > 100
    guilty = [path for path in files if wrong.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert guilty == []


def test_the_distribution_and_its_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "flowbench-data"
    assert project["license"] == "Apache-2.0"
    assert project["scripts"] == {"flowbench": "flowbench.cli:main"}


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "[yyyy]" not in text
    assert len(text.splitlines()) > 190


def test_constraints_are_exact_versions_of_public_packages() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line)] == []
    names = [re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in pins]
    assert len(set(names)) == len(names)


def test_every_dependency_that_is_used_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {"build", "rewriter", "dev", "thor", "ray", "slurm", "perception", "transfer"}
    wanted = [*project["dependencies"], *extras["build"], *extras["rewriter"], *extras["transfer"], *extras["dev"]]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=]", line)[0]).lower() for line in wanted} - {"flowbench-data"}
    text = re.sub(r"[_.]", "-", (ROOT / "constraints.txt").read_text(encoding="utf-8")).lower()
    assert [name for name in sorted(names) if f"\n{name}==" not in text] == []


@pytest.mark.parametrize("name", LINKS)
def test_links_are_relative_and_lead_home(name: str) -> None:
    link = ROOT / "src" / "flowbench" / name
    assert os.readlink(link) == f"../../{name}"
    assert link.resolve() == ROOT / name
    assert link.exists()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_of_the_documents_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    assert [each for each in targets if not re.search(r"://|\{\{", each) and not (ROOT / each).exists()] == []


def test_the_readme_shows_the_columns_and_categories_that_there_are() -> None:
    from flowbench.builders.sim.categories import CATEGORIES
    from flowbench.schema import SIM_COLUMNS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in [*(column.name for column in SIM_COLUMNS), *CATEGORIES]:
        assert f"`{name}`" in readme


@pytest.mark.parametrize("script", [*(path.name for path in (ROOT / "scripts").glob("*.sh")), "../.ci/run"])
def test_scripts_are_executable_and_stop_at_the_first_error(script: str) -> None:
    path = ROOT / "scripts" / script
    assert os.access(path, os.X_OK)
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", path], check=True)


def test_a_checkout_with_links_as_text_files_is_stopped_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "src" / "flowbench").mkdir(parents=True)
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "src" / "flowbench" / "builders").write_text("../../builders")
    run = subprocess.run(
        [sys.executable, "setup.py", "--name"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "src/flowbench/builders is a text file" in run.stderr
    assert "core.symlinks=true" in run.stderr
    assert run.stderr.count("\n") == 1


def find_python(tmp_path: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Run make_venv.sh in an empty clone with only these programs beside the shell's own."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "scripts" / "make_venv.sh", tmp_path / "scripts")
    for name in ("pyproject.toml", "setup.py", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    for name, text in programs.items():
        path = tmp_path / "bin" / name.replace("_", ".")
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
    for name in {"bash", "cat", "sha256sum", "uname", "dirname"} - set(programs):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    command = [str(tmp_path / "scripts" / "make_venv.sh"), "build"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("programs", "sentence"),
    [
        ({}, "no Python 3.11, 3.12 or 3.13 found"),
        ({"python3": "exit 1"}, "no Python 3.11, 3.12 or 3.13 found"),
        ({"python3_11": '[[ "$2" != *ensurepip* ]]'}, "python3.11 has no venv module"),
        ({"python3_12": '[[ "$2" != *"(3, 12))"* ]]'}, "python3.12 needs to compile PyBullet"),
        ({"uname": 'if [ "$1" = -s ]; then echo Darwin; else echo arm64; fi'}, "this is Darwin on arm64"),
    ],
)
def test_the_installer_says_what_is_missing(programs: dict[str, str], sentence: str, tmp_path: Path) -> None:
    run = find_python(tmp_path, **programs)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert run.stderr.startswith("flowbench: ")
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / ".venv").exists()
