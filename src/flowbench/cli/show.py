"""``flowbench show``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from .numbers import check_range, whole_number
from .places import check_place

MOST_SAMPLES: Final = 200

EPILOG: Final = """
**Examples**

`flowbench show release/flowbench sim_train` writes `flowbench-sim_train.html` with 8 samples.

`flowbench show release/flowbench sim_train --n 24 --out preview.html` writes 24.

`flowbench show release/flowbench selection_test` shows questions about exact futures.

**What comes out**: one page that needs nothing else, neither a network nor a script, so it can be mailed. For each
sample it has the picture with and without marks, motion, question and choices; the answer is hidden until you ask for
it, and with it come the picture after the motion, exact flow, depth, segmentation and the three reasoning texts.
Of `selection_*` it has the video, the query and the four candidates; with the answer come what each candidate is and
the rationale. Of `retrieval_*` it has the video and the query; then the frame to be found beside its hard negatives.
The corpus is a contact sheet.
"""


def command(
    release: Annotated[Path, typer.Argument(metavar="DIR", help="Release folder, as `flowbench build` made it.")],
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="Which config to show, e.g. `sim_train`.")],
    n: Annotated[
        int,
        typer.Option(
            "--n",
            metavar="N",
            help=f"How many samples, 1 to {MOST_SAMPLES}, spread over the categories.",
            parser=whole_number("--n", 24),
        ),
    ] = 8,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="The page.", show_default="flowbench-CONFIG.html")
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Write one self-contained HTML page that shows samples of a release."""
    check_range("--n", n, 1, MOST_SAMPLES, "samples")
    path = out or Path(f"flowbench-{config}.html")
    check_place("--out", path, "an .html file")
    from ..files import write_text
    from ..viewing.gallery import make_gallery

    page, shown = make_gallery(release, config, n)
    write_text(path, page)
    typer.echo(f"{shown} {'sample' if shown == 1 else 'samples'} of {config}: {path.resolve()}")
