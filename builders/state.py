"""``DIR/.build/``: what a build remembers: its identity, receipts, candidate tables, a lock. Never published.

Layout::

    .build/build.json                            identity: a directory belongs to one seed, preset, ... for ever, once
                                                 anything but nothing has come of it
    .build/lock                                  held while a build runs
    .build/<config>/propose/<block>.parquet      candidates of a block
    .build/<config>/propose/<block>.json         receipt of it, written last
    .build/<config>/write/<shard>.json           receipt of a shard
    .build/<config>/complete.json                all shards and indexes of a config are there
    .build/logs/                                 what the processes that did the work printed
    .build/engine/                               what an engine leaves for its jobs
    .build/failed.txt                            blocks that failed in the last run, and why
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pydantic

from flowbench._version import __version__
from flowbench.errors import UsageError
from flowbench.files import is_temporary, sweep, temporary_name, write_text
from flowbench.release import STATE

from .manifest import constraints_sha256
from .options import AUTO_PERCEPTION, BuildOptions
from .sources.given import fingerprint, given_to


class Identity(pydantic.BaseModel):
    """What every byte of a release depends on; fixed when its directory is first built into."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    builder_version: str
    seed: int
    preset: str
    simulator: str
    width: int
    height: int
    shard_bytes: int
    constraints_sha256: str | None
    rewriter: str | None = None
    perception: str = AUTO_PERCEPTION

    @classmethod
    def of(cls, options: BuildOptions) -> Identity:
        """The identity that a build with these options has."""
        return cls(
            builder_version=__version__,
            seed=options.seed,
            preset=options.preset,
            simulator=options.simulator,
            width=options.width,
            height=options.height,
            shard_bytes=options.shard_bytes,
            constraints_sha256=constraints_sha256(),
            rewriter=None if options.rewriter is None else options.rewriter.name,
            perception=options.perception,
        )


class BuildRecord(pydantic.BaseModel):
    """``build.json``: the identity, and of each config how far it has been built, and from what.

    Attributes:
        identity: of the directory.
        scenes: config -> scenes.
        sources: config -> name of a source -> its fingerprint; configs that are made from seeds alone are left out.
        void: configs that were built to their end, and nothing came of them. They bind nobody, but their proposals are
            still good for the same identity and sources.
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    identity: Identity
    scenes: dict[str, int]
    sources: dict[str, dict[str, str]] = {}
    void: tuple[str, ...] = ()

    @property
    def binding(self) -> dict[str, int]:
        """Config -> scenes of those that a later build must go on with as they are."""
        return {config: scenes for config, scenes in self.scenes.items() if config not in self.void}


class State:
    """The state of one release directory."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.root = out / STATE

    def check(self, options: BuildOptions) -> BuildRecord | None:
        """Refuse a directory that this build must not touch; nothing is written.

        Returns:
            what was built here before, None for a new directory.

        Raises:
            UsageError: nothing can be written there, or the directory holds something else, another build, or more
                scenes.
        """
        with _told(self.out):
            _check_place(self.out)
            _check_own(self.root)
            former = self.read()
            if former is None:
                self._check_empty()
            else:
                self._check_same(former, options)
            _try_to_write(self.out)
        return former

    def _check_empty(self) -> None:
        """Refuse a directory of something else."""
        entries = self.out.iterdir() if self.out.is_dir() else ()
        if any(entry.name != STATE and not is_temporary(entry.name) for entry in entries):
            raise UsageError(
                f"{self.out} holds files that no build of this tool left there: choose a new or empty --out."
            )

    def _check_same(self, former: BuildRecord, options: BuildOptions) -> None:
        """Refuse a directory of another build, or of a larger one."""
        wanted, binding = Identity.of(options), former.binding
        for name, value in wanted.model_dump().items():
            held = getattr(former.identity, name)
            if binding and held != value:
                raise UsageError(
                    f"{self.out} holds a build with {name.replace('_', ' ')} {held}, but {value} was asked for: "
                    "choose another --out."
                )
        for config in options.configs:
            held_from, given = former.sources.get(config, {}), _fingerprints(options, config)
            if config in binding and held_from != given:
                raise UsageError(
                    f"{self.out} holds {config} from {_names(held_from)}, but it was asked for from {_names(given)}: "
                    "give the same files, or choose another --out."
                )
            if binding.get(config, 0) > options.scenes:
                were = "was" if options.scenes == 1 else "were"
                raise UsageError(
                    f"{self.out} holds {binding[config]:,} scenes of {config}, but {options.scenes:,} {were} "
                    "asked for: ask for at least as many, or choose another --out."
                )

    def read(self) -> BuildRecord | None:
        """What was built here; None in a directory that no build has touched."""
        path = self.root / "build.json"
        if not path.is_file():
            return None
        try:
            return BuildRecord.model_validate_json(path.read_bytes())
        except pydantic.ValidationError:
            raise UsageError(f"{path} cannot be read as a build's record: choose another --out.") from None

    def record(self, options: BuildOptions, former: BuildRecord | None) -> None:
        """Write down what is being built, before anything is; proposals of nothing that are of no more use go first.

        Raises:
            UsageError: they cannot be removed.
        """
        stale = set() if former is None else {name for name in former.void if _is_stale(former, options, name)}
        with _told(self.out):
            for path in list(self.root.iterdir()) if stale else ():
                if path.name in stale:
                    shutil.rmtree(path)
        scenes = {} if former is None else {k: v for k, v in former.scenes.items() if k not in stale}
        scenes.update(dict.fromkeys(options.configs, options.scenes))
        sources = {} if former is None else {k: v for k, v in former.sources.items() if k not in stale}
        sources.update({config: found for config in options.configs if (found := _fingerprints(options, config))})
        void = () if former is None else tuple(name for name in former.void if name not in {*stale, *options.configs})
        self._write(
            BuildRecord(
                identity=Identity.of(options),
                scenes=dict(sorted(scenes.items())),
                sources=dict(sorted(sources.items())),
                void=void,
            ),
            former,
        )

    def came_to_nothing(self, config: str) -> None:
        """Note that there was nothing to write of a config; where none of it lies here, it binds nobody any more."""
        record = self.read()
        assert record is not None, "a build records itself before it begins"
        if not self.complete(config).exists() and not any((self.out / "data" / config).glob("*.tar")):
            self._write(record.model_copy(update={"void": tuple(sorted({*record.void, config}))}), record)

    def _write(self, record: BuildRecord, former: BuildRecord | None) -> None:
        if record != former:
            write_text(self.root / "build.json", record.model_dump_json(indent=2) + "\n")

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory: a second build on it is refused. Left-over temporary files are swept, before and after.

        Raises:
            UsageError: another build holds it, or it cannot be written to.
        """
        with _told(self.out):
            self.root.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    f"another build is at work in {self.out}: wait for it, or choose another --out."
                ) from None
            sweep(self.out)
            try:
                yield
            finally:
                with contextlib.suppress(OSError):
                    sweep(self.out)  # what workers left that were ended together with this build
        finally:
            os.close(descriptor)

    @property
    def logs(self) -> Path:
        """Folder of the logs."""
        return self.root / "logs"

    @property
    def engine(self) -> Path:
        """Folder of the engine."""
        return self.root / "engine"

    @property
    def failed(self) -> Path:
        """Says which blocks failed in the last run."""
        return self.root / "failed.txt"

    def block(self, config: str, index: int) -> Path:
        """The candidate table of a block."""
        return self.root / config / "propose" / f"{index:06d}.parquet"

    def block_receipt(self, config: str, index: int) -> Path:
        """The receipt of a block."""
        return self.block(config, index).with_suffix(".json")

    def complete(self, config: str) -> Path:
        """Says that all of a config lies in the directory."""
        return self.root / config / "complete.json"

    def shard_receipt(self, config: str, name: str) -> Path:
        """The receipt of a shard, by the shard's file name."""
        return self.root / config / "write" / f"{name}.json"


