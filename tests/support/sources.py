"""The repository's Python files as syntax trees with resolved names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("builders", "loaders", "validation")
"""Top-level folders that are subpackages of ``flowbench`` by symlink."""


@dataclass(frozen=True)
class Source:
    """One Python file.

    Attributes:
        path: relative to the root, with forward slashes; linked folders under their real place.
        module: its dotted import name, e.g. ``flowbench.builders.sim.planning``; the path for scripts and tests.
        text: its source.
    """

    path: str
    module: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return ast.parse(self.text, self.path)

    @property
    def package(self) -> list[str]:
        """The package that relative imports start from."""
        parts = self.module.split(".")
        return parts if self.path.endswith("__init__.py") else parts[:-1]

    def _origin(self, node: ast.ImportFrom) -> str:
        """The absolute module that a ``from`` import names."""
        if not node.level:
            return node.module or ""
        base = self.package[: len(self.package) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])

    def imports(self) -> Iterator[tuple[int, str]]:
        """Line and absolute dotted name of all that is imported anywhere in the file, by string included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    yield node.lineno, f"{self._origin(node)}.{alias.name}"
            elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                    yield node.lineno, node.args[0].value

    @cached_property
    def aliases(self) -> dict[str, str]:
        """What each imported local name stands for: ``{"np": "numpy"}``."""
        found: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{self._origin(node)}.{alias.name}"
        return found

    def dotted(self, node: ast.expr) -> str:
        """The absolute dotted name of an expression, e.g. ``numpy.linalg.norm``; empty where it has none."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return f"{base}.{node.attr}" if base else ""
        return ""


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    """Whether a dotted name is one of the prefixes or lies under one."""
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def package_sources() -> list[Source]:
    """All files of the package ``flowbench``."""
    found = []
    for folder in ("src/flowbench", *LINKED):
        for file in sorted((ROOT / folder).rglob("*.py")):
            path = file.relative_to(ROOT)
            if any((ROOT / parent).is_symlink() for parent in path.parents):
                continue
            parts = list(path.with_suffix("").parts)
            parts = parts[1:] if parts[0] == "src" else ["flowbench", *parts]
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            found.append(Source(path.as_posix(), ".".join(parts), file.read_text("utf-8")))
    return found


def other_sources() -> list[Source]:
    """Tests, scripts and examples."""
    files = [file for folder in ("tests", "scripts", "examples") for file in sorted((ROOT / folder).rglob("*.py"))]
    paths = [file.relative_to(ROOT).as_posix() for file in files]
    return [Source(path, path[:-3].replace("/", "."), (ROOT / path).read_text("utf-8")) for path in paths]
