"""The only loop: blocks of scenes -> candidates -> selection -> shards -> a release (cli.md, "Three passes").

Every unit of work leaves a receipt; a rerun does what has none. The release's bytes do not depend on the workers.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from flowbench.errors import UsageError, unknown_name
from flowbench.files import write_text
from flowbench.progress import Progress
from flowbench.release import index_path, size_text
from flowbench.rendering.warming import warm
from flowbench.schema import config_spec

from .crew import BlocksFailedError, Crew
from .finishing import Complete, finish, read_complete
from .options import AUTO_PERCEPTION, BuildOptions
from .passes import NothingToAskError, Passes, nothing_to_ask
from .producer import PRODUCERS, Job, Producer, producer_of
from .progress import BuildReport, ConfigReport
from .rewriting import RewriterSettings
from .sources.given import check_sources, given_to
from .state import BuildRecord, State, existing_part

SPARE_BYTES = 200_000_000
"""Left free on the disk beyond what the build is expected to write."""


def build(options: BuildOptions, progress: Progress) -> BuildReport:
    """Build configs into a release directory, going on from whatever an earlier run finished.

    Raises:
        UsageError: bad arguments, or a directory that belongs to something else; nothing is touched then.
        FlowbenchError: the disk is full, or a rewriter does not answer; a rerun goes on.
        BlocksFailedError: some blocks could not be done; all others are, and a rerun tries these again.
    """
    began = time.monotonic()
    check_sources(options.configs, options.sources)
    producers = [producer_for(options, name) for name in options.configs]
    _check_perception(options, producers)
    state = State(options.out)
    crew = Crew(options, state, progress)
    crew.check()
    _check_pools(options, state.check(options))
    _check_disk(options, state, producers)
    if options.rewriter is not None:
        options.rewriter.check()
    with state.locked():
        state.record(options, state.check(options))
        progress.start("prepare", 1)
        warm()
        for producer in producers:
            producer.warm()
        progress.advance(1, 0, {})
        progress.finish()
        with crew:
            passes = [Passes(producer, options, state, progress, crew) for producer in producers]
            whole, nothing = _run(passes)
        _note_failures(crew)
        reports = {config: _report(done) for config, done in whole.items() if done is not None}
        if nothing and not reports:
            raise nothing[0]
        changed = finish(state) or any(each.changed for each in passes)
        if options.sources:
            counted = {each.config: each.producer for each in passes if each.config in reports}
            reports |= {name: replace(reports[name], used=_used(options, kind)) for name, kind in counted.items()}
        if nothing:
            raise nothing[0]
    return BuildReport(options.out, reports, changed, time.monotonic() - began)


def _run(passes: Sequence[Passes]) -> tuple[dict[str, Complete | None], list[NothingToAskError]]:
    """What came of each config, and the complaints of those whose scenes gave nothing; they do not hold up others."""
    whole: dict[str, Complete | None] = {}
    nothing: list[NothingToAskError] = []
    for each in passes:
        try:
            whole[each.config] = each.run()
        except NothingToAskError as error:
            each.state.came_to_nothing(each.config)
            nothing.append(error)
    return whole, nothing


def _note_failures(crew: Crew) -> None:
    """Leave a list of what failed, and none where nothing did.

    Raises:
        BlocksFailedError: something did.
    """
    if not crew.failed:
        crew.state.failed.unlink(missing_ok=True)
        return
    write_text(crew.state.failed, "".join(f"{each.name}\t{' | '.join(each.reasons)}\n" for each in crew.failed))
    raise BlocksFailedError.of(crew.failed, crew.state)


def few_scenes(options: BuildOptions, wanted: int) -> int:
    """So many scenes, or all that the given sources have where these are fewer; for builds that ask for no number."""
    if not options.sources:
        return wanted
    check_sources(options.configs, options.sources)
    found = (producer_of(_job(options, config)).most_scenes() for config in options.configs if config in PRODUCERS)
    return min([wanted, *(most for most in found if most is not None)])


def _job(options: BuildOptions, config: str) -> Job:
    """What a config's producer has to know."""
    spec = config_spec(config)
    width, height = spec.size or (options.width, options.height)
    return Job(
        config,
        spec.pools[0],
        options.seed,
        options.preset,
        options.simulator,
        width,
        height,
        _anywhere(options.rewriter),
        given_to(config, options.sources),
        options.perception,
    )