def _is_stale(former: BuildRecord, options: BuildOptions, config: str) -> bool:
    """Whether proposals of a config of which nothing came are of another build than the one that is asked for."""
    other = config in options.configs and former.sources.get(config, {}) != _fingerprints(options, config)
    return other or former.identity != Identity.of(options)


def _fingerprints(options: BuildOptions, config: str) -> dict[str, str]:
    """Of what a config is built from, by name."""
    return {name: fingerprint(path) for name, path in given_to(config, options.sources)}


def _names(fingerprints: Mapping[str, str]) -> str:
    """Sources in a message."""
    told = (f"{name} ({digest[:12]})" for name, digest in fingerprints.items())
    return ", ".join(told) or "no files"


def _check_place(out: Path) -> None:
    """Refuse a path that is no directory and cannot become one."""
    place = existing_part(out)
    if place.is_symlink() and not place.exists():
        raise UsageError(f"{place} is a link to nothing, expected a directory: choose another --out.")
    if not place.is_dir():
        raise UsageError(f"{place} is a file, expected a directory: choose another --out.")


def _try_to_write(out: Path) -> None:
    """Find out by trying; permissions say nothing of read-only file systems, of ``/proc``, or to root."""
    trial = existing_part(out) / temporary_name()
    trial.mkdir()
    trial.rmdir()


def existing_part(out: Path) -> Path:
    """The path itself, or the nearest folder above it that is there; a link to nothing is there, too."""
    place = out.absolute()
    while not place.exists() and not place.is_symlink():
        place = place.parent
    return place


def _check_own(root: Path) -> None:
    """Refuse a state directory that is not the build's own; it would write, sweep and remove elsewhere."""
    if root.is_symlink() or (root.exists() and not root.is_dir()):
        kind = "a symbolic link" if root.is_symlink() else "a file"
        raise UsageError(f"{root} is {kind}, expected a directory that a build made: choose another --out.")


@contextlib.contextmanager
def _told(out: Path) -> Iterator[None]:
    """The system's refusals in a sentence."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot build into {out} ({reason}): choose another --out.") from error
