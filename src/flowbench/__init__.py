"""flowbench: make, check, publish and load data about imagining how a scene changes.

Importing this package is cheap (it imports neither ``datasets`` nor a simulator); the parts
live in :mod:`flowbench.schema`, :mod:`flowbench.loaders`, :mod:`flowbench.builders`,
:mod:`flowbench.validation` and :mod:`flowbench.cli`. What most users want is here, and imported when
it is asked for:

- :func:`load_dataset`, :func:`webdataset`: a config, decoded on access;
- :func:`decode`: a sample from any reader as arrays and a typed record;
- :func:`draw_marks`, :func:`flow_to_rgb`: pictures.

It also makes ``datasets.load_dataset("flowbench", ...)`` find a release from any directory, unless the environment
says ``FLOWBENCH_NO_PATCH=1`` (:mod:`flowbench.loaders.hook`).
"""

from typing import TYPE_CHECKING

from ._version import __version__
from .loaders.hook import install as _install

if TYPE_CHECKING:
    from .loaders.decoding import decode
    from .loaders.loading import load_dataset
    from .loaders.sample import CorpusSample, RetrievalSample, SelectionSample, SimSample
    from .loaders.webdataset import webdataset
    from .marking import draw_marks
    from .viewing.flow import flow_to_rgb

__all__ = [
    "CorpusSample",
    "RetrievalSample",
    "SelectionSample",
    "SimSample",
    "__version__",
    "decode",
    "draw_marks",
    "flow_to_rgb",
    "load_dataset",
    "webdataset",
]

_install()

if not TYPE_CHECKING:  # a checker would take every name for one that __getattr__ knows
    _PLACES = {
        **dict.fromkeys(("CorpusSample", "RetrievalSample", "SelectionSample", "SimSample"), "loaders.sample"),
        "decode": "loaders.decoding",
        "draw_marks": "marking",
        "flow_to_rgb": "viewing.flow",
        "load_dataset": "loaders.loading",
        "webdataset": "loaders.webdataset",
    }

    def __getattr__(name: str) -> object:
        """Import what is asked for the first time."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f".{_PLACES[name]}", __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_PLACES})