def producer_for(options: BuildOptions, config: str) -> Producer:
    """The producer of a config, its arguments checked."""
    if config not in PRODUCERS:
        raise unknown_name("config", config, PRODUCERS)
    producer = producer_of(_job(options, config))
    producer.check()
    if options.scenes < producer.least_scenes():
        raise UsageError(nothing_to_ask(producer, options.scenes, producer.hint))
    most = producer.most_scenes()
    if most is not None and options.scenes > most:
        raise UsageError(
            f"{options.scenes:,} scenes of {config} were asked for, but what it is built from has {most:,}: ask for at "
            f"most {most:,} --scenes."
        )
    return producer


def _check_perception(options: BuildOptions, producers: Sequence[Producer]) -> None:
    """Refuse to be told who perceives where nothing is perceived; raises UsageError."""
    if options.perception != AUTO_PERCEPTION and not any(producer.perceives for producer in producers):
        raise UsageError(
            f"--perception was given, but {' and '.join(options.configs)} is not measured from pictures: leave it out, "
            "or build real_train or real_test."
        )


def _check_pools(options: BuildOptions, former: BuildRecord | None) -> None:
    """Refuse to build configs of one pool from different numbers of its scenes; the manifest tells one for each pool.

    Raises:
        UsageError: others of the pool, which are not built now, lie there from fewer or more scenes.
    """
    pools = {config_spec(name).pools[0]: name for name in options.configs}
    for name, scenes in (former.binding if former else {}).items():
        pool = config_spec(name).pools[0]
        if pool in pools and name not in options.configs and scenes != options.scenes:
            raise UsageError(
                f"{options.out} holds {scenes:,} scenes of {name}, but {options.scenes:,} of the same pool were asked "
                f"for {pools[pool]}: build {name} as well, or ask for {scenes:,}."
            )


def _anywhere(rewriter: RewriterSettings | None) -> RewriterSettings | None:
    """A rewriter whose cache is found from any folder."""
    return None if rewriter is None else replace(rewriter, cache=str(Path(rewriter.cache).absolute()))


def _check_disk(options: BuildOptions, state: State, producers: Sequence[Producer]) -> None:
    """Refuse a build that cannot fit; what is there already counts, and a finished one needs nothing."""
    needed = 0
    for producer in producers:
        former = read_complete(state, producer.job.config)
        if former is not None and former.scenes == options.scenes:
            continue
        samples, size = producer.expected(options.scenes)
        data = options.out / "data" / producer.job.config
        there = sum(path.stat().st_size for path in data.glob("*.tar")) if data.is_dir() else 0
        needed += max(0, samples * size - there)
    free = shutil.disk_usage(existing_part(options.out)).free
    if needed and free < needed + SPARE_BYTES:
        raise UsageError(
            f"{options.out} has {size_text(free)} free, but this build needs about "
            f"{size_text(needed + SPARE_BYTES)}: free some space, choose another --out, or ask for fewer --scenes."
        )


def _used(options: BuildOptions, producer: Producer) -> tuple[int, int]:
    """Scenes that samples are of, and those that were looked at."""
    config = producer.job.config
    indexes = [options.out / index_path(config, split) for split in config_spec(config).splits]
    names = [pl.read_parquet(index, columns=["scene_id"])["scene_id"] for index in indexes if index.is_file()]
    return len(set().union(*names)), len([*filter(producer.takes, range(options.scenes))])


def _report(whole: Complete) -> ConfigReport:
    """What the summary shows of a config."""
    shards = whole.shards
    return ConfigReport(whole.categories, whole.rejects, len(shards), sum(shard.bytes for shard in shards))
