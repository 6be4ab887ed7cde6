"""``flowbench release``: card, push, verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from .ending import ended_by_signals
from .flags import Command, Group

if TYPE_CHECKING:
    from flowbench.publishing import PushReport, VerifyReport

app = typer.Typer(
    cls=Group,
    help="Publish a release under a version: write its card, push it to the Hub, verify what is there.",
    rich_markup_mode="markdown",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_STOPPED: Final = "interrupted; run the same command again to go on where it stopped."
_MOST_UNLISTED: Final = 8
_Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")]
_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Release folder, as `flowbench build` made it.")]

CARD_EPILOG: Final = """
**What comes out**: `README.md` (what is in the release, how it was made, tables, licence, limits, loading recipes) and
`index/<config>/preview.png`, the pictures in it. Both say the same for the same release. `build` and `push` write them
too; this is for after an update of flowbench. What you wrote into the card is lost: words of yours belong under
`## Unreleased` in `CHANGELOG.md`.
"""

PUSH_EPILOG: Final = """
**Examples**

`flowbench release push release/flowbench --repo my-group/flowbench --version 0.1.0` publishes the first version.

`HF_ENDPOINT=https://hub.example.org flowbench release push …` publishes on another server.

**What happens**: the release is validated, unless `validation/` holds results for just this manifest. The version goes
into manifest, card and `CHANGELOG.md`; what you wrote there under `## Unreleased` becomes the version's notes. Card,
changelog, manifest, the files that the manifest names and `SHA256SUMS`, the list of them all, are uploaded, nothing
else of the folder. When the repository holds what these say, it gets the tag `vX.Y.Z`.

**The card** is written anew. One that you wrote in is refused, so that no word is lost: move yours to `CHANGELOG.md`,
then push with `--overwrite-card`.

**Versions** follow SemVer: major, columns or the meaning of a label changed; minor, samples or configs were added;
patch, fixes that change no label. While the major version is 0, a new minor version is enough for all. A version that
is too low is refused with the reason; one that is there already is never changed.

**Interrupted?** The same command again goes on where it stopped. Once a version is there, it does nothing.

**Account**: `hf auth login`, or a token in the environment variable `HF_TOKEN`.
"""

VERIFY_EPILOG: Final = """
**Example**: `flowbench release verify my-group/flowbench --version 0.1.0`

Every file is read once and hashed as it arrives; nothing is kept. Shards and indexes are compared with `manifest.json`,
these and all others with `SHA256SUMS`, which older versions lack; the files that the card loads with the manifest.
Nothing vouches for `SHA256SUMS` itself: compare its sha256 with the one that the push told.

**Exit codes**: 0 all files are what these say, 1 some are not, 2 there is no such repository or version, or no
connection.
"""


@app.callback(invoke_without_command=False)
def _group() -> None:
    """Publish a release under a version: write its card, push it to the Hub, verify what is there."""


@app.command("card", cls=Command, epilog=CARD_EPILOG)
def card(release: _Folder, debug: _Debug = False) -> None:
    """Write the card of a release anew."""
    from ..cards import published_in, write_card
    from ..release import CARD, read_manifest

    manifest = read_manifest(release)
    write_card(release, manifest, published_in(release, manifest))
    typer.echo(f"card: {(release / CARD).resolve()}")


@app.command("push", cls=Command, epilog=PUSH_EPILOG)
def push(
    release: _Folder,
    repo: Annotated[str, typer.Option(metavar="ORG/NAME", help="Data set repository; made if it is missing.")],
    version: Annotated[str, typer.Option(metavar="X.Y.Z", help="Version to publish, above all that are there.")],
    private: Annotated[bool, typer.Option("--private", help="Make the repository a private one.")] = False,
    overwrite_card: Annotated[
        bool, typer.Option("--overwrite-card", help="Write the card anew even where you wrote in it.")
    ] = False,
    debug: _Debug = False,
) -> None:
    """Validate a release and publish it on the Hub under a version."""
    from flowbench.publishing import push as publish

    from .checking import StoredChecks

    _calm_bars()
    with ended_by_signals(_STOPPED):
        report = publish(
            release, repo, version, StoredChecks(), private=private, overwrite_card=overwrite_card, say=_say
        )
    _tell(report, repo)


@app.command("verify", cls=Command, epilog=VERIFY_EPILOG)
def verify(
    repo: Annotated[str, typer.Argument(metavar="ORG/NAME", help="Data set repository.")],
    version: Annotated[str, typer.Option(metavar="X.Y.Z", help="Which of its versions.")],
    debug: _Debug = False,
) -> None:
    """Download a published version and compare every file with its manifest and its list of files."""
    from flowbench.publishing import verify as compare

    from .progress import shown_progress

    with ended_by_signals("interrupted; run the same command again."), shown_progress() as progress:
        report = compare(repo, version, progress)
    _tell_compared(report, repo, version)


def _tell_compared(report: VerifyReport, repo: str, version: str) -> None:
    """What a verification found, and what it could not see."""
    from ..release import size_text

    basis = "the manifest says" if report.sums is None else "manifest and SHA256SUMS say"
    size = size_text(report.bytes)
    typer.echo(f"{repo} {version}: {report.files:,} files with {report.samples:,} samples, {size}, are what {basis}.")
    if report.sums is not None:
        typer.echo(f"  SHA256SUMS:  sha256 {report.sums}")
    if report.unlisted:
        left = len(report.unlisted) - _MOST_UNLISTED
        more = f" and {left:,} more" if left > 0 else ""
        shown = ", ".join(report.unlisted[:_MOST_UNLISTED])
        typer.echo(f"  not listed:  {shown}{more}; compared with nothing.")


def _calm_bars() -> None:
    """Keep the upload's bars, which are huggingface_hub's own, to terminals."""
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()


def _say(step: str) -> None:
    """A step of a push begins."""
    typer.echo(f"{step} …", err=True)


def _tell(report: PushReport, repo: str) -> None:
    """What a push did, and how to get at it."""
    if not report.published:
        typer.echo(f"Nothing to do: {repo} has version {report.version} with the same content.")
        return
    typer.echo(f"Published version {report.version}: {report.page}, {report.files:,} files.")
    for change in report.changes:
        typer.echo(f"  {change.text}")
    typer.echo(f'  load:    load_dataset("{repo}", "{report.config}", revision="{report.version.tag}")')
    typer.echo(f"  verify:  flowbench release verify {repo} --version {report.version}")
    typer.echo(f"  keep:    sha256 of SHA256SUMS: {report.sums}")
