"""One small real release serves all tests: two houses at 160x120, built once a session however many workers test."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from support.small import SCENES, SEED, SMALL

# How long an example takes says more of the machine than of the code: first calls import and compile. The same examples
# every time: whoever changes nothing breaks nothing. `--hypothesis-profile explore` looks at others.
hypothesis.settings.register_profile("explore", deadline=None, database=None, print_blob=True)
hypothesis.settings.register_profile("same", deadline=None, database=None, derandomize=True)
hypothesis.settings.load_profile("same")


@pytest.fixture(autouse=True, scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test notes its builds in the user's account, or finds the user's own releases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        for name in ("FLOWBENCH_ROOT", "FLOWBENCH_REPO", "FLOWBENCH_NO_PATCH"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all test workers of one run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def release(shared_folder: Path) -> Path:
    """The directory of a release of ``sim_train``: seed 0, two houses, 160x120; called ``flowbench``. Read only."""
    out = shared_folder / "flowbench"
    with (shared_folder / "release.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (out / "manifest.json").exists():
            from flowbench.builders.options import BuildOptions
            from flowbench.builders.progress import Silent
            from flowbench.builders.runner import build

            build(BuildOptions(("sim_train",), out, SCENES, SEED, workers=1, **SMALL), Silent())
    return out
