"""What ``flowbench doctor`` looks at. Every check returns what it found and what to do; none changes anything."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "flowbench-data"
INSTALL_BUILD: Final = "pip install '.[build]' -c constraints.txt"
LINKS: Final = ("builders", "loaders", "validation", "dataset_cards")
_REQUIREMENT: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*(?:>=\s*([0-9][0-9.]*))?")
_PIN: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;#]+)")


class Level(Enum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Check:
    """One line of the doctor's table.

    Attributes:
        name: what was looked at.
        level: how it ended.
        found: what was found.
        advice: what to do; empty when nothing is.
        loading: whether a failure also stops loading, not only building.
    """

    name: str
    level: Level
    found: str
    advice: str = ""
    loading: bool = False


def check_python(version: tuple[int, int, int], machine: str) -> Check:
    """Python 3.11 to 3.13; PyBullet has wheels for 3.11 on Linux x86-64 only."""
    found = ".".join(map(str, version))
    if version < (3, 11, 0):
        return Check("Python", Level.FAIL, found, "install Python 3.11", loading=True)
    if version >= (3, 14, 0):
        return Check("Python", Level.WARN, found, "building is tested on 3.11 to 3.13; use 3.11 if it fails")
    if version >= (3, 12, 0) and machine == "x86_64":
        return Check("Python", Level.OK, f"{found} (pybullet is compiled here: about four minutes, once)")
    return Check("Python", Level.OK, found)


def check_platform(system: str, machine: str) -> Check:
    """Linux on x86-64 builds; everything else only loads."""
    found = f"{system} {machine}"
    if (system, machine) == ("Linux", "x86_64"):
        return Check("platform", Level.OK, found)
    advice = "use WSL to build" if system == "Windows" else "build on Linux x86-64; loading works here"
    return Check("platform", Level.FAIL, found, advice)


def check_packages(name: str, needed: Iterable[str], installed: Mapping[str, str], advice: str, loading: bool) -> Check:
    """Every requirement is installed in a version that is new enough.

    Args:
        name: the check's name.
        needed: requirements such as ``numpy>=2.0``.
        installed: normalised name -> version.
        advice: what to do if not.
        loading: whether they are needed to load.
    """
    wrong, right = [], []
    for requirement in needed:
        match = _REQUIREMENT.match(requirement)
        if match is None:
            continue
        package, floor = match.groups()
        version = installed.get(normalise(package))
        if version is None:
            wrong.append(f"{package} is missing")
        elif floor and numbers(version) < numbers(floor):
            wrong.append(f"{package} {version} is older than {floor}")
        else:
            right.append(f"{package} {version}")
    if wrong:
        return Check(name, Level.FAIL, ", ".join(wrong), advice, loading)
    return Check(name, Level.OK, ", ".join(right))


def check_constraints(pins: Mapping[str, str], needed: Iterable[str], installed: Mapping[str, str]) -> Check:
    """The packages that decide bytes have the versions for which the same seed gives the same bytes."""
    if not pins:
        return Check("constraints", Level.WARN, "no constraints.txt found", "build from a clone to get the same bytes")
    names = [normalise(match.group(1)) for match in map(_REQUIREMENT.match, needed) if match]
    differ = [
        f"{name} {installed[name]} instead of {pins[name]}"
        for name in names
        if name in pins and name in installed and installed[name] != pins[name]
    ]
    if differ:
        advice = f"builds may differ in bytes from published ones: {INSTALL_BUILD}"
        return Check("constraints", Level.WARN, ", ".join(differ), advice)
    return Check("constraints", Level.OK, "versions are those of constraints.txt")


def check_import(module: str, label: str, advice: str, *, loading: bool = False) -> Check:
    """A compiled module really loads; tried in a process of its own, since a broken binary may crash or chatter."""
    program = f"import {module}; print(end=getattr({module}, '__version__', ''))"
    try:
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return Check(label, Level.FAIL, "does not load within two minutes", advice, loading)
    if run.returncode == 0:
        version = re.search(r"\d+(\.\d+)+\S*$", run.stdout)
        return Check(label, Level.OK, f"loads {version.group() if version else ''}".strip())
    lines = run.stderr.strip().splitlines() or [f"the process ended with code {run.returncode}"]
    return Check(label, Level.FAIL, f"does not load: {lines[-1][:160]}", advice, loading)


def check_opencv(installed: Mapping[str, str]) -> Check:
    """Only one OpenCV may own ``cv2``; two must at least be of one version."""
    found = {name: version for name, version in installed.items() if re.fullmatch(r"opencv(-contrib)?-python.*", name)}
    text = ", ".join(f"{name} {version}" for name, version in sorted(found.items()))
    if not found:
        return Check("OpenCV", Level.FAIL, "not installed", "pip install opencv-python-headless", loading=True)
    if len(set(found.values())) > 1:
        advice = "uninstall all of them, then pip install opencv-python-headless -c constraints.txt"
        return Check("OpenCV", Level.FAIL, f"{text}: they overwrite each other's cv2", advice, loading=True)
    if len(found) > 1:
        return Check("OpenCV", Level.WARN, text, "keep opencv-python-headless alone unless something needs the other")
    return Check("OpenCV", Level.OK, text)


def check_folder(name: str, folder: Path, advice: str, level: Level = Level.WARN) -> Check:
    """A folder can be written to, or made."""
    standing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if standing.is_dir() and os.access(standing, os.W_OK | os.X_OK):
        return Check(name, Level.OK, str(folder))
    return Check(name, level, f"{folder} is not writable", advice)


def check_disk(free: int) -> Check:
    """Room for a small release."""
    found = f"{free / 1e9:,.1f} GB free here"
    if free < 500_000_000:
        return Check("disk", Level.FAIL, found, "free at least 0.5 GB, or build with --out on another disk")
    if free < 5_000_000_000:
        return Check("disk", Level.WARN, found, "enough for small builds only")
    return Check("disk", Level.OK, found)


def check_memory(available: int | None, cores: int) -> Check:
    """About 1 GB a worker."""
    if available is None:
        return Check("memory", Level.OK, f"{cores} cores, memory unknown")
    workers = max(1, min(cores, int(available // 1_000_000_000)))
    found = f"{cores} {'core' if cores == 1 else 'cores'}, {available / 1e9:,.1f} GB of memory available"
    if workers < cores or available < 1_000_000_000:
        return Check("memory", Level.WARN, found, f"build with --workers {workers}")
    return Check("memory", Level.OK, found)


def check_links(package: Path) -> Check:
    """In a checkout the symlinks of ``src/flowbench`` are links and not text files (git on Windows)."""
    broken = [name for name in LINKS if not (package / name).is_dir()]
    if broken:
        advice = "clone again with git config core.symlinks true (on Windows: inside WSL)"
        return Check("symlinks", Level.FAIL, f"{', '.join(broken)} is not a folder in {package}", advice)
    kind = "links" if (package / LINKS[0]).is_symlink() else "folders"
    return Check("symlinks", Level.OK, f"{len(LINKS)} {kind} intact")


def check_root(value: str | None) -> Check:
    """``FLOWBENCH_ROOT``, if set, is a release."""
    if not value:
        return Check("FLOWBENCH_ROOT", Level.OK, "not set")
    if not Path(value).is_dir():
        return Check("FLOWBENCH_ROOT", Level.WARN, f"{value} is not a folder", "set it to a release or unset it")
    if not (Path(value) / "manifest.json").is_file():
        return Check("FLOWBENCH_ROOT", Level.WARN, f"{value} has no manifest.json", "set it to a release or unset it")
    return Check("FLOWBENCH_ROOT", Level.OK, value)


def run_checks() -> list[Check]:
    """All checks on this machine."""
    installed = installed_versions()
    core, extra = requirements()
    package = Path(__file__).resolve().parents[1]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    kernels = Path(os.environ.get("NUMBA_CACHE_DIR") or _cache_home() / "flowbench")
    return [
        check_python((sys.version_info.major, sys.version_info.minor, sys.version_info.micro), platform.machine()),
        check_platform(platform.system(), platform.machine()),
        check_links(package),
        check_packages("core packages", core, installed, "pip install . -c constraints.txt", loading=True),
        check_packages("[build] packages", extra, installed, INSTALL_BUILD, loading=False),
        check_constraints(pinned_versions(package), [*core, *extra], installed),
        check_opencv(installed),
        check_import("cv2", "cv2", "pip install --force-reinstall opencv-python-headless", loading=True),
        check_import("numba", "numba", INSTALL_BUILD),
        check_import("pybullet", "pybullet", f"{INSTALL_BUILD} (on Python 3.12 and newer it needs g++)"),
        check_folder("kernel cache", kernels, "set NUMBA_CACHE_DIR to a private folder, or compile at every start"),
        check_folder("datasets cache", _datasets_cache(), "set HF_HOME to a folder you may write to"),
        check_disk(shutil.disk_usage(Path.cwd()).free),
        check_memory(_available_memory(), cores),
        check_root(os.environ.get("FLOWBENCH_ROOT")),
    ]


def installed_versions() -> dict[str, str]:
    """Normalised name -> version of every installed distribution."""
    return {
        normalise(name): distribution.version
        for distribution in importlib.metadata.distributions()
        if (name := distribution.metadata["Name"])
    }


def requirements() -> tuple[list[str], list[str]]:
    """Our requirements: the core's, and those that ``[build]`` adds."""
    try:
        lines = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return [], []
    core = [line for line in lines if "extra" not in line]
    build = [line.split(";")[0].strip() for line in lines if re.search(r"extra\s*==\s*[\"']build[\"']", line)]
    return core, build


def pinned_versions(package: Path) -> dict[str, str]:
    """Normalised name -> version of ``constraints.txt``; empty where the package came without."""
    path = package / "constraints.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {normalise(match.group(1)): match.group(2) for match in map(_PIN.match, lines) if match}


def normalise(name: str) -> str:
    """PEP 503's spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, to compare it with a floor."""
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in match.group().split(".")) if match else ()


def _cache_home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _datasets_cache() -> Path:
    given = os.environ.get("HF_DATASETS_CACHE")
    home = Path(os.environ.get("HF_HOME") or _cache_home() / "huggingface")
    return Path(given) if given else home / "datasets"


def _available_memory() -> int | None:
    """Bytes that can be had without swapping, where the system says."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    match = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
    return int(match.group(1)) * 1024 if match else None
