"""``flowbench build``."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..errors import UsageError
from .ending import ended_by_signals
from .given import named_paths
from .numbers import check_range, whole_number

if TYPE_CHECKING:
    from flowbench.builders.options import BuildOptions
    from flowbench.builders.progress import BuildReport, Progress
    from flowbench.builders.rewriting import RewriterSettings

DEFAULT_OUT: Final = Path("release/flowbench")
MOST_WORKERS: Final = 1024
FEW_SCENES: Final = 2
LARGEST_SEED: Final = 2**63 - 1

CONFIGS_HELP: Final = (
    "What to build: `sim_train`, `sim_test`; `real_train`, `real_test`; `selection_train`, `selection_test`, "
    "`selection_matched`, `selection_movi`, `selection_physion`, `selection_clevrer`; "
    "`retrieval_train`, `retrieval_test`, `retrieval_corpus`."
)

EPILOG: Final = """
**Examples**

`flowbench build sim_train` builds 2 houses into `release/flowbench`, to look around.

`flowbench build sim_train --scenes 50 --seed 7 --out my/flowbench` builds 50 houses from seed 7.

`flowbench build sim_train --scenes 80 --seed 7 --out my/flowbench` adds 30 to them.

`flowbench build sim_test --scenes 20 --seed 7 --out my/flowbench` adds 20 houses of the held-out style.

`flowbench build selection_test retrieval_test --scenes 50 --out my/collisions` films 50 collisions, 10 of them to test
on, and adds `retrieval_corpus`, the frames that queries are ranked against.

`flowbench build real_train real_test --scenes 40 --out my/moves` has an arm move things on 40 tables and asks what that
changed; with `--source bridge_v2=my/bridge --scenes 4000` it measures the first 4000 episodes of recorded ones.

`flowbench build selection_movi --source movi=my/kubric --scenes 100 --out my/transfer` asks about the first 100 scenes
of a folder of MOVi-A scenes, `selection_physion --source physion=my/trials` about Physion trials: see docs/dynapix.md.

**What comes out**: a folder that plain `datasets` loads, streaming or not: `data/<config>/*.tar` (WebDataset shards),
`index/<config>/*.parquet` (the records without pixels), `manifest.json` (checksums) and `README.md` (the card).
Call the folder `flowbench` and `load_dataset("flowbench", "sim_train")` works from the folder above it.

**Other words**: `--rewriter https://llm.example.org/v1 --rewriter-model NAME` lets a language model reword motion,
questions and reasoning (key: the environment variable `FLOWBENCH_REWRITER_KEY`; https, or http on this machine).
Names, numbers, directions and letters are checked; a text that fails keeps the words of the rules. The endpoint's
answers are kept in `--rewriter-cache`: with all of them there, a build asks nobody and gives the same bytes.
Of `selection_train`, `selection_test` and `selection_matched` it writes the rationales, from what the rules would tell.
For `real_train` and `real_test` it must see pictures: it names objects that else have marks (docs/real.md).

**Large?** `--plan` says beforehand what a build comes to, without building. `--engine ray` and `--engine slurm` use a
cluster: docs/scale.md explains both from the start.

**Interrupted?** The same command again goes on where it stopped. The same seed gives the same bytes, with any number
of workers and any engine. Another seed, preset, simulator, rewriter or perception needs another folder. Blocks that
fail (exit code 1) are named at the end with the reason; the same command again tries them, and them alone, again.
"""


def _folder(text: str) -> Path:
    """A folder's path; nothing at all is not the current folder."""
    if not str(text).strip():
        raise UsageError(f"--out is empty, but it must name a folder, e.g. {DEFAULT_OUT}.")
    return Path(text)


def _cache_folder(text: str) -> Path:
    """The same for the rewriter's cache."""
    if not str(text).strip():
        raise UsageError("--rewriter-cache is empty, but it must name a folder, e.g. my/rewritten.")
    return Path(text)


