"""Build sdist and wheel, look into both, and install the wheel with the core dependencies alone."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = {".csv", ".py", ".toml", ".j2", ".css", ".md", ".typed", ".txt"}

CORE_ONLY = """
import importlib.util, pkgutil
import flowbench, flowbench.loaders, flowbench.validation, flowbench.viewing.gallery
assert not importlib.util.find_spec("numba") and not importlib.util.find_spec("pybullet")
for package in (flowbench.loaders, flowbench.validation):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from flowbench.viewing.page import Heading, render_page
assert "<h1>sim_train</h1>" in render_page(Heading("sim_train", {}, {}), [])
from flowbench.builders.manifest import constraints_sha256
assert constraints_sha256()
print("core install imports")
"""


def run(*command: str | Path, code: int = 0, cwd: Path | None = None) -> str:
    """Run a command; fail loudly unless it ends with ``code``."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != code:
        sys.exit(f"{' '.join(str(part) for part in command[:4])} … ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def expected_members() -> set[str]:
    """Every file of the package in the checkout, symlinked folders included, as ``flowbench/...``."""
    package = ROOT / "src" / "flowbench"
    found = set()
    for folder in (package, *(path for path in package.iterdir() if path.is_symlink() and path.is_dir())):
        prefix = Path("flowbench") if folder == package else Path("flowbench", folder.name)
        for path in folder.resolve().rglob("*"):
            if path.suffix in DATA and path.is_file() and "__pycache__" not in path.parts:
                found.add((prefix / path.relative_to(folder.resolve())).as_posix())
    return found


def check_members(wheel: Path, sdist: Path) -> None:
    """Both archives hold the whole package; the wheel holds nothing else."""
    expected = expected_members()
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = {name.rpartition("/")[2] for name in archive.namelist() if "/licenses/" in name}
    with tarfile.open(sdist) as archive:
        inside = {info.name.partition("/")[2].removeprefix("src/") for info in archive if info.isfile()}
    problems = [
        *(f"the wheel lacks {name}" for name in sorted(expected - packed)),
        *(f"the wheel has {name}" for name in sorted(packed - expected)),
        *(f"the sdist lacks {name}" for name in sorted(expected - inside)),
        *(f"the wheel lacks {name}" for name in sorted({"LICENSE", "NOTICE"} - licences)),
    ]
    if problems:
        sys.exit("\n".join(problems))
    print(f"wheel and sdist hold all {len(expected)} files of the package")


def check_core_install(wheel: Path, folder: Path) -> None:
    """With the core dependencies alone everything that loads and checks imports, and doctor says load-only."""
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv" / "bin"
    run(binaries / "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    print(run(binaries / "python", "-c", CORE_ONLY, cwd=folder).strip())
    report = run(binaries / "flowbench", "doctor", code=2, cwd=folder)
    if "load-only" not in report:
        sys.exit(f"doctor does not say that this install is load-only:\n{report}")
    message = run(binaries / "flowbench", "build", "sim_train", "--out", folder / "flowbench", code=2, cwd=folder)
    if "which is not installed" not in message:
        sys.exit(f"build does not say what is missing:\n{message}")
    print("doctor and build say what is missing")


def main() -> None:
    """Run all checks in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="flowbench-wheel-") as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        check_members(wheel, sdist)
        check_core_install(wheel, folder)


if __name__ == "__main__":
    main()
