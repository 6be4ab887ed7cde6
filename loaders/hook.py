"""``datasets.load_dataset("flowbench", ...)`` from any directory, once flowbench is imported.

``datasets`` has no way to register a name, so the function by which it finds what a name stands for is wrapped: the
bare name ``flowbench``, where no folder ``./flowbench`` stands in the way, becomes the release that
:func:`flowbench.loaders.places.find_release` finds. Where that lacks the config asked for, the error says which release
it was and why that one. Every other name goes through untouched. ``import flowbench`` does not import ``datasets``; it
waits for its import. ``FLOWBENCH_NO_PATCH=1`` switches all of this off.
"""

from __future__ import annotations

import functools
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from .places import Place

SWITCH: Final = "FLOWBENCH_NO_PATCH"
KNOWN_MAJORS: Final = (4, 5)
"""Major versions of ``datasets`` that this has been tested with."""
_NAME: Final = "flowbench"
_FACTORY: Final = "dataset_module_factory"
_HOLDERS: Final = ("datasets.load", "datasets.inspect")
"""Modules that hold the factory under its name."""
_BUILDER: Final = "load_dataset_builder"
_BUILDER_HOLDERS: Final = ("datasets", "datasets.load", "datasets.inspect")
"""Modules that hold the function under its name that knows the config's name."""
_NO_CONFIG: Final = re.compile(
    r"BuilderConfig '?(?P<name>.*?)'? not found\.(?: Available: \[(?P<held>.*)\])?", re.DOTALL
)


def install() -> None:
    """Wrap the factory of ``datasets`` now, if that is imported, else as soon as it is."""
    if switched_off():
        return
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    if "datasets.load" in sys.modules:
        patch()


def switched_off() -> bool:
    """Whether the user wants none of this."""
    return os.environ.get(SWITCH, "") not in ("", "0")


def patch() -> bool:
    """Wrap the factory of the ``datasets`` that is imported; returns whether it is wrapped now.

    One that we do not know is left alone, with a warning that says what works instead; something else of that name is
    left alone without a word.
    """
    package, load = sys.modules.get("datasets"), sys.modules.get("datasets.load")
    if switched_off() or package is None or not hasattr(package, "load_dataset"):
        return False
    factory = getattr(load, _FACTORY, None)
    if hasattr(factory, "__wrapped__") and getattr(factory, "__module__", "") == __name__:
        return True
    if factory is None or not _known(str(getattr(package, "__version__", "")), factory):
        warnings.warn(
            f"flowbench does not know datasets {getattr(package, '__version__', 'of unknown version')}, so "
            f"load_dataset({_NAME!r}, ...) is not mapped to a release: use flowbench.load_dataset(...), or give "
            f"load_dataset the release's folder or repository ({SWITCH}=1 silences this).",
            stacklevel=2,
        )
        return False
    _replace(_HOLDERS, _FACTORY, factory, _wrapped(factory))
    builder = getattr(load, _BUILDER, None)
    if builder is not None:
        _replace(_BUILDER_HOLDERS, _BUILDER, builder, _explained(builder))
    return True


def _replace(modules: Sequence[str], name: str, old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Put a function in the place of another in these modules, as far as they are imported and hold it."""
    for each in modules:
        module = sys.modules.get(each)
        if getattr(module, name, None) is old:
            setattr(module, name, new)


def _known(version: str, factory: Callable[..., Any]) -> bool:
    """Whether this is a ``datasets`` whose factory takes what we pass on."""
    major = version.partition(".")[0]
    if not (major.isdecimal() and int(major) in KNOWN_MAJORS):
        return False
    import inspect  # datasets has imported it already; flowbench alone does not pay for it

    try:
        return list(inspect.signature(factory).parameters)[:2] == ["path", "revision"]
    except (TypeError, ValueError):
        return False


def _wrapped(factory: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(factory)
    def with_releases(path: str, revision: Any = None, *args: Any, **options: Any) -> Any:
        if _is_meant(path):
            path = _place(revision).path
        return factory(path, revision, *args, **options)

    with_releases.__module__ = __name__  # by which it is known again
    return with_releases


def _explained(builder: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(builder)
    def with_places(path: str, *args: Any, **options: Any) -> Any:
        try:
            return builder(path, *args, **options)
        except ValueError as error:
            found = _NO_CONFIG.match(str(error)) if _is_meant(path) else None
            if found is None:
                raise
            from .places import REPO_VARIABLE, ROOT_VARIABLE, NoConfigError

            place, held = _place(options.get("revision")), (found["held"] or "other configs").replace("'", "")
            raise NoConfigError(
                f"the release {place.path}, taken because {place.reason}, holds {held}, not {found['name']}: name "
                f"another with {ROOT_VARIABLE} or {REPO_VARIABLE}, or give load_dataset its folder or repository."
            ) from error

    with_places.__module__ = __name__
    return with_places


def _is_meant(path: str) -> bool:
    """Whether this is the bare name, and ours to map."""
    return path == _NAME and not switched_off() and not os.path.isdir(_NAME)


def _place(revision: Any) -> Place:
    from .places import find_release

    return find_release(revision=None if revision is None else str(revision))


class _Finder:
    """Finds ``datasets`` where the others find it, and has it wrapped when it has been imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "datasets" or switched_off():
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)  # type: ignore[assignment]  # by its methods
                return spec
        return None


class _Loader:
    """Another loader, and a call of :func:`patch` after it; it leaves the module as the other made it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        """All else that a loader can do: sources and data of packages that are asked for before the import."""
        return getattr(self._inner, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._inner.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._inner
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        self._inner.exec_module(module)
        patch()
