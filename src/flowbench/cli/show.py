"""``flowbench show``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from ..errors import UsageError, unknown_name
from .numbers import check_range, whole_number
from .places import check_place

MOST_SAMPLES: Final = 200

EPILOG: Final = """
**Examples**

`flowbench show release/flowbench sim_train` writes `flowbench-sim_train.html` with 8 samples.

`flowbench show release/flowbench sim_train --n 24 --out preview.html` writes 24.

`flowbench show release/flowbench selection_test` shows questions about exact futures.

`flowbench show recordings/bridge bridge_v2` shows what mining takes from recorded robot videos, by that profile;
`--profiles own.toml` reads profiles of your own (docs/sources.md).

**What comes out**: one page that needs nothing else, neither a network nor a script, so it can be mailed. For each
sample it has the picture with and without marks, motion, question and choices; the answer is hidden until you ask for
it, and with it come the picture after the motion, exact flow, depth, segmentation and the three reasoning texts.
Of `selection_*` it has the video, the query and the four candidates; with the answer come what each candidate is and
the rationale. Of `retrieval_*` it has the video and the query; then the frame to be found beside its hard negatives.
The corpus is a contact sheet.
Of recorded videos it has episodes as strips with the two frames that were chosen, and how many each filter removed.
"""


def command(
    release: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Release folder, as `flowbench build` made it, or a recorded dataset."),
    ],
    config: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG", help="Which config to show, e.g. `sim_train`; of a recorded dataset, its profile."
        ),
    ],
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
    profiles: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="Profiles of your own; CONFIG names one of them.", show_default=False),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Write one self-contained HTML page that shows samples of a release, or pairs of a recorded dataset."""
    check_range("--n", n, 1, MOST_SAMPLES, "samples")
    path = out or Path(f"flowbench-{config}.html")
    check_place("--out", path, "an .html file")
    if profiles is not None and not profiles.is_file():
        raise UsageError(f"--profiles is {profiles}, where no file is: name a TOML file with [profiles.NAME] tables.")
    from ..files import write_text

    page, shown, what = _page(release, config, n, profiles)
    write_text(path, page)
    typer.echo(f"{shown} {what if shown == 1 else what + 's'} of {config}: {path.resolve()}")


def _page(folder: Path, name: str, n: int, profiles: Path | None) -> tuple[str, int, str]:
    """The page, how many it shows, and of what."""
    from ..builders.sources.inside import holds_recordings

    if profiles is None and not holds_recordings(folder):
        from ..viewing.gallery import make_gallery

        return *make_gallery(folder, name, n), "sample"
    from ..builders.sources.profiles import profile_named, read_profiles
    from ..builders.sources.showing import make_source_page
    from .progress import shown_progress

    if profiles is None:
        profile = profile_named(name)
    else:
        own = read_profiles(profiles)
        if name not in own:
            raise unknown_name("profile", name, own)
        profile = own[name]
    with shown_progress() as progress:
        return *make_source_page(folder, profile, n, progress), "pair"
