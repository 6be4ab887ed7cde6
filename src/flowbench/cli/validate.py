"""``flowbench validate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..errors import FlowbenchError
from .ending import cores, ended_by_signals
from .numbers import check_range, whole_number
from .places import check_place

if TYPE_CHECKING:
    from flowbench.validation.runner import Validation

MOST_WORKERS: Final = 256
_BROKEN: Final = 1

EPILOG: Final = """
**Examples**

`flowbench validate release/flowbench` checks everything: every file, and every label again from the evidence.

`flowbench validate release/flowbench sim_test` checks one config. Whether two configs share scenes or pictures is
only seen when both are checked.

`flowbench validate release/flowbench --report report.html` also writes a page with plots and the pictures of what is
wrong, which needs neither a network nor a script.

`flowbench validate release/flowbench --json - | jq .passed` is for scripts: what was found as JSON.

**What is checked**: files against manifest, card and index; every answer, margin and distance recomputed from masks,
depth and the simulator's state; flow, depth and segmentation against each other; ambiguity; balance; what a reader
who sees no picture could guess; scenes and pictures in two splits; texts. Nothing is taken on trust, nothing extracted.

**What comes out**: a table here, and `validation/<config>.json` in the release, bound to its manifest.

**Exit codes**: 0 fine, 1 a check is broken (corrupt, missing or hostile files included), 2 not a release, unknown
config or bad arguments, 130 interrupted. Under the preset `paper` uneven answers and shortcuts are reported only.
"""


def command(
    release: Annotated[Path, typer.Argument(metavar="DIR", help="Release folder, as `flowbench build` made it.")],
    configs: Annotated[
        list[str] | None,
        typer.Argument(metavar="CONFIG", help="Which configs to check.", show_default="all of the release"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write a page with plots and pictures.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write what was found as JSON; `-` is stdout.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Worker processes; never changes what is found.",
            show_default="all cores",
            parser=whole_number("--workers", 4),
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Check a release: nothing is missing or broken, and every label follows from what is published."""
    workers = cores() if workers is None else workers
    check_range("--workers", workers, 1, MOST_WORKERS, "worker processes")
    if report is not None:
        check_place("--report", report, "an .html file")
    if json is not None and str(json) != "-":
        check_place("--json", json, "a file")
    from flowbench.validation.runner import validate

    from .progress import shown_progress

    with ended_by_signals("interrupted; run the same command again."):
        with shown_progress() as progress:
            found = validate(release, tuple(dict.fromkeys(configs or ())), workers, progress)
        _tell(found, report, json)
    if not found.passed:
        raise typer.Exit(_BROKEN)


def _tell(found: Validation, report: Path | None, json: Path | None) -> None:
    """Keep the results with the release, write what was asked for, and print."""
    from rich.console import Console

    from flowbench.files import write_text
    from flowbench.release import validation_path
    from flowbench.validation.report.terminal import print_result, verdict
    from flowbench.validation.results import all_results

    from .progress import duration

    kept = _keep(found)  # before anything is printed: whoever reads may stop reading
    if report is not None:
        from flowbench.validation.report.page import report_page

        write_text(report, report_page(found))
    if json is not None and str(json) != "-":
        write_text(json, all_results(found.results.values()))
    console = Console(stderr=str(json) == "-", highlight=False)
    for result in found.results.values():
        print_result(result, console)
    console.print()
    for result in found.results.values():
        style = "green" if result.passed else "red"
        console.print(verdict(result), style=style, markup=False, soft_wrap=True)
    console.print(f"{found.samples:,} samples in {duration(found.seconds)}.", soft_wrap=True)
    if str(json) == "-":
        typer.echo(all_results(found.results.values()), nl=False)
    if report is not None:
        console.print(f"report: {report.resolve()}", markup=False, soft_wrap=True)
    elif not found.passed:
        hint = f"flowbench validate {found.root} --report report.html"
        console.print(f"  look:  {hint}", markup=False, soft_wrap=True)
    if kept:
        console.print(f"  kept:  {', '.join(map(validation_path, found.results))}", markup=False, soft_wrap=True)


def _keep(found: Validation) -> bool:
    """Write the results into the release; one that cannot be written to is checked all the same."""
    from flowbench.validation.results import write_result

    try:
        for result in found.results.values():
            write_result(found.root, result)
    except FlowbenchError as error:
        typer.echo(f"flowbench: the results are not kept with the release: {error}", err=True)
        return False
    return True
