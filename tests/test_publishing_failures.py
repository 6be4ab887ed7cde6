"""What goes wrong on the way to the Hub: one sentence, an exit code, and no token, whatever happens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.hub import TOKENS, Fault, LocalHub
from support.hub.client import READER, child_environment, hub
from support.publishing import Told, root, small_release

from flowbench.cli import main
from flowbench.publishing import push

__all__ = ["hub", "root", "small_release"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ECHO = "you sent {token}"
Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    """Run a command of ``flowbench release``, with and without ``--debug``; no output may hold a token."""
    monkeypatch.setattr("flowbench.cli.checking.StoredChecks", Told)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["release", *arguments])
        out, err = capfd.readouterr()
        assert main(["release", *arguments, "--debug"]) == code
        everything = out + err + "".join(capfd.readouterr())
        assert everything
        assert [token for token in TOKENS if token in everything] == []
        return code, out, err.strip().splitlines()[-1] if err.strip() else ""

    return run


def pushed(run: Cli, root: Path, version: str = "0.1.0", repo: str = "org/flowbench") -> tuple[int, str]:
    code, _, sentence = run("push", str(root), "--repo", repo, "--version", version)
    return code, sentence


FAULTS = [
    (Fault("^PUT /_lfs/", 500, message=ECHO), "failed with status 500"),
    (Fault("^PUT /_lfs/", 0), "cannot be reached"),
    (Fault("/commit/", 502, message=ECHO), "failed with status 502"),
    (Fault("/commit/", 412, message=ECHO), "was changed by someone else meanwhile"),
    (Fault("/commit/", 400, message=ECHO), "refused with status 400 (you sent ***"),
    (Fault("/commit/", 403, message=ECHO), "your token may not do this in org/flowbench"),
    (Fault("/commit/", 429, message=ECHO), "asks to wait, too many requests"),
    (Fault("/tag/", 409, message=ECHO), "was changed by someone else meanwhile"),
    (Fault("whoami", 401, message=ECHO), "does not accept your token, or you have none"),
    (Fault("whoami", 500, message=ECHO), "failed with status 500"),
    (Fault("^GET /api/datasets", 0), "cannot be reached"),
    (Fault("^GET /api/datasets", 401, message=ECHO), "does not accept your token, or you have none"),
]


@pytest.mark.parametrize(("fault", "sentence"), FAULTS, ids=lambda value: getattr(value, "pattern", None))
def test_each_failure_is_one_sentence_with_what_to_do(
    hub: LocalHub, run: Cli, root: Path, fault: Fault, sentence: str
) -> None:
    hub.store.create("org/flowbench", private=False)
    hub.faults = [fault]
    code, told = pushed(run, root)
    assert code == 2
    assert told.startswith("flowbench: ")
    assert sentence in told
    assert hub.store.repos["org/flowbench"].tags == {}


def test_a_token_that_only_reads_is_told_before_anything_is_written(
    hub: LocalHub, run: Cli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", READER)
    before = (root / "manifest.json").read_bytes()
    code, told = pushed(run, root)
    assert (code, hub.store.repos) == (2, {})
    assert "your token may not do this in org/flowbench" in told
    assert "use one that may write there" in told
    assert (root / "manifest.json").read_bytes() == before


def test_an_organisation_that_is_not_ours_is_told(run: Cli, root: Path) -> None:
    code, told = pushed(run, root, repo="elsewhere/flowbench")
    assert code == 2
    assert "You don't have the rights to create a dataset under the namespace elsewhere" in told


@pytest.mark.parametrize("command", ["push", "verify"])
def test_no_token_at_all(hub: LocalHub, run: Cli, root: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.delenv("HF_TOKEN")
    hub.store.create("org/flowbench", private=True)
    arguments = ["push", str(root), "--repo", "org/flowbench"] if command == "push" else ["verify", "org/flowbench"]
    code, _, told = run(*arguments, "--version", "0.1.0")
    assert code == 2
    assert "log in with `hf auth login` or set HF_TOKEN" in told


@pytest.mark.parametrize("token", ["hf_wrong_sentinel_5d2e", "hf_broken_\nsentinel_5d2e", "hf_“quoted”_sentinel_5d2e"])
def test_a_token_that_is_none_is_not_repeated(
    hub: LocalHub, root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    assert main(["release", "push", str(root), "--repo", "org/flowbench", "--version", "0.1.0", "--debug"]) == 2
    told = "".join(capfd.readouterr())
    assert "log in with `hf auth login` or set HF_TOKEN" in told
    assert "sentinel" not in told


def test_an_interrupted_push_says_how_to_go_on(
    hub: LocalHub, run: Cli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("flowbench.publishing.hub.Repository.upload", interrupted)
        code, told = pushed(run, root)
    assert (code, told) == (130, "flowbench: interrupted; run the same command again to go on where it stopped.")
    assert push(root, "org/flowbench", "0.1.0", Told(), say=lambda _: None).published


def test_a_repository_that_is_not_there_cannot_be_verified(run: Cli) -> None:
    code, _, told = run("verify", "org/nowhere", "--version", "0.1.0")
    assert code == 2
    assert "there is no data set org/nowhere on 127.0.0.1" in told
    assert "check the name" in told


@pytest.mark.slow
def test_a_version_that_is_not_there_is_told_with_those_that_are(run: Cli, root: Path) -> None:
    for version in ("0.1.0", "0.2.0"):
        push(root, "org/flowbench", version, Told(), say=lambda _: None)
    code, _, told = run("verify", "org/flowbench", "--version", "0.3.0")
    assert (code, told) == (2, "flowbench: org/flowbench has no version 0.3.0: it has 0.2.0, 0.1.0.")


@pytest.mark.parametrize(
    "repo", ["flowbench", "a/b/c", "org/", "/x", "org/..", "https://x/y", "org/a b", f"org/{'x' * 99}"]
)
def test_a_name_that_is_none_is_told(run: Cli, root: Path, repo: str) -> None:
    code, told = pushed(run, root, repo=repo)
    assert code == 2
    assert "must be ORG/NAME" in told


@pytest.mark.parametrize("arguments", [(), ("push",), ("push", "x"), ("verify", "org/x"), ("card",), ("bogus",)])
def test_arguments_that_are_missing(run: Cli, arguments: tuple[str, ...]) -> None:
    code, _, told = run(*arguments)
    assert code == 2
    assert "--help" in told


def test_what_is_no_release_is_told(run: Cli, tmp_path: Path) -> None:
    for command in (("card", str(tmp_path)), ("push", str(tmp_path), "--repo", "org/x", "--version", "0.1.0")):
        code, _, told = run(*command)
        assert code == 2
        assert "is not a release: it has no manifest.json" in told


def test_offline_and_out_of_reach_in_a_process_of_its_own(hub: LocalHub, root: Path, tmp_path: Path) -> None:
    """As the environment has it, without anything patched."""

    def run(**changes: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "flowbench", "release", "verify", "org/flowbench", "--version", "0.1.0"]
        environment = child_environment(hub, tmp_path, **changes)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stderr

    code, told = run(HF_HUB_OFFLINE="1")
    assert code == 2
    assert "HF_HUB_OFFLINE is set" in told
    assert told.count("\n") == 1
    code, told = run(HF_ENDPOINT="http://user:sentinel@127.0.0.1:9")
    assert code == 2
    assert "127.0.0.1:9 cannot be reached (ConnectError): check the network" in told
    assert "sentinel" not in told
    assert told.count("\n") == 1
