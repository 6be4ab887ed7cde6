"""What a validation found, and the file ``validation/<config>.json`` that keeps it with the release (cli.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import pydantic

from flowbench.errors import UsageError
from flowbench.files import write_bytes
from flowbench.release import MANIFEST, validation_path
from flowbench.release.manifest import MAX_MANIFEST_BYTES
from flowbench.schema import parse_model

from .registry import SUITES_VERSION
from .suites.base import Share, Table, Violation

FORMAT: Final = "flowbench-validation/1"
MAX_RESULT_BYTES: Final = 1 << 26

Count = Annotated[int, pydantic.Field(ge=0)]


class _Frozen(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class SuiteResult(_Frozen):
    """What one suite found in a config.

    Attributes:
        name, about: of the suite.
        enforced: whether its violations fail the release.
        skipped: why it did not run; None if it did.
        rules: rule -> violations of it, all counted.
        by_category: category -> violations of its samples.
        kept: the first violations of each rule in full.
        tables: for people.
        shares: for plots.
    """

    name: str
    about: str
    enforced: bool
    skipped: str | None
    rules: Mapping[str, Count]
    by_category: Mapping[str, Count]
    kept: tuple[Violation, ...]
    tables: tuple[Table, ...]
    shares: tuple[Share, ...]

    @property
    def violations(self) -> int:
        """How many there are."""
        return sum(self.rules.values())

    @property
    def passed(self) -> bool:
        """Whether the release may go out for all that this suite knows."""
        return self.skipped is None and not (self.enforced and self.violations)


class ConfigResult(_Frozen):
    """What all suites found in a config: the content of ``validation/<config>.json``.

    Attributes:
        format: of this text.
        suites_version: :data:`~.registry.SUITES_VERSION` of the suites that looked.
        manifest_sha256: of the manifest that vouches for what they looked at.
        config, preset: which.
        compared_with: the configs that were checked together with it: leakage between others was not looked for.
        samples: split -> category -> samples read.
        suites: in the order of reports.
    """

    format: Literal["flowbench-validation/1"] = FORMAT
    suites_version: int
    manifest_sha256: str
    config: str
    preset: str
    compared_with: tuple[str, ...]
    samples: Mapping[str, Mapping[str, Count]]
    suites: tuple[SuiteResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every suite did."""
        return all(suite.passed for suite in self.suites)

    @property
    def violations(self) -> int:
        """How many there are that fail the release."""
        return sum(suite.violations for suite in self.suites if suite.enforced)

    def to_bytes(self) -> bytes:
        """The text of the file: the same bytes for the same findings."""
        plain = {"passed": self.passed, **self.model_dump(mode="json")}
        return (json.dumps(plain, indent=1, ensure_ascii=True) + "\n").encode("ascii")


def manifest_sha256(root: Path) -> str:
    """What results are bound to."""
    with (root / MANIFEST).open("rb") as file:
        return hashlib.sha256(file.read(MAX_MANIFEST_BYTES + 1)).hexdigest()


def all_results(results: Iterable[ConfigResult]) -> str:
    """The results of several configs as one JSON text: ``passed``, and under ``configs`` each config's result."""
    every = list(results)
    configs = {each.config: json.loads(each.to_bytes()) for each in every}
    return json.dumps({"passed": all(each.passed for each in every), "configs": configs}, indent=1) + "\n"


def write_result(root: Path, result: ConfigResult) -> None:
    """Keep a result with the release, atomically.

    Raises:
        UsageError: it cannot be written; links are not followed.
    """
    path = root / validation_path(result.config)
    if path.parent.is_symlink():
        raise UsageError(f"cannot write {path.parent}: it is a link; remove it and validate again.")
    write_bytes(path, result.to_bytes())


def read_result(root: Path, config: str) -> ConfigResult:
    """The result that lies with the release.

    Raises:
        UsageError: there is none.
        ReleaseError: it is too large or not a result.
    """
    path = root / validation_path(config)
    if not path.is_file():
        raise UsageError(f"{root} holds no result for {config}: run 'flowbench validate {root}'.")
    with path.open("rb") as file:
        data = file.read(MAX_RESULT_BYTES + 1)
    remedy = f"run 'flowbench validate {root}' again"
    stored = parse_model(_Stored, data, str(path), MAX_RESULT_BYTES, remedy)
    return ConfigResult(**{name: getattr(stored, name) for name in ConfigResult.model_fields})


class _Stored(ConfigResult):
    """A result as its file has it: with the verdict, which has to be the one that follows from the rest."""

    stated: bool = pydantic.Field(alias="passed")

    @pydantic.model_validator(mode="after")
    def _consistent(self) -> _Stored:
        if self.stated != self.passed:
            raise ValueError("the verdict is not the one that follows from the findings")
        return self


def is_current(root: Path, result: ConfigResult) -> bool:
    """Whether a result speaks of the release as it is now and of all that the suites look for today."""
    return result.suites_version == SUITES_VERSION and result.manifest_sha256 == manifest_sha256(root)