def command(
    configs: Annotated[list[str], typer.Argument(metavar="CONFIG", help=CONFIGS_HELP)],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Release folder; created, continued or extended.", parser=_folder)
    ] = DEFAULT_OUT,
    scenes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Scenes (houses, collisions, episodes) a pool, 1 to 1,000,000; of the latter two one of five is for "
            "testing.",
            show_default="2, or what there is",
            parser=whole_number("--scenes", 50),
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="S", help="Seed of everything random; 0 is a seed.", parser=whole_number("--seed", 7)),
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="W",
            help="Blocks at work at once; never changes a byte.",
            show_default="all cores, or what the cluster gives",
            parser=whole_number("--workers", 4),
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Where the work is done: `local`, `ray`, `slurm`; never changes a byte.")
    ] = "local",
    engine_options: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="What the engine is to know, such as a partition; see docs/scale.md."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what the build comes to (samples, disk, core-hours); build nothing.")
    ] = False,
    simulator: Annotated[str, typer.Option(metavar="NAME", help="Where scenes come from.")] = "bullet",
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What is asked: `balanced`, where no shortcut pays, or `paper`, at the paper's rates and distances.",
        ),
    ] = "balanced",
    width: Annotated[
        int, typer.Option(help="Image width in pixels.", hidden=True, parser=whole_number("--width", 800))
    ] = 800,
    height: Annotated[
        int, typer.Option(help="Image height in pixels.", hidden=True, parser=whole_number("--height", 600))
    ] = 600,
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PATH",
            help="Recorded material to build from, by the name of its kind; may be given several times.",
            show_default=False,
        ),
    ] = None,
    houses: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="ProcTHOR house file (json, jsonl, jsonl.gz) to take `sim_*` scenes from."),
    ] = None,
    rewriter: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="OpenAI-compatible endpoint that rewords texts, writes rationales, or names objects; labels never "
            "pass through.",
        ),
    ] = None,
    rewriter_model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The endpoint's model; with `--rewriter`.")
    ] = None,
    rewriter_cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where its answers are kept.",
            show_default="in the release's .build",
            parser=_cache_folder,
        ),
    ] = None,
    perception: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who finds things in `real_*` pictures: `auto`, `exact`, `files`, `models`, "
            "`perturbed:KNOB=VALUE,...`; see docs/real.md.",
        ),
    ] = "auto",
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something fails.")] = False,
) -> None:
    """Build a release: scenes in, questions with pictures, depth, segmentation, exact flow and answers out."""
    from flowbench.builders.options import MOST_SCENES, BuildOptions, with_companions

    if scenes is not None:
        check_range("--scenes", scenes, 1, MOST_SCENES, "scenes")
    check_range("--seed", seed, 0, LARGEST_SEED)
    check_range("--width", width, 64, 4096, "pixels")
    check_range("--height", height, 48, 4096, "pixels")
    if workers is not None:
        check_range("--workers", workers, 1, MOST_WORKERS, "blocks at once")
    wanted, added = with_companions(tuple(dict.fromkeys(configs)))
    options = BuildOptions(
        configs=wanted,
        out=out,
        scenes=FEW_SCENES if scenes is None else scenes,
        seed=seed,
        workers=workers,
        simulator=simulator,
        preset=preset,
        width=width,
        height=height,
        engine=engine,
        engine_options=_engine_options(engine_options),
        rewriter=_rewriter(rewriter, rewriter_model, rewriter_cache, out),
        perception=perception,
        sources=named_paths(source or (), houses),
    )
    if scenes is None and options.sources:
        options = _with_few_scenes(options)
    for config, companion in added:
        typer.echo(f"{companion} is built as well: {config} is of no use without it.")
    if plan:
        _print_plan(options)
        return
    from ..release.last import remember
    from .progress import shown_progress
    from .summary import print_summary

    with ended_by_signals("interrupted; run the same command again to go on where it stopped."):
        with shown_progress() as progress:
            report = _run(options, progress)
        remember(out)
        print_summary(report)


def _with_few_scenes(options: BuildOptions) -> BuildOptions:
    """As many scenes as it takes to look around, and as the sources have."""
    with needing_packages():
        from flowbench.builders.runner import few_scenes

        return dataclasses.replace(options, scenes=few_scenes(options, FEW_SCENES))


def _rewriter(url: str | None, model: str | None, cache: Path | None, out: Path) -> RewriterSettings | None:
    """The rewriter asked for; None where none is. The key never passes through here."""
    if url is None and model is None and cache is None:
        return None
    if url is None or model is None:
        raise UsageError("--rewriter and --rewriter-model go together: give both, or neither and no --rewriter-cache.")
    from flowbench.builders.rewriting import RewriterSettings
    from flowbench.release import STATE

    return RewriterSettings.of(url, model, out / STATE / "rewritten" if cache is None else cache)


def _engine_options(path: Path | None) -> dict[str, Any]:
    """What the file holds; the engine checks it."""
    if path is None:
        return {}
    from flowbench.builders.engines import read_options

    return read_options(path)


def _print_plan(options: BuildOptions) -> None:
    """Say what the build comes to."""
    from .plan import print_plan

    with needing_packages():
        from flowbench.builders.forecast import forecast

        plan = forecast(options)
    print_plan(plan)


def _run(options: BuildOptions, progress: Progress) -> BuildReport:
    """Call the runner."""
    with needing_packages():
        from flowbench.builders.runner import build

        return build(options, progress)


@contextlib.contextmanager
def needing_packages() -> Iterator[None]:
    """Say what is missing where a package of the ``[build]`` extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "flowbench").split(".")[0]
        if missing == "flowbench":
            raise
        raise UsageError(
            f"building needs {missing}, which is not installed: run `pip install '.[build]' -c constraints.txt` in the "
            "clone (`flowbench doctor` says more)."
        ) from error
