"""What a push asks of the validation: results that lie with the release, or a validation now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flowbench.publishing import Checks

from ..errors import FlowbenchError, ReleaseError
from ..release import read_manifest
from .ending import cores

if TYPE_CHECKING:
    from flowbench.validation.results import ConfigResult


class StoredChecks(Checks):
    """Results in ``validation/``, as ``flowbench validate`` keeps them; it runs where they are missing or outdated."""

    def ensure(self, root: Path, manifests: Sequence[str]) -> None:
        """Raise :class:`ReleaseError` unless every config passes."""
        results = self._stored(root, manifests) or self._validated(root)
        broken = {result.config: result.violations for result in results if not result.passed}
        if broken:
            found = ", ".join(f"{config} {count:,}" for config, count in broken.items())
            raise ReleaseError(
                f"{root} breaks checks ({found}), so it is not published: see 'flowbench validate {root}'."
            )

    def bind(self, root: Path, manifest: str) -> None:
        """Write the results again with the new manifest's sha256."""
        from flowbench.validation.results import ConfigResult, read_result, write_result

        for config in read_manifest(root).configs:
            stored = read_result(root, config)
            fields = {name: getattr(stored, name) for name in ConfigResult.model_fields}
            write_result(root, ConfigResult(**{**fields, "manifest_sha256": manifest}))

    def _stored(self, root: Path, manifests: Sequence[str]) -> list[ConfigResult]:
        """The results that lie there; none if one is missing, broken, of other suites, or about something else."""
        from flowbench.validation.registry import SUITES_VERSION
        from flowbench.validation.results import read_result

        configs = read_manifest(root).configs
        try:
            results = [read_result(root, config) for config in configs]
        except FlowbenchError:
            return []
        current = all(
            result.suites_version == SUITES_VERSION
            and result.manifest_sha256 in manifests
            and {result.config, *result.compared_with} >= set(configs)
            for result in results
        )
        return results if current else []

    def _validated(self, root: Path) -> list[ConfigResult]:
        """Validate now, and keep the results."""
        from flowbench.validation.results import write_result
        from flowbench.validation.runner import validate

        from .progress import shown_progress

        with shown_progress() as progress:
            found = validate(root, (), cores(), progress)
        for result in found.results.values():
            write_result(root, result)
        return list(found.results.values())
