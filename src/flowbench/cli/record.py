"""``flowbench record``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from .build import LARGEST_SEED, needing_packages
from .ending import ended_by_signals
from .numbers import check_range, whole_number

if TYPE_CHECKING:
    from flowbench.builders.simulators.tabletop.recording import Recorded

MOST_EPISODES: Final = 100_000
PROFILES: Final = {"bridge": "tabletop", "topdown": "tabletop_down"}
"""Set-up -> the profile that mining reads it by."""

EPILOG: Final = """
**Examples**

`flowbench record recordings/table --episodes 20` records twenty episodes of household things seen at a slant.

`flowbench record recordings/blocks --episodes 20 --setup topdown` records toy blocks seen from above.

`flowbench record recordings --episodes 20 --setup both` makes `recordings/bridge` and `recordings/topdown`.

**What comes out**: a LeRobot v3.0 dataset (videos, joint states, tasks) that any reader of the format takes, and beside
it `truth/`: one JSON file an episode with every object's exact size, shape and pose at every frame, the arm's, and the
camera's. Episode `i` is the `i`-th scene: one of five, the last, is for testing. The same seed gives the same bytes.
"""


def command(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the dataset; not there yet, or empty.")],
    episodes: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How many episodes of each set-up; one takes about ten seconds.",
            parser=whole_number("--episodes", 20),
        ),
    ] = 10,
    seed: Annotated[
        int, typer.Option(metavar="S", help="Other seeds give other scenes.", parser=whole_number("--seed", 7))
    ] = 0,
    setup: Annotated[
        Literal["bridge", "topdown", "both"],
        typer.Option(help="Household things at a slant, toy blocks from above, or a dataset of each."),
    ] = "bridge",
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Record robot videos with the truth beside them: an arm moves one of a few things on a table."""
    check_range("--episodes", episodes, 1, MOST_EPISODES, "episodes")
    check_range("--seed", seed, 0, LARGEST_SEED)
    from .progress import shown_progress

    with ended_by_signals("interrupted; what was recorded is gone, so run the same command again."):
        with needing_packages():
            from flowbench.builders.simulators.tabletop.recording import check_new, record
            from flowbench.builders.simulators.tabletop.scene import SETUPS

            wanted = SETUPS if setup == "both" else (setup,)
            places = [out / each if setup == "both" else out for each in wanted]
            for place in places:
                check_new(place)
            with shown_progress() as progress:
                made = [
                    record(place, episodes, seed, each, progress=progress)
                    for place, each in zip(places, wanted, strict=True)
                ]
        _print_summary(made)


def _print_summary(made: list[Recorded]) -> None:
    """What lies where, and what to do next."""
    from rich.console import Console
    from rich.markup import escape

    from ..release import size_text

    console = Console()
    for each in made:
        episodes = f"{each.episodes:,} {'episode' if each.episodes == 1 else 'episodes'}"
        numbers = f"{episodes} ({each.testing:,} for testing), {each.frames:,} frames, {size_text(each.bytes)}"
        console.print(f"{escape(str(each.root))}: {numbers}", soft_wrap=True, highlight=False)
    first = made[0]
    given = " ".join(f"--source {PROFILES[each.setup]}={each.root}" for each in made)
    configs = "real_train real_test" if any(each.testing for each in made) else "real_train"
    for line in (
        f"look:   flowbench show {first.root} {PROFILES[first.setup]}",
        f"build:  flowbench build {configs} {given} --scenes {sum(each.episodes for each in made)}",
    ):
        console.print(f"  {escape(line)}", soft_wrap=True, highlight=False)
